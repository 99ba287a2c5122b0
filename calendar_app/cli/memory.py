"""``memory``: what was translated before."""

import click

from calendar_app.calendar.remembering.following import Following
from calendar_app.cli.database import opened_store
from calendar_app.cli.maintenance import settings_for_application
from calendar_app.kinds import KINDS, MEDIA, SERIES


@click.group()
def memory() -> None:
    """Look after what was translated before, and take it elsewhere."""


@memory.command()
@click.pass_context
def rebuild(context: click.Context) -> None:
    """Make the memory of all records anew; the service may run meanwhile."""
    with opened_store(settings_for_application(context)) as store:
        rebuilt = Following(store).rebuild((*KINDS, SERIES, MEDIA))
    click.echo(
        f"{rebuilt.units} texts and sentences of {rebuilt.records} records are remembered; "
        f"{rebuilt.mended} records were not, or otherwise."
    )
