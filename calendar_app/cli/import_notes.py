"""Remembers how an import has ended, for the first page of the desk."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

import click

from calendar_app.calendar.import_runs import ImportRun, ImportRuns
from calendar_app.cli.database import opened_store
from calendar_app.cli.importing import current_time
from calendar_app.cli.wording import in_one_line
from calendar_app.errors import CalendarError
from calendar_app.settings import Settings


@contextmanager
def remembered(settings: Settings, source: str, *, dry_run: bool) -> Iterator[list[str]]:
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
            _note(settings, source, [problem, *refusals], len(refusals))
        raise
    _note(settings, source, refusals, len(refusals))


def _note(settings: Settings, source: str, problems: list[str], refused: int) -> None:
    run = ImportRun(_label(source), refused, problems)
    with opened_store(settings) as store:
        ImportRuns(store, current_time).note(run)


def _label(source: str) -> str:
    """Return a source without the password and the query that its address may have."""
    parts = urlsplit(source)
    return f"{parts.hostname}{parts.path}" if parts.hostname else source
