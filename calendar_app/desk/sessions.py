"""The session of a request, and its cookie."""

from datetime import timedelta

from flask import Response, g

from calendar_app.accounts.authentication import Session
from calendar_app.accounts.policy import ANYONE, Caller
from calendar_app.desk.addresses import desk_path
from calendar_app.http.request import current

COOKIE = "desk_session"


def begin_request() -> None:
    """Let the session alone say who calls: the desk takes no other credentials."""
    _adopt(current.request().cookies.get(COOKIE, ""))


def _adopt(token: str) -> None:
    """Let the session of a token be that of the request."""
    g.desk_session = current.services().accounts.sessions.find(token) if token else None
    g.desk_token = token if g.desk_session else ""
    g.pop("desk_language", None)
    context = current.context()
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
    sessions, request = current.services().accounts.sessions, current.request()
    sessions.end(request.cookies.get(COOKIE, ""))
    token = sessions.begin(
        user_id,
        timedelta(hours=current.settings().session_hours),
        request.headers.get("User-Agent", ""),
        request.remote_addr or "",
    )
    _adopt(token)
    return token


def log_out(response: Response) -> None:
    current.services().accounts.sessions.end(current.request().cookies.get(COOKIE, ""))
    response.delete_cookie(COOKIE, path=desk_path())


def set_cookie(response: Response, name: str, value: str) -> None:
    """Set a cookie for the desk alone, which neither scripts nor other sites get."""
    secure = current.addresses().root.startswith("https:") or current.request().is_secure
    response.set_cookie(name, value, path=desk_path(), httponly=True, samesite="Lax", secure=secure)
