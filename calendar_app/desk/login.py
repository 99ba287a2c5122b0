"""Logging in and out."""

from http import HTTPStatus
from urllib.parse import quote

from flask import Response
from wtforms import HiddenField, PasswordField, StringField

from calendar_app.desk import resuming, sessions
from calendar_app.desk.addresses import address, is_own
from calendar_app.desk.forms import DeskForm, longest, required
from calendar_app.desk.rendering import render, see
from calendar_app.desk.routing import page
from calendar_app.errors import Message, TooManyAttempts, WrongSecret
from calendar_app.http.request import current

_WRONG = Message("Name or password is wrong.")
_LONGEST = 1000


class LoginForm(DeskForm):
    name = StringField(Message("Name"), [required(), longest(_LONGEST)])
    password = PasswordField(Message("Password"), [required(), longest(_LONGEST)])
    next = HiddenField()


@page("/login", public=True, methods=["GET", "POST"])
def login() -> Response:
    """Ask for name and password, and lead back to the page that wanted them."""
    form = LoginForm()
    if current.request().method != "POST":
        if sessions.find_session():
            return see("/")
        form.next.data = current.request().args.get("next", "")
        return _ask(form)
    if not form.validate():
        return _ask(form, HTTPStatus.BAD_REQUEST)
    try:
        user_id = _authenticated(form)
    except WrongSecret:
        form.add_problem("password", _WRONG)
        return _ask(form, HTTPStatus.FORBIDDEN)
    except TooManyAttempts as error:
        status = form.refuse(error)
        refused = _ask(form, status)
        refused.headers["Retry-After"] = str(error.retry_after)
        return refused
    return enter(user_id, form.next.data or "")


@page("/logout", public=True, methods=["POST"])
def logout() -> Response:
    response = see("/login")
    sessions.log_out(response)
    return response


def enter(user_id: int, path: str = "") -> Response:
    """Log a user in, and lead on to ``path``, a page of the desk, or the first one."""
    target = path if is_own(path) else "/desk/"
    fields = resuming.kept_fields()
    token = sessions.begin(user_id)
    response = resuming.resume(target, fields) if fields else see(target.removeprefix("/desk"))
    sessions.set_cookie(response, sessions.COOKIE, token)
    return response


def ask_for_login() -> Response:
    """Lead to the login and back; keep the fields of a form."""
    request = current.request()
    path = request.full_path.rstrip("?")
    if request.method in ("GET", "HEAD"):
        return see(f"/login?next={quote(path, safe='/')}")
    form = LoginForm(formdata=None)
    form.next.data = path
    return _ask(form, HTTPStatus.FORBIDDEN, resuming.sent_fields())


def _authenticated(form: LoginForm) -> int:
    remote = current.request().remote_addr or ""
    accounts = current.services().accounts
    return accounts.authenticate_at_desk(form.name.data or "", form.password.data or "", remote)


def _ask(form: LoginForm, status: int = 200, kept: resuming.Pairs | None = None) -> Response:
    fields = resuming.kept_fields() if kept is None else kept
    return render(
        "login.html",
        status,
        form=form,
        kept=fields,
        action=address("/login"),
        provider=current.settings().oidc_issuer,
        sends_mail=current.services().mailer.enabled,
    )
