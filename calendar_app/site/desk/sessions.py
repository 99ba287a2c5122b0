"""Sessions of the desk: the logged-in user, the cookie, and the tokens of forms.

A token proves that a form comes from a page of the desk. It is derived from the token of the
session, which no other site knows and no script reads; before the login, from that of a cookie
made for it.
https://cheatsheetseries.owasp.org/cheatsheets/Cross-Site_Request_Forgery_Prevention_Cheat_Sheet.html
"""

import hmac
import re
import secrets
from datetime import timedelta
from urllib.parse import urlsplit

from flask import Response, g
from wtforms import Form, ValidationError
from wtforms.csrf.core import CSRF, CSRFTokenField

from calendar_app.accounts.authentication import Session
from calendar_app.accounts.callers import ANYONE, Caller
from calendar_app.api.http.request import current
from calendar_app.errors import CrossSiteRequest, Message

PREFIX = "/desk"
# Browsers read a backslash as a slash, and skip control characters.
_OWN = re.compile(r"/desk(?:/[^\\\x00-\x20\x7f]*)?(?:\?[^\\\x00-\x20\x7f]*)?")
COOKIE = "desk_session"
FIELD = "csrf_token"
HEADER = "X-CSRF-Token"
_VISIT = "desk_visit"
_VISIT_BYTES = 32
_STALE = Message("This form is from an earlier session. Send it again.")


def desk_path() -> str:
    """Return the path of the desk, below which its cookies are sent."""
    return f"{current.context().addresses.root_path}{PREFIX}"


def address(path: str = "/") -> str:
    """Return the address of a page: ``/venues/`` becomes ``/desk/venues/``."""
    return f"{current.context().addresses.root_path}{PREFIX}{path}"


def is_own(path: str) -> bool:
    """Return whether a path is one of the desk, so that a login may lead there."""
    return _OWN.fullmatch(path) is not None and ".." not in path and "//" not in path


# Sessions.


def begin_request() -> None:
    """Authenticate the request with its session; the desk takes no other credentials."""
    _adopt(current.context().request.cookies.get(COOKIE, ""))


def _adopt(token: str) -> None:
    """Let the session of a token be that of the request."""
    context = current.context()
    g.desk_session = context.services.accounts.sessions.find(token) if token else None
    g.desk_token = token if g.desk_session else ""
    g.pop("desk_language", None)
    context.caller = caller()
    context.exchange.user = context.caller.id or None


def find_session() -> Session | None:
    session: Session | None = g.get("desk_session")
    return session


def session() -> Session:
    """Return the session of a request that needs one."""
    present = find_session()
    if present is None:
        raise LookupError("The page is for everybody.")
    return present


def caller() -> Caller:
    present = find_session()
    return present.caller if present else ANYONE


def token() -> str:
    """Return the token of the session; empty where nobody has logged in."""
    token: str = g.get("desk_token", "")
    return token


def begin(user_id: int) -> str:
    """Begin a session with a new token, and end the earlier one of the browser."""
    context = current.context()
    sessions, request = context.services.accounts.sessions, context.request
    sessions.end(request.cookies.get(COOKIE, ""))
    token = sessions.begin(
        user_id,
        timedelta(hours=context.settings.session_hours),
        request.headers.get("User-Agent", ""),
        request.remote_addr or "",
    )
    _adopt(token)
    return token


def log_out(response: Response) -> None:
    context = current.context()
    context.services.accounts.sessions.end(context.request.cookies.get(COOKIE, ""))
    response.delete_cookie(COOKIE, path=desk_path())


def set_cookie(response: Response, name: str, value: str) -> None:
    """Set a cookie for the desk only, hidden from scripts and from other sites."""
    context = current.context()
    secure = context.addresses.root.startswith("https:") or context.request.is_secure
    response.set_cookie(name, value, path=desk_path(), httponly=True, samesite="Lax", secure=secure)


# Forms.


class StaleForm(Exception):
    """A form without the token of the session."""


class SessionCSRF(CSRF):
    """Lets the forms of Flask-WTF carry the token of the session."""

    def generate_csrf_token(self, csrf_token_field: CSRFTokenField) -> str:
        del csrf_token_field
        return csrf_token()

    def validate_csrf_token(self, form: Form, field: CSRFTokenField) -> None:  # type: ignore[override]
        del form
        if not _is_valid(field.data or ""):
            raise ValidationError(_STALE)


def csrf_token() -> str:
    """Return the token for the forms of a page."""
    return _derived(token() or _visit())


def require_own_origin() -> None:
    """Raise ``CrossSiteRequest`` for a write that a page of another site sends."""
    origin = current.context().request.headers.get("Origin")
    if origin is not None and origin.lower() not in _own_origins():
        raise CrossSiteRequest


def require_token() -> None:
    """Raise ``StaleForm`` for a write without the token of the session."""
    request = current.context().request
    if not _is_valid(request.headers.get(HEADER) or request.form.get(FIELD, "")):
        raise StaleForm


def keep_visit(response: Response) -> None:
    """Give a browser that has not logged in the cookie on which its token depends."""
    visit = g.get("desk_visit")
    if visit and visit != current.context().request.cookies.get(_VISIT):
        set_cookie(response, _VISIT, visit)


def _visit() -> str:
    if "desk_visit" not in g:
        sent = current.context().request.cookies.get(_VISIT)
        g.desk_visit = sent or secrets.token_urlsafe(_VISIT_BYTES)
    visit: str = g.desk_visit
    return visit


def _derived(secret: str) -> str:
    return hmac.digest(secret.encode(errors="surrogatepass"), b"csrf", "sha256").hex()


def _is_valid(sent: str) -> bool:
    secret = token() or current.context().request.cookies.get(_VISIT, "")
    return bool(secret) and hmac.compare_digest(sent.encode(), _derived(secret).encode())


def _own_origins() -> tuple[str, ...]:
    context = current.context()
    site = urlsplit(context.addresses.root)
    host = context.request.host_url.rstrip("/")
    return host.lower(), f"{site.scheme}://{site.netloc}".lower()
