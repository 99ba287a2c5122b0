"""What belongs to the current request: services, caller, languages, addresses."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any
from zoneinfo import ZoneInfo

from flask import Flask, current_app, g, request

from calendar_app.access.caller import Caller
from calendar_app.catalogue.accounts import Accounts
from calendar_app.catalogue.editor import Editor
from calendar_app.catalogue.feed import Feeds
from calendar_app.catalogue.links import Known
from calendar_app.catalogue.pictures import Pictures
from calendar_app.catalogue.reader import Reader
from calendar_app.catalogue.scheduling import Scheduler
from calendar_app.catalogue.shown_pictures import ShownPictures
from calendar_app.domain.kind import Record
from calendar_app.errors import InvalidParameters, Message
from calendar_app.rest.addresses import Addresses
from calendar_app.rest.authentication import authenticate
from calendar_app.rest.exchange import exchange
from calendar_app.rest.negotiation import (
    ALL_LANGUAGES,
    accepted_language,
    asked_language,
    fallback_chain,
    look_up,
)
from calendar_app.rest.parameters import Sent, read_form, read_parameters, read_query
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
    scheduler: Scheduler
    accounts: Accounts
    pictures: Pictures
    shown_pictures: ShownPictures


def lend(app: Flask, services: Services) -> None:
    """Make ``services`` available to every request of ``app``."""
    app.extensions[_EXTENSION] = services


def lent(app: Flask) -> Services:
    """Return what ``lend`` has made available."""
    services: Services = app.extensions[_EXTENSION]
    return services


def services() -> Services:
    return lent(current_app)


def reader() -> Reader:
    return services().reader


def editor() -> Editor:
    return services().editor


def settings() -> Settings:
    return services().settings


def now() -> datetime:
    """Return the present as an aware time in UTC; the answer is right for this instant only."""
    exchange().lasting = False
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
    if "caller" not in g:
        g.caller = authenticate(services().accounts, request)
    found: Caller = g.caller
    return found


def addresses() -> Addresses:
    """Return the addresses of this service, as this request reached it."""
    if "addresses" not in g:
        root = settings().site_url.rstrip("/") or request.host_url.rstrip("/")
        segment = request.environ.get("calendar.language")
        prefix = f"/{segment}" if segment else ""
        g.addresses = _addresses(f"{root}{prefix}", root, settings())
    made: Addresses = g.addresses
    return made


@lru_cache(64)
def _addresses(site: str, root: str, settings: Settings) -> Addresses:
    return Addresses(site, root, settings)


def chain() -> tuple[str, ...]:
    """Return the languages of this request, best first: the one asked for and its fallback."""
    if "chain" not in g:
        g.chain = _chain()
    made: tuple[str, ...] = g.chain
    return made


def language() -> str:
    return chain()[0]


def settled_language() -> str | None:
    """Return the language of this request, once it is known."""
    return g.chain[0] if "chain" in g else None


def likely_chain() -> tuple[str, ...]:
    """Return the languages in which to say why a request is refused, even for its language."""
    if "chain" in g:
        return settings().chain(language())
    sent = sent_parameters() if "parameters" in g else request.args
    asked = look_up(str(sent.get(settings().translation_parameter, "")), settings().languages)
    return settings().chain(asked or request.environ.get("calendar.language") or _accepted())


def wants_variants() -> bool:
    """Say whether the request wants the texts of every language."""
    return _asked_language() == ALL_LANGUAGES


def address(record: Record | None, shown: Record | None) -> None:
    """Keep the record that the path names and what its caller sees of it."""
    g.addressed = record, shown


def addressed() -> tuple[Any, Any]:
    """Return what ``address`` has kept."""
    found: tuple[Any, Any] = g.get("addressed", (None, None))
    return found


def linked_records(wanted: Callable[[], Mapping[str, set[int]]]) -> Known:
    """Return the records that this request is to link to, by kind and id; asked for once."""
    if "linked_records" not in g:
        g.linked_records = reader().records_of(wanted())
    found: Known = g.linked_records
    return found


def distrust_linked_records() -> None:
    """Forget them when all is written, since what is written may change them."""
    g.written_links = True


def known_links() -> Known | None:
    """Return the linked records that are as they were when they were asked for, if any were."""
    return None if "written_links" in g else g.get("linked_records")


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
    g.parameters = read_query(request)


def take_form() -> None:
    """Take the parameters that stand beside the file in the form as well."""
    g.parameters = read_form(request)


def _sent() -> Sent:
    if "parameters" not in g:
        g.parameters = read_parameters(request, settings())
    sent: Sent = g.parameters
    return sent


def path() -> dict[str, Any]:
    """Return what the path of the request names."""
    return request.view_args or {}


def _asked_language() -> str | None:
    name = settings().translation_parameter
    if len(set(request.args.getlist(name))) > 1:
        raise InvalidParameters({name: Message("{name} must be sent once.", name=name)})
    reading = request.method in ("GET", "HEAD")
    return asked_language(sent_parameters(), settings(), reading=reading)


def _chain() -> tuple[str, ...]:
    asked = _asked_language()
    if asked is None:
        asked = request.environ.get("calendar.language") or _accepted()
    if asked == ALL_LANGUAGES:
        asked = settings().default_language
    return fallback_chain(asked, parameter("fallback"), settings())


def _accepted() -> str:
    heeded = request.accept_languages if settings().negotiate_language else ()
    return accepted_language((tag for tag, quality in heeded if quality > 0), settings())
