"""Answers to browsers: pages and redirects, with the headers of all pages, and errors as pages."""

from collections.abc import Mapping
from functools import lru_cache
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

import orjson
from flask import Flask, Response, current_app

from calendar_app.api.http.answers.answering import JSON, add_vary, sends_secret, set_etag
from calendar_app.api.http.answers.headers import discovery_headers
from calendar_app.api.http.request import current
from calendar_app.api.http.request.current import Context
from calendar_app.domain.cache_rules import read_rules
from calendar_app.errors import Message, PreconditionFailed
from calendar_app.settings import Settings
from calendar_app.site.html.answers import SECURITY_HEADERS, content_policy, redirect
from calendar_app.site.html.rendering import log_failure
from calendar_app.site.pages.places import PageLinks, same_path
from calendar_app.site.pages.questions import FEED_PARAMETERS, KEPT_OF_FEEDS, feed_format
from calendar_app.site.pages.rendering import Blocks, Pages, texts_in

_HTML = "text/html"
_EXTENSION, _BLUEPRINT = "calendar_pages", "pages"
_HEADERS = {
    **SECURITY_HEADERS,
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "Permissions-Policy": f"{SECURITY_HEADERS['Permissions-Policy']}, browsing-topics=()",
}
_NOT_KEPT, _AGAIN = "private, no-store", "no-cache"
_ALL_OTHERS = "*"
# The collection whose rule holds for pages below a segment.
_COLLECTIONS = {
    **dict.fromkeys(("event", "embed", "category", "tag"), "events"),
    "venue": "venues",
    "organizer": "organizers",
}
_DEFECT = HTTPStatus.INTERNAL_SERVER_ERROR
_REFUSED = Message("This does not work")
_FAILED = Message("Something is wrong here")
_TEXTS: Mapping[int, tuple[Message, Message]] = {
    HTTPStatus.NOT_FOUND: (
        Message("This page does not exist"),
        Message("Perhaps there is a mistake in the address, or what was here is over."),
    ),
    HTTPStatus.GONE: (
        Message("This event is no longer there"),
        Message("It was withdrawn. Perhaps something else is on that you like."),
    ),
    HTTPStatus.SERVICE_UNAVAILABLE: (
        Message("The calendar cannot be reached at the moment"),
        Message("Try again in a few seconds."),
    ),
}
_KEPT_HEADERS = ("Allow", "Retry-After", "WWW-Authenticate")


class PageResponse(Response):
    """A page; it gets the headers of pages."""

    default_mimetype = _HTML


def install(app: Flask, settings: Settings, blocks: Blocks) -> None:
    """Let the application render pages; tell in the log which templates of a theme fail."""
    pages = Pages(settings, blocks)
    for name, reason in pages.templates.failures.items():
        log_failure(name, reason)
    app.extensions[_EXTENSION] = pages


def surface() -> Pages:
    """Return the templates and static files of the running application."""
    pages: Pages = current_app.extensions[_EXTENSION]
    return pages


def page(template: str, status: int = 200, *, api_root: str = "", **parts: Any) -> PageResponse:
    """Return a page rendered from a template; ``api_root`` is the REST address of its content."""
    context = current.context()
    chain = context.error_chain
    api_root = api_root or f"{context.addresses.base}/"
    links: PageLinks = parts.pop("links", None) or PageLinks(context)
    shared = {
        "language": chain[0],
        "chain": chain,
        "addresses": context.addresses,
        "api_root": api_root,
        "links": links,
        "home": links.home(),
        "this_year": context.today().year,
    }
    text = surface().page(template, texts_in(chain), **shared, **parts)
    return PageResponse(text, status, discovery_headers(context.addresses, api_root))


def moved(address: str) -> Response:
    """Lead to another page for good, which may yet move again."""
    response = redirect(address, HTTPStatus.MOVED_PERMANENTLY)
    response.headers["Cache-Control"] = _AGAIN
    return response


