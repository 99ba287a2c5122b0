"""``memory``: what was translated before."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import click

from calendar_app.domain.tmx import NoTmx
from calendar_app.errors import ConfigurationError
from calendar_app.parts.memory.remembering.exchange import TmxExchange
from calendar_app.parts.memory.services import Memory
from calendar_app.settings import Settings
from calendar_app.storage.mongo.store import Store

# Opens the database of the settings that a command has.
Opened = Callable[[click.Context], AbstractContextManager[tuple[Settings, Store]]]


def commands(opened: Opened) -> click.Group:
    """Return the commands of this part, which open a database as all commands do."""

    @click.group()
    def memory() -> None:
        """Maintain the translation memory, and exchange it with other programs."""

    @memory.command()
    @click.pass_context
    def rebuild(context: click.Context) -> None:
        """Rebuild the memory of all records; the service may run meanwhile."""
        with opened(context) as (_, store):
            rebuilt = Memory(store).rebuild()
        click.echo(
            f"{rebuilt.units} texts and sentences of {rebuilt.records} records are remembered; "
            f"{rebuilt.mended} records were not, or otherwise."
        )

    @memory.command()
    @click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
    @click.pass_context
    def export(context: click.Context, file: Path) -> None:
        """Write the public memory to FILE, as TMX 1.4b."""
        with opened(context) as (settings, store):
            if not Memory(store).make_up():
                raise ConfigurationError(_BEHIND)
            with file.open("wb") as target:
                target.writelines(TmxExchange(store, settings.languages).export())

    @memory.command("import")
    @click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
    @click.option("--replace", is_flag=True, help="First remove what earlier files added.")
    @click.pass_context
    def take(context: click.Context, file: Path, *, replace: bool) -> None:
        """Import the translations in FILE, in TMX."""
        with opened(context) as (settings, store), file.open("rb") as source:
            exchange = TmxExchange(store, settings.languages)
            try:
                imported = exchange.take(source, replace=replace)
            except NoTmx as error:
                raise ConfigurationError(f"{file} is no complete file of TMX.") from error
        click.echo(
            f"{imported.new} new, {imported.known} known, "
            f"{imported.unused} without two languages here."
        )

    return memory


_BEHIND = (
    "The memory is behind the records: a process with translation_memory = false writes at the"
    " moment."
)
