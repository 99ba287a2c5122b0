"""Requests and their answers, without input or output.

An exchange is a generator: it yields requests to send and pauses to make, is sent the answer or
the failure of each request, and returns its result. So it is written once, for clients that wait
and for those that do not.
"""

from base64 import b64encode
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from itertools import count
from typing import Any, Generic, TypeVar, cast
from urllib.parse import parse_qsl, quote, urlsplit
from uuid import uuid4

import httpx

from calendar_client.errors import NoAnswer, PreconditionFailed, error_of
from calendar_client.records import Batch, Change, Versioned
from calendar_client.retrying import Retries

R = TypeVar("R")
T = TypeVar("T")
Exchange = Generator[httpx.Request | float, httpx.Response | httpx.TransportError | None, T]
Build = Callable[..., httpx.Request]
Query = list[tuple[str, str]]
Change_ = Callable[[R], Mapping[str, Any]]

_LANGUAGE = "translation_language"
# Refusals are read by programs and in logs.
ENGLISH = "en"
_READING = frozenset({"GET", "HEAD"})
# Longer than a request of changes is held.
_PATIENCE = 30.0
# Between two requests of changes, also where nobody asks for a pause.
SHORTEST_PAUSE = 1.0


@dataclass(frozen=True, slots=True)
class Sent:
    """What goes with a request: its body, headers, and how long its answer is waited for."""

    body: Mapping[str, Any] | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    timeout: float | None = None


_NOTHING = Sent()


@dataclass(frozen=True, slots=True)
class Site:
    """A calendar as one user calls it: its base address, credentials, language and retries.

    ``messages`` is the language in which refusals are worded, where no other one is asked for.
    """

    base: str
    authorization: str
    language: str
    retries: Retries
    build: Build
    messages: str = ENGLISH

    def call(
        self, method: str, path: str, query: Query, sent: Sent = _NOTHING
    ) -> Exchange[httpx.Response]:
        """Send a request until it is answered for good; raise ``CalendarError`` for a refusal.

        What has been written once is not written again: a repeated write has the key of the first.
        A write of somebody unknown, who has no key, is not repeated where no answer came.
        """
        headers = self._headers(method, sent.headers)
        options = {"timeout": sent.timeout} if sent.timeout else {}
        for attempt in count(1):
            outcome = yield self.build(
                method,
                f"{self.base}{path}",
                params=query,
                json=sent.body,
                headers=headers,
                **options,
            )
            if (
                isinstance(outcome, httpx.Response)
                and outcome.status_code < httpx.codes.BAD_REQUEST
            ):
                return outcome
            response = outcome if isinstance(outcome, httpx.Response) else None
            may_repeat = response is not None or method in _READING or bool(self.authorization)
            pause = self.retries.pause(attempt, response) if may_repeat else None
            if pause is None:
                raise error_of(response) if response is not None else NoAnswer(_failure(outcome))
            yield pause
        raise AssertionError("unreachable")  # pragma: no cover

    def _headers(self, method: str, headers: Mapping[str, str]) -> dict[str, str]:
        """Return the headers of a request; each write has a key, by which it is done once."""
        worded = {"Accept-Language": self.messages, **headers}
        if not self.authorization:
            return worded
        key = {} if method in _READING else {"Idempotency-Key": str(uuid4())}
        return {**key, **worded, "Authorization": self.authorization}

    def query(self, parameters: Mapping[str, Any]) -> Query:
        """Return parameters as they are sent; those that are ``None`` are not."""
        with_language = {_LANGUAGE: self.language or None, **parameters}
        if "language" in with_language:
            with_language[_LANGUAGE] = with_language.pop("language")
        return [pair for name, value in with_language.items() for pair in _pairs(name, value)]


def _failure(outcome: object) -> Exception:
    return outcome if isinstance(outcome, Exception) else RuntimeError("no answer was given")


def _pairs(name: str, value: Any) -> Iterator[tuple[str, str]]:
    if value is None:
        return
    if isinstance(value, Sequence) and not isinstance(value, str):
        yield from ((f"{name}[]", _text(member)) for member in value)
    else:
        yield name, _text(value)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return value.isoformat(" " if value.tzinfo is None else "T", "seconds")
    return value.isoformat() if isinstance(value, date) else str(value)