def moved_view(context: Context, address: str) -> Response:
    """Lead to where a page has moved, or to its feed where that is asked for."""
    if not feed_format(context):
        return moved(address)
    sent = ((name, context.parameters.get(name)) for name in KEPT_OF_FEEDS)
    query = urlencode([(name, text) for name, text in sent if text])
    return moved(f"{address}{'&' if '?' in address else '?'}{query}")


def finish_page(response: Response) -> Response:
    """Add the headers of pages, with the entity tag and 304; a feed with a secret is not kept."""
    context = current.context()
    if not isinstance(response, PageResponse):
        asks_for_feed = any(name in context.request.args for name in FEED_PARAMETERS)
        if asks_for_feed and sends_secret(context.request):
            response.headers["Cache-Control"] = _NOT_KEPT
        return response
    request, settings = context.request, context.settings
    response.headers.extend(_HEADERS)
    response.headers["Content-Security-Policy"] = _policy(
        settings, embedded=request.path.startswith("/embed")
    )
    if context.resolved_language:
        response.headers["Content-Language"] = context.language
    if settings.negotiate_language:
        add_vary(response, "Accept-Language")
    if request.path == "/":
        add_vary(response, "Accept")
    if _opens_a_secret(context):
        response.headers["Cache-Control"] = _NOT_KEPT
        return response
    _add_cache_control(context, response)
    try:
        tagged: Response = set_etag(response)
    except PreconditionFailed:
        return Response(status=HTTPStatus.PRECONDITION_FAILED)
    return tagged


def _add_cache_control(context: Context, response: Response) -> None:
    """Add the operator's Cache-Control for the shown records; other pages are revalidated."""
    rules = _rules(context.settings)
    segment = context.request.path.removeprefix("/").partition("/")[0]
    directives = rules.get(_COLLECTIONS.get(segment, segment), rules.get(_ALL_OTHERS))
    is_public = response.status_code == HTTPStatus.OK
    response.headers.setdefault("Cache-Control", directives if is_public and directives else _AGAIN)
    if is_public and directives:
        add_vary(response, "Authorization")


@lru_cache(8)
def _rules(settings: Settings) -> Mapping[str, str]:
    return read_rules(settings.cache_control)


@lru_cache(8)
def _policy(settings: Settings, *, embedded: bool) -> str:
    """Return the policy of a page; those below ``/embed`` may be framed by other sites."""
    if not (embedded and settings.embed_origins):
        return content_policy(settings)
    return content_policy(settings, framers=" ".join(("'self'", *settings.embed_origins)))


def _opens_a_secret(context: Context) -> bool:
    return context.request.method == "POST" or sends_secret(context.request)


# Errors are pages for browsers, and on every address of a page.


def prefers_page(context: Context) -> bool:
    """Say whether the client would rather have HTML than JSON."""
    accepted = context.request.accept_mimetypes
    return accepted.best_match([JSON, _HTML], default=JSON) == _HTML


def as_error_page(response: Response) -> Response:
    """Return a refusal outside the interface as a page, where a page is wanted."""
    if response.status_code < HTTPStatus.BAD_REQUEST or response.mimetype != JSON:
        return response
    context = current.context()
    is_page = context.request.blueprint == _BLUEPRINT
    return _as_page(context, response) if is_page or prefers_page(context) else response


def _as_page(context: Context, response: Response) -> Response:
    context.settle_languages()
    body = orjson.loads(response.get_data())
    message = body.get("message", "") if isinstance(body, dict) else ""
    status = response.status_code
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        context.site = context.settings  # Nobody waits for the database once more.
    usual = (_FAILED if status >= _DEFECT else _REFUSED, Message(message))
    texts = texts_in(context.error_chain)
    heading, explanation = map(texts.message, _TEXTS.get(status, usual))
    error_page = page(
        "error.html",
        status,
        number=status,
        heading=heading,
        explanation=explanation,
        alternates=same_path(context),
    )
    for name in _KEPT_HEADERS:
        if name in response.headers:
            error_page.headers[name] = response.headers[name]
    return error_page
