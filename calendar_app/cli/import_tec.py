"""``import tec``: imports a site with The Events Calendar."""

import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from urllib.parse import urlsplit

import click

from calendar_app.calendar.auditing import Door, through
from calendar_app.calendar.bulk.editor import BulkEditor
from calendar_app.calendar.pictures.uploads import Pictures
from calendar_app.cli.database import opened_store, settings_of
from calendar_app.cli.import_notes import remembered
from calendar_app.cli.importing import (
    calendar_editor,
    current_time,
    one_at_a_time,
    progress_bars,
    text_language,
)
from calendar_app.cli.indexes import filling, make_indexes
from calendar_app.domain.addresses import networks_of
from calendar_app.domain.cost import Currency
from calendar_app.imports.downloading import Downloader
from calendar_app.imports.tec.batches import OPERATOR
from calendar_app.imports.tec.importer import Importer, ImportOptions
from calendar_app.imports.tec.matches import Matches
from calendar_app.imports.tec.pages import Pages
from calendar_app.imports.tec.pictures import PictureImporter
from calendar_app.imports.tec.site import Site
from calendar_app.kinds import BY_NAME, MEDIA
from calendar_app.search.vocabulary import Vocabulary
from calendar_app.services import site_of
from calendar_app.settings import Settings


@click.command()
@click.argument("source")
@click.option("--language", metavar="L", help="The language of its texts, if not the default one.")
@click.option(
    "--match",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Which records belong together: a CSV file of ids in L, and in the first language.",
)
@click.option(
    "--create-missing",
    is_flag=True,
    help="Create records without a counterpart, in a second language.",
)
@click.option("--media", is_flag=True, help="Copy the pictures; else they stay addresses.")
@click.option("--dry-run", is_flag=True, help="Write nothing; report what the import would do.")
@click.pass_context
def tec(  # noqa: PLR0913  one for each option
    context: click.Context,
    source: str,
    *,
    language: str | None,
    match: Path | None,
    create_missing: bool,
    media: bool,
    dry_run: bool,
) -> None:
    """Import a site with The Events Calendar.

    SOURCE is the base address of its REST interface, https://…/wp-json/tribe/events/v1, or a file
    of recorded pages. The import can be repeated: it updates changed records, and creates none
    twice. Texts in a second language join the records of the first one.
    """
    settings = settings_of(context)
    options = _options(settings, language, match, create_missing=create_missing)
    with (
        remembered(settings, source, dry_run=dry_run) as refusals,
        _opened_pages(source, media=media) as pages,
        opened_store(settings) as store,
        one_at_a_time(store, dry_run=dry_run),
    ):
        vocabulary = Vocabulary(store, settings.chains())
        pages.extents()  # Refuses what is no recording, before anything is made.
        if not dry_run:
            make_indexes(store, settings)
        with (
            nullcontext() if dry_run else filling(store, settings),
            closing(_downloader(settings)) if media else nullcontext() as downloader,
            progress_bars(" records") as progress,
            through(Door.IMPORT),
        ):
            editor = BulkEditor(
                store, BY_NAME, current_time, options.site, vocabulary, dry_run=dry_run
            )
            uploads = Pictures(store, MEDIA, current_time, options.site)
            pictures = PictureImporter(editor, uploads, downloader, OPERATOR, options.language)
            series_editor = calendar_editor(settings, store, dry_run=dry_run)
            report = Importer(editor, options, pictures, series_editor).run(pages, progress)
        refusals.extend(report.refusals)
    if dry_run:
        click.echo("Nothing was written. It would be:")
    for line in report.lines():
        click.echo(line)


def _options(
    settings: Settings, language: str | None, match: Path | None, *, create_missing: bool
) -> ImportOptions:
    return ImportOptions(
        language=text_language(settings, language),
        chains=settings.chains(),
        site=site_of(settings),
        currency=Currency.of(settings),
        matches=Matches.read(match) if match else None,
        create_missing=create_missing,
    )


def _downloader(settings: Settings) -> Downloader:
    permitted = networks_of("import_networks", settings.import_networks)
    return Downloader(settings.max_upload, permitted)


@contextmanager
def _opened_pages(source: str, *, media: bool) -> Iterator[Pages]:
    if urlsplit(source).scheme not in ("http", "https"):
        yield Pages(Path(source))
        return
    with tempfile.TemporaryDirectory(prefix="calendar-import-") as directory:
        file = Path(directory) / "pages.jsonl.gz"
        with progress_bars(" pages") as progress:
            Site(source).record(file, progress, pictures=media)
        yield Pages(file)