def authorization(user: str, password: str) -> str:
    """Return the header of HTTP Basic; empty for nobody."""
    if not user:
        return ""
    return f"Basic {b64encode(f'{user}:{password}'.encode()).decode()}"


@dataclass(frozen=True, slots=True)
class Page(Generic[R]):
    """One page of a list, with the query of the next one; ``None`` behind the last."""

    records: list[R]
    total: int
    following: Query | None


class Records(Generic[R]):
    """The exchanges of one kind of records."""

    def __init__(self, site: Site, name: str) -> None:
        self.site = site
        self.name = name

    def query(self, filters: Mapping[str, Any]) -> Query:
        return self.site.query(filters)

    def page(self, query: Query) -> Exchange[Page[R]]:
        response = yield from self.site.call("GET", f"/{self.name}", query)
        body = response.json()
        following = body.get("next_rest_url")
        # Its query alone counts: behind a proxy the calendar may know itself by another address.
        rest = parse_qsl(urlsplit(following).query, keep_blank_values=True) if following else None
        return Page(body[self.name], body["total"], rest)

    def read(self, path: str, parameters: Mapping[str, Any]) -> Exchange[Versioned[R]]:
        query = self.site.query(parameters)
        response = yield from self.site.call("GET", f"/{self.name}/{path}", query)
        return _versioned(response)

    def create(
        self, record: Mapping[str, Any], parameters: Mapping[str, Any], key: str
    ) -> Exchange[Versioned[R]]:
        headers = {"Idempotency-Key": key} if key else {}
        query = self.site.query(parameters)
        response = yield from self.site.call("POST", f"/{self.name}", query, Sent(record, headers))
        return _versioned(response)

    def update(
        self, record_id: int, changes: Mapping[str, Any], parameters: Mapping[str, Any], etag: str
    ) -> Exchange[Versioned[R]]:
        headers = {"If-Match": etag} if etag else {}
        path, query = f"/{self.name}/{record_id}", self.site.query(parameters)
        response = yield from self.site.call("PATCH", path, query, Sent(changes, headers))
        return _versioned(response)

    def edit(
        self, record_id: int, change: Change_[R], parameters: Mapping[str, Any]
    ) -> Exchange[Versioned[R]]:
        """Change a record by what it is; start again where somebody else was faster."""
        attempts = self.site.retries.attempts
        for attempt in range(1, attempts + 1):
            before = yield from self.read(str(record_id), parameters)
            changes = change(before.record)
            try:
                after = yield from self.update(record_id, changes, parameters, before.etag)
            except PreconditionFailed:
                if attempt == attempts:
                    raise
            else:
                return after
        raise AssertionError("unreachable")  # pragma: no cover

    def delete(self, record_id: int, parameters: Mapping[str, Any]) -> Exchange[Versioned[R]]:
        path, query = f"/{self.name}/{record_id}", self.site.query(parameters)
        response = yield from self.site.call("DELETE", path, query)
        return _versioned(response)


def by_slug(slug: str) -> str:
    """Return the path of a record below its kind."""
    return f"by-slug/{quote(slug, safe='/')}"


def _versioned(response: httpx.Response) -> Versioned[R]:
    return Versioned(cast("R", response.json()), response.headers.get("ETag", ""))


def changes(site: Site, since: str, wait: float, parameters: Mapping[str, Any]) -> Exchange[Batch]:
    """Ask for the changes behind a token, and be held for ``wait`` seconds where there are none."""
    query = site.query({**parameters, "since": since or None, "wait": int(wait) or None})
    response = yield from site.call("GET", "/changes", query, Sent(timeout=wait + _PATIENCE))
    body = response.json()
    made = tuple(
        Change(
            kind=each["kind"],
            id=each["id"],
            is_deleted=each["change"] == "delete",
            modified=each.get("modified", ""),
            record=each.get("record"),
            tombstone=each.get("tombstone"),
        )
        for each in body["changes"]
    )
    pause = float(response.headers.get("Retry-After", 0))
    return Batch(made, body["next"], bool(body["more"]), pause)
