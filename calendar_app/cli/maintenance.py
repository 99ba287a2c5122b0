"""Commands that look after a calendar: its description, indexes, languages, dates and data."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime

import click

from calendar_app.api.http.request.state import Services
from calendar_app.api.resources.submissions.handling import send_letters_due
from calendar_app.app import openapi_document
from calendar_app.assembly.background import where_jobs_run
from calendar_app.assembly.indexes import RETIRED_INDEXES, declared_indexes
from calendar_app.assembly.plugins import configured_plugins
from calendar_app.assembly.services import build_services, check_parts, vocabulary_of
from calendar_app.calendar.pictures.uploads import PictureSweep
from calendar_app.calendar.reading.languages import (
    TranslationProgress,
    UnconfiguredLanguage,
    progress,
    require_same_spelling,
    unconfigured_languages,
)
from calendar_app.calendar.series.horizon import Horizon
from calendar_app.calendar.writing.terms import miscounted, recount
from calendar_app.changes.webhooks.webhook import WEBHOOKS
from calendar_app.cli.alike import alike_lines
from calendar_app.cli.database import opened_store, settings_of
from calendar_app.cli.indexing import make_indexes
from calendar_app.cli.main import columns
from calendar_app.domain.kind import Index
from calendar_app.domain.kinds import EVENT, KINDS, SERIES
from calendar_app.errors import ConfigurationError, DatabaseDenies
from calendar_app.settings import ENDING, Settings
from calendar_app.site.pages.rendering import Pages, theme_folder
from calendar_app.storage.migrations import MIGRATIONS
from calendar_app.storage.mongo.formats import written_format
from calendar_app.storage.mongo.indexes import (
    drop_indexes,
    drop_replaced,
    missing_indexes,
)
from calendar_app.storage.mongo.migrating import Migrator
from calendar_app.storage.mongo.presence import other_processes
from calendar_app.storage.mongo.restoring import require_restored
from calendar_app.storage.mongo.store import Store, require_right_to_write
from calendar_app.storage.query.clauses import all_of, differs, equals

# The settings, once the interface can be made with them.


def settings_for_application(context: click.Context) -> Settings:
    """Return the settings, validated as the interface validates them."""
    settings = settings_of(context)
    openapi_document(settings)
    check_parts(settings, configured_plugins(settings))
    theme_folder(settings.theme)
    return settings


# ``openapi``: the document that describes the interface.


@click.command()
@click.pass_context
def openapi(context: click.Context) -> None:
    """Print the OpenAPI document."""
    document = openapi_document(settings_of(context))
    click.echo(json.dumps(document, ensure_ascii=False, indent=2))


# ``indexes``: creates the indexes that lists and look-ups need.


@click.command()
@click.option("--keep", is_flag=True, help="Drop none that a running service may need.")
@click.pass_context
def indexes(context: click.Context, keep: bool) -> None:
    """Create the indexes that are missing, and list each with the query it serves.

    Indexes that are no longer needed, such as those of earlier versions, are dropped.
    """
    settings = settings_for_application(context)
    with opened_store(settings) as store:
        missing = make_indexes(store, settings, keep=keep)
        if not keep:
            drop_replaced(store, declared_indexes(settings))
            drop_indexes(store, RETIRED_INDEXES)
    for collection, declared in declared_indexes(settings).items():
        for index in declared:
            click.echo(f"{collection} ({_fields(index)}): {index.serves}")
    click.echo(f"{len(missing)} created.")


def _fields(index: Index) -> str:
    return ", ".join(name for name, _ in index.fields)


# ``migrate``: raises the data format, and converts what is stored.


@click.command()
@click.pass_context
def migrate(context: click.Context) -> None:
    """Raise the database to the data format of this version, and convert all documents.

    The service may keep running. Processes of versions that do not know that format only read
    from then on. An interrupted migration continues.
    """
    with opened_store(settings_of(context), to_migrate=True) as store:
        migrator = Migrator(store, MIGRATIONS)
        number = migrator.convert(_report_migration)
        while migrator.can_raise():
            if older := migrator.older_processes():
                click.echo(f"{older} processes of an earlier version run; they only read now.")
            migrator.raise_mark()
            number += migrator.convert(_report_migration)
        data_format = written_format(store.database)
    click.echo(f"The data have format {data_format}; {number} documents converted.")


def _report_migration() -> None:
    click.echo("Another process converts the data; this one waits for it.", err=True)


# What the service does by itself, for those who run it elsewhere.


def _services(settings: Settings, store: Store) -> Services:
    return build_services(settings, store, lambda: datetime.now(UTC))


@click.command("publish-due")
@click.pass_context
def publish_due(context: click.Context) -> None:
    """Publish scheduled records that are due; remove pictures that nobody needs."""
    settings = settings_for_application(context)
    with opened_store(settings) as store:
        services = _services(settings, store)
        number = services.scheduler.publish_due()
        send_letters_due(services.submissions, services.mailer)
        send_letters_due(services.mistakes, services.mailer)
        services.submissions.pictures.settle()
        services.picture_sweep.sweep_daily()
        services.translation.catch_up()
    click.echo(f"{number} published.")


@click.command("extend-series")
@click.pass_context
def extend_series(context: click.Context) -> None:
    """Add the events of series up to today's horizon."""
    settings = settings_for_application(context)
    with opened_store(settings) as store:
        number = _services(settings, store).horizon.extend()
    click.echo(f"{number} added.")


