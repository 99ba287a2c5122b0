"""``extend-series``: adds the events of series, for those whose service does not."""

from datetime import UTC, datetime

import click

from calendar_app.cli.application import settings_for_application
from calendar_app.cli.database import opened_store
from calendar_app.services import build_services


@click.command("extend-series")
@click.pass_context
def extend_series(context: click.Context) -> None:
    """Add the events of series up to the horizon of today."""
    settings = settings_for_application(context)
    with opened_store(settings) as store:
        number = build_services(settings, store, lambda: datetime.now(UTC)).horizon.extend()
    click.echo(f"{number} added.")
