"""State of the current request: services, caller, languages, addresses."""

import base64
import binascii
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any
from zoneinfo import ZoneInfo

from flask import Request
from werkzeug.exceptions import HTTPException
from werkzeug.sansio.utils import get_current_url

from calendar_app.accounts.policy import ANYONE, Caller
from calendar_app.accounts.users import Accounts
from calendar_app.calendar.reading.links import CachedRecords
from calendar_app.calendar.reading.reader import Reader
from calendar_app.calendar.series.editor import SeriesEditor
from calendar_app.domain.kind import Record
from calendar_app.domain.languages import folded_tag, look_up
from calendar_app.errors import InvalidParameters, Message, WrongSecret
from calendar_app.http.request.negotiation import (
    ALL_LANGUAGES,
    ENGLISH,
    accepted_language,
    fallback_chain,
    language_parameter,
    parameter_language,
)
from calendar_app.http.request.parameters import Sent, read_form, read_parameters, read_query
from calendar_app.http.request.state import (
    LANGUAGE,
    RequestContext,
    Services,
    host_of,
    request_state,
)
from calendar_app.readmodel.addresses import Addresses
from calendar_app.settings import Settings

# Authentication of requests by the header ``Authorization``.

_READING = ("GET", "HEAD", "OPTIONS")
# Undefined variables of scripts, and JSON Web Tokens (RFC 7519), which begin with {" in Base64.
# Operators choose secrets, so that any other form may be one.
_FOREIGN_TOKEN = re.compile(
    r"|null|undefined|none|false|nan|\[object Object\]|eyJ[\w-]*(\.[\w-]*){2,4}",
    re.ASCII | re.IGNORECASE,
)


def authenticate(accounts: Accounts, request: Request) -> Caller:
    """Return the caller that ``Authorization`` names, else ``ANYONE``.

    Other schemes are ignored, since they may be meant for a proxy. Reads also ignore tokens that
    are nobody's, as WordPress does. Raises ``UnknownUser``, ``WrongSecret`` or ``TooManyAttempts``.
    """
    scheme, _, credentials = request.headers.get("Authorization", "").strip().partition(" ")
    if request.method in _READING and _is_foreign(scheme.lower(), credentials.strip()):
        return ANYONE
    # The address is empty behind a Unix socket.
    address = request.remote_addr or ""
    match scheme.lower():
        case "basic":
            name, secret = _name_and_secret(credentials)
            return accounts.authenticate(name, secret, address)
        case "bearer":
            return _bearer(accounts, request.method, credentials, address)
        case _:
            return ANYONE


def _bearer(accounts: Accounts, method: str, secret: str, address: str) -> Caller:
    """Return the user of a secret; reads with a secret of nobody are anonymous."""
    try:
        return accounts.authenticate_bearer(secret, address)
    except WrongSecret:
        if method in _READING:
            return ANYONE
        raise


def _is_foreign(scheme: str, credentials: str) -> bool:
    """Return whether credentials cannot be ours by their form."""
    if scheme == "basic":
        return _pair(credentials) is None
    return scheme == "bearer" and _FOREIGN_TOKEN.fullmatch(credentials) is not None


def _name_and_secret(credentials: str) -> tuple[str, str]:
    """Split Basic credentials (RFC 7617); raise ``WrongSecret`` if they are malformed."""
    pair = _pair(credentials.strip())
    if pair is None:
        raise WrongSecret("The credentials cannot be read.")
    try:
        name, _, secret = pair.decode().partition(":")
    except UnicodeDecodeError as error:
        raise WrongSecret("The credentials are not in UTF-8.") from error
    return name, secret


def _pair(credentials: str) -> bytes | None:
    """Decode Basic credentials; return ``None`` without a colon."""
    try:
        pair = base64.b64decode(credentials, validate=True)
    except (binascii.Error, ValueError):
        return None
    return pair if b":" in pair else None


# Who writes this writes the month before the day.
_AMERICAN = "en-us"


def services() -> Services:
    return request_state.get().services


def request() -> Request:
    """Return the request; faster than Flask's proxy."""
    return request_state.get().request


