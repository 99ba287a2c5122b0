"""``languages``: how far the translation of the calendar has come."""

import click

from calendar_app.calendar.reading.languages import (
    Progress,
    UnconfiguredLanguage,
    progress,
    unconfigured_languages,
)
from calendar_app.cli.columns import columns
from calendar_app.cli.database import opened_store, settings_of
from calendar_app.kinds import KINDS
from calendar_app.mongo.store import Store
from calendar_app.settings import Settings

_HEADINGS = ("LANGUAGE", "KIND", "CURRENT", "OUTDATED", "MISSING")


@click.group()
def languages() -> None:
    """Look after the languages of the calendar."""


@languages.command()
@click.pass_context
def report(context: click.Context) -> None:
    """Count by language and kind how many records are current, outdated and missing.

    Languages that records have texts in, but the site has not, are named below.
    """
    settings = settings_of(context)
    with opened_store(settings) as store:
        rows = sorted(
            progress(store, KINDS, settings.languages),
            key=lambda each: settings.languages.index(each.language),
        )
        unconfigured = told_beyond(store, settings)
    for line in (*columns([_HEADINGS, *map(_row, rows)]), *unconfigured):
        click.echo(line)


def told_beyond(store: Store, settings: Settings) -> list[str]:
    """Return a line for each kind that has texts in a language which the site has not."""
    return [_line(each) for each in unconfigured_languages(store, KINDS, settings.languages)]


def _line(tag: UnconfiguredLanguage) -> str:
    line = f"{tag.language} is no language of the site, but {tag.records} {tag.kind} have it"
    if not tag.alone:
        return f"{line}."
    return f"{line}, {tag.alone} of them no other: listed without texts, from id {tag.first} on."


def _row(progress: Progress) -> tuple[str, ...]:
    counts = (progress.current, progress.outdated, progress.missing)
    return progress.language, progress.kind, *map(str, counts)
