"""``calendar-app serve``: gunicorn with our configuration, and a mongod of our own."""

import os
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import click
from gunicorn.app.base import Application
from gunicorn.arbiter import Arbiter
from gunicorn.util import import_app

from calendar_app.cli.database import settings_of
from calendar_app.cli.greeting import greeting
from calendar_app.cli.master import prepare, replaces_another
from calendar_app.settings import DEFAULTS, Settings

_CONFIGURATION = DEFAULTS.parents[1] / "config" / "gunicorn.conf.py"
_EVERYWHERE = {"0.0.0.0": "127.0.0.1", "[::]": "[::1]"}  # noqa: S104 - compared, not bound


class _Service(Application):  # type: ignore[misc]  # gunicorn has no types
    """The application under gunicorn, with ``options`` over the configuration file."""

    def __init__(self, options: dict[str, Any], *, demo: bool) -> None:
        self._options = options
        self._demo = demo
        self._password = ""
        super().__init__()

    def load_config(self) -> None:
        self.load_config_from_file(str(_CONFIGURATION))
        for name, value in self._options.items():
            self.cfg.set(name, value)
        self.cfg.set("on_starting", self._prepare)
        self.cfg.set("when_ready", self._greet)

    def load(self) -> Any:
        # A worker's own import, so that each starts with the settings as they are then.
        return import_app("calendar_app.app:create_app()")

    def _prepare(self, server: Arbiter) -> None:
        self._password = prepare(server, demo=self._demo)

    def _greet(self, server: Arbiter) -> None:
        if not replaces_another():
            settings = Settings.load()
            today = datetime.now(UTC).astimezone(ZoneInfo(settings.timezone)).date()
            click.echo(greeting(settings, _origin(server), self._password, today))


def _origin(server: Arbiter) -> str:
    """Return the address under which a browser on this machine reaches the service."""
    origin = str(server.LISTENERS[0])
    for bound, reached in _EVERYWHERE.items():
        origin = origin.replace(f"//{bound}:", f"//{reached}:")
    return origin


@click.command()
@click.option("--bind", metavar="HOST:PORT", help="Where to listen; default 127.0.0.1:8000.")
@click.option("--workers", type=click.IntRange(min=1), help="How many processes; default 2.")
@click.option("--demo", is_flag=True, help="Load the demo calendar into an empty database.")
@click.pass_context
def serve(context: click.Context, bind: str | None, workers: int | None, demo: bool) -> None:
    """Serve the calendar until Ctrl-C, with a mongod of our own unless a URI is set."""
    settings_of(context)
    if config := context.find_root().obj:
        os.environ["CALENDAR_CONFIG"] = str(config.absolute())
    chosen = {"bind": bind, "workers": workers}
    _Service({name: value for name, value in chosen.items() if value}, demo=demo).run()
