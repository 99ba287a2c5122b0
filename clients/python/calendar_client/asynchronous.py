"""The calendar for programs on an event loop."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
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


class AsyncCalendar:
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
        http: httpx.AsyncClient | None = None,
    ) -> None:
        self._http = http or httpx.AsyncClient(timeout=30, follow_redirects=True)
        self._is_own = http is None
        self._site = Site(
            base.rstrip("/"),
            authorization(*(auth or ("", ""))),
            language,
            retries or Retries(),
            self._http.build_request,
            self._http.headers.get("Accept-Language", ENGLISH),
        )
        self.events: AsyncCollection[Event] = AsyncCollection(self, Records(self._site, "events"))
        self.venues: AsyncCollection[Venue] = AsyncCollection(self, Records(self._site, "venues"))
        self.organizers: AsyncCollection[Organizer] = AsyncCollection(
            self, Records(self._site, "organizers")
        )
        self.categories: AsyncCollection[Category] = AsyncCollection(
            self, Records(self._site, "categories")
        )
        self.tags: AsyncCollection[Tag] = AsyncCollection(self, Records(self._site, "tags"))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections, unless they are those of a client that was given."""
        if self._is_own:
            await self._http.aclose()

    async def changes(
        self, since: str = "", *, follow: bool = False, wait: float = 25, **filters: Any
    ) -> AsyncIterator[Batch]:
        """Yield what changed behind a token, batch by batch; keep ``next`` once a batch is done.

        ``start`` in place of a token gives every record first. Without one, changes from now on
        are told. With ``follow`` it never ends, and the calendar holds each answer for ``wait``
        seconds until something changes. Raises ``Gone`` for a token that is too old.
        """
        token = since
        while True:
            held = wait if follow else 0
            batch = await self.run(exchanges.changes(self._site, token, held, filters))
            if batch.changes or not token:
                yield batch
            token = batch.next
            if not batch.more:
                if not follow:
                    return
                await asyncio.sleep(max(batch.pause, exchanges.SHORTEST_PAUSE))

    async def run(self, exchange: Exchange[T]) -> T:
        """Send what an exchange yields, and return its result."""
        try:
            step = next(exchange)
            while True:
                step = exchange.send(await self._take(step))
        except StopIteration as done:
            result: T = done.value
            return result

    async def _take(
        self, step: httpx.Request | float
    ) -> httpx.Response | httpx.TransportError | None:
        if isinstance(step, float):
            await asyncio.sleep(step)
            return None
        try:
            return await self._http.send(step)
        except httpx.TransportError as error:
            return error


class AsyncCollection(Generic[R]):
    """The records of one kind. Keywords are parameters of the interface, and ``language``."""

    def __init__(self, calendar: AsyncCalendar, records: Records[R]) -> None:
        self._run = calendar.run
        self._records = records

    async def list(self, **filters: Any) -> AsyncIterator[R]:
        """Yield all records of a list, page by page."""
        query: exchanges.Query | None = self._records.query(filters)
        while query is not None:
            page = await self._run(self._records.page(query))
            for record in page.records:
                yield record
            query = page.following

    async def count(self, **filters: Any) -> int:
        """Return how many records a list has."""
        return (await self.page(**{**filters, "per_page": 1})).total

    async def page(self, **filters: Any) -> Page[R]:
        """Return one page of a list, which says how many records all pages have."""
        return await self._run(self._records.page(self._records.query(filters)))

    async def get(self, record_id: int, **parameters: Any) -> R:
        return (await self.read(record_id, **parameters)).record

    async def get_by_slug(self, slug: str, **parameters: Any) -> R:
        return (await self._run(self._records.read(by_slug(slug), parameters))).record

    async def read(self, record_id: int, **parameters: Any) -> Versioned[R]:
        """Return a record with its entity tag, by which ``update`` notices other writers."""
        return await self._run(self._records.read(str(record_id), parameters))

    async def create(self, record: Mapping[str, Any], *, key: str = "", **parameters: Any) -> R:
        """Create a record, once for each ``key``; without one, once for each call."""
        return (await self._run(self._records.create(record, parameters, key))).record

    async def update(
        self, record_id: int, changes: Mapping[str, Any], *, etag: str = "", **parameters: Any
    ) -> R:
        """Change the fields that are given; with an ``etag`` only what it was read with."""
        return (await self._run(self._records.update(record_id, changes, parameters, etag))).record

    async def edit(
        self, record_id: int, change: Callable[[R], Mapping[str, Any]], **parameters: Any
    ) -> R:
        """Read a record, and change it by what ``change`` makes of it, again if others did too."""
        return (await self._run(self._records.edit(record_id, change, parameters))).record

    async def delete(self, record_id: int, *, force: bool = False, **parameters: Any) -> R:
        """Move a record to the trash, or delete it for good."""
        sent = {**parameters, "force": force or None}
        return (await self._run(self._records.delete(record_id, sent))).record
