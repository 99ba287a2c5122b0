"""Links of invitations, and of those who have forgotten their password."""

from http import HTTPStatus

from flask import Response, abort
from wtforms import PasswordField, StringField

from calendar_app.accounts.profiles import Profile
from calendar_app.desk import sessions
from calendar_app.desk.addresses import desk_path
from calendar_app.desk.forms import DeskForm, longest, required
from calendar_app.desk.login import enter
from calendar_app.desk.rendering import render, see
from calendar_app.desk.routing import page
from calendar_app.errors import CalendarError, InvitationOver, Message, NotFound
from calendar_app.http.request import current
from calendar_app.http.views.managing_users import send_new_password

_COOKIE = "desk_invitation"
_PATH = "/welcome"
_LONGEST = 1000
_UNEQUAL = Message("The two passwords differ.")


class WelcomeForm(DeskForm):
    password = PasswordField(Message("New password"), [required(), longest(_LONGEST)])
    again = PasswordField(Message("New password once more"), [required(), longest(_LONGEST)])


class ForgotForm(DeskForm):
    name = StringField(Message("Name or e-mail"), [required(), longest(_LONGEST)])


@page(_PATH, public=True, methods=["GET", "POST"])
def welcome() -> Response:
    """Let an invited user set the password, and log them in.

    A GET uses nothing up, since programs follow the links of letters. It moves the token from the
    address into a cookie, so that neither the history nor other sites get to know it.
    """
    sent = current.request().args.get("token")
    if sent is not None:
        return _keep(sent)
    token = current.request().cookies.get(_COOKIE, "")
    profile, form = _invited(token), WelcomeForm()
    if current.request().method != "POST":
        return _ask(form, profile)
    is_valid = form.validate()
    if is_valid and form.password.data != form.again.data:
        form.add_problem("again", _UNEQUAL)
    if not is_valid or form.problems:
        return _ask(form, profile, HTTPStatus.BAD_REQUEST)
    return _accept(token, form, profile)


@page("/forgot", public=True, methods=["GET", "POST"])
def forgot() -> Response:
    """Send a link at which the password is set; the answer tells nothing of who there is."""
    services, form = current.services(), ForgotForm()
    if not services.mailer.enabled:
        abort(HTTPStatus.NOT_FOUND)
    if current.request().method != "POST":
        return render("forgot.html", form=form, is_sent=False)
    if not form.validate():
        return render("forgot.html", HTTPStatus.BAD_REQUEST, form=form, is_sent=False)
    address = current.request().remote_addr or ""
    services.accounts.refuse_throttled(address)
    services.accounts.count_wrong_password(address)
    send_new_password((form.name.data or "").strip())
    return render("forgot.html", form=form, is_sent=True)


def _keep(token: str) -> Response:
    _invited(token)
    response = see(_PATH)
    sessions.set_cookie(response, _COOKIE, token)
    response.headers["Referrer-Policy"] = "no-referrer"
    return response


def _invited(token: str) -> Profile:
    """Return the user of an invitation; raise ``InvitationOver``."""
    user_id = current.services().invitations.user_of(token)
    try:
        profile = current.services().profiles.find(user_id or 0)
    except NotFound as error:
        raise InvitationOver from error
    if profile.blocked:
        raise InvitationOver
    return profile


def _accept(token: str, form: WelcomeForm, profile: Profile) -> Response:
    services, password = current.services(), form.password.data or ""

    def set_password(_user_id: int) -> None:
        services.accounts.change_desk_password(profile.name, password)

    try:
        user_id = services.invitations.redeem(token, set_password)
    except InvitationOver:
        raise
    except CalendarError as error:
        return _ask(form, profile, form.refuse(error))
    response = enter(user_id)
    response.delete_cookie(_COOKIE, path=desk_path())
    return response


def _ask(form: WelcomeForm, profile: Profile, status: int = 200) -> Response:
    return render("welcome.html", status, form=form, profile=profile)
