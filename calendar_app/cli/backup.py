"""``backup`` and ``restore``: all of the database in one file."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import IO, Any, Never

import click
from tqdm import tqdm

from calendar_app.cli.backup_files import complete_file, dated_file, remove_superfluous
from calendar_app.cli.database import opened_store, settings_of
from calendar_app.errors import ConfigurationError
from calendar_app.settings import Settings
from calendar_app.storage.embedded.supervisor import is_own
from calendar_app.storage.mongo.backup import write_backup
from calendar_app.storage.mongo.backup_file import BackupReader
from calendar_app.storage.mongo.indexes import LONG, history
from calendar_app.storage.mongo.restoring import require_restored, restore_backup

# In the place of a file: standard output, or standard input.
_STANDARD = Path("-")


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--keep",
    type=click.IntRange(min=1),
    metavar="DAYS",
    help="Then remove older backups from the directory FILE; keep one for each of DAYS days.",
)
@click.pass_context
def backup(context: click.Context, file: Path, keep: int | None) -> None:
    """Write all of the database to FILE, as of one moment; the service may run meanwhile.

    If FILE is a directory, the backup is a file in it, named after the time. With -, it goes to
    standard output, and messages go to standard error.
    """
    if keep is not None and not file.is_dir():
        raise ConfigurationError(f"{file} is not a directory, and --keep needs one.")
    target = dated_file(file) if file.is_dir() else file
    _write(settings_of(context), target)
    if target != file:
        click.echo(f"Written: {target}")
    if keep is not None:
        for name in remove_superfluous(target, keep):
            click.echo(f"Removed: {file / name}")


def _write(settings: Settings, file: Path) -> None:
    """Write a backup to a file or standard output, and print its summary."""
    is_embedded = is_own(settings.mongodb_uri, settings.data)
    with (
        _standard_output() if file == _STANDARD else complete_file(file) as whole,
        opened_store(settings) as store,
        history(store, LONG) if is_embedded else nullcontext(),
        _bar() as bar,
    ):
        require_restored(store.database)
        summaries = write_backup(store.database, whole, bar)
    click.echo(_summary(summaries), err=file == _STANDARD)


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--force", is_flag=True, help="Replace all that the database holds.")
@click.pass_context
def restore(context: click.Context, file: Path, *, force: bool) -> None:
    """Restore FILE into an empty database that no service uses.

    With -, it is read from standard input.
    """
    with nullcontext(sys.stdin.buffer) if file == _STANDARD else file.open("rb") as read:
        reader = BackupReader(read)
        with opened_store(settings_of(context), to_replace=True) as store, _bar() as bar:
            restore_backup(store.database, reader, bar, force=force)
    click.echo(_summary(reader.summaries))


@contextmanager
def _standard_output() -> Iterator[IO[bytes]]:
    """Give standard output; a terminal is refused."""
    if sys.stdout.isatty():
        raise ConfigurationError("Send the backup somewhere: calendar-app backup - > FILE")
    yield sys.stdout.buffer
    sys.stdout.buffer.flush()


class _Bar:
    """A bar for each part of the work on standard error; none where that is no terminal."""

    def __init__(self) -> None:
        self._work = ""
        self._bar: tqdm[Never] | None = None

    def __call__(self, documents: int, total: int, work: str) -> None:
        if self._bar is None or work != self._work:
            self.close()
            self._work = work
            self._bar = tqdm(desc=work, total=total or None, unit=" documents", disable=None)
        self._bar.update(documents)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


@contextmanager
def _bar() -> Iterator[_Bar]:
    bar = _Bar()
    try:
        yield bar
    finally:
        bar.close()


def _summary(summaries: dict[str, Any]) -> str:
    """Return a line for each collection, with the number of its documents and their digest."""
    return "\n".join(
        f"{name}: {summary['documents']} documents, {summary['digest'][:16]}"
        for name, summary in sorted(summaries.items())
    )
