"""A user's own page: name, language, password, sessions in words."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from http import HTTPStatus

from flask import Response
from wtforms import PasswordField, SelectField, StringField

from calendar_app.accounts.authentication import Session
from calendar_app.api.http.request import current
from calendar_app.domain.languages import look_up
from calendar_app.errors import CalendarError, DuplicateKey, Message, WrongSecret
from calendar_app.site.desk import rendering, sessions
from calendar_app.site.desk.forms import DeskForm, choices, longest, required
from calendar_app.site.desk.rendering import message_text, notify, render, see
from calendar_app.site.desk.role_names import role_words
from calendar_app.site.desk.routing import page
from calendar_app.site.html import wording
from calendar_app.site.html.wording import own_name

_LONGEST = 1000
_LONGEST_LABEL = 60
_PATH = "/me/"
_LABEL_TAKEN = Message("You have a password of this name already.")
_UNEQUAL = Message("The two new passwords differ.")
# Raised below the desk, where no messages are gathered.
_TOO_SHORT = Message("A password has at least 10 characters, without spaces.")
_NOT_YOURS = Message("This is not your password.")


class OwnForm(DeskForm):
    display_name = StringField(Message("Name that others see"), [longest(_LONGEST)])
    language = SelectField(Message("Language of the desk"))


class ApplicationPasswordForm(DeskForm):
    label = StringField(Message("For which program"), [longest(_LONGEST_LABEL)])


class PasswordForm(DeskForm):
    present = PasswordField(Message("Current password"), [required(), longest(_LONGEST)])
    password = PasswordField(Message("New password"), [required(), longest(_LONGEST)])
    again = PasswordField(Message("New password once more"), [required(), longest(_LONGEST)])


@page(_PATH)
def me() -> Response:
    """Show the user's own settings."""
    return _show()


@page("/me/own", methods=["POST"])
def change_own() -> Response:
    """Keep the name that others see, and the language of the desk."""
    form, accounts = _own_form(), current.context().services.accounts
    if not form.validate():
        return _show(HTTPStatus.BAD_REQUEST, own_form=form)
    try:
        name = (form.display_name.data or "").strip()
        accounts.choose_display_name(sessions.caller(), name, role_words())
    except CalendarError as error:
        return _show(form.refuse(error), own_form=form)
    accounts.choose_language(sessions.caller().id, form.language.data)
    notify(Message("This is saved."))
    return see(_PATH)


@page("/me/password", methods=["POST"])
def change_password() -> Response:
    """Change the password, which ends all sessions, and begin a new one here."""
    form = PasswordForm()
    if form.validate() and form.password.data != form.again.data:
        form.add_problem("again", _UNEQUAL)
    if form.problems:
        return _show(HTTPStatus.BAD_REQUEST, password_form=form)
    try:
        _change_password(form)
    except WrongSecret:
        form.add_problem("present", _NOT_YOURS)
        return _show(HTTPStatus.FORBIDDEN, password_form=form)
    except CalendarError as error:
        return _show(form.refuse(error), password_form=form)
    response = see(_PATH)
    sessions.set_cookie(response, sessions.COOKIE, sessions.begin(sessions.caller().id))
    notify(Message("Your password has been changed. All other sessions have ended."))
    return response


@page("/me/sessions/end", methods=["POST"])
def end_other_sessions() -> Response:
    current.context().services.accounts.sessions.end_others(sessions.session())
    notify(Message("All other sessions have ended."))
    return see(_PATH)


@page("/me/application-passwords", methods=["POST"])
def add_application_password() -> Response:
    """Make an application password, and show it this once."""
    form = ApplicationPasswordForm()
    if not form.validate():
        return _show(HTTPStatus.BAD_REQUEST, label_form=form)
    accounts, name = current.context().services.accounts, sessions.caller().name
    try:
        secret = accounts.new_password(name, (form.label.data or "").strip())
    except DuplicateKey:
        form.add_problem("label", _LABEL_TAKEN)
        return _show(HTTPStatus.CONFLICT, label_form=form)
    return _show(secret=secret)


