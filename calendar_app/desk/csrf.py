"""Tokens that prove that a form comes from a page of the desk.

A token is derived from the token of the session, which no other site knows and no script reads;
before the login, from that of a cookie made for it.
https://cheatsheetseries.owasp.org/cheatsheets/Cross-Site_Request_Forgery_Prevention_Cheat_Sheet.html
"""

import hmac
import secrets
from urllib.parse import urlsplit

from flask import Response, g
from wtforms import Form, ValidationError
from wtforms.csrf.core import CSRF, CSRFTokenField

from calendar_app.desk import sessions
from calendar_app.errors import CrossSiteRequest, Message
from calendar_app.http.request import current

FIELD = "csrf_token"
HEADER = "X-CSRF-Token"
_VISIT = "desk_visit"
_VISIT_BYTES = 32
_STALE = Message("This form is from an earlier session. Send it again.")


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
    return _derived(sessions.token() or _visit())


def require_own_origin() -> None:
    """Raise ``CrossSiteRequest`` for a write that a page of another site sends."""
    origin = current.request().headers.get("Origin")
    if origin is not None and origin.lower() not in _own_origins():
        raise CrossSiteRequest


def require_token() -> None:
    """Raise ``StaleForm`` for a write without the token of the session."""
    request = current.request()
    if not _is_valid(request.headers.get(HEADER) or request.form.get(FIELD, "")):
        raise StaleForm


def keep_visit(response: Response) -> None:
    """Give a browser that has not logged in the cookie on which its token depends."""
    visit = g.get("desk_visit")
    if visit and visit != current.request().cookies.get(_VISIT):
        sessions.set_cookie(response, _VISIT, visit)


def _visit() -> str:
    if "desk_visit" not in g:
        sent = current.request().cookies.get(_VISIT)
        g.desk_visit = sent or secrets.token_urlsafe(_VISIT_BYTES)
    visit: str = g.desk_visit
    return visit


def _derived(secret: str) -> str:
    return hmac.digest(secret.encode(errors="surrogatepass"), b"csrf", "sha256").hex()


def _is_valid(token: str) -> bool:
    secret = sessions.token() or current.request().cookies.get(_VISIT, "")
    return bool(secret) and hmac.compare_digest(token.encode(), _derived(secret).encode())


def _own_origins() -> tuple[str, ...]:
    site = urlsplit(current.addresses().root)
    host = current.request().host_url.rstrip("/")
    return host.lower(), f"{site.scheme}://{site.netloc}".lower()
