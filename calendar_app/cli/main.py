"""``calendar-app``: joins the commands and says in one line why one was not done."""

import errno
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any

import click

from calendar_app.cli.wording import in_one_line
from calendar_app.errors import CalendarError, DatabaseDenies, Unavailable

# Where each command is. Imported when it is asked for: what a master of gunicorn has imported its
# workers have as it was then, and most commands start sooner without the application.
_COMMANDS: Mapping[str, str] = MappingProxyType(
    {
        "serve": "calendar_app.cli.serve:serve",
        "demo": "calendar_app.cli.demo:demo",
        "users": "calendar_app.cli.users:users",
        "import": "calendar_app.cli.imports:imports",
        "languages": "calendar_app.cli.languages:languages",
        "indexes": "calendar_app.cli.indexes:indexes",
        "check": "calendar_app.cli.check:check",
        "backup": "calendar_app.cli.backup:backup",
        "restore": "calendar_app.cli.backup:restore",
        "publish-due": "calendar_app.cli.publish_due:publish_due",
        "extend-series": "calendar_app.cli.extend_series:extend_series",
        "openapi": "calendar_app.cli.openapi:openapi",
    }
)


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
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in _COMMANDS:
            return None
        module, name = _COMMANDS[cmd_name].split(":")
        command: click.Command = getattr(import_module(module), name)
        return command

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
    """Run and look after a multilingual calendar of public events."""
    context.obj = config
