"""Logging in and out, with a password that a link of an invitation or a letter lets set."""

from collections.abc import Iterable
from http import HTTPStatus
from urllib.parse import quote

from flask import Response, abort
from wtforms import HiddenField, PasswordField, StringField

from calendar_app.accounts.profiles import Profile
from calendar_app.api.http.request import current
from calendar_app.api.http.views.managing_users import send_new_password
from calendar_app.errors import (
    CalendarError,
    InvitationOver,
    Message,
    NotFound,
    TooManyAttempts,
    WrongSecret,
)
from calendar_app.site.desk import sessions
from calendar_app.site.desk.forms import DeskForm, longest, required
from calendar_app.site.desk.rendering import notify, render, see
from calendar_app.site.desk.routing import page
from calendar_app.site.desk.sessions import FIELD, address, desk_path, is_own

_LONGEST = 1000
Pairs = list[tuple[str, str]]
_WRONG = Message("Name or password is wrong.")


class LoginForm(DeskForm):
    name = StringField(Message("Name or e-mail"), [required(), longest(_LONGEST)])
    password = PasswordField(Message("Password"), [required(), longest(_LONGEST)])
    next = HiddenField()


@page("/login", public=True, methods=["GET", "POST"])
def login() -> Response:
    """Ask for name and password, and lead back to the page that wanted them."""
    context = current.context()
    form = LoginForm()
    if context.request.method != "POST":
        if sessions.find_session():
            return see("/")
        form.next.data = context.request.args.get("next", "")
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
    fields = kept_fields()
    if not is_typed_by(user_id, fields):
        fields = []
    token = sessions.begin(user_id)
    response = resume(target, fields) if fields else see(target.removeprefix("/desk"))
    sessions.set_cookie(response, sessions.COOKIE, token)
    return response


def ask_for_login() -> Response:
    """Lead to the login and back; keep the fields of a form."""
    request = current.context().request
    path = request.full_path.rstrip("?")
    if request.method in ("GET", "HEAD"):
        return see(f"/login?next={quote(path, safe='/')}")
    form = LoginForm(formdata=None)
    form.next.data = path
    return _ask(form, HTTPStatus.FORBIDDEN, sent_fields())


def _authenticated(form: LoginForm) -> int:
    context = current.context()
    remote = context.request.remote_addr or ""
    accounts = context.services.accounts
    return accounts.authenticate_at_desk(form.name.data or "", form.password.data or "", remote)


def _ask(form: LoginForm, status: int = 200, fields_to_keep: Pairs | None = None) -> Response:
    context = current.context()
    fields = kept_fields() if fields_to_keep is None else fields_to_keep
    return render(
        "login.html",
        status,
        form=form,
        kept=fields,
        action=address("/login"),
        provider=context.settings.oidc_issuer,
        sends_mail=context.services.mailer.enabled,
    )


# The fields of a form that came after its session had ended.

# In front of the names of fields that wait behind the login form.
_KEPT_PREFIX = "kept:"
# The user of the session in which a form was shown; all forms have it beside their token.
_TYPED_BY = f"{_KEPT_PREFIX}form_user"
_OF_ANOTHER = Message("Another user has filled in this form. Nothing of it was saved.")
_FORBIDDEN = 403


def sent_fields() -> Pairs:
    """Return the fields of the form that was sent, as they go behind a login form."""
    sent = current.context().request.form.items(multi=True)
    return [(f"{_KEPT_PREFIX}{name}", text) for name, text in sent if name != FIELD]


def kept_fields() -> Pairs:
    """Return the fields behind a login form, as they stood there."""
    sent = current.context().request.form.items(multi=True)
    return [(name, text) for name, text in sent if name.startswith(_KEPT_PREFIX)]


def resume(path: str, fields: Iterable[tuple[str, str]], status: int = 200) -> Response:
    """Show a form of an earlier session, to be sent again in this one."""
    form_fields = [
        (name.removeprefix(_KEPT_PREFIX), text) for name, text in fields if name != _TYPED_BY
    ]
    return render("resume.html", status, action=path, fields=form_fields)