def context() -> RequestContext:
    """Return the context that the WSGI layers share."""
    return request_state.get().context


def reader() -> Reader:
    return services().reader


def editor() -> SeriesEditor:
    return services().editor


def settings() -> Settings:
    return services().settings


def now() -> datetime:
    """Return the time as aware UTC; the response is then not cached."""
    request_state.get().context.is_time_independent = False
    return services().clock()


def today() -> datetime:
    """Return the time as aware UTC, for uses that depend on the date only."""
    return services().clock()


def site_zone() -> ZoneInfo:
    return ZoneInfo(settings().timezone)


def site_now() -> datetime:
    """Return the time, aware in the zone of the site."""
    return now().astimezone(site_zone())


def naive_now() -> datetime:
    return now().astimezone(UTC).replace(tzinfo=None)


def caller() -> Caller:
    """Return the caller; raise an error for wrong credentials."""
    state = request_state.get()
    if state.caller is None:
        state.caller = authenticate(state.services.accounts, state.request)
        state.context.user = state.caller.id or None
    return state.caller


def act_as(caller: Caller) -> None:
    """Let the rest of the request be on behalf of ``caller``."""
    request_state.get().caller = caller


def known_caller() -> Caller | None:
    """Return the caller if no credentials have to be checked."""
    state = request_state.get()
    return state.caller or (None if "Authorization" in state.request.headers else ANYONE)


def addresses() -> Addresses:
    """Return the URLs of this service, as the request reached it."""
    state = request_state.get()
    if state.addresses is None:
        segment, scheme = state.request.environ.get(LANGUAGE, ""), state.request.scheme
        state.addresses = _build_addresses(
            scheme, host_of(state.request), segment, state.services.settings, state.withheld_room
        )
    return state.addresses


@lru_cache(64)
def _build_addresses(
    scheme: str, host: str, segment: str, settings: Settings, withheld: str
) -> Addresses:
    root = (settings.site_url or (host and get_current_url(scheme, host))).rstrip("/")
    return Addresses(f"{root}/{segment}" if segment else root, root, settings, withheld)


def show_withheld_pictures(room: str) -> None:
    """Let this request name files of pictures below ``room`` that nobody else sees yet."""
    state = request_state.get()
    state.withheld_room, state.addresses = room, None


def chain() -> tuple[str, ...]:
    """Return the language of the request and its fallback chain."""
    state = request_state.get()
    if not state.chain:
        state.chain = _resolve_chain()
    return state.chain


def language() -> str:
    return chain()[0]


def writes_american(page_language: str) -> bool:
    """Return whether who reads a page in English likes American English best."""
    best = request().accept_languages.best
    return page_language.startswith(ENGLISH) and folded_tag(best or "") == _AMERICAN


def check_languages() -> None:
    """Raise ``InvalidParameters`` for an unknown language or fallback."""
    _resolve_chain()


def settle_languages() -> None:
    """Use the chain for errors if the languages of the request cannot be told."""
    try:
        chain()
    except (InvalidParameters, HTTPException):
        request_state.get().chain = error_chain()


def names_language() -> bool:
    """Return whether the request names its language, by parameter or path."""
    return bool(_asked_language() or request_state.get().request.environ.get(LANGUAGE))


def resolved_language() -> str | None:
    """Return the language of the request, if it has been resolved."""
    chain = request_state.get().chain
    return chain[0] if chain else None


def error_chain() -> tuple[str, ...]:
    """Return the languages for error messages, even about the language itself."""
    state = request_state.get()
    if state.chain:
        return settings().chain(language())
    sent = state.sent.merged if state.sent else state.request.args
    parameter = str(sent.get(language_parameter(sent, settings()), ""))
    segment = state.request.environ.get(LANGUAGE)
    return settings().chain(
        look_up(parameter, settings().languages) or segment or _accepted_language(state.request)
    )


