"""``import``: imports the calendars of other sites and programs."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, nullcontext, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Never
from urllib.parse import urlsplit

import click
from tqdm import tqdm

from calendar_app.assembly.services import build_services, site_of
from calendar_app.calendar.auditing import Door, through
from calendar_app.calendar.import_runs import ImportRun, ImportRuns
from calendar_app.cli.database import opened_store, settings_of
from calendar_app.cli.indexing import filling, make_indexes
from calendar_app.cli.main import in_one_line
from calendar_app.domain.addresses import networks_of
from calendar_app.domain.cost import Currency
from calendar_app.domain.kinds import EVENT
from calendar_app.domain.moments import system_clock
from calendar_app.errors import CalendarError
from calendar_app.settings import Settings
from calendar_app.sources.importing import ImportOrigin, Imports
from calendar_app.sources.imports.downloading import Downloader, download_address
from calendar_app.sources.imports.ics.content import read_source
from calendar_app.sources.imports.ics.events import Languages
from calendar_app.sources.imports.ics.reader import CalendarReader
from calendar_app.sources.imports.tec.batches import OPERATOR
from calendar_app.sources.imports.tec.importer import Importer, ImportOptions
from calendar_app.sources.imports.tec.joining import Matches
from calendar_app.sources.imports.tec.pages import RecordedPages, RemoteSite
from calendar_app.sources.runs import Request
from calendar_app.sources.summary import Summary
from calendar_app.storage.mongo.leases import Leases
from calendar_app.storage.mongo.store import Store

# What both imports share: language, clock, editor of series, progress bars.

_WAITING = "Another import is running. This one waits until it ends."


def _text_language(settings: Settings, language: str | None) -> str:
    """Return the language of an import's texts; raise ``UsageError`` if the site lacks it."""
    language = language or settings.default_language
    if language not in settings.languages:
        raise click.UsageError(f"The site has no language {language}.")
    return language


def current_time() -> datetime:
    """Return the present as a naive UTC time in whole seconds."""
    return datetime.now(UTC).replace(tzinfo=None, microsecond=0)


def _report_waiting() -> None:
    click.echo(_WAITING, err=True)


@contextmanager
def _importing(settings: Settings, store: Store, *, dry_run: bool) -> Iterator[None]:
    """Let an import write, after others: two that create the same records would make doubles."""
    waiting = Leases(store.database).held("import", _report_waiting)
    with nullcontext() if dry_run else waiting, through(Door.IMPORT):
        if not dry_run:
            make_indexes(store, settings)
        yield


@contextmanager
def _progress_bars(unit: str) -> Iterator[Callable[[str, int, int], None]]:
    """Show a bar for each collection on standard error, if that is a terminal."""
    with ExitStack() as stack:
        bars: dict[str, tqdm[Never]] = {}

        def count(name: str, step: int, total: int) -> None:
            if name not in bars:
                bars[name] = stack.enter_context(tqdm(desc=name, unit=unit, disable=None))
            bars[name].total = total
            bars[name].update(step)

        yield count


def _print_summary(summary: Summary, *, dry_run: bool) -> None:
    if dry_run:
        click.echo("Nothing was written. It would be:")
    for line in summary.lines():
        click.echo(line)


# How an import has ended, for the first page of the desk.


@contextmanager
def _remembered(store: Store, source: str, *, dry_run: bool) -> Iterator[list[str]]:
    """Give a list for refused records; remember it, or the error with which the block ends."""
    refusals: list[str] = []
    if dry_run:
        yield refusals
        return
    try:
        yield refusals
    except (CalendarError, OSError, click.ClickException) as error:
        reason = (
            error.format_message()
            if isinstance(error, click.ClickException)
            else in_one_line(error)
        )
        with suppress(CalendarError, OSError):  # the first error is the one to tell
            # The address may have a password.
            problem = reason.replace(source, _label(source))
            _note(store, source, [problem, *refusals], len(refusals))
        raise
    _note(store, source, refusals, len(refusals))


def _note(store: Store, source: str, problems: list[str], refused: int) -> None:
    ImportRuns(store, current_time).note(ImportRun(_label(source), refused, problems))


def _label(source: str) -> str:
    """Return a source without the password and the query that its address may have."""
    parts = urlsplit(source)
    return f"{parts.hostname}{parts.path}" if parts.hostname else source


