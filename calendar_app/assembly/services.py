"""Joins the services of the calendar, for the web and for the command line."""

from functools import partial
from importlib import import_module

from calendar_app.accounts.callers import ROLES, SOURCE_ROLE, Caller
from calendar_app.accounts.limits import FeedRate, Limit, ReadLimit, SubmissionLimit
from calendar_app.accounts.openid import Provider
from calendar_app.accounts.profiles import Profiles
from calendar_app.accounts.saved_views import SavedViews
from calendar_app.accounts.secrets import FormStamps, Invitations
from calendar_app.accounts.users import Accounts, Doors
from calendar_app.api.http.request.state import Services
from calendar_app.assembly.plugins import Plugins, configured_plugins
from calendar_app.calendar.contributed_pictures import ContributedPictures
from calendar_app.calendar.editor import Editor, Fill
from calendar_app.calendar.history import History
from calendar_app.calendar.import_runs import ImportRuns
from calendar_app.calendar.inbox import Conversations, Inbox
from calendar_app.calendar.mistakes import MistakeReports
from calendar_app.calendar.pictures.uploads import Pictures, PictureSweep
from calendar_app.calendar.reading.feed_contents import Feeds
from calendar_app.calendar.reading.reader import Reader
from calendar_app.calendar.restoring import Restorer
from calendar_app.calendar.search.similar import SimilarWords
from calendar_app.calendar.search.sources import SearchLimits, SearchPlanner
from calendar_app.calendar.search.vocabulary import DryRunVocabulary, Vocabulary
from calendar_app.calendar.series.horizon import Horizon
from calendar_app.calendar.series.schedule import Schedule
from calendar_app.calendar.several import Several
from calendar_app.calendar.shown_pictures import ShownPictures
from calendar_app.calendar.similar_events import SimilarEvents
from calendar_app.calendar.site_settings import SiteSettings
from calendar_app.calendar.submissions import SenderMemory, Submissions
from calendar_app.calendar.translation import TranslationAid
from calendar_app.calendar.uniting import RecordUniting
from calendar_app.calendar.writing.attempts import IdempotentWrites
from calendar_app.calendar.writing.missed import MissedWrites
from calendar_app.calendar.writing.planner import RecordBuilder
from calendar_app.calendar.writing.scheduling import Scheduler
from calendar_app.calendar.writing.writer import WriteFollower
from calendar_app.changes.feed import Changes
from calendar_app.changes.mail import Mailer
from calendar_app.changes.webhooks.managing import Webhooks
from calendar_app.changes.webhooks.sending import sender_of
from calendar_app.changes.webhooks.webhook import WebhookReferences
from calendar_app.domain.addresses import Peers, networks_of
from calendar_app.domain.cost import Currency
from calendar_app.domain.kinds import (
    BY_NAME,
    EVENT,
    KINDS,
    MEDIA,
    SERIES,
)
from calendar_app.domain.ledger import WITHHELD
from calendar_app.domain.moments import Clock, Now, naive_clock
from calendar_app.domain.uids import event_uid
from calendar_app.domain.words import collations
from calendar_app.domain.zones import Site, require_zone
from calendar_app.errors import ConfigurationError, TooManyReports
from calendar_app.parts.part import FOLLOWING, Joined, chosen_parts
from calendar_app.readmodel.fragments import FragmentCache
from calendar_app.settings import Settings
from calendar_app.site.pages.letter_look import letter_look
from calendar_app.sources.comparing import DoubleChoices
from calendar_app.sources.copying import CopyLimits, WebPictureCopier
from calendar_app.sources.doubles import Doubles
from calendar_app.sources.kept_pictures import KeptPictures, PictureCopier
from calendar_app.sources.linking import SourceLinks
from calendar_app.sources.managing import Sources
from calendar_app.sources.own_site import OwnSite
from calendar_app.sources.planning import Guard
from calendar_app.sources.readers.orders import Bounds
from calendar_app.sources.readers.registry import KINDS as SOURCE_KINDS
from calendar_app.sources.readers.registry import Readers
from calendar_app.sources.readers.service import ReadingService
from calendar_app.sources.reports import Reports
from calendar_app.sources.restored_events import RestoredEvents
from calendar_app.sources.returning import OwnEvents
from calendar_app.sources.runs import DateLimits
from calendar_app.sources.runs import ReadingParts as SourceParts
from calendar_app.sources.source import Source
from calendar_app.sources.united_links import SourcesOfUnited, follow_links
from calendar_app.sources.waiting import WaitingEvents
from calendar_app.storage.mongo.outbox import Outbox
from calendar_app.storage.mongo.store import DryRunStore, Store


