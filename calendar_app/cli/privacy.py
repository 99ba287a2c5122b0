"""``privacy``: what is stored about the person with an e-mail address, and its erasure."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import click

from calendar_app.accounts.secrets import Invitations
from calendar_app.accounts.users import Accounts, Doors
from calendar_app.calendar.inbox import Conversations
from calendar_app.calendar.personal_data import PersonalData, PersonalRecords
from calendar_app.cli.database import opened_store, settings_of
from calendar_app.domain.addresses import is_email
from calendar_app.errors import InvalidParameters, Message

# What each place holds, and what erasing does there.
_ERASED = {
    "users": ("user", "removed; events that they wrote stay"),
    "sessions": ("session", "ended"),
    "contributions": ("contribution", "name and address erased; the event stays"),
    "reports": ("reported mistake", "address erased; the report stays until it expires"),
    "letters": ("letter that waits", "dropped"),
    "messages": ("message to the editors", "erased with their conversation"),
    "user_messages": ("message as a user", "stays under the user's number until it expires"),
    "history": ("entry of the history", "name erased; the user's number stays"),
    "earlier_addresses": ("earlier state of an organizer", "address erased"),
    "organizers": ("organizer", "public, so it stays: change it at the desk"),
}
_NUMBERED = ("users", "contributions", "reports", "organizers")
_ELSEWHERE = (
    "Not in the database: logs name users by number and clients by address; "
    "backups keep the data until they are deleted."
)


@click.group()
def privacy() -> None:
    """Export or erase the personal data behind an e-mail address."""


@privacy.command()
@click.argument("email")
def export(email: str) -> None:
    """Print everything that is stored about the person with this address, as JSON."""
    with _opened(email) as data:
        records = data.records_of(email)
    click.echo(json.dumps(records.as_json(), default=_json_value, ensure_ascii=False, indent=2))


@privacy.command()
@click.argument("email")
@click.option("--yes", is_flag=True, help="Erase; without it, only show what would be erased.")
def erase(email: str, *, yes: bool) -> None:
    """List the personal data behind an address; with --yes, erase it."""
    with _opened(email) as data:
        records = data.erase(email) if yes else data.records_of(email)
    for line in _report(records):
        click.echo(line)
    click.echo(_ELSEWHERE)
    if not yes:
        click.echo("Nothing was erased. Add --yes to erase it.")


def _report(records: PersonalRecords) -> Iterator[str]:
    """Yield a line for each place that has something."""
    counts = {name: count for name, count in records.counts().items() if count}
    for name, count in counts.items():
        noun, effect = _ERASED[name]
        numbers = [str(each["_id"]) for each in getattr(records, name) if "_id" in each]
        ids = f" ({', '.join(numbers)})" if name in _NUMBERED else ""
        yield f"{count} x {noun}{ids}: {effect}"
    if not counts:
        yield "Nothing is stored about this address."


def _json_value(value: object) -> str:
    """Return a moment, in UTC, as JSON has it; raise ``TypeError`` for anything else."""
    if isinstance(value, datetime):
        return f"{value.isoformat(timespec='seconds')}Z"
    raise TypeError(f"{type(value).__name__} has no form in JSON.")


@contextmanager
def _opened(email: str) -> Iterator[PersonalData]:
    """Open the personal data of the configured database; raise ``InvalidParameters``."""
    if not is_email(email, public=False):
        wrong = Message("An e-mail address looks like name@example.org.")
        raise InvalidParameters({"email": wrong})
    settings = settings_of(click.get_current_context())

    def now() -> datetime:
        return datetime.now(UTC).replace(tzinfo=None)

    with opened_store(settings) as store:
        accounts = Accounts(
            store, lambda: datetime.now(UTC), settings.remember_secrets, Doors.of(settings)
        )
        conversations = Conversations(store, now, settings.submission_days)
        yield PersonalData(store, accounts, Invitations(store, now), conversations)
