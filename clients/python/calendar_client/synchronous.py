"""The calendar for programs that wait for each answer."""

import time
from collections.abc import Callable, Iterator, Mapping
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

import httpx

from calendar_client import exchanges
from calendar_client.exchanges import (
    ENGLISH,
    Exchange,
    Page,
    Records,
    Site,
    authorization,
    by_slug,
)
from calendar_client.records import Batch, Category, Event, Organizer, Tag, Venue, Versioned
from calendar_client.retrying import Retries

R = TypeVar("R")
T = TypeVar("T")


class Calendar:
    """A calendar at a ``base`` address, such as ``https://…/calendar/events/v1``.

    ``auth`` is a user of the calendar, with one of their application passwords.
    ``language`` is that of all requests that name no other. Given an ``http`` client, it is used,
    and left open.
    """

    def __init__(
        self,
        base: str,
        *,
        auth: tuple[str, str] | None = None,
        language: str = "",
        retries: Retries | None = None,
        http: httpx.Client | None = None,
    ) -> None:
        self._http = http or httpx.Client(timeout=30, follow_redirects=True)
        self._is_own = http is None
        self._site = Site(
            base.rstrip("/"),
            authorization(*(auth or ("", ""))),
            language,
            retries or Retries(),
            self._http.build_request,
            self._http.headers.get("Accept-Language", ENGLISH),
        )
        self.events: Collection[Event] = Collection(self, Records(self._site, "events"))
        self.venues: Collection[Venue] = Collection(self, Records(self._site, "venues"))
        self.organizers: Collection[Organizer] = Collection(self, Records(self._site, "organizers"))
        self.categories: Collection[Category] = Collection(self, Records(self._site, "categories"))
        self.tags: Collection[Tag] = Collection(self, Records(self._site, "tags"))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections, unless they are those of a client that was given."""
        if self._is_own:
            self._http.close()

    def changes(
        self, since: str = "", *, follow: bool = False, wait: float = 25, **filters: Any
    ) -> Iterator[Batch]:
        """Yield what changed behind a token, batch by batch; keep ``next`` once a batch is done.

        ``start`` in place of a token gives every record first. Without one, changes from now on
        are told. With ``follow`` it never ends, and the calendar holds each answer for ``wait``
        seconds until something changes. Raises ``Gone`` for a token that is too old.
        """
        token = since
        while True:
            held = wait if follow else 0
            batch = self.run(exchanges.changes(self._site, token, held, filters))
            if batch.changes or not token:
                yield batch
            token = batch.next
            if not batch.more:
                if not follow:
                    return
                time.sleep(max(batch.pause, exchanges.SHORTEST_PAUSE))

    def run(self, exchange: Exchange[T]) -> T:
        """Send what an exchange yields, and return its result."""
        try:
            step = next(exchange)
            while True:
                step = exchange.send(self._take(step))
        except StopIteration as done:
            result: T = done.value
            return result

    def _take(self, step: httpx.Request | float) -> httpx.Response | httpx.TransportError | None:
        if isinstance(step, float):
            time.sleep(step)
            return None
        try:
            return self._http.send(step)
        except httpx.TransportError as error:
            return error


class Collection(Generic[R]):
    """The records of one kind. Keywords are parameters of the interface, and ``language``."""

    def __init__(self, calendar: Calendar, records: Records[R]) -> None:
        self._run = calendar.run
        self._records = records

    def list(self, **filters: Any) -> Iterator[R]:
        """Yield all records of a list, page by page."""
        query: exchanges.Query | None = self._records.query(filters)
        while query is not None:
            page = self._run(self._records.page(query))
            yield from page.records
            query = page.following

    def count(self, **filters: Any) -> int:
        """Return how many records a list has."""
        return self.page(**{**filters, "per_page": 1}).total

    def page(self, **filters: Any) -> Page[R]:
        """Return one page of a list, which says how many records all pages have."""
        return self._run(self._records.page(self._records.query(filters)))

    def get(self, record_id: int, **parameters: Any) -> R:
        return self.read(record_id, **parameters).record

    def get_by_slug(self, slug: str, **parameters: Any) -> R:
        return self._run(self._records.read(by_slug(slug), parameters)).record

    def read(self, record_id: int, **parameters: Any) -> Versioned[R]:
        """Return a record with its entity tag, by which ``update`` notices other writers."""
        return self._run(self._records.read(str(record_id), parameters))

    def create(self, record: Mapping[str, Any], *, key: str = "", **parameters: Any) -> R:
        """Create a record, once for each ``key``; without one, once for each call."""
        return self._run(self._records.create(record, parameters, key)).record

    def update(
        self, record_id: int, changes: Mapping[str, Any], *, etag: str = "", **parameters: Any
    ) -> R:
        """Change the fields that are given; with an ``etag`` only what it was read with."""
        return self._run(self._records.update(record_id, changes, parameters, etag)).record

    def edit(
        self, record_id: int, change: Callable[[R], Mapping[str, Any]], **parameters: Any
    ) -> R:
        """Read a record, and change it by what ``change`` makes of it, again if others did too."""
        return self._run(self._records.edit(record_id, change, parameters)).record

    def delete(self, record_id: int, *, force: bool = False, **parameters: Any) -> R:
        """Move a record to the trash, or delete it for good."""
        sent = {**parameters, "force": force or None}
        return self._run(self._records.delete(record_id, sent)).record
