"""Reports committed changes asynchronously, at most once across all processes."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NamedTuple

from calendar_app.domain.kind import Record
from calendar_app.errors import ChangesGone
from calendar_app.storage.mongo.leases import Leases
from calendar_app.storage.mongo.outbox import Outbox, OutboxPage, Position
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import equals

_NAME = "tell-plugins"


class WrittenRecord(NamedTuple):
    """A record that was created, changed or deleted; ``kind`` is its collection: ``events``."""

    kind: str
    id: int


class CommitReports:
    """Hands the records of committed transactions to ``report``, in the order of commits.

    The position is stored before the report, so none is repeated, not even where one fails.
    """

    def __init__(
        self, store: Store, outbox: Outbox, report: Callable[[Sequence[WrittenRecord]], object]
    ) -> None:
        self._leases = Leases(store.database)
        self._jobs = store["jobs"]
        self._outbox = outbox
        self._report = report

    def run(self) -> int:
        """Report all commits since the last run; return the number of written records."""
        number = 0
        with self._leases.held_if_free(_NAME) as is_mine:
            has_more = is_mine is not None
            while has_more:
                page = self._next_page()
                if records := _records(page):
                    self._report(records)
                number, has_more = number + len(records), page.more
        return number

    def _next_page(self) -> OutboxPage:
        """Return the next page of the outbox, and note that it was read."""
        job = self._jobs.first(equals("_id", _NAME))
        page = OutboxPage([], self._outbox.now()) if job is None else self._page_behind(job)
        self._jobs.upsert({"_id": _NAME}, {"$set": {"position": page.next.text}})
        return page

    def _page_behind(self, job: Record) -> OutboxPage:
        with suppress(ChangesGone):
            return self._outbox.read(Position.parse(job["position"]))
        # Nobody has run for longer than changes are kept: what is lost is lost.
        return OutboxPage([], self._outbox.now())


def _records(page: OutboxPage) -> list[WrittenRecord]:
    """Return the written records, each once."""
    ids = (
        WrittenRecord(kind, record_id)
        for entry in page.entries
        for kind, written_ids in entry.written.items()
        for record_id in written_ids or ()
    )
    return list(dict.fromkeys(ids))
