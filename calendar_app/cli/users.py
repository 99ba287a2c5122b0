"""``users``: who may write, and with which passwords."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from types import MappingProxyType

import click

from calendar_app.accounts.callers import ROLES
from calendar_app.accounts.secrets import Invitations, new_secret
from calendar_app.accounts.users import ACCOUNT_INDEXES, Accounts, Doors, User
from calendar_app.cli.database import opened_store, settings_of
from calendar_app.cli.main import columns, print_secret
from calendar_app.storage.mongo.indexes import Declared, ensure_indexes
from calendar_app.storage.mongo.store import Store

# Where the service is reached that nobody has configured.
_ORIGIN = "http://127.0.0.1:8000"
_HEADINGS = ("ID", "NAME", "ROLE", "E-MAIL", "PASSWORDS")


@click.group()
def users() -> None:
    """Create, list, change and remove users, and manage their application passwords."""


@users.command()
@click.argument("name")
@click.option("--role", type=click.Choice(list(ROLES)), required=True, help="What they may do.")
@click.option("--id", "user_id", type=int, metavar="N", help="Their id, instead of the next one.")
@click.option("--email", default="", metavar="E", help="The e-mail address.")
@click.option("--display-name", default="", metavar="D", help="The name that others see.")
@click.option(
    "--application-password",
    metavar="S",
    help="Their password, instead of a new one: at least 16 random letters and digits.",
)
def add(
    name: str,
    role: str,
    user_id: int | None,
    application_password: str | None,
    **profile: str,
) -> None:
    """Create a user, and print their application password once unless one is given."""
    with _opened_accounts(ACCOUNT_INDEXES) as accounts:
        secret = accounts.add(name, role, id=user_id, **profile, secret=application_password)
        if application_password is None:
            with _undone_unless_told(lambda: accounts.undo_add(name)):
                print_secret(secret, f"application password of {name}")


@users.command("list")
def list_all() -> None:
    """List all users, with the labels of their passwords."""
    with _opened_accounts() as accounts:
        rows = [_HEADINGS, *map(_row, accounts.users())]
    for line in columns(rows):
        click.echo(line)


@users.command("role")
@click.argument("name")
@click.argument("role", type=click.Choice(list(ROLES)), metavar="ROLE")
def change_role(name: str, role: str) -> None:
    """Give a user another role. What they wrote stays theirs."""
    with _opened_accounts() as accounts:
        accounts.change_role(name, role)


@users.command()
@click.argument("name")
def invite(name: str) -> None:
    """Print a link where a user sets their desk password; it works once, for a day."""
    settings = settings_of(click.get_current_context())
    with _opened_store(ACCOUNT_INDEXES) as (store, accounts):
        user_id = accounts.id_of(name)
        token = Invitations(store, lambda: datetime.now(UTC).replace(tzinfo=None)).invite(user_id)
    click.echo(f"{settings.site_url.rstrip('/') or _ORIGIN}/desk/welcome?token={token}")


@users.command()
@click.argument("name")
def remove(name: str) -> None:
    """Remove a user. What they wrote stays."""
    with _opened_accounts() as accounts:
        accounts.remove(name)


@users.command()
@click.argument("name")
@click.option("--label", default="", metavar="LABEL", help="A label for the new password.")
@click.option("--revoke", metavar="LABEL", help="Revoke this password; create no new one.")
@click.option("--desk", is_flag=True, help="Set the password for the desk; SECRET or a new one.")
@click.argument("secret", default="")
def password(name: str, label: str, revoke: str | None, secret: str, *, desk: bool) -> None:
    """Create and print another application password of a user, or revoke one.

    With --desk, set the password for logging in to the desk.
    """
    if sum((bool(label), revoke is not None, desk)) > 1:
        raise click.UsageError("Give --label, --revoke or --desk, not several of them.")
    if secret and not desk:
        raise click.UsageError("SECRET is for --desk only.")
    with _opened_accounts(ACCOUNT_INDEXES) as accounts:
        if desk:
            chosen = secret or new_secret()
            accounts.change_desk_password(name, chosen)
            if not secret:
                print_secret(chosen, f"password of {name} for the desk")
        elif revoke is None:
            secret = accounts.new_password(name, label)
            with _undone_unless_told(lambda: accounts.undo_new_password(name)):
                print_secret(secret, f"application password of {name}")
        else:
            accounts.revoke(name, revoke)


@contextmanager
def _opened_accounts(needed: Declared = MappingProxyType({})) -> Iterator[Accounts]:
    with _opened_store(needed) as (_, accounts):
        yield accounts


@contextmanager
def _opened_store(needed: Declared) -> Iterator[tuple[Store, Accounts]]:
    settings = settings_of(click.get_current_context())
    with opened_store(settings) as store:
        ensure_indexes(store, needed)
        doors = Doors.of(settings)
        yield store, Accounts(store, lambda: datetime.now(UTC), settings.remember_secrets, doors)


@contextmanager
def _undone_unless_told(undo: Callable[[], None]) -> Iterator[None]:
    """Undo a password that could not be printed, since nobody knows it."""
    try:
        yield
    except OSError:
        undo()
        raise


def _row(user: User) -> tuple[str, ...]:
    return str(user.id), user.name, user.role, user.email, ", ".join(user.labels)
