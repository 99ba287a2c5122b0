"""The context of the current request: caller, languages, parameters, record, addresses."""

from collections.abc import Collection, Mapping
from contextvars import ContextVar
from datetime import UTC, date, datetime, timedelta
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Any
from zoneinfo import ZoneInfo

from flask import Flask, Request
from flask.globals import request_ctx
from werkzeug.exceptions import HTTPException
from werkzeug.sansio.utils import get_current_url

from calendar_app.accounts.callers import ANYONE, Caller, Right
from calendar_app.api.http.request.authentication import authenticate
from calendar_app.api.http.request.negotiation import (
    ALL_LANGUAGES,
    ENGLISH,
    accepted_language,
    fallback_chain,
    language_parameter,
    parameter_language,
)
from calendar_app.api.http.request.parameters import (
    SentParameters,
    read_form,
    read_parameters,
    read_query,
)
from calendar_app.api.http.request.state import (
    CALLER,
    LANGUAGE,
    WORDPRESS,
    Services,
    attach_services,
    exchange_of,
    host_of,
)
from calendar_app.calendar.reading.links import CachedRecords
from calendar_app.calendar.reading.reader import Reader
from calendar_app.domain.evenings import night_to
from calendar_app.domain.languages import folded_tag, look_up
from calendar_app.errors import InvalidParameters, Message
from calendar_app.readmodel.addresses import Addresses
from calendar_app.settings import Settings

# Who writes this writes the month before the day.
_AMERICAN = "en-us"
_READING = ("GET", "HEAD")