@page("/me/application-passwords/revoke", methods=["POST"])
def revoke_application_password() -> Response:
    context = current.context()
    accounts, label = context.services.accounts, context.request.form.get("label", "")
    with suppress(WrongSecret):  # It is gone already.
        accounts.revoke(sessions.caller().name, label)
    notify(Message("The password {label} is revoked.", label=label))
    return see(_PATH)


def _change_password(form: PasswordForm) -> None:
    context = current.context()
    accounts, name = context.services.accounts, sessions.caller().name
    address = context.request.remote_addr or ""
    accounts.authenticate_at_desk(name, form.present.data or "", address)
    accounts.change_desk_password(name, form.password.data or "")


def _own_form() -> OwnForm:
    profile = {
        "language": look_up(rendering.language(), rendering.offered()),
        "display_name": sessions.caller().display_name,
    }
    form = OwnForm(data=profile)
    form.language.choices = choices((tag, own_name(tag)) for tag in rendering.offered())
    return form


def _show(
    status: int = 200,
    *,
    own_form: OwnForm | None = None,
    password_form: PasswordForm | None = None,
    label_form: ApplicationPasswordForm | None = None,
    secret: str = "",
) -> Response:
    context = current.context()
    caller = sessions.caller()
    return render(
        "me.html",
        status,
        own_form=own_form or _own_form(),
        password_form=password_form or PasswordForm(formdata=None),
        label_form=label_form or ApplicationPasswordForm(formdata=None),
        labels=context.services.accounts.labels_of(caller.id),
        secret=secret,
        user_sessions=in_words(context.services.accounts.sessions.of_user(caller.id)),
    )


# Sessions in the words by which people tell them apart.

# Most browsers name others too, so the first that matches counts.
_BROWSERS = {
    "Edg": "Edge",
    "OPR/": "Opera",
    "Firefox/": "Firefox",
    "Chrome/": "Chrome",
    "Safari/": "Safari",
}
_SYSTEMS = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "Windows": "Windows",
    "Mac OS": "macOS",
    "CrOS": "ChromeOS",
    "Linux": "Linux",
}
_PHONES = ("iPhone", "Mobile")
_NOW = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class SessionInWords:
    """A session as people tell it from others: ``Firefox on Linux``, ``yesterday``."""

    device: str
    used: str
    address: str
    is_this: bool


def in_words(user_sessions: Iterable[Session]) -> list[SessionInWords]:
    """Return sessions in words of the desk's language."""
    this = sessions.session().id
    return [
        SessionInWords(device_name(each.agent), _used(each.used), each.address, each.id == this)
        for each in user_sessions
    ]


def device_name(agent: str) -> str:
    """Return browser and system as people call them: ``Firefox on Windows``."""
    browser, system = (
        next((name for mark, name in marks.items() if mark in agent), "")
        for marks in (_BROWSERS, _SYSTEMS)
    )
    if not browser or not system:
        return browser or system or message_text(Message("Unknown browser"))
    is_phone = any(mark in agent for mark in _PHONES) and system != "iPad"
    pattern = Message("Phone, {browser}") if is_phone else Message("{browser} on {system}")
    return message_text(Message(pattern.pattern, browser=browser, system=system))


def _used(moment: datetime) -> str:
    """Return when a session was last used: ``now``, ``today at 15:42``, ``yesterday``."""
    context = current.context()
    now, used = context.today(), moment.replace(tzinfo=UTC).astimezone(context.zone)
    if now - used < _NOW:
        return message_text(Message("now"))
    if used.date() == now.date():
        time = wording.clock(used, rendering.language())
        return message_text(Message("today at {time}", time=time))
    if (now.date() - used.date()).days == 1:
        return message_text(Message("yesterday"))
    return wording.long_date(used.date(), rendering.language())