def site_of(settings: Settings) -> Site:
    """Return the settings on which the calendar's rules depend.

    Raises ``ConfigurationError`` where its zone is none.
    """
    require_zone(settings.timezone)
    languages = tuple(settings.languages)
    return Site(settings.timezone, settings.site_url, languages, settings.history_days)


def vocabulary_of(settings: Settings, store: Store, *, dry_run: bool = False) -> Vocabulary:
    """Return the index of the words that readers are shown."""
    vocabulary = DryRunVocabulary if dry_run else Vocabulary
    return vocabulary(store, settings.chains(), WITHHELD[settings.machine_text])


def followers_of(settings: Settings, store: Store) -> list[WriteFollower]:
    """Return the followers of each write in its transaction.

    Of a part that is off, the write is noted as one that it has missed.
    """
    present = [follow for part in chosen_parts(settings) for follow in part.follow(store)]
    absent = [name for name in FOLLOWING if not getattr(settings, name)]
    return [*present, *(MissedWrites(store, name).note for name in absent)]


def fill_of(settings: Settings, store: Store) -> Fill | None:
    """Return what completes new records, if a part of the site does."""
    fills = (part.fill(settings, store) for part in chosen_parts(settings))
    return next(filter(None, fills), None)


def check_parts(settings: Settings, plugins: Plugins) -> None:
    """Raise ``ConfigurationError`` where settings of a part make no sense."""
    for part in chosen_parts(settings):
        part.check(settings, plugins.translators)


def _translation_aid(joined: Joined) -> TranslationAid:
    aids = (part.aid(joined) for part in chosen_parts(joined.settings) if part.aid)
    return next(aids, TranslationAid())


def schedule_of(settings: Settings, now: Now) -> Schedule:
    """Return which dates of series are stored."""
    return Schedule(
        now,
        settings.timezone,
        past=settings.recurrence_past,
        ahead=settings.recurrence_horizon,
        limit=settings.recurrence_limit,
    )


