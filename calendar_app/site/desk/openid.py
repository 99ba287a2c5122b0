"""Logging in with an account of an OpenID Connect provider."""

from collections.abc import Mapping
from http import HTTPStatus
from types import MappingProxyType
from urllib.parse import quote, unquote

import structlog
from flask import Response, abort, redirect

from calendar_app.accounts.openid import (
    LoginAttempt,
    LoginRefused,
    Provider,
    ProviderUnavailable,
    UnverifiedEmail,
)
from calendar_app.accounts.profiles import Profile
from calendar_app.api.http.request import current
from calendar_app.api.http.views.managing_users import create
from calendar_app.errors import BlockedUser, CalendarError, InvalidParameters, Message
from calendar_app.site.desk import sessions
from calendar_app.site.desk.login import enter
from calendar_app.site.desk.rendering import render
from calendar_app.site.desk.routing import page
from calendar_app.site.desk.sessions import PREFIX, desk_path

_COOKIE = "desk_oidc"
_CALLBACK = "/oidc/callback"
_LONGEST_NAME = 60


class UnknownEmail(CalendarError):
    """Nobody here, or more than one, has the address of e-mail."""


_EXPLANATIONS: Mapping[type[CalendarError], Message] = MappingProxyType(
    {
        UnknownEmail: Message("Nobody here has your e-mail address. Ask for an invitation."),
        UnverifiedEmail: Message("The provider has not verified your e-mail."),
        LoginRefused: Message("The login has not worked. Try it once more."),
        ProviderUnavailable: Message("The provider cannot be reached at the moment."),
        BlockedUser: Message("This user is blocked."),
    }
)
_REFUSALS: tuple[type[CalendarError], ...] = (*_EXPLANATIONS, InvalidParameters)


@page("/oidc/start", public=True)
def oidc_start() -> Response:
    """Redirect to the provider; only the browser keeps the state of this login."""
    provider, attempt = _provider(), LoginAttempt.begin()
    try:
        address = provider.authorization_url(attempt, _redirect_uri())
    except (ProviderUnavailable, LoginRefused) as error:
        return _refuse(error)
    response: Response = redirect(address, HTTPStatus.SEE_OTHER, Response)  # type: ignore[assignment]  # werkzeug types its own class
    path = current.context().request.args.get("next", "")
    sessions.set_cookie(response, _COOKIE, f"{attempt.secret}.{quote(path, safe='')}")
    response.headers["Referrer-Policy"] = "no-referrer"
    return response


@page(_CALLBACK, public=True)
def oidc_callback() -> Response:
    """Log in the user whom the provider has identified."""
    context = current.context()
    provider, arguments = _provider(), context.request.args
    secret, _, path = context.request.cookies.get(_COOKIE, "").partition(".")
    attempt = LoginAttempt(secret)
    if not secret or not attempt.is_state(arguments.get("state", "")):
        return _refuse(LoginRefused("state"))
    try:
        if "code" not in arguments:
            raise LoginRefused(arguments.get("error", "")[:_LONGEST_NAME])
        email = provider.verified_email(attempt, arguments["code"], _redirect_uri())
        profile = _profile(email)
    except _REFUSALS as error:
        return _refuse(error)
    response = enter(profile.id, unquote(path))
    return _forgetting(response)


def _profile(email: str) -> Profile:
    """Return the user of an address; make one where ``oidc_role`` says so.

    Raises ``UnknownEmail`` or ``BlockedUser``.
    """
    context = current.context()
    profiles, role = context.services.profiles.find_by_email(email), context.settings.oidc_role
    if not profiles and role:
        return create(email[:_LONGEST_NAME], role, email)
    if len(profiles) != 1:
        raise UnknownEmail
    if profiles[0].blocked:
        raise BlockedUser
    return profiles[0]


def _provider() -> Provider:
    provider = current.context().services.openid
    if provider is None:
        abort(HTTPStatus.NOT_FOUND)
    return provider


def _redirect_uri() -> str:
    return f"{current.context().addresses.root}{PREFIX}{_CALLBACK}"


def _refuse(error: CalendarError) -> Response:
    """Show why the login failed; the log has the provider's answer."""
    structlog.get_logger().warning("openid", reason=type(error).__name__, detail=str(error))
    kinds = (kind for kind in type(error).__mro__ if kind in _EXPLANATIONS)
    explanation = _EXPLANATIONS[next(kinds, UnknownEmail)]
    is_away = isinstance(error, ProviderUnavailable)
    status = HTTPStatus.SERVICE_UNAVAILABLE if is_away else HTTPStatus.FORBIDDEN
    return _forgetting(render("openid.html", status, explanation=explanation))


def _forgetting(response: Response) -> Response:
    response.delete_cookie(_COOKIE, path=desk_path())
    return response
