"""``publish-due``: publishes scheduled records, for those whose service does not."""

from datetime import UTC, datetime

import click

from calendar_app.calendar.history.recording import Recorder
from calendar_app.calendar.writing.scheduling import Scheduler
from calendar_app.cli.database import opened_store, settings_of
from calendar_app.resources.kinds import KINDS, SERIES


@click.command("publish-due")
@click.pass_context
def publish_due(context: click.Context) -> None:
    """Publish scheduled records that are due."""
    settings = settings_of(context)
    with opened_store(settings) as store:
        recorder = Recorder(store, settings.history_days)
        number = Scheduler(store, KINDS, SERIES, _now, recorder).publish_due()
    click.echo(f"{number} published.")


def _now() -> datetime:
    return datetime.now(UTC).replace(tzinfo=None, microsecond=0)
