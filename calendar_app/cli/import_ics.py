"""``import ics``: imports an iCalendar file, or the feed at an address."""

import click

from calendar_app.calendar.auditing import Door, through
from calendar_app.cli.database import opened_store, settings_of
from calendar_app.cli.import_notes import remembered
from calendar_app.cli.importing import (
    calendar_editor,
    one_at_a_time,
    progress_bars,
    text_language,
)
from calendar_app.cli.indexes import make_indexes
from calendar_app.domain.addresses import networks_of
from calendar_app.imports.ics.importer import import_calendar
from calendar_app.imports.ics.reading import CalendarReader
from calendar_app.imports.ics.source import read_source
from calendar_app.imports.ics.writing import Languages
from calendar_app.imports.tec.batches import OPERATOR


@click.command()
@click.argument("source")
@click.option("--language", metavar="L", help="The language of texts that name none of the site's.")
@click.option("--dry-run", is_flag=True, help="Write nothing; report what the import would do.")
@click.pass_context
def ics(context: click.Context, source: str, *, language: str | None, dry_run: bool) -> None:
    """Import an iCalendar file.

    SOURCE is a file, or the address of a feed. The import can be repeated: it finds events by
    their UID, updates changed ones, and creates none twice.
    """
    settings = settings_of(context)
    languages = Languages(settings.languages, text_language(settings, language))
    permitted = networks_of("import_networks", settings.import_networks)
    with remembered(settings, source, dry_run=dry_run) as refusals:
        content = read_source(source, settings.max_upload, permitted)
        calendar = CalendarReader(languages, settings.timezone).read(content)
        with opened_store(settings) as store, one_at_a_time(store, dry_run=dry_run):
            if not dry_run:
                make_indexes(store, settings)
            editor = calendar_editor(settings, store, dry_run=dry_run)
            with progress_bars(" events") as progress, through(Door.IMPORT):
                report = import_calendar(calendar, editor, OPERATOR, progress)
        refusals.extend(report.refusals)
    if dry_run:
        click.echo("Nothing was written. It would be:")
    for line in report.lines():
        click.echo(line)
