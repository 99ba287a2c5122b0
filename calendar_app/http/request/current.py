"""What belongs to the current request: services, caller, languages, addresses."""

from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any
from zoneinfo import ZoneInfo

from flask import Flask, Request
from flask.globals import request_ctx
from werkzeug.sansio.utils import get_current_url

from calendar_app.accounts.caller import ANYONE, Caller
from calendar_app.accounts.read_limit import ReadLimit
from calendar_app.accounts.users import Accounts
from calendar_app.calendar.feeds.contents import Feeds
from calendar_app.calendar.pictures.uploads import Pictures
from calendar_app.calendar.pictures.uses import ShownPictures
from calendar_app.calendar.reading.links import Known
from calendar_app.calendar.reading.reader import Reader
from calendar_app.calendar.writing.editor import Editor
from calendar_app.calendar.writing.idempotency import IdempotentWrites
from calendar_app.calendar.writing.scheduling import Scheduler
from calendar_app.domain.kind import Record
from calendar_app.errors import InvalidParameters, Message
from calendar_app.http.request.addresses import Addresses
from calendar_app.http.request.authentication import authenticate
from calendar_app.http.request.exchange import LANGUAGE, Exchange, of
from calendar_app.http.request.hosts import host_of
from calendar_app.http.request.negotiation import (
    ALL_LANGUAGES,
    accepted_language,
    asked_language,
    fallback_chain,
    look_up,
)
from calendar_app.http.request.parameters import Sent, read_form, read_parameters, read_query
from calendar_app.settings import Settings

_EXTENSION = "calendar"
Clock = Callable[[], datetime]


@dataclass(frozen=True, slots=True)
class Services:
    """What the application lends to every request; ``clock`` gives an aware time in UTC."""

    settings: Settings
    clock: Clock
    reader: Reader
    feeds: Feeds
    editor: Editor
    idempotent_writes: IdempotentWrites
    scheduler: Scheduler
    read_limit: ReadLimit | None
    accounts: Accounts
    pictures: Pictures
    shown_pictures: ShownPictures


@dataclass(slots=True)
class _Here:
    """The request that is being answered, and what is known of it once it was asked for."""

    services: Services
    request: Request
    exchange: Exchange
    caller: Caller | None = None
    addresses: Addresses | None = None
    chain: tuple[str, ...] = ()
    sent: Sent | None = None
    addressed: tuple[Any, Any] = (None, None)
    linked_records: Known | None = None
    written_links: bool = False


# Each request sets it anew. What flask lends is looked up at each of a hundred uses of it.
_here: ContextVar[_Here] = ContextVar("here")


def lend(app: Flask, services: Services) -> None:
    """Make ``services`` available to every request of ``app``, and what is known of it."""
    app.extensions[_EXTENSION] = services

    @app.before_request
    def begin() -> None:
        asking = request_ctx.request
        told = of(asking.environ)
        if asking.url_rule is not None:
            told.route = asking.url_rule.rule
        _here.set(_Here(services, asking, told))


def lent(app: Flask) -> Services:
    """Return what ``lend`` has made available."""
    services: Services = app.extensions[_EXTENSION]
    return services


def services() -> Services:
    return _here.get().services


def request() -> Request:
    """Return the request itself; flask's ``request`` is looked up at every use of it."""
    return _here.get().request


def exchange() -> Exchange:
    """Return what the layers around this request want to know."""
    return _here.get().exchange


def reader() -> Reader:
    return services().reader


def editor() -> Editor:
    return services().editor


def settings() -> Settings:
    return services().settings


def now() -> datetime:
    """Return the present as an aware time in UTC; the answer is right for this instant only."""
    _here.get().exchange.lasting = False
    return services().clock()


def today() -> datetime:
    """Return the present as an aware time in UTC, where nothing but its date counts."""
    return services().clock()


def site_zone() -> ZoneInfo:
    return ZoneInfo(settings().timezone)


def site_now() -> datetime:
    """Return the present as an aware time in the zone of the site."""
    return now().astimezone(site_zone())


def naive_now() -> datetime:
    return now().astimezone(UTC).replace(tzinfo=None)


def caller() -> Caller:
    """Return who calls; wrong credentials are refused, whatever was asked for."""
    here = _here.get()
    if here.caller is None:
        here.caller = authenticate(here.services.accounts, here.request)
        here.exchange.user = here.caller.id or None
    return here.caller


def known_caller() -> Caller | None:
    """Return who calls, as far as that is known without looking at credentials."""
    here = _here.get()
    return here.caller or (None if "Authorization" in here.request.headers else ANYONE)