def build_services(
    settings: Settings, store: Store, clock: Clock, plugins: Plugins | None = None
) -> Services:
    """Join the services, for the web and for the command line."""
    plugins = plugins or configured_plugins(settings)
    now = naive_clock(clock)
    accounts = Accounts(store, clock, settings.remember_secrets, Doors.of(settings))
    invitations = Invitations(store, now)
    sorting = collations(settings.languages, settings.collations)
    site = site_of(settings)
    vocabulary = vocabulary_of(settings, store)
    builder = RecordBuilder(store, now, site)
    searching = SearchPlanner(store, vocabulary, SearchLimits(texts=settings.text_limit))
    reader = Reader(store, sorting, searching, now)
    schedule = schedule_of(settings, now)
    editor = Editor(
        store,
        BY_NAME,
        builder,
        vocabulary,
        series=SERIES,
        schedule=schedule,
        fill=fill_of(settings, store),
        followers=followers_of(settings, store),
    )
    choices = DoubleChoices(settings.doubles, settings.certain_doubles)
    let_doubles_wait(store, editor, now, choices)
    history = History(store)
    joined = Joined(settings, store, editor, accounts, now, plugins.translators)
    restorer = Restorer(store, editor, history)
    pictures = Pictures(store, MEDIA, editor.writer, site)
    editor.writer.prepare_with(pictures.cut_anew)
    conversations = Conversations(store, now, settings.submission_days)
    memory = SenderMemory(now, settings.submission_days, conversations)
    return Services(
        settings=settings,
        clock=clock,
        reader=reader,
        feed_types=plugins.feed_types,
        feeds=Feeds(store, reader, now, settings.feeds_at_once, zone=settings.timezone),
        fragments=FragmentCache(store.cache_memory),
        cache_memory=store.cache_memory,
        editor=editor,
        history=history,
        changes=Changes(store, reader, Outbox(store, settings.changes_days)),
        import_runs=ImportRuns(store, now),
        translation=_translation_aid(joined),
        restorer=restorer,
        several=Several(store, restorer, BY_NAME, now),
        uniting=RecordUniting(
            store,
            restorer,
            (EVENT, SERIES),
            now,
            follow_links=follow_links,
            follower=SourcesOfUnited(store),
        ),
        schedule=schedule,
        horizon=Horizon(store, (EVENT, SERIES), editor.occurrences, editor.writer, schedule),
        idempotent_writes=IdempotentWrites(store, now),
        scheduler=Scheduler(store, (*KINDS, SERIES), editor.writer),
        read_limit=_read_limit(settings, store, clock),
        feed_rate=_feed_rate(settings, store, clock),
        accounts=accounts,
        invitations=invitations,
        profiles=Profiles(store, accounts, invitations),
        saved_views=SavedViews(store),
        openid=_provider(settings, clock),
        mailer=Mailer(
            settings.smtp_url, settings.mail_from, plugins.rewritten, letter_look(settings)
        ),
        pictures=pictures,
        picture_sweep=PictureSweep(store, MEDIA, now),
        shown_pictures=ShownPictures(store),
        submissions=_submissions(store, editor, pictures, memory),
        conversations=conversations,
        site_settings=SiteSettings(store, settings),
        inbox=Inbox(store, {**BY_NAME, SERIES.name: SERIES}, conversations, now),
        sources=sources_of(settings, store, accounts, now, plugins),
        webhooks=webhooks_of(settings, store, accounts, now),
        similar_words=SimilarWords(store),
        similar_events=SimilarEvents(store, EVENT, settings.languages),
        submission_limit=SubmissionLimit(store, Limit.parse(settings.submission_rate), now),
        mistakes=MistakeReports(store, EVENT, now, settings.submission_days),
        report_limit=SubmissionLimit(
            store, Limit.parse(settings.submission_rate), now, "report", TooManyReports
        ),
        form_stamps=FormStamps(store, now),
    )


def editor_of_source(
    settings: Settings, store: Store, now: Now, source: int = 0, *, dry_run: bool
) -> tuple[Store, Editor]:
    """Return an editor that finds linked records of a source by name, and its store."""
    store = DryRunStore(store.database) if dry_run else store
    editor = Editor(
        store,
        BY_NAME,
        RecordBuilder(store, now, site_of(settings)),
        vocabulary_of(settings, store, dry_run=dry_run),
        series=SERIES,
        schedule=schedule_of(settings, now),
        make_linked=SourceLinks(store, source).linked,
        followers=followers_of(settings, store),
    )
    choices = DoubleChoices(settings.doubles, settings.certain_doubles)
    let_doubles_wait(store, editor, now, choices)
    return store, editor


def let_doubles_wait(store: Store, editor: Editor, now: Now, choices: DoubleChoices) -> None:
    """Let each write publish events that waited for removed ones, and compare restored ones."""
    kinds = (EVENT, SERIES)
    doubles = Doubles(store, kinds, now)
    editor.writer.prepare_with(RestoredEvents(store, kinds, doubles, choices).compare)
    editor.writer.follow_with(WaitingEvents(store, editor, kinds, doubles).follow)