class Context:
    """One request: who asks, in which languages, with which parameters, about which record.

    ``caller``, ``chain`` and ``sent`` are computed when they are first asked for. ``record`` is the
    one of the path, and ``presented`` its presentation to the caller. ``linked_records`` are those
    that a write has read so far; its answer shows them, unless it has changed them.
    ``foreign_names`` are fields that were sent in the shape of another program.
    """

    def __init__(self, services: Services, request: Request) -> None:
        self.services: Services = services
        self.settings: Settings = services.settings
        self.reader: Reader = services.reader
        self.request: Request = request
        self.exchange = exchange_of(request.environ)
        self.record: Any = None
        self.presented: Any = None
        self.linked_records: CachedRecords = {}
        # Which terms a write names, by kind and entry; ``None`` for those that are not there.
        self._named_terms: dict[tuple[str, int | str], int | None] = {}
        self.foreign_names: Collection[str] = ()
        if CALLER in request.environ:
            self.caller = request.environ[CALLER]
        self._error_chain: tuple[str, ...] = ()
        self._refused_languages: InvalidParameters | HTTPException | None = None

    # Who asks.

    @cached_property
    def caller(self) -> Caller:
        """The caller; raises an error for wrong credentials."""
        caller = authenticate(self.services.accounts, self.request)
        self.exchange.user = caller.id or None
        return caller

    @property
    def known_caller(self) -> Caller | None:
        """The caller if no credentials have to be checked."""
        anonymous = None if "Authorization" in self.request.headers else ANYONE
        return vars(self).get("caller", anonymous)

    @cached_property
    def is_read(self) -> bool:
        return self.request.method in _READING

    @cached_property
    def is_interface(self) -> bool:
        """Whether the path is one of the interface, not of pages or the desk."""
        prefix = self.settings.api_prefix
        bases = (f"{prefix}/{self.settings.namespace}/", f"{prefix}{WORDPRESS}/")
        return f"{self.request.path}/".startswith(bases)

    @property
    def path_arguments(self) -> Mapping[str, Any]:
        """The arguments of the route."""
        return self.request.view_args or {}

    # When.

    @cached_property
    def site(self) -> Settings:
        """All settings, those among them that administrators have changed at the desk."""
        return self.services.site_settings.present()

    @cached_property
    def zone(self) -> ZoneInfo:
        """The time zone of the site."""
        return ZoneInfo(self.settings.timezone)

    def now(self) -> datetime:
        """Return the time, aware in the zone of the site; the response is then not cached."""
        self.exchange.is_time_independent = False
        return self.services.clock().astimezone(self.zone)

    def today(self) -> datetime:
        """Return the time, aware in the zone of the site, for uses that need the date alone."""
        return self.services.clock().astimezone(self.zone)

    def minute(self) -> datetime:
        """Return the present minute, in UTC without offset; cached responses last no longer."""
        present = self.services.clock().astimezone(UTC)
        return present.replace(second=0, microsecond=0, tzinfo=None)

    def night_to(self, day: date) -> timedelta:
        """Return how long the night to a day belongs to the evening before, on pages."""
        now = self.minute().replace(tzinfo=UTC).astimezone(self.zone).replace(tzinfo=None)
        return night_to(day, now, self.settings.day_end)

    # Parameters.

    @cached_property
    def sent(self) -> SentParameters:
        """The parameters that were sent; raises an error for an unreadable body."""
        return read_parameters(self.request, self.settings)

    @property
    def parameters(self) -> Mapping[str, Any]:
        """All parameters: JSON wins over form, form over query."""
        return self.sent.merged

    @property
    def parameters_read(self) -> Mapping[str, Any]:
        """All parameters, or none where they have not been read or cannot be."""
        sent: SentParameters | None = vars(self).get("sent")
        return sent.merged if sent else {}

    def ignore_body(self) -> None:
        """Read the parameters of the query alone, since the body is a file."""
        self.sent = read_query(self.request)

    def read_upload_form(self) -> None:
        """Read the parameters of query and form, beside an uploaded file."""
        self.sent = read_form(self.request)

    # Languages.

    @cached_property
    def chain(self) -> tuple[str, ...]:
        """The language of the request and its fallback chain.

        Raises ``InvalidParameters`` for an unknown language or fallback.
        """
        language = self._asked_language
        if language == ALL_LANGUAGES:
            language = self.settings.default_language
        language = language or self._segment or self._accepted_language
        return fallback_chain(language, self.parameters.get("fallback"), self.settings)

    @cached_property
    def language(self) -> str:
        return self.chain[0]

    def use_languages(self, chain: tuple[str, ...]) -> None:
        """Let the rest of the request be in these languages."""
        self.chain, self.language = chain, chain[0]

    @property
    def resolved_language(self) -> str | None:
        """The language of the request, if it has been resolved."""
        chain: tuple[str, ...] = vars(self).get("chain", ())
        return chain[0] if chain else None

    @property
    def names_language(self) -> bool:
        """Whether the request names its language, by parameter or path."""
        return bool(self._asked_language or self._segment)

    @property
    def includes_variants(self) -> bool:
        """Whether the request selects the texts of every language."""
        return self._asked_language == ALL_LANGUAGES

    @property
    def includes_origins(self) -> bool:
        """Whether an editor asks who wrote each text."""
        return self.parameters.get("context") == "edit" and self.caller.may(Right.EDIT)

    def require_languages(self) -> None:
        """Raise ``InvalidParameters`` for an unknown language or fallback, also once settled."""
        if self._refused_languages:
            raise self._refused_languages
        self.chain  # noqa: B018  # Resolves them.

    def settle_languages(self) -> None:
        """Use the chain for errors if the languages of the request cannot be told."""
        try:
            self.require_languages()
        except (InvalidParameters, HTTPException) as refusal:
            self._refused_languages = refusal
            self.use_languages(self.error_chain)

    @property
    def error_chain(self) -> tuple[str, ...]:
        """The languages for error messages, even about the language itself."""
        language = self.resolved_language
        if language is None:
            requested = look_up(str(self._sent_language or ""), self.settings.languages)
            language = requested or self._segment or self._accepted_language
        if self._error_chain[:1] != (language,):
            self._error_chain = self.settings.chain(language)
        return self._error_chain

    @property
    def message_chain(self) -> tuple[str, ...]:
        """The languages of a refusal: English if the client prefers it and names none."""
        preferred = self.request.accept_languages.best or ""
        is_named = self._sent_language or self._segment
        is_english = preferred.partition("-")[0].lower() == ENGLISH and not is_named
        return (ENGLISH, *self.error_chain) if is_english else self.error_chain

    def writes_american(self, page_language: str) -> bool:
        """Return whether who reads a page writes the month first: in English, as Americans do.

        English of a country is that of its readers; of plain English the browser says which.
        """
        tag = folded_tag(page_language)
        best = self.request.accept_languages.best or ""
        return (folded_tag(best) if tag == ENGLISH else tag) == _AMERICAN

    @property
    def _asked_language(self) -> str | None:
        """The language of the parameter, or ``all``."""
        name = language_parameter(self.parameters, self.settings)
        if len(set(self.request.args.getlist(name))) > 1:
            raise InvalidParameters({name: Message("{name} must be sent once.", name=name)})
        return parameter_language(self.parameters, self.settings, is_read=self.is_read)

    @property
    def _sent_language(self) -> Any:
        """The parameter of the language, as far as parameters can be read."""
        sent = self.parameters_read or self.request.args
        return sent.get(language_parameter(sent, self.settings))

    @property
    def _segment(self) -> str:
        """The language with which the address begins."""
        segment: str = self.request.environ.get(LANGUAGE, "")
        return segment

    @property
    def _accepted_language(self) -> str:
        settings = self.settings
        is_negotiated = settings.negotiate_language
        header = self.request.headers.get("Accept-Language", "") if is_negotiated else ""
        return accepted_language(header, settings.languages, settings.default_language)

    # Addresses.

    @cached_property
    def addresses(self) -> Addresses:
        """The URLs of this service, as the request reached it."""
        return self._addresses("media")

    def show_withheld_pictures(self, room: str) -> None:
        """Let this request name files of pictures below ``room`` that nobody else sees yet."""
        self.addresses = self._addresses(room)

    def _addresses(self, room: str) -> Addresses:
        scheme, host = self.request.scheme, host_of(self.request)
        return _build_addresses(scheme, host, self._segment, self.settings, room)

    # Linked records.

    def begin_attempt(self) -> None:
        """Forget the records read by an earlier attempt at this request."""
        self.record = self.presented = None
        self.linked_records = {}
        self._named_terms = {}

    def read_linked(
        self,
        ids_by_kind: Mapping[str, set[int]],
        entries_by_kind: Mapping[str, Collection[int | str]] = MappingProxyType({}),
    ) -> CachedRecords:
        """Return the records that a write links to, by kind and id; each is read once.

        The same query looks up the terms that the entries of each kind name.
        """
        missing = {
            name: {each for each in ids if (name, each) not in self.linked_records}
            for name, ids in ids_by_kind.items()
        }
        unknown = {
            name: own
            for name, entries in entries_by_kind.items()
            if (own := [each for each in entries if (name, each) not in self._named_terms])
        }
        if unknown or any(missing.values()):
            records, terms = self.reader.named_in_write(missing, unknown)
            self.linked_records.update(records)
            for name, entries in unknown.items():
                ids = terms[name]
                self._named_terms |= {(name, each): ids.get(each) for each in entries}
        return self.linked_records

    def named_terms(self, kind: str, entries: Collection[int | str]) -> dict[int | str, int]:
        """Return the ids of the terms that a write names, by entry; each is looked up once."""
        self.read_linked({}, {kind: entries})
        ids = {each: self._named_terms[kind, each] for each in entries}
        return {each: term for each, term in ids.items() if term is not None}


@lru_cache(64)
def _build_addresses(
    scheme: str, host: str, segment: str, settings: Settings, withheld: str
) -> Addresses:
    root = (settings.site_url or (host and get_current_url(scheme, host))).rstrip("/")
    return Addresses(f"{root}/{segment}" if segment else root, root, settings, withheld)


# Set by each request; faster than Flask's proxies, which resolve at every access.
_context: ContextVar[Context] = ContextVar("context")
# Returns the context of the request that runs.
context = _context.get


def init_app(app: Flask, services: Services) -> None:
    """Attach ``services`` to ``app``, and a context to each of its requests."""
    attach_services(app, services)

    @app.before_request
    def begin() -> None:
        context = Context(services, request_ctx.request)
        if context.request.url_rule is not None:
            context.exchange.route = context.request.url_rule.rule
        _context.set(context)
