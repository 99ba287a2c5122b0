"""The state of a request: the services of the application, and values computed once."""

from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from flask import Flask, Request
from flask.globals import request_ctx

from calendar_app.accounts.limits import ReadLimit, SubmissionLimit
from calendar_app.accounts.openid import OpenIdProvider
from calendar_app.accounts.policy import Caller
from calendar_app.accounts.profiles import Profiles
from calendar_app.accounts.secrets import FormStamps, Invitations
from calendar_app.accounts.users import Accounts
from calendar_app.calendar.auditing import Door, enter_door
from calendar_app.calendar.feeds.contents import Feeds
from calendar_app.calendar.history import History
from calendar_app.calendar.import_runs import ImportRuns
from calendar_app.calendar.pictures.uploads import Pictures, ShownPictures
from calendar_app.calendar.reading.links import CachedRecords
from calendar_app.calendar.reading.reader import Reader
from calendar_app.calendar.series.editor import SeriesEditor
from calendar_app.calendar.series.horizon import Horizon
from calendar_app.calendar.series.restoring import Restorer
from calendar_app.calendar.series.schedule import Schedule
from calendar_app.calendar.submissions.similar import SimilarEvents
from calendar_app.calendar.submissions.submissions import Submissions
from calendar_app.calendar.writing.idempotency import IdempotentWrites
from calendar_app.calendar.writing.scheduling import Scheduler
from calendar_app.domain.moments import Clock
from calendar_app.http.request.context import RequestContext, get_context
from calendar_app.http.request.parameters import Sent
from calendar_app.mail import Mailer
from calendar_app.readmodel.addresses import Addresses
from calendar_app.settings import Settings

_EXTENSION = "calendar"


@dataclass(frozen=True, slots=True)
class Services:
    """The services of the application; ``clock`` returns an aware time in UTC."""

    settings: Settings
    clock: Clock
    reader: Reader
    feeds: Feeds
    editor: SeriesEditor
    history: History
    import_runs: ImportRuns
    restorer: Restorer
    schedule: Schedule
    horizon: Horizon
    idempotent_writes: IdempotentWrites
    scheduler: Scheduler
    read_limit: ReadLimit | None
    accounts: Accounts
    invitations: Invitations
    profiles: Profiles
    openid: OpenIdProvider
    mailer: Mailer
    pictures: Pictures
    shown_pictures: ShownPictures
    submissions: Submissions
    similar_events: SimilarEvents
    submission_limit: SubmissionLimit
    form_stamps: FormStamps


@dataclass(slots=True)
class RequestState:
    """The current request, with lazily computed values."""

    services: Services
    request: Request
    context: RequestContext
    caller: Caller | None = None
    addresses: Addresses | None = None
    chain: tuple[str, ...] = ()
    sent: Sent | None = None
    target_record: tuple[Any, Any] = (None, None)
    linked_records: CachedRecords | None = None
    written_links: bool = False
    withheld_room: str = "media"


# Set by each request; faster than Flask's proxies, which resolve at every access.
request_state: ContextVar[RequestState] = ContextVar("request_state")


def init_app(app: Flask, services: Services) -> None:
    """Attach ``services`` to ``app``, and a state to each of its requests."""
    app.extensions[_EXTENSION] = services

    @app.before_request
    def begin() -> None:
        request = request_ctx.request
        context = get_context(request.environ)
        if request.url_rule is not None:
            context.route = request.url_rule.rule
        request_state.set(RequestState(services, request, context))
        enter_door(Door.INTERFACE)


def get_services(app: Flask) -> Services:
    """Return the services of ``app``."""
    services: Services = app.extensions[_EXTENSION]
    return services
