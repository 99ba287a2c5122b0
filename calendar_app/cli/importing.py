"""The language, the clock, the editor of series and the progress bars of imports."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from typing import Never

import click
from tqdm import tqdm

from calendar_app.calendar.bulk.calendar_editor import CalendarEditor
from calendar_app.calendar.leases import Leases
from calendar_app.calendar.writing.record_builder import RecordBuilder
from calendar_app.kinds import BY_NAME, SERIES
from calendar_app.mongo.store import DryRunStore, Store
from calendar_app.search.vocabulary import Vocabulary
from calendar_app.services import schedule_of, site_of
from calendar_app.settings import Settings

_WAITING = "Another import is running. This one waits until it ends."


def text_language(settings: Settings, language: str | None) -> str:
    """Return the language of an import's texts; raise ``UsageError`` if the site lacks it."""
    language = language or settings.default_language
    if language not in settings.languages:
        raise click.UsageError(f"The site has no language {language}.")
    return language


def current_time() -> datetime:
    """Return the present as a naive UTC time in whole seconds."""
    return datetime.now(UTC).replace(tzinfo=None, microsecond=0)


def calendar_editor(settings: Settings, store: Store, *, dry_run: bool) -> CalendarEditor:
    """Return an editor of events and series."""
    store = DryRunStore(store.database) if dry_run else store
    builder = RecordBuilder(store, current_time, site_of(settings))
    schedule = schedule_of(settings, current_time)
    vocabulary = Vocabulary(store, settings.chains())
    editor = CalendarEditor(store, BY_NAME, builder, vocabulary, series=SERIES, schedule=schedule)
    editor.dry_run = dry_run
    return editor


@contextmanager
def one_at_a_time(store: Store, *, dry_run: bool) -> Iterator[None]:
    """Let imports wait for each other: two that create the same records would make doubles."""
    if dry_run:
        yield
        return
    with Leases(store).held("import", lambda: click.echo(_WAITING, err=True)):
        yield


@contextmanager
def progress_bars(unit: str) -> Iterator[Callable[[str, int, int], None]]:
    """Show a bar for each collection on standard error, if that is a terminal."""
    with ExitStack() as stack:
        bars: dict[str, tqdm[Never]] = {}

        def count(name: str, done: int, total: int) -> None:
            if name not in bars:
                bars[name] = stack.enter_context(tqdm(desc=name, unit=unit, disable=None))
            bars[name].total = total
            bars[name].update(done)

        yield count
