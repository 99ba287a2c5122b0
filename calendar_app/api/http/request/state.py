"""The exchange that WSGI layers share, the host, and the services of the application."""

import re
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from flask import Flask, Request

from calendar_app.accounts.limits import FeedRate, ReadLimit, SubmissionLimit
from calendar_app.accounts.openid import Provider
from calendar_app.accounts.profiles import Profiles
from calendar_app.accounts.saved_views import SavedViews
from calendar_app.accounts.secrets import FormStamps, Invitations
from calendar_app.accounts.users import Accounts
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
from calendar_app.calendar.series.horizon import Horizon
from calendar_app.calendar.series.schedule import Schedule
from calendar_app.calendar.several import Several
from calendar_app.calendar.shown_pictures import ShownPictures
from calendar_app.calendar.similar_events import SimilarEvents
from calendar_app.calendar.site_settings import SiteSettings
from calendar_app.calendar.submissions import Submissions
from calendar_app.calendar.translation import TranslationAid
from calendar_app.calendar.uniting import RecordUniting
from calendar_app.calendar.writing.attempts import IdempotentWrites
from calendar_app.calendar.writing.scheduling import Scheduler
from calendar_app.changes.feed import Changes
from calendar_app.changes.mail import Mailer
from calendar_app.changes.webhooks.managing import Webhooks
from calendar_app.domain.moments import Clock
from calendar_app.domain.numbers import parse_digits
from calendar_app.readmodel.fragments import FragmentCache
from calendar_app.settings import Settings
from calendar_app.sources.managing import Sources
from calendar_app.storage.cache_memory import CacheMemory

Environ = dict[str, Any]
Wsgi = Callable[[Environ, Any], Iterable[bytes]]

_KEY = "calendar.exchange"
# In the environment of a request whose address begins with a language: that language.
LANGUAGE = "calendar.language"
# What the routes of WordPress begin with, behind the prefix of the interface.
WORDPRESS = "/wp/v2"
# On whose behalf the service itself calls the interface, in the environment of such a request.
CALLER = "calendar.caller"
# The language segment in the letters of the address.
SENT_SEGMENT = "calendar.sent_segment"


@dataclass(slots=True)
class Exchange:
    """One request and its response, as the WSGI layers know them.

    ``edition`` is that of the snapshot read; ``None`` where the response needs more than one
    snapshot. ``is_time_independent`` is false if the response changes with the clock.
    ``is_cached`` responses are made whole, without a 304. ``user`` is the id of an authenticated
    caller. ``retry_after`` is in seconds, 0 unless a client reads too much.
    """

    request_id: str = ""
    route: str = "unknown"
    edition: Hashable = None
    is_time_independent: bool = True
    has_cache: bool = False
    is_cached: bool = False
    user: int | None = None
    refused_secret: bool = False
    retry_after: int = 0

    @property
    def is_cacheable(self) -> bool:
        """Whether the response is valid until the next write, and there is a cache."""
        return self.has_cache and self.is_time_independent and self.edition is not None


def begin_exchange(environ: Environ, request_id: str) -> Exchange:
    """Attach a new exchange to a request."""
    environ[_KEY] = exchange = Exchange(request_id)
    return exchange


def exchange_of(environ: Environ) -> Exchange:
    exchange: Exchange = environ.setdefault(_KEY, Exchange())
    return exchange


# The host name of a request.

# Containers have such names.
_WITH_UNDERSCORE = re.compile(r"[A-Za-z0-9._-]+(?::[1-9][0-9]{0,4})?", re.ASCII)


_PORT = re.compile(r":([0-9]+)$")
_LARGEST_PORT = 65535


def host_of(request: Request) -> str:
    """Return the host with its port; empty if the header is invalid."""
    header = request.headers.get("Host", "")
    host = request.host or (header if _WITH_UNDERSCORE.fullmatch(header) else "")
    # Werkzeug lets any number pass.
    port = _PORT.search(host)
    return "" if port and (parse_digits(port[1]) or 0) > _LARGEST_PORT else host


# The services of the application.

_EXTENSION = "calendar"
_BODY_LIMITS = "calendar.body_limits"
# Returns how many bytes the body of a request may have; 0 where it knows nothing of such a body.
BodyLimit = Callable[[Flask, Environ], int]


@dataclass(frozen=True, slots=True)
class Services:
    """The services of the application; ``clock`` returns an aware time in UTC.

    ``feed_types`` has the media type of every feed, by the suffix of its address.
    """

    settings: Settings
    clock: Clock
    reader: Reader
    feeds: Feeds
    feed_types: Mapping[str, str]
    fragments: FragmentCache
    cache_memory: CacheMemory
    editor: Editor
    history: History
    changes: Changes
    import_runs: ImportRuns
    translation: TranslationAid
    restorer: Restorer
    several: Several
    uniting: RecordUniting
    schedule: Schedule
    horizon: Horizon
    idempotent_writes: IdempotentWrites
    scheduler: Scheduler
    read_limit: ReadLimit | None
    feed_rate: FeedRate | None
    accounts: Accounts
    invitations: Invitations
    profiles: Profiles
    saved_views: SavedViews
    openid: Provider | None
    mailer: Mailer
    pictures: Pictures
    picture_sweep: PictureSweep
    shown_pictures: ShownPictures
    submissions: Submissions
    conversations: Conversations
    site_settings: SiteSettings
    inbox: Inbox
    sources: Sources
    webhooks: Webhooks
    similar_events: SimilarEvents
    similar_words: SimilarWords
    submission_limit: SubmissionLimit
    mistakes: MistakeReports
    report_limit: SubmissionLimit
    form_stamps: FormStamps


def attach_services(app: Flask, services: Services) -> None:
    """Attach ``services`` to ``app``."""
    app.extensions[_EXTENSION] = services


def get_services(app: Flask) -> Services:
    """Return the services of ``app``."""
    services: Services = app.extensions[_EXTENSION]
    return services


def allow_bodies(app: Flask, *limits: BodyLimit) -> None:
    """Let requests have bodies as long as the most generous of ``limits`` says."""
    app.extensions[_BODY_LIMITS] = limits


def most_bytes(app: Flask, environ: Environ) -> int:
    """Return how many bytes of a body the application may take."""
    limits: Iterable[BodyLimit] = app.extensions[_BODY_LIMITS]
    return max(limit(app, environ) for limit in limits)
