"""``import``: imports the calendars of other sites and programs."""

import click

from calendar_app.cli.import_ics import ics
from calendar_app.cli.import_tec import tec


@click.group("import", commands=[tec, ics])
def imports() -> None:
    """Import the calendar of another site or program."""
