"""``calendar-app``: joins the commands and says in one line why one was not done."""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any

import click

from calendar_app.cli.wording import in_one_line
from calendar_app.errors import CalendarError

# Where each command is. Imported when it is asked for: a master of gunicorn that has imported
# the application would lend the same old code to its workers after SIGHUP.
_COMMANDS: Mapping[str, str] = MappingProxyType(
    {
        "serve": "calendar_app.cli.serve:serve",
        "demo": "calendar_app.cli.demo:demo",
        "users": "calendar_app.cli.users:users",
        "import": "calendar_app.cli.import_tec:imports",
        "languages": "calendar_app.cli.languages:languages",
        "indexes": "calendar_app.cli.indexes:indexes",
        "check": "calendar_app.cli.check:check",
        "openapi": "calendar_app.cli.openapi:openapi",
    }
)


class _Commands(click.Group):
    """Ends with one line on standard error and status 1 where a command is refused."""

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

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except CalendarError as error:
            raise click.ClickException(in_one_line(error)) from error


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