def sources_of(
    settings: Settings, store: Store, accounts: Accounts, now: Now, plugins: Plugins
) -> Sources:
    """Return the use cases of sources."""
    readers = Readers(
        languages=settings.languages,
        currency=Currency.of(settings),
        networks=networks_of("source_networks", settings.source_networks),
        kinds={**SOURCE_KINDS, **plugins.source_kinds},
    )
    bounds = Bounds(settings.source_time, settings.source_computing, settings.source_memory)
    reading = ReadingService(readers, bounds)
    parts = SourceParts(
        store=store,
        editors=partial(editor_of_source, settings, store, now),
        kinds=(EVENT, SERIES),
        languages=tuple(settings.languages),
        timezone=settings.timezone,
        readers=dict.fromkeys(readers.kinds, reading.read),
        fetch=reading.fetch,
        own_events=partial(OwnEvents, store, (EVENT, SERIES), event_uid, settings.site_url),
        reports=Reports(store, now),
        choices=DoubleChoices(settings.doubles, settings.certain_doubles),
        doubles=Doubles(store, (EVENT, SERIES), now),
        now=now,
        guard=Guard(settings.source_guard),
        date_limits=DateLimits(settings.source_dates, settings.recurrence_limit),
        copier=partial(_copier, settings, store, now),
        caller_of=accounts.caller,
    )
    api = f"{settings.api_prefix}/{settings.namespace}"
    site = OwnSite(settings.site_url, api, tuple(settings.languages))
    return Sources(parts, accounts, settings.default_language, site)


def _copier(settings: Settings, store: Store, now: Now, source: Source) -> PictureCopier:
    """Return the copier of the pictures of a source, for one reading."""
    _, editor = editor_of_source(settings, store, now, source.id, dry_run=False)
    uploads = Pictures(store, MEDIA, editor.writer, site_of(settings))
    return WebPictureCopier(
        source,
        Caller(source.author, source.label, SOURCE_ROLE),
        KeptPictures(store, uploads),
        networks_of("source_networks", settings.source_networks),
        CopyLimits(size_of_one=settings.max_upload),
    )


def webhooks_of(settings: Settings, store: Store, accounts: Accounts, now: Now) -> Webhooks:
    """Return the use cases of webhooks."""
    existing = WebhookReferences(
        settings.languages,
        lambda user: accounts.caller(user) is not None,
        settings.site_url,
    )
    return Webhooks(store, existing, sender_of(settings, now), now)


def _submissions(
    store: Store, editor: Editor, pictures: Pictures, memory: SenderMemory
) -> Submissions:
    kinds = {**BY_NAME, MEDIA.name: MEDIA}
    contributed = ContributedPictures(store, pictures, editor, kinds, memory.now)
    return Submissions(store, editor, BY_NAME, contributed, memory)


def _provider(settings: Settings, clock: Clock) -> Provider | None:
    """Return the provider of the settings; its libraries are loaded only where there is one."""
    if settings.oidc_role and settings.oidc_role not in ROLES:
        raise ConfigurationError(f"The setting oidc_role must be one of {', '.join(ROLES)}.")
    if not settings.oidc_issuer:
        return None
    module = import_module("calendar_app.accounts.openid_provider")
    secret = settings.oidc_client_secret
    provider: Provider = module.OpenIdProvider(
        settings.oidc_issuer, settings.oidc_client_id, secret, clock
    )
    return provider


def _read_limit(settings: Settings, store: Store, clock: Clock) -> ReadLimit | None:
    return ReadLimit(store, Limit.parse(settings.read_rate), clock) if settings.read_rate else None


def _feed_rate(settings: Settings, store: Store, clock: Clock) -> FeedRate | None:
    if not settings.feed_rate:
        return None
    proxies = Peers.named("trusted_proxies", settings.trusted_proxies)
    return FeedRate(store, Limit.parse(settings.feed_rate), clock, proxies)