def message_chain() -> tuple[str, ...]:
    """Return the languages of a refusal: English if the client prefers it and names none."""
    state = request_state.get()
    sent = state.sent.merged if state.sent else state.request.args
    is_named = sent.get(language_parameter(sent, settings())) or state.request.environ.get(LANGUAGE)
    preferred = state.request.accept_languages.best or ""
    is_english = preferred.partition("-")[0].lower() == ENGLISH and not is_named
    return (ENGLISH, *error_chain()) if is_english else error_chain()


def includes_variants() -> bool:
    """Return whether the request selects the texts of every language."""
    return _asked_language() == ALL_LANGUAGES


def set_target_record(record: Record | None, presented: Record | None) -> None:
    """Store the record of the path, and its presentation to the caller."""
    request_state.get().target_record = record, presented


def target_record() -> tuple[Any, Any]:
    """Return the record of the path, and its presentation."""
    return request_state.get().target_record


def linked_records(ids_by_kind: Callable[[], Mapping[str, set[int]]]) -> CachedRecords:
    """Return the records that the request links to, by kind and id; queried once."""
    state = request_state.get()
    if state.linked_records is None:
        state.linked_records = state.services.reader.records_of(ids_by_kind())
    return state.linked_records


def begin_attempt() -> None:
    """Reset the records read by an earlier attempt at this request."""
    state = request_state.get()
    state.target_record, state.linked_records, state.written_links = (None, None), None, False


def discard_linked_records_after_write() -> None:
    """Mark the linked records as stale after the write."""
    request_state.get().written_links = True


def prefetched_links() -> CachedRecords | None:
    """Return the linked records, unless the write changes them."""
    state = request_state.get()
    return None if state.written_links else state.linked_records


def parameter(name: str) -> Any:
    """Return one parameter of query or body."""
    return sent_parameters().get(name)


def sent_parameters() -> Mapping[str, Any]:
    """Return all parameters: JSON wins over form, form over query."""
    return _read_sent().merged


def body_parameters() -> Mapping[str, Any]:
    """Return the parameters of the body alone."""
    return _read_sent().body


def parameters_read() -> Mapping[str, Any]:
    """Return all parameters, or none where they have not been read or cannot be."""
    sent = request_state.get().sent
    return sent.merged if sent else {}


def ignore_body() -> None:
    """Read the parameters of the query alone, since the body is a file."""
    state = request_state.get()
    state.sent = read_query(state.request)


def read_upload_form() -> None:
    """Read the parameters of query and form, beside an uploaded file."""
    state = request_state.get()
    state.sent = read_form(state.request)


def _read_sent() -> Sent:
    state = request_state.get()
    if state.sent is None:
        state.sent = read_parameters(state.request, state.services.settings)
    return state.sent


@contextmanager
def acting_on(
    parameters: Mapping[str, Any], record: Record | None = None, presented: Record | None = None
) -> Iterator[None]:
    """Let these be the parameters of the request, and its record the one of the path.

    The languages of the request follow from them. Afterwards all is as before.
    """
    state = request_state.get()
    before = state.sent, state.chain, state.target_record, state.linked_records
    state.sent, state.chain, state.linked_records = Sent(parameters, parameters), (), None
    state.target_record = record, presented
    try:
        yield
    finally:
        state.sent, state.chain, state.target_record, state.linked_records = before


def path_arguments() -> dict[str, Any]:
    """Return the arguments of the route."""
    return request_state.get().request.view_args or {}


def _asked_language() -> str | None:
    request = request_state.get().request
    name = language_parameter(sent_parameters(), settings())
    if len(set(request.args.getlist(name))) > 1:
        raise InvalidParameters({name: Message("{name} must be sent once.", name=name)})
    is_read = request.method in ("GET", "HEAD")
    return parameter_language(sent_parameters(), settings(), is_read=is_read)


def _resolve_chain() -> tuple[str, ...]:
    request = request_state.get().request
    language = _asked_language()
    if language is None:
        language = request.environ.get(LANGUAGE) or _accepted_language(request)
    if language == ALL_LANGUAGES:
        language = settings().default_language
    return fallback_chain(language, parameter("fallback"), settings())


def _accepted_language(request: Request) -> str:
    accepted = request.accept_languages if settings().negotiate_language else ()
    return accepted_language(accepted, settings())
