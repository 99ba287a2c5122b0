"""``check``: whether the service could do its work as it is configured, on sound data."""

from collections.abc import Sequence
from datetime import UTC, datetime

import click

from calendar_app.calendar.pictures.sweeping import PictureSweep
from calendar_app.calendar.reading.languages import require_same_spelling
from calendar_app.calendar.series.horizon import Horizon
from calendar_app.calendar.writing.counting import miscounted, recount
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
from calendar_app.services import build_services
from calendar_app.settings import Settings

# The dates of a series that are named; of others their number is enough.
_MOST_NAMED = 3


@click.command()
@click.option("--repair", is_flag=True, help="Mend what is wrong in the data.")
@click.pass_context
def check(context: click.Context, *, repair: bool) -> None:
    """Check the configuration, the database, its indexes and data."""
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
        services = build_services(settings, store, lambda: datetime.now(UTC))
        _check_files(services.picture_sweep, repair=repair)
        harms = [
            *_check_counts(store, repair=repair),
            *_check_dates(services.horizon, repair=repair),
        ]
    _check_templates(settings)
    if harms:
        raise ConfigurationError(
            f"{' and '.join(harms)}; mend this with: calendar-app check --repair"
        )


def _check_files(sweep: PictureSweep, *, repair: bool) -> None:
    """Report files that no record has, which harm nobody."""
    orphans = sweep.sweep() if repair else sweep.count()
    if not (orphans.files or orphans.unfinished):
        return
    unfinished = f" and {orphans.unfinished} unfinished ones" if orphans.unfinished else ""
    removed = " removed" if repair else ""
    click.echo(
        f"{orphans.files} files of pictures without a record{unfinished}{removed}, "
        f"{orphans.size / 1e6:.1f} MB."
    )


def _check_counts(store: Store, *, repair: bool) -> list[str]:
    """Return the harm of wrong counts of terms, unless it is repaired."""
    terms = list(miscounted(store))
    if not terms:
        return []
    if not repair:
        return [f"The counts of {len(terms)} terms are wrong"]
    for taxonomy, term in terms:
        recount(store, taxonomy, term)
    click.echo(f"The counts of {len(terms)} terms are set.")
    return []


def _check_dates(horizon: Horizon, *, repair: bool) -> list[str]:
    """Return the harm of missing dates, unless they are added; report those beyond the rule."""
    lacking = added = 0
    for deviation in horizon.deviations():
        series = f"Series {deviation.series}"
        if deviation.surplus:
            click.echo(
                f"{series} has dates that its rule does not give: {_named(deviation.surplus)}. "
                "They go to the trash when it is saved."
            )
        if deviation.missing:
            lacking += 1
            click.echo(f"{series} lacks dates of its rule: {_named(deviation.missing)}.")
            added += horizon.complete(deviation.series) if repair else 0
    if added:
        click.echo(f"{added} dates of series added.")
    return [f"{lacking} series lack dates"] if lacking and not repair else []


def _named(dates: Sequence[datetime]) -> str:
    names = [f"{date:%Y-%m-%d %H:%M}" for date in dates[:_MOST_NAMED]]
    more = len(dates) - len(names)
    return ", ".join(names) + (f" and {more} more" if more else "")


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
