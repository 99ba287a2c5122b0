"""User management by administrators, shared by the interface and the desk."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from calendar_app.accounts.profiles import USER, Profile
from calendar_app.api.http.request import current
from calendar_app.calendar.auditing import note_change
from calendar_app.changes.mail import Letter, written
from calendar_app.errors import DuplicateKey, InvalidParameters, Message

_WELCOME = "/desk/welcome?token="
_SUBJECT = Message("Your invitation to {site}")
_INVITED = Message(
    "{name}, you are invited to keep the calendar {site}. Choose your password here:"
)
_FORGOT_SUBJECT = Message("A new password for {site}")
_FORGOT = Message(
    "{name}, somebody asks for a new password for the calendar {site}. If it is you, choose it "
    "here:"
)
_HOLDS = Message("The link holds for a day, and once.")
_ABOUT = Message("{site}: about what you wrote")
_QUESTION = Message("{name}, there is a question about “{title}”:")
_RETURNED = Message("{name}, “{title}” is not published yet. The reason:")
_ANSWER_THERE = Message("Answer here:")
_IGNORE = Message("If it is somebody else, you do not need to do anything.")


@dataclass(frozen=True, slots=True)
class Invitation:
    """The link of an invitation, and whether a mail server has taken it."""

    link: str = field(repr=False)
    mailed: bool


def create(name: str, role: str, email: str = "", display_name: str = "") -> Profile:
    """Make a user; raise ``InvalidParameters``, where the name is taken too."""
    try:
        profile = current.context().services.profiles.create(name, role, email, display_name)
    except DuplicateKey as error:
        reason = Message("There is a user of this name already.")
        raise InvalidParameters({"name": reason}) from error
    return _with_note("create", profile)


def change(user_id: int, changes: Mapping[str, Any]) -> Profile:
    """Change role, e-mail, display name or block of a user."""
    context = current.context()
    profiles, saver = context.services.profiles, context.caller.shown_name
    return _with_note("update", profiles.change(user_id, changes, saver))


def remove(user_id: int) -> Profile:
    return _with_note("delete", current.context().services.profiles.remove(user_id))


def revoke(user_id: int, label: str) -> Profile:
    """Revoke an application password."""
    return _with_note("update", current.context().services.profiles.revoke(user_id, label))


def end_sessions(user_id: int) -> Profile:
    """End all sessions of a user at the desk."""
    return _with_note("update", current.context().services.profiles.end_sessions(user_id))


def invite(profile: Profile, *, by_mail: bool) -> Invitation:
    """Make a link at which a user sets the password, and send it where that is wanted.

    Raises ``InvalidParameters`` for a user who is blocked.
    """
    if profile.blocked:
        raise InvalidParameters({"id": Message("This user is blocked.")})
    link = _link(profile)
    _with_note("update", profile)
    letter = _letter(profile, _SUBJECT, [_INVITED, link, _HOLDS])
    return Invitation(link, by_mail and current.context().services.mailer.send(letter))


def send_new_password(name_or_email: str) -> None:
    """Send the user of this name or address a link to set another password.

    Nobody learns whether there is such a user: all of it happens in the background.
    """
    services = current.context().services
    services.mailer.run_later(lambda: _send_new_passwords(name_or_email))


def _send_new_passwords(name_or_email: str) -> None:
    services = current.context().services
    for profile in services.profiles.find_by_name_or_email(name_or_email):
        if profile.email and not profile.blocked and not services.invitations.is_recent(profile.id):
            _send_new_password(profile)


def _send_new_password(profile: Profile) -> None:
    letter = _letter(profile, _FORGOT_SUBJECT, [_FORGOT, _link(profile), _HOLDS, _IGNORE])
    current.context().services.mailer.send(letter)


def tell_author(user_id: int, title: str, text: str, path: str, *, is_refused: bool) -> None:
    """Write to a user about a question of the desk, or a refusal to publish."""
    services = current.context().services
    profile = next(iter(services.profiles.find_by_ids([user_id])), None)
    if not services.mailer.enabled or profile is None or not profile.email:
        return
    about = _RETURNED if is_refused else _QUESTION
    link = f"{current.context().addresses.root}{path}"
    subject = Message(about.pattern, title=title, name=profile.shown_name)
    services.mailer.send_later(_letter(profile, _ABOUT, [subject, text, _ANSWER_THERE, link]))


def _with_note(action: str, profile: Profile) -> Profile:
    note_change(action, USER, profile.id)
    return profile


def _link(profile: Profile) -> str:
    token = current.context().services.invitations.invite(profile.id)
    return f"{current.context().addresses.root}{_WELCOME}{token}"


def _letter(profile: Profile, subject: Message, paragraphs: Sequence[str]) -> Letter:
    context = current.context()
    chain = [tag for tag in (profile.language, *context.error_chain) if tag]
    gaps = {"name": profile.shown_name, "site": context.settings.site_name}
    return written(profile.email, subject, paragraphs, chain, **gaps)
