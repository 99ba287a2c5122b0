"""``calendar-app``: joins the commands and says in one line why one was not done."""

import errno
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import click

from calendar_app.errors import CalendarError, DatabaseDenies, InvalidParameters, Unavailable

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


def in_one_line(error: CalendarError | OSError) -> str:
    """Return why ``error`` was raised, as one line."""
    message = str(error)
    if isinstance(error, OSError) and error.strerror:
        message = ": ".join(filter(None, (error.filename and str(error.filename), error.strerror)))
    if isinstance(error, InvalidParameters):
        message = "; ".join(f"{name}: {reason}" for name, reason in error.reasons.items())
    return " ".join((message or type(error).__doc__ or "").split())


def columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield each row as one line, its cells below those of the row before."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield "  ".join(cells).rstrip()


def print_secret(secret: str, name: str) -> None:
    """Print a password: with words on a terminal, alone where a program reads it."""
    is_read_by_people = sys.stdout.isatty()
    click.echo(f"The {name}, shown only once: {secret}" if is_read_by_people else secret)


_MAINTENANCE = "calendar_app.cli.maintenance"
# Where each command is, and how the list of commands describes it. Imported when it is asked for:
# what a master of gunicorn has imported its workers have as it was then, and most commands start
# sooner without the application.
_COMMANDS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "serve": (
            "calendar_app.cli.serve:serve",
            "Serve the calendar until Ctrl-C, with a mongod of its own unless a URI is set.",
        ),
        "demo": (
            "calendar_app.cli.demo.command:demo",
            "Load the demo into an empty database; print the new administrator's password.",
        ),
        "users": (
            "calendar_app.cli.users:users",
            "Create, list, change and remove users, and manage their application passwords.",
        ),
        "privacy": (
            "calendar_app.cli.privacy:privacy",
            "Export or erase the personal data behind an e-mail address.",
        ),
        "import": (
            "calendar_app.cli.imports:imports",
            "Import the calendar of another site or program.",
        ),
        "check-move": (
            "calendar_app.cli.moving.command:check_move",
            "Compare the addresses of an old site with those of the new one.",
        ),
        "sources": (
            "calendar_app.cli.sources:sources",
            "Manage sources: calendars of other sites that are read regularly.",
        ),
        "read-sources": (
            "calendar_app.cli.sources:read_sources",
            "Read the sources that are due.",
        ),
        "jobs": (
            "calendar_app.cli.jobs:jobs",
            "Do the scheduled work until Ctrl-C: publishing, readings, deliveries, letters.",
        ),
        "deliver": (
            "calendar_app.cli.webhooks:deliver",
            "Deliver changes to the receivers of webhooks, until Ctrl-C.",
        ),
        "languages": (f"{_MAINTENANCE}:languages", "Report on the languages of the calendar."),
        "memory": (
            "calendar_app.cli.memory:memory",
            "Maintain the translation memory, and exchange it with other programs.",
        ),
        "indexes": (
            f"{_MAINTENANCE}:indexes",
            "Create the indexes that are missing, and list each with the query it serves.",
        ),
        "migrate": (
            f"{_MAINTENANCE}:migrate",
            "Raise the database to the data format of this version, and convert all documents.",
        ),
        "check": (
            f"{_MAINTENANCE}:check",
            "Check the configuration, the database, its indexes and data.",
        ),
        "backup": (
            "calendar_app.cli.backup:backup",
            "Write all of the database to FILE, as of one moment; the service may run meanwhile.",
        ),
        "restore": (
            "calendar_app.cli.backup:restore",
            "Restore FILE into an empty database that no service uses.",
        ),
        "publish-due": (
            f"{_MAINTENANCE}:publish_due",
            "Publish scheduled records that are due; remove pictures that nobody needs.",
        ),
        "extend-series": (
            f"{_MAINTENANCE}:extend_series",
            "Add the events of series up to today's horizon.",
        ),
        "openapi": (f"{_MAINTENANCE}:openapi", "Print the OpenAPI document."),
    }
)


# The commands of plugins, by name. They are loaded when they are asked for, as ours are.
_PLUGINS = "calendar_app.commands"
_HEADER, _DECLARATIONS = f"[{_PLUGINS}]".encode(), "entry_points.txt"
_METADATA = (".dist-info", ".egg-info")


