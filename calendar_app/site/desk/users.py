"""Users, as administrators manage them at the desk."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any, NamedTuple, Self

from flask import Response
from wtforms import EmailField, HiddenField, RadioField, StringField

from calendar_app.accounts.callers import ROLES, Right
from calendar_app.accounts.profiles import Profile, named_like
from calendar_app.api.http.request import current
from calendar_app.api.http.views import managing_users
from calendar_app.errors import CalendarError, Message
from calendar_app.site.desk import sessions
from calendar_app.site.desk.forms import DeskForm, choices, longest, required
from calendar_app.site.desk.me import in_words
from calendar_app.site.desk.rendering import notify, render, see, sent_window
from calendar_app.site.desk.role_names import ROLE_NAMES
from calendar_app.site.desk.routing import page
from calendar_app.storage.query.clauses import EVERYTHING, all_of, equals
from calendar_app.storage.query.list_query import Page

_LIST = "/users/"
_USER_PAGE = "/users/<digits:user_id>"
_PER_PAGE = 50
_LONGEST = 300
_PROFILE_FIELDS = ("display_name", "email", "role")
_ROLES_EXPLAINED = [
    ("contributor", Message("Contributor: writes drafts that others publish")),
    ("author", Message("Author: writes and publishes events of their own")),
    ("editor", Message("Editor: writes, translates and publishes everything")),
    ("administrator", Message("Administrator: also manages users")),
    ("subscriber", Message("Subscriber: only reads")),
]


class UserConflict(NamedTuple):
    """A field that somebody else has saved meanwhile, with both values."""

    label: Message
    theirs: str
    yours: str


class ProfileForm(DeskForm):
    display_name = StringField(Message("Name that others see"), [longest(_LONGEST)])
    role = RadioField(Message("Role"), choices=choices(_ROLES_EXPLAINED))
    email = EmailField(Message("E-mail"), [longest(_LONGEST)])


class ReadProfileForm(ProfileForm):
    """A profile form with the values it was opened with, to detect concurrent changes."""

    read_display_name = HiddenField()
    read_role = HiddenField()
    read_email = HiddenField()

    @classmethod
    def of(cls, profile: Profile, **options: Any) -> Self:
        """Return the form of a user with the stored values."""
        values = {name: getattr(profile, name) for name in _PROFILE_FIELDS}
        return cls(
            data=values | {f"read_{name}": value for name, value in values.items()}, **options
        )

    def changes(self) -> dict[str, str]:
        """Return the typed values that differ from those read."""
        typed = {
            "display_name": (self.display_name.data or "").strip(),
            "email": (self.email.data or "").strip(),
            "role": self.role.data,
        }
        return {name: value for name, value in typed.items() if value != self._read(name)}

    def conflicts(self, profile: Profile) -> list[UserConflict]:
        """Return the values that this form and somebody else changed, and show the new state."""
        conflicts = [
            UserConflict(self[name].label.text, getattr(profile, name), value)
            for name, value in self.changes().items()
            if getattr(profile, name) not in (self._read(name), value)
        ]
        for name in _PROFILE_FIELDS:
            self[f"read_{name}"].data = getattr(profile, name)
        return conflicts

    def _read(self, name: str) -> str:
        return self[f"read_{name}"].data or ""


class InvitationForm(ProfileForm):
    name = StringField(Message("Name to log in with"), [required(), longest(_LONGEST)])


@page(_LIST, needs=Right.MANAGE_USERS)
def users() -> Response:
    """Show all users, or those with one role or a text in their name or e-mail."""
    context = current.context()
    arguments = context.request.args
    role, search = arguments.get("role", ""), arguments.get("search", "").strip()
    role = role if role in ROLES else ""
    like = named_like(search) if search else EVERYTHING
    window = sent_window(_PER_PAGE)
    profiles = context.services.profiles
    numbers = profiles.count_by_role(like)
    total = numbers.get(role, 0) if role else sum(numbers.values())
    return render(
        "users.html",
        profiles=profiles.page(all_of([like, equals("role", role)]) if role else like, window),
        page=Page([], window, lambda: total),
        role=role,
        search=search,
        role_names=ROLE_NAMES,
        numbers=numbers,
    )


@page("/users/new", needs=Right.MANAGE_USERS, methods=["GET", "POST"])
def new_user() -> Response:
    """Make a user, and show the link of their invitation."""
    form = InvitationForm(data={"role": "contributor"})
    if current.context().request.method != "POST":
        return render("user_new.html", form=form)
    if not form.validate():
        return render("user_new.html", HTTPStatus.BAD_REQUEST, form=form)
    try:
        profile = managing_users.create(
            (form.name.data or "").strip(),
            form.role.data,
            (form.email.data or "").strip(),
            (form.display_name.data or "").strip(),
        )
    except CalendarError as error:
        return render("user_new.html", form.refuse(error), form=form)
    return _invite(profile)


@page(_USER_PAGE, needs=Right.MANAGE_USERS, methods=["GET", "POST"])
def user(user_id: int) -> Response:
    """Show a user, and change role and e-mail."""
    profile = _find(user_id)
    form = ReadProfileForm.of(profile)
    if current.context().request.method != "POST":
        return _show(profile, form)
    if not form.validate():
        return _show(profile, form, HTTPStatus.BAD_REQUEST)
    changes = form.changes()
    if conflicts := form.conflicts(profile):
        return _show(profile, form, HTTPStatus.PRECONDITION_FAILED, conflicts)
    try:
        managing_users.change(user_id, changes)
    except CalendarError as error:
        return _show(profile, form, form.refuse(error))
    return _saved(profile, Message("{name} is saved.", name=profile.shown_name))


@page(f"{_USER_PAGE}/block", needs=Right.MANAGE_USERS, methods=["POST"])
def block_user(user_id: int) -> Response:
    """Block a user, which ends their sessions, or let them in again."""
    is_blocked = current.context().request.form.get("blocked") == "true"
    try:
        profile = managing_users.change(user_id, {"blocked": is_blocked})
    except CalendarError as error:
        return _refuse(user_id, error)
    if is_blocked:
        return _saved(profile, Message("{name} is blocked.", name=profile.shown_name))
    return _saved(profile, Message("{name} is no longer blocked.", name=profile.shown_name))


@page(f"{_USER_PAGE}/invitation", needs=Right.MANAGE_USERS, methods=["POST"])
def invite_user(user_id: int) -> Response:
    """Show a new link at which a user sets the password."""
    return _invite(_find(user_id))


@page(f"{_USER_PAGE}/sessions/end", needs=Right.MANAGE_USERS, methods=["POST"])
def end_sessions_of_user(user_id: int) -> Response:
    """End all sessions of a user."""
    profile = managing_users.end_sessions(user_id)
    return _saved(profile, Message("All sessions of {name} have ended.", name=profile.shown_name))


@page(f"{_USER_PAGE}/passwords/revoke", needs=Right.MANAGE_USERS, methods=["POST"])
def revoke_password_of_user(user_id: int) -> Response:
    """Revoke an application password of a user."""
    label = current.context().request.form.get("label", "")
    try:
        profile = managing_users.revoke(user_id, label)
    except CalendarError as error:
        return _refuse(user_id, error)
    return _saved(profile, Message("The password {label} is revoked.", label=label))


@page(f"{_USER_PAGE}/remove", needs=Right.MANAGE_USERS, methods=["POST"])
def remove_user(user_id: int) -> Response:
    """Remove a user; their records stay."""
    try:
        profile = managing_users.remove(user_id)
    except CalendarError as error:
        return _refuse(user_id, error)
    return _saved(profile, Message("{name} is removed.", name=profile.shown_name), _LIST)


def _find(user_id: int) -> Profile:
    return current.context().services.profiles.find(user_id)


def _invite(profile: Profile) -> Response:
    invitation = managing_users.invite(profile, by_mail=True)
    return render(
        "user_invited.html",
        profile=profile,
        invitation=invitation,
        sends_mail=current.context().services.mailer.enabled and bool(profile.email),
    )


def _refuse(user_id: int, error: CalendarError) -> Response:
    """Show a user with the reason why they stay unchanged."""
    profile = _find(user_id)
    form = ReadProfileForm.of(profile, formdata=None)
    return _show(profile, form, form.refuse(error))


def _show(
    profile: Profile,
    form: ReadProfileForm,
    status: int = 200,
    conflicts: Sequence[UserConflict] = (),
) -> Response:
    return render(
        "user.html",
        status,
        profile=profile,
        form=form,
        conflicts=conflicts,
        role_names=ROLE_NAMES,
        user_sessions=in_words(current.context().services.accounts.sessions.of_user(profile.id)),
    )


def _saved(profile: Profile, message: Message, path: str = "") -> Response:
    """Confirm a change, unless it has ended one's own session."""
    if current.context().services.accounts.sessions.find(sessions.token()):
        notify(message)
    return see(path or f"{_LIST}{profile.id}")