def addresses() -> Addresses:
    """Return the addresses of this service, as this request reached it."""
    here = _here.get()
    if here.addresses is None:
        segment, scheme = here.request.environ.get(LANGUAGE, ""), here.request.scheme
        here.addresses = _addresses(scheme, host_of(here.request), segment, here.services.settings)
    return here.addresses


@lru_cache(64)
def _addresses(scheme: str, host: str, segment: str, settings: Settings) -> Addresses:
    root = (settings.site_url or (host and get_current_url(scheme, host))).rstrip("/")
    return Addresses(f"{root}/{segment}" if segment else root, root, settings)


def chain() -> tuple[str, ...]:
    """Return the languages of this request, best first: the one asked for and its fallback."""
    here = _here.get()
    if not here.chain:
        here.chain = _chain()
    return here.chain


def language() -> str:
    return chain()[0]


def check_languages() -> None:
    """Raise ``InvalidParameters`` where the request names an unknown language or fallback."""
    _chain()


def settle_languages() -> None:
    """Use the likely languages where those of the request are refused."""
    here = _here.get()
    try:
        chain()
    except InvalidParameters:
        here.chain = likely_chain()


def names_language() -> bool:
    """Say whether the request names its language, by the parameter or in the path."""
    return bool(_asked_language() or _here.get().request.environ.get(LANGUAGE))


def settled_language() -> str | None:
    """Return the language of this request, once it is known."""
    known = _here.get().chain
    return known[0] if known else None


def likely_chain() -> tuple[str, ...]:
    """Return the languages in which to say why a request is refused, even for its language."""
    here = _here.get()
    if here.chain:
        return settings().chain(language())
    sent = here.sent.merged if here.sent else here.request.args
    asked = look_up(str(sent.get(settings().translation_parameter, "")), settings().languages)
    segment = here.request.environ.get(LANGUAGE)
    return settings().chain(asked or segment or _accepted(here.request))


def wants_variants() -> bool:
    """Say whether the request wants the texts of every language."""
    return _asked_language() == ALL_LANGUAGES


def address(record: Record | None, shown: Record | None) -> None:
    """Keep the record that the path names and what its caller sees of it."""
    _here.get().addressed = record, shown


def addressed() -> tuple[Any, Any]:
    """Return what ``address`` has kept."""
    return _here.get().addressed


def linked_records(wanted: Callable[[], Mapping[str, set[int]]]) -> Known:
    """Return the records that this request is to link to, by kind and id; asked for once."""
    here = _here.get()
    if here.linked_records is None:
        here.linked_records = here.services.reader.records_of(wanted())
    return here.linked_records


def begin_attempt() -> None:
    """Forget the records that an earlier attempt at the same request read."""
    state = _here.get()
    state.addressed, state.linked_records, state.written_links = (None, None), None, False


def distrust_linked_records() -> None:
    """Forget them when all is written, since what is written may change them."""
    _here.get().written_links = True


def known_links() -> Known | None:
    """Return the linked records that are as they were when they were asked for, if any were."""
    here = _here.get()
    return None if here.written_links else here.linked_records


def parameter(name: str) -> Any:
    """Return one parameter as it was sent in query or body."""
    return sent_parameters().get(name)


def sent_parameters() -> Mapping[str, Any]:
    """Return all parameters as they were sent: JSON wins over form, form over query."""
    return _sent().merged


def body_parameters() -> Mapping[str, Any]:
    """Return what was sent in the body alone."""
    return _sent().body


def leave_body_unread() -> None:
    """Take the parameters of the address alone, since the body of this request is a file."""
    here = _here.get()
    here.sent = read_query(here.request)


def take_form() -> None:
    """Take the parameters that stand beside the file in the form as well."""
    here = _here.get()
    here.sent = read_form(here.request)


def _sent() -> Sent:
    here = _here.get()
    if here.sent is None:
        here.sent = read_parameters(here.request, here.services.settings)
    return here.sent


def path() -> dict[str, Any]:
    """Return what the path of the request names."""
    return _here.get().request.view_args or {}


def _asked_language() -> str | None:
    asking, name = _here.get().request, settings().translation_parameter
    if len(set(asking.args.getlist(name))) > 1:
        raise InvalidParameters({name: Message("{name} must be sent once.", name=name)})
    reading = asking.method in ("GET", "HEAD")
    return asked_language(sent_parameters(), settings(), reading=reading)


def _chain() -> tuple[str, ...]:
    asking = _here.get().request
    asked = _asked_language()
    if asked is None:
        asked = asking.environ.get(LANGUAGE) or _accepted(asking)
    if asked == ALL_LANGUAGES:
        asked = settings().default_language
    return fallback_chain(asked, parameter("fallback"), settings())


def _accepted(asking: Request) -> str:
    heeded = asking.accept_languages if settings().negotiate_language else ()
    return accepted_language(heeded, settings())