# ``languages``: how far the translation of the calendar has come.

_HEADINGS = ("LANGUAGE", "KIND", "CURRENT", "OUTDATED", "MISSING")


@click.group()
def languages() -> None:
    """Report on the languages of the calendar."""


@languages.command()
@click.pass_context
def report(context: click.Context) -> None:
    """Count by language and kind how many records are current, outdated and missing.

    It also names languages that records have texts in but the site does not use.
    """
    settings = settings_of(context)
    with opened_store(settings) as store:
        rows = sorted(
            progress(store, KINDS, settings.languages),
            key=lambda each: settings.languages.index(each.language),
        )
        unconfigured = _lines_beyond(store, settings)
    for line in (*columns([_HEADINGS, *map(_row, rows)]), *unconfigured):
        click.echo(line)


def _lines_beyond(store: Store, settings: Settings) -> list[str]:
    """Return a line for each kind with texts in languages that the site lacks."""
    return [_line(each) for each in unconfigured_languages(store, KINDS, settings.languages)]


def _line(tag: UnconfiguredLanguage) -> str:
    line = f"{tag.language} is not a language of the site, but {tag.records} {tag.kind} have it"
    if not tag.alone:
        return f"{line}."
    return f"{line}, {tag.alone} of them no other: listed without texts, from id {tag.first} on."


def _row(progress: TranslationProgress) -> tuple[str, ...]:
    counts = (progress.current, progress.outdated, progress.missing)
    return progress.language, progress.kind, *map(str, counts)


# ``check``: whether the service could do its work as it is configured, on sound data.

# The dates of a series that are named; of others their number is enough.
_MOST_NAMED = 3