def resume_sent() -> Response:
    """Let the form that was sent be sent again, with the token of this session."""
    context, fields = current.context(), sent_fields()
    if not is_typed_by(context.caller.id, fields):
        notify(_OF_ANOTHER, "warning")
        return see("/")
    return resume(context.request.full_path.rstrip("?"), fields, _FORBIDDEN)


def is_typed_by(user_id: int, fields: Pairs) -> bool:
    """Return whether a form is of a user: another one never sees what was typed into it."""
    return all(text == str(user_id) for name, text in fields if name == _TYPED_BY)


# Links of invitations, and of those who have forgotten their password.

_INVITATION = "desk_invitation"
_WELCOME = "/welcome"
_UNEQUAL = Message("The two passwords differ.")


class WelcomeForm(DeskForm):
    password = PasswordField(Message("New password"), [required(), longest(_LONGEST)])
    again = PasswordField(Message("New password once more"), [required(), longest(_LONGEST)])


class ForgotForm(DeskForm):
    name = StringField(Message("Name or e-mail"), [required(), longest(_LONGEST)])


@page(_WELCOME, public=True, methods=["GET", "POST"])
def welcome() -> Response:
    """Let an invited user set the password, and log them in.

    A GET uses nothing up, since programs follow the links of letters. It moves the token from the
    address into a cookie, so that neither the history nor other sites get to know it.
    """
    context = current.context()
    sent = context.request.args.get("token")
    if sent is not None:
        return _keep(sent)
    token = context.request.cookies.get(_INVITATION, "")
    profile, form = _invited(token), WelcomeForm()
    if context.request.method != "POST":
        return _ask_for_password(form, profile)
    is_valid = form.validate()
    if is_valid and form.password.data != form.again.data:
        form.add_problem("again", _UNEQUAL)
    if not is_valid or form.problems:
        return _ask_for_password(form, profile, HTTPStatus.BAD_REQUEST)
    return _accept(token, form, profile)


@page("/forgot", public=True, methods=["GET", "POST"])
def forgot() -> Response:
    """Send a link to set the password; the response does not reveal which users exist."""
    context = current.context()
    services, form = context.services, ForgotForm()
    if not services.mailer.enabled:
        abort(HTTPStatus.NOT_FOUND)
    if context.request.method != "POST":
        return render("forgot.html", form=form, is_sent=False)
    if not form.validate():
        return render("forgot.html", HTTPStatus.BAD_REQUEST, form=form, is_sent=False)
    address = context.request.remote_addr or ""
    services.accounts.refuse_throttled(address)
    services.accounts.count_wrong_password(address)
    send_new_password((form.name.data or "").strip())
    return render("forgot.html", form=form, is_sent=True)


def _keep(token: str) -> Response:
    _invited(token)
    response = see(_WELCOME)
    sessions.set_cookie(response, _INVITATION, token)
    response.headers["Referrer-Policy"] = "no-referrer"
    return response


def _invited(token: str) -> Profile:
    """Return the user of an invitation; raise ``InvitationOver``."""
    context = current.context()
    user_id = context.services.invitations.user_of(token)
    try:
        profile = context.services.profiles.find(user_id or 0)
    except NotFound as error:
        raise InvitationOver from error
    if profile.blocked:
        raise InvitationOver
    return profile


def _accept(token: str, form: WelcomeForm, profile: Profile) -> Response:
    services, password = current.context().services, form.password.data or ""

    def set_password(_user_id: int) -> None:
        services.accounts.change_desk_password(profile.name, password)

    try:
        user_id = services.invitations.redeem(token, set_password)
    except InvitationOver:
        raise
    except CalendarError as error:
        return _ask_for_password(form, profile, form.refuse(error))
    response = enter(user_id)
    response.delete_cookie(_INVITATION, path=desk_path())
    return response


def _ask_for_password(form: WelcomeForm, profile: Profile, status: int = 200) -> Response:
    return render("welcome.html", status, form=form, profile=profile)
