"""``check``: whether the service could do its work as it is configured."""

import click

from calendar_app.calendar.reading.languages import require_same_spelling
from calendar_app.cli.application import settings_for_application
from calendar_app.cli.database import opened_store
from calendar_app.cli.languages import told_beyond
from calendar_app.errors import ConfigurationError
from calendar_app.indexes import declared_indexes
from calendar_app.kinds import EVENT, KINDS
from calendar_app.mongo.backup import require_restored
from calendar_app.mongo.indexes import missing_indexes
from calendar_app.mongo.store import Store, require_right_to_write
from calendar_app.pages.rendering import Theme
from calendar_app.search.vocabulary import Vocabulary
from calendar_app.settings import Settings


@click.command()
@click.pass_context
def check(context: click.Context) -> None:
    """Check the configuration, the database and its indexes."""
    settings = settings_for_application(context)
    click.echo("The configuration makes sense.")
    with opened_store(settings) as store:
        click.echo("The database is there and has transactions.")
        require_restored(store.database)
        require_same_spelling(store, KINDS, settings.languages)
        _check_indexes(store, settings)
        click.echo("The indexes are there.")
        require_right_to_write(store, declared_indexes(settings))
        click.echo("The database can be written.")
        _tell_words(store, settings)
        for line in told_beyond(store, settings):
            click.echo(line)
    _check_templates(settings)


def _check_templates(settings: Settings) -> None:
    failures = Theme(settings).failures if settings.pages else {}
    if failures:
        reasons = "; ".join(f"{name}: {reason}" for name, reason in failures.items())
        raise ConfigurationError(
            f"Templates of the theme fail, and those of the service stand in: {reasons}"
        )


def _check_indexes(store: Store, settings: Settings) -> None:
    if missing := missing_indexes(store, declared_indexes(settings)):
        raise ConfigurationError(
            f"{len(missing)} indexes are missing ({missing[0]} …); "
            "create them with: calendar-app indexes"
        )


def _tell_words(store: Store, settings: Settings) -> None:
    if Vocabulary(store, settings.chains()).is_stale(EVENT):
        click.echo(
            "The words of some events are not entered for these languages, so that searches are "
            "slow; enter them with: calendar-app indexes"
        )