@click.command()
@click.option("--repair", is_flag=True, help="Fix what is wrong in the data.")
@click.option(
    "--places",
    is_flag=True,
    help="List possible duplicates among places, and places that may be several.",
)
@click.pass_context
def check(context: click.Context, *, repair: bool, places: bool) -> None:
    """Check the configuration, the database, its indexes and data."""
    settings = settings_for_application(context)
    click.echo("The configuration makes sense.")
    if plugins := configured_plugins(settings).by_name:
        click.echo(f"Plugins: {', '.join(plugins)}.")
    _report_ending(settings)
    _report_feed_rate(settings)
    problems: list[str] = []
    with opened_store(settings) as store:
        click.echo("The database is there and has transactions.")
        require_restored(store.database)
        click.echo(_WHERE_JOBS_RUN[where_jobs_run(store)])
        with _noting(problems):
            require_same_spelling(store, KINDS, settings.languages)
        with _noting(problems):
            _check_indexes(store, settings)
            click.echo("The indexes are there.")
        with _noting(problems):
            require_right_to_write(store, declared_indexes(settings))
            click.echo("The database can be written.")
        _report_words(store, settings, repair=repair)
        for line in _lines_beyond(store, settings):
            click.echo(line)
        _report_webhooks(store, settings)
        services = _services(settings, store)
        for line in services.translation.report():
            click.echo(line)
        _check_files(services.picture_sweep, repair=repair)
        harms = [
            *_check_counts(store, repair=repair),
            *_check_dates(services.horizon, repair=repair),
        ]
        for line in alike_lines(store, settings) if places else ():
            click.echo(line)
    if harms:
        problems.append(f"{' and '.join(harms)}; fix this with: calendar-app check --repair")
    with _noting(problems):
        _check_templates(settings)
    if problems:
        raise ConfigurationError(". Also: ".join(problems))


@contextmanager
def _noting(problems: list[str]) -> Iterator[None]:
    """Note the refusal of the block, so that later checks still run."""
    try:
        yield
    except (ConfigurationError, DatabaseDenies) as error:
        problems.append(str(error))


_WHERE_JOBS_RUN = {
    "process": "The scheduled work is done by calendar-app jobs.",
    "worker": "The scheduled work is done by a worker.",
    "": "Nobody does the scheduled work at the moment: no service runs, nor calendar-app jobs.",
}


def _report_webhooks(store: Store, settings: Settings) -> None:
    """Report active webhooks on a site without a public address."""
    on = store[WEBHOOKS].count(all_of([differs("off", True), equals("ended", "")]))
    if on and not settings.site_url:
        click.echo(
            f"{on} webhooks need the setting site_url: the addresses in their messages begin with "
            "it. Without it they name localhost."
        )


def _report_ending(settings: Settings) -> None:
    """Report settings that the next version has no more."""
    for name in sorted(settings.fixed & ENDING.keys()):
        click.echo(f"The setting {name} ends with the next version; set cache_memory instead.")


def _report_feed_rate(settings: Settings) -> None:
    """Report that feeds have no limit where all clients may share the address of a proxy."""
    if settings.feed_rate and not settings.trusted_proxies:
        click.echo(
            "No proxy is named in trusted_proxies: addresses of local networks, such as that of a "
            "proxy, have no limit of feeds (feed_rate)."
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
                f"{series} has dates that its rule does not give: "
                f"{_enumerated(deviation.surplus)}. They go to the trash when it is saved."
            )
        if deviation.missing:
            lacking += 1
            click.echo(f"{series} lacks dates of its rule: {_enumerated(deviation.missing)}.")
            added += horizon.complete(deviation.series) if repair else 0
    if added:
        click.echo(f"{added} dates of series added.")
    return [f"{lacking} series lack dates"] if lacking and not repair else []


def _enumerated(dates: Sequence[datetime]) -> str:
    names = [f"{date:%Y-%m-%d %H:%M}" for date in dates[:_MOST_NAMED]]
    more = len(dates) - len(names)
    return ", ".join(names) + (f" and {more} more" if more else "")


def _check_templates(settings: Settings) -> None:
    failures = Pages(settings).templates.failures if settings.pages else {}
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


def _report_words(store: Store, settings: Settings, *, repair: bool) -> None:
    vocabulary = vocabulary_of(settings, store)
    if any(map(vocabulary.is_stale, (EVENT, SERIES))):
        click.echo(
            "The words of some events are not entered for these languages, so that searches are "
            "slow; enter them with: calendar-app indexes"
        )
    words = vocabulary.unused_words((EVENT, SERIES))
    if not words:
        return
    if repair and not other_processes(store.database):
        vocabulary.remove_words(words)
        click.echo(f"{len(words)} words that no event has removed.")
        return
    advice = "; stop the service to remove them" if repair else ""
    click.echo(f"{len(words)} words that no event has{advice}.")
