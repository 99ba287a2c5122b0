"""A user's own page: language, password, sessions."""

from contextlib import suppress
from http import HTTPStatus

from flask import Response
from wtforms import PasswordField, SelectField, StringField

from calendar_app.desk import rendering, sessions
from calendar_app.desk.forms import DeskForm, choices, longest, required
from calendar_app.desk.rendering import notify, render, see
from calendar_app.desk.routing import page
from calendar_app.errors import CalendarError, DuplicateKey, Message, WrongSecret
from calendar_app.html.wording import own_name
from calendar_app.http.request import current

_LONGEST = 1000
_LONGEST_LABEL = 60
_PATH = "/me/"
_LABEL_TAKEN = Message("You have a password of this name already.")
_UNEQUAL = Message("The two new passwords differ.")
# Raised below the desk, where no messages are gathered.
_TOO_SHORT = Message("A password has at least 10 characters, without spaces.")
_NOT_YOURS = Message("This is not your password.")


class LanguageForm(DeskForm):
    language = SelectField(Message("Language"))


class ApplicationPasswordForm(DeskForm):
    label = StringField(Message("For which program"), [longest(_LONGEST_LABEL)])


class PasswordForm(DeskForm):
    present = PasswordField(Message("Present password"), [required(), longest(_LONGEST)])
    password = PasswordField(Message("New password"), [required(), longest(_LONGEST)])
    again = PasswordField(Message("New password once more"), [required(), longest(_LONGEST)])


@page(_PATH)
def me() -> Response:
    """Show the user's own settings."""
    return _show()


@page("/me/language", methods=["POST"])
def choose_language() -> Response:
    form = _language_form()
    if not form.validate():
        return _show(HTTPStatus.BAD_REQUEST, language_form=form)
    current.context().services.accounts.choose_language(sessions.caller().id, form.language.data)
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


def _language_form() -> LanguageForm:
    form = LanguageForm(data={"language": rendering.language()})
    form.language.choices = choices((tag, own_name(tag)) for tag in rendering.offered())
    return form


def _show(
    status: int = 200,
    *,
    language_form: LanguageForm | None = None,
    password_form: PasswordForm | None = None,
    label_form: ApplicationPasswordForm | None = None,
    secret: str = "",
) -> Response:
    context = current.context()
    caller = sessions.caller()
    return render(
        "me.html",
        status,
        language_form=language_form or _language_form(),
        password_form=password_form or PasswordForm(formdata=None),
        label_form=label_form or ApplicationPasswordForm(formdata=None),
        labels=context.services.accounts.labels_of(caller.id),
        secret=secret,
        sessions=context.services.accounts.sessions.of_user(caller.id),
        present=sessions.session(),
    )
