"""Joins the services of the calendar, for the web and for the command line."""

from collections.abc import Mapping
from functools import partial
from importlib import import_module

from calendar_app.accounts.limits import Limit, ReadLimit, SubmissionLimit
from calendar_app.accounts.openid import Provider
from calendar_app.accounts.policy import ROLES, SOURCE_ROLE, Caller, may_translate_all
from calendar_app.accounts.profiles import Profiles
from calendar_app.accounts.saved_views import SavedViews
from calendar_app.accounts.secrets import FormStamps, Invitations
from calendar_app.accounts.users import Accounts, Doors
from calendar_app.api.http.request.state import Services
from calendar_app.calendar.contributed_pictures import ContributedPictures
from calendar_app.calendar.editor import Editor
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
from calendar_app.calendar.uniting import RecordUniting
from calendar_app.calendar.writing.attempts import IdempotentWrites
from calendar_app.calendar.writing.planner import RecordBuilder
from calendar_app.calendar.writing.scheduling import Scheduler
from calendar_app.calendar.writing.writer import WriteFollower
from calendar_app.changes.feed import Changes
from calendar_app.changes.mail import Mailer
from calendar_app.changes.webhooks.managing import Webhooks
from calendar_app.changes.webhooks.sending import sender_of
from calendar_app.changes.webhooks.webhook import WebhookReferences
from calendar_app.domain.addresses import networks_of
from calendar_app.domain.cost import Currency
from calendar_app.domain.kinds import (
    BY_NAME,
    CATEGORY,
    EVENT,
    KINDS,
    MEDIA,
    ORGANIZER,
    SERIES,
    TAG,
    VENUE,
)
from calendar_app.domain.ledger import MACHINE, MEMORY, WITHHELD
from calendar_app.domain.moments import Clock, Now, naive_clock
from calendar_app.domain.uids import event_uid
from calendar_app.domain.words import collations
from calendar_app.domain.zones import Site, require_zone
from calendar_app.errors import ConfigurationError
from calendar_app.plugins.installed import Plugins, configured_plugins
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
from calendar_app.translation.engines.engine import Text
from calendar_app.translation.engines.translator import Translator, engine_of
from calendar_app.translation.glossary import Glossary
from calendar_app.translation.jobs import JobParts, Propose, TranslationJobs
from calendar_app.translation.lacking import Gaps
from calendar_app.translation.machine import Machine
from calendar_app.translation.memory.exchange import TmxExchange
from calendar_app.translation.memory.filling import Filling
from calendar_app.translation.memory.following import Following
from calendar_app.translation.memory.proposing import Recall, RecallQuery
from calendar_app.translation.waiting import Proposal, Proposals, WaitingProposals

_MEGABYTE = 1 << 20
_UNDATED = (VENUE, ORGANIZER, CATEGORY, TAG, MEDIA)


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


def followers_of(store: Store) -> tuple[WriteFollower, ...]:
    """Return what follows each write in its transaction: the translation memory."""
    return (Following(store).note,)


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
    recall = Recall(store, {kind.name: kind for kind in (*KINDS, SERIES, MEDIA)})
    fill = Filling(recall, settings.languages) if settings.memory_fills else None
    editor = Editor(
        store,
        BY_NAME,
        builder,
        vocabulary,
        series=SERIES,
        schedule=schedule,
        fill=fill,
        followers=followers_of(store),
    )
    choices = DoubleChoices(settings.doubles, settings.certain_doubles)
    let_doubles_wait(store, editor, now, choices)
    history = History(store)
    machine = _machine(settings, store, now, plugins)
    waiting = WaitingProposals(store, now)
    restorer = Restorer(store, editor, history)
    pictures = Pictures(store, MEDIA, editor.writer, site)
    conversations = Conversations(store, now, settings.submission_days)
    memory = SenderMemory(now, settings.submission_days, conversations)
    return Services(
        settings=settings,
        clock=clock,
        reader=reader,
        feed_types=plugins.feed_types,
        feeds=Feeds(store, reader, now, settings.feeds_at_once, zone=settings.timezone),
        fragments=FragmentCache(settings.remember_feeds * _MEGABYTE),
        editor=editor,
        history=history,
        changes=Changes(store, reader, Outbox(store, settings.changes_days)),
        import_runs=ImportRuns(store, now),
        machine=machine,
        recall=recall,
        glossary=Glossary(store),
        tmx=TmxExchange(store, settings.languages),
        waiting_proposals=waiting,
        translation_jobs=_jobs(settings, store, (editor, accounts, waiting, machine), recall, now),
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
        report_limit=SubmissionLimit(store, Limit.parse(settings.submission_rate), now, "report"),
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
        followers=followers_of(store),
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


def translator_of(settings: Settings, plugins: Plugins) -> Translator | None:
    """Return the translator of the settings; services over HTTP are loaded only where set."""
    if unknown := set(settings.translator_roles) - set(ROLES):
        raise ConfigurationError(
            f"The setting translator_roles has {min(unknown)}, which is none of {', '.join(ROLES)}."
        )
    if not settings.translator:
        return None
    return Translator(engine_of(settings, plugins.translators), settings.translator_timeout)


def _machine(settings: Settings, store: Store, now: Now, plugins: Plugins) -> Machine | None:
    translator = translator_of(settings, plugins)
    return Machine(store, translator, settings.translator_budget, now) if translator else None


def _jobs(
    settings: Settings,
    store: Store,
    joined: tuple[Editor, Accounts, WaitingProposals, Machine | None],
    recall: Recall,
    now: Now,
) -> TranslationJobs | None:
    editor, accounts, waiting, machine = joined
    if machine is None:
        return None
    parts = JobParts(
        gaps=Gaps(store, (EVENT, SERIES, *_UNDATED), waiting, now),
        waiting=waiting,
        propose=_proposing(machine, recall),
        editor=editor,
        present=partial(_translator_still, settings, accounts),
        patience=settings.translator_timeout,
    )
    return TranslationJobs(store, parts, now, publishes=settings.translator_publishes)


def _proposing(machine: Machine, recall: Recall) -> Propose:
    """Return what proposes texts for a job: as they were said before, else as the machine does."""

    def propose(
        texts: Mapping[str, Text], source: str, target: str, caller: Caller, patience: float
    ) -> Proposals:
        queries = [
            RecallQuery(text.words, text.is_html, field=name) for name, text in texts.items()
        ]
        answers = zip(texts, recall.propose(queries, source, target, caller), strict=True)
        remembered = {
            name: Proposal(best.text, MEMORY, best.origin)
            for name, answer in answers
            if (best := answer.equal)
        }
        rest = {name: text for name, text in texts.items() if name not in remembered}
        proposed = machine.propose(rest, source, target, patience) if rest else {}
        return remembered | {
            name: Proposal(text, MACHINE, machine.name) for name, text in proposed.items()
        }

    return propose


def _translator_still(settings: Settings, accounts: Accounts, author: Caller) -> Caller | None:
    """Return the present rights of a job's author; ``None`` where they do not suffice any more."""
    caller = accounts.caller(author.id)
    return caller if caller and may_translate_all(caller, settings.translator_roles) else None


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
