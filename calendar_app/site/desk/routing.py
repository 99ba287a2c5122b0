"""Registers pages of the desk: address, required right, and limit of the body."""

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import wraps
from http.cookies import SimpleCookie
from typing import Any
from wsgiref.types import WSGIEnvironment

import flask
from flask import Flask
from flask.typing import ResponseReturnValue

from calendar_app.accounts.callers import ANYONE, Caller, Right
from calendar_app.api.http.request import current
from calendar_app.api.http.request.state import Services, get_services
from calendar_app.api.http.views.resource_view import in_snapshot
from calendar_app.errors import Message, NotAllowed, Unavailable
from calendar_app.site.desk import sessions
from calendar_app.site.desk.sessions import PREFIX

DeskView = Callable[..., ResponseReturnValue]
READING = ("GET", "HEAD")
blueprint = flask.Blueprint("desk", __name__, url_prefix=PREFIX)
# A picture from a camera and a pasted book; what is larger ends the whole request.
_MOST = 64 << 20
_MOST_TEXT = 16 << 20
_MEGABYTE = 1 << 20
_FORM = re.compile(
    rf"{PREFIX}/(events|series|venues|organizers|categories|tags|media|sources)/(?!.*/translate/)"
)


class LoginRequired(Exception):
    """The page is for those who have logged in."""


def page(
    rule: str,
    *,
    also: str = "",
    needs: Right | None = None,
    public: bool = False,
    methods: Sequence[str] = ("GET",),
) -> Callable[[DeskView], DeskView]:
    """Add a page below ``/desk`` for users with a right; ``public`` ones are for everybody.

    It may have a second address, ``also``.

    All that a GET reads is of one moment. The view's name is that of the endpoint.
    """

    def add(view: DeskView) -> DeskView:
        opened = _opened(view, needs, public=public)
        for each in filter(None, (rule, also)):
            blueprint.add_url_rule(each, view.__name__, opened, methods=list(methods))
        return opened

    return add


def _opened(view: DeskView, needs: Right | None, *, public: bool) -> DeskView:
    @wraps(view)
    def opened(**path: Any) -> ResponseReturnValue:
        if public:
            return view(**path)
        require(needs)
        if current.context().request.method in READING:
            return in_snapshot(lambda: view(**path))
        return view(**path)

    return opened


@dataclass(frozen=True, slots=True)
class PartPage:
    """A page of the desk that only a part of ours has: its ``rule`` is below ``/desk``."""

    rule: str
    view: DeskView
    needs: Right
    methods: Sequence[str] = ("GET",)


def add_pages(app: Flask, pages: Iterable[PartPage]) -> None:
    """Add the pages of a part to the desk of an application, where all of ours have their names."""
    for each in pages:
        app.add_url_rule(
            f"{PREFIX}{each.rule}",
            # So that it is a page of the desk, with all that holds for these.
            endpoint=f"{blueprint.name}.{each.view.__name__}",
            view_func=_opened(each.view, each.needs, public=False),
            methods=list(each.methods),
        )


def require(right: Right | None) -> None:
    """Raise ``LoginRequired``, or ``NotAllowed`` where the user lacks the right."""
    if sessions.find_session() is None:
        raise LoginRequired
    if right is not None and not sessions.caller().may(right):
        raise NotAllowed


# Forms that are too large for the interface are read all the same, and refused beside the field.


@blueprint.before_request
def admit_large_form() -> None:
    """Raise the body limits of desk forms for editors and uploaders.

    Its files go to the disk while they are read.
    """
    context = current.context()
    request, settings = context.request, context.settings
    if (request.content_length or 0) <= settings.max_body:
        return
    sender = _sender_of_form(request.environ, context.services)
    if sender.may(Right.EDIT):
        request.max_form_memory_size = _MOST_TEXT
    if sender.may(Right.UPLOAD):
        request.max_content_length = max(_MOST, settings.max_upload)


def most_bytes(app: Flask, environ: WSGIEnvironment) -> int:
    """Return how many bytes of a body the application may take."""
    services = get_services(app)
    usual = services.settings.max_upload
    with suppress(Unavailable):
        if services.settings.desk and _sender_of_form(environ, services).may(Right.UPLOAD):
            return max(_MOST, usual)
    return usual


def too_long(texts: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the reason for each text, by name, that is longer than the interface takes."""
    most = current.context().settings.max_body
    reason = Message("The text is too long: at most {most} MB.", most=max(most // _MEGABYTE, 1))
    return {name: reason for name, text in texts if len(text.encode()) > most}


def _sender_of_form(environ: WSGIEnvironment, services: Services) -> Caller:
    """Return the user who is logged in and sends the form of a record, else ``ANYONE``."""
    if environ["REQUEST_METHOD"] != "POST" or not _FORM.search(environ["PATH_INFO"]):
        return ANYONE
    token = SimpleCookie(environ.get("HTTP_COOKIE", "")).get(sessions.COOKIE)
    session = services.accounts.sessions.find(token.value) if token else None
    return session.caller if session else ANYONE
