"""``languages``: how far the translation of the calendar has come."""

import click

from calendar_app.catalogue.reading.translating import Progress, progress
from calendar_app.cli.columns import columns
from calendar_app.cli.database import opened_store, settings_of
from calendar_app.resources.kinds import KINDS

_HEADINGS = ("LANGUAGE", "KIND", "CURRENT", "OUTDATED", "MISSING")


@click.group()
def languages() -> None:
    """Look after the languages of the calendar."""


@languages.command()
@click.pass_context
def report(context: click.Context) -> None:
    """Count by language and kind how many records are current, outdated and missing."""
    settings = settings_of(context)
    with opened_store(settings) as store:
        found = sorted(
            progress(store, KINDS, settings.languages),
            key=lambda each: settings.languages.index(each.language),
        )
    for line in columns([_HEADINGS, *map(_row, found)]):
        click.echo(line)


def _row(found: Progress) -> tuple[str, ...]:
    counts = (found.current, found.outdated, found.missing)
    return found.language, found.kind, *map(str, counts)
