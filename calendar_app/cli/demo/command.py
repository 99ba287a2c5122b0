"""``demo``: something to look at in an empty database."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import partial

import click

from calendar_app.api.http.request.state import Services
from calendar_app.assembly.services import build_services
from calendar_app.cli.database import opened_store
from calendar_app.cli.demo.calendars import PASSWORD
from calendar_app.cli.demo.loading import ADMINISTRATOR, load_demo, load_pictures
from calendar_app.cli.demo.sources import load_sources
from calendar_app.cli.indexing import make_indexes
from calendar_app.cli.main import print_secret
from calendar_app.cli.maintenance import settings_for_application
from calendar_app.domain.kind import Record
from calendar_app.settings import Settings
from calendar_app.sources.managing import Sources
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import EVERYTHING, Clause

# A busy machine takes longer over a whole calendar than a request may take.
_PATIENCE = 60.0  # seconds


@click.command()
@click.option(
    "--password",
    envvar=PASSWORD,
    help=f"The password of its administrator, or {PASSWORD}; default: a random one.",
)
@click.pass_context
def demo(context: click.Context, password: str | None) -> None:
    """Load the demo into an empty database; print the new administrator's password."""
    settings = settings_for_application(context)
    with opened_store(settings) as store:
        make_indexes(store, settings)
        services = build_services(settings, store, lambda: datetime.now(UTC))
        if not services.accounts.any_user() and not store["events"].count(EVERYTHING):
            # All or nothing: half a calendar would stand in the way of the next attempt.
            # Files are not part of a transaction.
            pictures = load_pictures(services.pictures, settings)
            fill = partial(_fill, store, services, settings, pictures, password)
            password = store.transact(fill, _PATIENCE)
            load_sources(partial(_sources_at, store, settings), settings, services.clock())
            print_secret(password, f"password of {ADMINISTRATOR.name}")


def _sources_at(store: Store, settings: Settings, moment: datetime) -> Sources:
    """Return the sources as if it was that moment."""
    return build_services(settings, store, lambda: moment).sources


def _fill(
    store: Store,
    services: Services,
    settings: Settings,
    pictures: Mapping[str, int],
    password: str | None,
) -> str:
    def find_events(clause: Clause) -> Sequence[Record]:
        return store["events"].find(clause, order=[("start_local", 1), ("_id", 1)])

    load_demo(find_events, services.editor, settings, services.clock(), pictures)
    accounts = services.accounts
    secret = accounts.add(
        ADMINISTRATOR.name, ADMINISTRATOR.role, id=ADMINISTRATOR.id, secret=password
    )
    # It opens the desk too, so that there is one password to begin with.
    accounts.change_desk_password(ADMINISTRATOR.name, secret)
    return secret