# ``import tec``: a site with The Events Calendar.


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
@click.option(
    "--media", is_flag=True, help="Copy the pictures; otherwise they stay links to the old site."
)
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
        opened_store(settings) as store,
        _remembered(store, source, dry_run=dry_run) as refusals,
        _opened_pages(source, media=media) as pages,
    ):
        pages.extents()  # Refuses what is no recording, before anything is made.
        with (
            _importing(settings, store, dry_run=dry_run),
            nullcontext() if dry_run else filling(store, settings),
            closing(_downloader(settings)) if media else nullcontext() as downloader,
            _progress_bars(" records") as progress,
        ):
            imports = Imports(build_services(settings, store, system_clock).sources.parts)
            importer = Importer(imports, options, downloader, dry_run=dry_run)
            origin = _site_origin(source, options.language, settings.default_language)
            summary = importer.run(pages, origin, progress, _report_waiting)
        refusals.extend(summary.refusals)
    _print_summary(summary, dry_run=dry_run)


def _options(
    settings: Settings, language: str | None, match: Path | None, *, create_missing: bool
) -> ImportOptions:
    return ImportOptions(
        language=_text_language(settings, language),
        chains=settings.chains(),
        site=site_of(settings),
        currency=Currency.of(settings),
        matches=Matches.read(match) if match else None,
        create_missing=create_missing,
    )


def _site_origin(source: str, language: str, default_language: str) -> ImportOrigin:
    """Return the source that a site is in a language; recorded pages have no address."""
    name = _label(source) if download_address(source) else Path(source).name
    return ImportOrigin(
        kind="tec",
        name=name if language == default_language else f"{name} ({language})",
        language=language,
        address=source if download_address(source) else "",
        of_language=True,
    )


def _downloader(settings: Settings) -> Downloader:
    permitted = networks_of("import_networks", settings.import_networks)
    return Downloader(settings.max_upload, permitted)


@contextmanager
def _opened_pages(source: str, *, media: bool) -> Iterator[RecordedPages]:
    if urlsplit(source).scheme not in ("http", "https"):
        yield RecordedPages(Path(source))
        return
    with tempfile.TemporaryDirectory(prefix="calendar-import-") as directory:
        file = Path(directory) / "pages.jsonl.gz"
        with _progress_bars(" pages") as progress:
            RemoteSite(source).record(file, progress, pictures=media)
        yield RecordedPages(file)


# ``import ics``: an iCalendar file, or the feed at an address.


@click.command()
@click.argument("source")
@click.option(
    "--language", metavar="L", help="The language of texts that name no language of the site."
)
@click.option("--dry-run", is_flag=True, help="Write nothing; report what the import would do.")
@click.pass_context
def ics(context: click.Context, source: str, *, language: str | None, dry_run: bool) -> None:
    """Import an iCalendar file.

    SOURCE is a file, or the address of a feed. The import can be repeated: it finds events by
    their UID, updates changed ones, and creates none twice.
    """
    settings = settings_of(context)
    language = _text_language(settings, language)
    permitted = networks_of("import_networks", settings.import_networks)
    is_file = not download_address(source)
    origin = ImportOrigin(
        kind="ics",
        name=Path(source).name if is_file else _label(source),
        address="" if is_file else source,
        language=language,
    )
    with (
        opened_store(settings) as store,
        _remembered(store, source, dry_run=dry_run) as refusals,
    ):
        content = read_source(source, settings.max_upload, permitted)
        languages = Languages(settings.languages, language)
        calendar = CalendarReader(languages, settings.timezone).read(content)
        summary = Summary()
        with (
            _importing(settings, store, dry_run=dry_run),
            tqdm(desc=EVENT.name, unit=" events", disable=None) as bar,
        ):

            def progress(finished: int, total: int) -> None:
                bar.total = total
                bar.update(finished - bar.n)

            request = Request(OPERATOR.id, dry_run, content, progress=progress, listen=summary.add)
            imports = Imports(build_services(settings, store, system_clock).sources.parts)
            imports.read(calendar, origin, request, _report_waiting)
        refusals.extend(summary.refusals)
    _print_summary(summary, dry_run=dry_run)


# Both of them.


@click.group("import", commands=[tec, ics])
def imports() -> None:
    """Import the calendar of another site or program."""
