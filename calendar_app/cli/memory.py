"""``memory``: what was translated before."""

from pathlib import Path

import click

from calendar_app.cli.database import opened_store
from calendar_app.cli.maintenance import settings_for_application
from calendar_app.domain.kinds import KINDS, MEDIA, SERIES
from calendar_app.domain.tmx import NoTmx
from calendar_app.errors import ConfigurationError
from calendar_app.translation.memory.exchange import TmxExchange
from calendar_app.translation.memory.following import Following


@click.group()
def memory() -> None:
    """Maintain the translation memory, and exchange it with other programs."""


@memory.command()
@click.pass_context
def rebuild(context: click.Context) -> None:
    """Rebuild the memory of all records; the service may run meanwhile."""
    with opened_store(settings_for_application(context)) as store:
        rebuilt = Following(store).rebuild((*KINDS, SERIES, MEDIA))
    click.echo(
        f"{rebuilt.units} texts and sentences of {rebuilt.records} records are remembered; "
        f"{rebuilt.mended} records were not, or otherwise."
    )


@memory.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.pass_context
def export(context: click.Context, file: Path) -> None:
    """Write the public memory to FILE, as TMX 1.4b."""
    settings = settings_for_application(context)
    with opened_store(settings) as store, file.open("wb") as target:
        target.writelines(TmxExchange(store, settings.languages).export())


@memory.command("import")
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--replace", is_flag=True, help="Forget first what has come from files before.")
@click.pass_context
def take(context: click.Context, file: Path, *, replace: bool) -> None:
    """Take in the translations of FILE, in TMX."""
    settings = settings_for_application(context)
    with opened_store(settings) as store, file.open("rb") as source:
        exchange = TmxExchange(store, settings.languages)
        try:
            imported = exchange.take(source, replace=replace)
        except NoTmx as error:
            raise ConfigurationError(f"{file} is no complete file of TMX.") from error
    click.echo(
        f"{imported.new} new, {imported.known} known, {imported.unused} without two languages here."
    )