@cache
def _further_commands() -> "Mapping[str, EntryPoint]":
    if not _may_have_plugins():
        return {}
    points = import_module("importlib.metadata").entry_points(group=_PLUGINS)
    return {p.name: p for p in points if p.name not in _COMMANDS}


def _may_have_plugins() -> bool:
    """Say whether an installed distribution declares commands, or may do so in an archive.

    To import ``importlib.metadata`` takes as long as the rest of ``--help``.
    """
    return any(_may_declare(Path(folder)) for folder in sys.path)


def _may_declare(folder: Path) -> bool:
    if not folder.is_dir():
        return folder.exists()
    with os.scandir(folder) as entries:  # a Path of each would take longer
        return any(_declares(Path(each)) for each in entries if each.name.endswith(_METADATA))


def _declares(metadata: Path) -> bool:
    """Say whether the metadata of a distribution declare commands."""
    with suppress(OSError):
        return _HEADER in (metadata / _DECLARATIONS).read_bytes()
    return False


def _loaded(point: "EntryPoint") -> click.Command:
    """Return a command of a plugin; raise ``ClickException`` where it cannot be loaded."""
    try:
        command = point.load()
    except Exception as error:
        raise click.ClickException(f"The plugin of {point.name} failed: {error!r}") from error
    if not isinstance(command, click.Command):
        raise click.ClickException(f"The plugin of {point.name} has no command of click.")
    return command


class _Misuse(click.ClickException):
    exit_code = click.UsageError.exit_code


class _NotNow(click.ClickException):
    exit_code = os.EX_TEMPFAIL


class _Commands(click.Group):
    """Ends with one line on standard error and a status that is not 0 where a command is refused.

    The status is 2 where the command was not understood, and 1 where it was not done; 75 where the
    database was away or busy, so that the same command may be done later.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return [*_COMMANDS, *_further_commands()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in _COMMANDS:
            point = _further_commands().get(cmd_name)
            return _loaded(point) if point else None
        module, name = _COMMANDS[cmd_name][0].split(":")
        command: click.Command = getattr(import_module(module), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands by the table, since importing all of them takes seconds."""
        del ctx
        texts = {name: text for name, (_, text) in _COMMANDS.items()} | {
            name: f"A command of the plugin {point.dist.name if point.dist else point.value}."
            for name, point in _further_commands().items()
        }
        room = formatter.width - 6 - max(map(len, texts))
        listed = [(name, click.Command(name, help=text)) for name, text in texts.items()]
        with formatter.section("Commands"):
            formatter.write_dl([(name, each.get_short_help_str(room)) for name, each in listed])

    def make_context(self, *arguments: Any, **options: Any) -> click.Context:
        with _misuse_in_one_line():
            return super().make_context(*arguments, **options)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            with _misuse_in_one_line():
                return super().invoke(ctx)
        except DatabaseDenies as error:
            raise click.ClickException(in_one_line(error)) from error
        except Unavailable as error:
            raise _NotNow(in_one_line(error)) from error
        except CalendarError as error:
            raise click.ClickException(in_one_line(error)) from error
        except OSError as error:
            # Nobody reads on, as in a pipe to "head".
            if error.errno == errno.EPIPE:
                raise
            _drop_output()
            raise click.ClickException(in_one_line(error)) from error


@contextmanager
def _misuse_in_one_line() -> Iterator[None]:
    """Name ``--help`` in the message of a usage error."""
    try:
        yield
    except click.exceptions.NoArgsIsHelpError:
        raise
    except click.UsageError as error:
        message = " ".join(error.format_message().split())
        hint = f" Try '{error.ctx.command_path} --help'." if error.ctx else ""
        raise _Misuse(message + hint) from error


def _drop_output() -> None:
    """Discard buffered output, which Python would write once more at exit."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@click.group(cls=_Commands)
@click.option(
    "--config",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="The deployment's TOML file, instead of CALENDAR_CONFIG.",
)
@click.version_option(package_name="calendar-app")
@click.pass_context
def main(context: click.Context, config: Path | None) -> None:
    """Run and manage a multilingual calendar of public events."""
    context.obj = config
