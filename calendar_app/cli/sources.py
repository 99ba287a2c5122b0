"""``sources`` and ``read-sources``: the calendars of others that are read again and again."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from tqdm import tqdm

from calendar_app.accounts.callers import Caller
from calendar_app.assembly.services import build_services
from calendar_app.cli.database import opened_store
from calendar_app.cli.indexing import make_indexes
from calendar_app.cli.main import columns
from calendar_app.cli.maintenance import settings_for_application
from calendar_app.domain.kind import Record
from calendar_app.domain.moments import system_clock
from calendar_app.errors import InvalidParameters, NotFound, SourceBusy
from calendar_app.sources.lists import ADDED, CHANGED, UNCHANGED
from calendar_app.sources.managing import Sources
from calendar_app.sources.readers.source_list import read_list
from calendar_app.sources.readers.template import csv_template, excel_template
from calendar_app.sources.reports import FAILED, WAITING, SourceRun
from calendar_app.sources.results import Outcome
from calendar_app.sources.source import KINDS
from calendar_app.storage.query.list_query import Window

# Whoever may run commands may manage all sources.
_OPERATOR = Caller(id=1, name="operator", role="administrator")
# So much of what was not taken is named; the desk has all of it.
_FIRST = Window(1, 100)
_NOT_TAKEN = (Outcome.REFUSED, Outcome.LEFT_OUT)
# It is the author.
_RESPONSIBLE = "responsible"
_TEMPLATES = {".csv": csv_template, ".xlsx": excel_template}
_HEADINGS = ("ID", "NAME", "KIND", "LAST", "READ", "ADDRESS")


@contextmanager
def _sources(context: click.Context) -> Iterator[Sources]:
    settings = settings_for_application(context)
    with opened_store(settings) as store:
        make_indexes(store, settings)
        yield build_services(settings, store, system_clock).sources


@click.group()
def sources() -> None:
    """Manage sources: calendars of other sites that are read regularly."""


@sources.command("list")
@click.pass_context
def list_sources(context: click.Context) -> None:
    """List the sources, with the result of their last reading."""
    with _sources(context) as managed:
        rows = [
            (
                str(each.source.id),
                each.source.name,
                each.source.kind,
                each.state.get("result", "never"),
                f"{each.state['read']:%Y-%m-%d %H:%M}" if each.state.get("read") else "-",
                each.source.address,
            )
            for each in managed.list(_OPERATOR)
        ]
    for line in columns([_HEADINGS, *rows]):
        click.echo(line)


@sources.command()
@click.argument("name", default="")
@click.argument("address", default="")
@click.option(
    "--file",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="A list of sources, CSV or .xlsx, instead of NAME.",
)
@click.option("--dry-run", is_flag=True, help="With --file: report, and store nothing.")
@click.option("--kind", default="ics", help=f"{', '.join(KINDS)}, or of a plugin; default: ics.")
@click.option("--status", default="pending", help="The status of new events; default: pending.")
@click.option("--author", type=int, default=1, help="The id of the author; default: 1.")
@click.option("--language", default="", help="The language of its texts; default: the calendar's.")
@click.option(
    "--every",
    type=int,
    default=0,
    help="Minutes between readings: at least 15, or 1 for the kind calendar.",
)
@click.option(
    "--vanished", default="keep", help="What happens to vanished events: keep, cancel or trash."
)
@click.pass_context
def add(  # noqa: PLR0913  # one for each option
    context: click.Context,
    *,
    name: str,
    address: str,
    kind: str,
    status: str,
    author: int,
    language: str,
    every: int,
    vanished: str,
    file: Path | None,
    dry_run: bool,
) -> None:
    """Add a source and print its id, or the sources of a list."""
    if file is not None:
        _take_list(context, file, dry_run=dry_run)
        return
    if not name:
        raise click.UsageError("Give the NAME of a source, or a list with --file.")
    values: dict[str, object] = {"name": name, "address": address, "kind": kind, "status": status}
    values |= {"author": author, _RESPONSIBLE: author, "every": every, "vanished": vanished}
    values |= {"language": language} if language else {}
    with _sources(context) as managed:
        try:
            source = managed.add(values, _OPERATOR)
        except InvalidParameters as error:
            reasons = {name: words for name, words in error.reasons.items() if name != _RESPONSIBLE}
            raise InvalidParameters(reasons) from error
    click.echo(str(source.id))


def _take_list(context: click.Context, file: Path, *, dry_run: bool) -> None:
    rows = read_list(file.read_bytes())
    with _sources(context) as managed:
        outcomes = managed.take_list(rows, _OPERATOR, dry_run=dry_run)
    if dry_run:
        click.echo("Nothing was stored. It would be:")
    for each in outcomes:
        if each.outcome != UNCHANGED:
            fields = f": {', '.join(each.fields)}" if each.fields else ""
            click.echo(f"{each.outcome} {each.source.name}{fields}")
    numbers = Counter(each.outcome for each in outcomes)
    words = ", ".join(f"{numbers[each]} {each}" for each in (ADDED, CHANGED, UNCHANGED))
    click.echo(f"{words}.")


@sources.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--language", default="", help="The language of the headings; default: the calendar's."
)
@click.pass_context
def template(context: click.Context, file: Path, *, language: str) -> None:
    """Write a table for organizers to fill in: FILE.xlsx or FILE.csv."""
    language = language or settings_for_application(context).default_language
    make = _TEMPLATES.get(file.suffix.lower())
    if make is None:
        raise click.UsageError("The name of the file must end with .xlsx or .csv.")
    if file.exists():
        raise click.UsageError(f"{file} exists already. Choose another name, or remove it first.")
    file.write_bytes(make(language, system_clock().date()))
    click.echo(f"{file} is written.")


@sources.command()
@click.argument("number", type=int)
@click.option(
    "--file", type=click.Path(path_type=Path), help="Read this file instead of the address."
)
@click.pass_context
def preview(context: click.Context, number: int, file: Path | None) -> None:
    """Report the changes that a reading would make; write nothing."""
    _read(context, number, file, dry_run=True)


@sources.command()
@click.argument("number", type=int)
@click.option(
    "--file", type=click.Path(path_type=Path), help="Read this file instead of the address."
)
@click.option(
    "--accept", metavar="READING", default="", help="Apply this reading, which waits for approval."
)
@click.pass_context
def read(context: click.Context, number: int, file: Path | None, accept: str) -> None:
    """Read a source now, and report the outcome of its events."""
    _read(context, number, file, accept=accept)


@click.command("read-sources")
@click.pass_context
def read_sources(context: click.Context) -> None:
    """Read the sources that are due."""
    with _sources(context) as managed:
        number = managed.readings.read_due()
    click.echo(f"{number} read.")


def _read(
    context: click.Context,
    number: int,
    file: Path | None,
    *,
    dry_run: bool = False,
    accept: str = "",
) -> None:
    content = file.read_bytes() if file else None
    with _sources(context) as managed, tqdm(desc="events", unit=" events", disable=None) as bar:

        def progress(finished: int, total: int) -> None:
            bar.total = total
            bar.update(finished - bar.n)

        try:
            reading = managed.readings.read(
                number,
                _OPERATOR,
                dry_run=dry_run,
                content=content,
                accept=accept,
                progress=progress,
            )
        except NotFound as error:
            raise click.ClickException("There is no such source or reading.") from error
        except SourceBusy as error:
            raise click.ClickException("This source is being read at the moment.") from error
        entries = reading.entries if dry_run else _not_taken(managed, reading)
    if dry_run:
        click.echo("Nothing was written. It would be:")
    for entry in entries or ():
        rest = [*entry.get("fields", ()), *filter(None, [entry.get("reason")])]
        words = f"{_words(entry['outcome'])} {entry['label']}"
        click.echo(f"{words}{': ' if rest else ''}{', '.join(rest)}")
    _print_outcome(reading)


def _not_taken(managed: Sources, reading: SourceRun) -> list[Record]:
    """Return the first events of a reading that were not taken, or only in part."""
    pages = [
        managed.readings.entries(reading.id, _OPERATOR, _FIRST, outcome) for outcome in _NOT_TAKEN
    ]
    return [entry for page in pages for entry in page.items]


def _words(outcome: str) -> str:
    return outcome.replace("_", " ")


def _print_outcome(reading: SourceRun) -> None:
    outcomes = (reading.numbers or {}).items()
    numbers = [f"{number} {_words(outcome)}" for outcome, number in outcomes]
    if reading.dates:
        numbers.append(f"{reading.dates} dates")
    line = ", ".join(numbers) or "nothing"
    if reading.state in (FAILED, WAITING):
        hint = f" Apply it: --accept {reading.id}" if reading.state == WAITING else ""
        raise click.ClickException(f"{reading.reason}{hint}")
    click.echo(f"{reading.state}: {line}; {reading.bytes} bytes, {reading.duration} s")
