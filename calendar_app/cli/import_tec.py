"""``import``: imports the calendars of other sites."""

import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import Never
from urllib.parse import urlsplit

import click
from tqdm import tqdm

from calendar_app.app import site_of
from calendar_app.calendar.bulk.editor import BulkEditor
from calendar_app.calendar.pictures.uploads import Pictures
from calendar_app.cli.database import opened_store, settings_of
from calendar_app.cli.indexes import filling, make_indexes
from calendar_app.domain.currencies import Currency
from calendar_app.domain.networks import networks_of
from calendar_app.imports.downloading import Downloader
from calendar_app.imports.tec.batches import OPERATOR
from calendar_app.imports.tec.importer import Importer, ImportOptions
from calendar_app.imports.tec.matches import Matches
from calendar_app.imports.tec.pages import Pages
from calendar_app.imports.tec.pictures import PictureImporter
from calendar_app.imports.tec.site import Site
from calendar_app.resources.kinds import BY_NAME, EVENT
from calendar_app.resources.media.kind import MEDIA
from calendar_app.search.vocabulary import Vocabulary
from calendar_app.settings import Settings


@click.group("import")
def imports() -> None:
    """Take over the calendar of another site."""


@imports.command()
@click.argument("source")
@click.option("--language", metavar="L", help="The language of its texts, if not the default one.")
@click.option(
    "--match",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Which records belong together: a CSV file of ids in L, and in the first language.",
)
@click.option(
    "--create-missing", is_flag=True, help="Make records of what joins none in a second language."
)
@click.option("--media", is_flag=True, help="Bring the pictures along; else they stay addresses.")
@click.option("--dry-run", is_flag=True, help="Write nothing; say what would be done.")
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
    """Take over a site with The Events Calendar.

    SOURCE is the base address of its REST interface, https://…/wp-json/tribe/events/v1, or a file
    of recorded pages. This can be repeated: what has changed there is updated, and nothing is
    made twice. What comes in a second language joins the records of the first one.
    """
    settings = settings_of(context)
    options = _options(settings, language, match, create_missing=create_missing)
    with _opened_pages(source, media=media) as pages, opened_store(settings) as store:
        vocabulary = Vocabulary(store, settings.chains())
        events = pages.extents()[EVENT.name].count
        if not dry_run:
            make_indexes(store, settings)
        with (
            nullcontext() if dry_run else filling(store, settings, events),
            closing(_downloader(settings)) if media else nullcontext() as downloader,
            _progress(" records") as progress,
        ):
            editor = BulkEditor(store, BY_NAME, _now, options.site, vocabulary, dry_run=dry_run)
            uploads = Pictures(store, MEDIA, _now, options.site)
            pictures = PictureImporter(editor, uploads, downloader, OPERATOR, options.language)
            report = Importer(editor, options, pictures).run(pages, progress.count)
    if dry_run:
        click.echo("Nothing was written. It would be:")
    for line in report.lines():
        click.echo(line)


def _options(
    settings: Settings, language: str | None, match: Path | None, *, create_missing: bool
) -> ImportOptions:
    language = language or settings.default_language
    if language not in settings.languages:
        raise click.UsageError(f"The site has no language {language}.")
    return ImportOptions(
        language=language,
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
        with _progress(" pages") as watch:
            count = watch.count
            Site(source).record(file, lambda name, all_: count(name, 1, all_), pictures=media)
        yield Pages(file)


class _Progress:
    """A bar a collection on standard error; none where that is no terminal."""

    def __init__(self, unit: str) -> None:
        self._unit = unit
        self._name = ""
        self._bar: tqdm[Never] | None = None

    def count(self, name: str, number: int, total: int) -> None:
        if self._bar is None or name != self._name:
            self.close()
            self._name = name
            self._bar = tqdm(desc=name, unit=self._unit, disable=None)
        self._bar.total = total
        self._bar.update(number)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


@contextmanager
def _progress(unit: str) -> Iterator[_Progress]:
    progress = _Progress(unit)
    try:
        yield progress
    finally:
        progress.close()


def _now() -> datetime:
    return datetime.now(UTC).replace(tzinfo=None, microsecond=0)
