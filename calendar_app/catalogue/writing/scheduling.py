"""Publishes what was scheduled, when its time has come.

Nothing else has to run for that: whoever asks the service next finds the record published. Each
process looks at most once in ``INTERVAL``, so a record appears that much late at the latest.
"""

from collections.abc import Iterable
from datetime import timedelta
from functools import partial

from calendar_app.catalogue.feeds.withdrawing import WITHDRAWN
from calendar_app.catalogue.reading.links import TAXONOMIES
from calendar_app.catalogue.writing.counting import count_new
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.moments import Now
from calendar_app.domain.statuses import FUTURE, PUBLISH
from calendar_app.query.clauses import Clause, all_of, at_most, equals, one_of
from calendar_app.storage.store import Store

INTERVAL = timedelta(seconds=15)
_AT_ONCE = 500  # records of a kind a look
_PUBLISHED: Record = {"status": PUBLISH}
_CHANGE = {"$set": _PUBLISHED, "$unset": {WITHDRAWN: ""}, "$inc": {"revision": 1}}


class Scheduler:
    """Turns ``future`` into ``publish``; ``now`` gives the present as a naive UTC time."""

    def __init__(self, store: Store, kinds: Iterable[Kind], now: Now) -> None:
        self._store = store
        self._kinds = [kind for kind in kinds if kind.has_status]
        self._now = now
        self._looked = now()

    def publish_due(self) -> None:
        """Publish what is due, unless this process has just looked."""
        now = self._now()
        if timedelta() <= now - self._looked < INTERVAL:
            return
        self._looked = now
        due = all_of([equals("status", FUTURE), at_most("published", now)])
        for kind in self._kinds:
            if self._store.of(kind).first(due, ["_id"]):
                self._store.transact(partial(self._publish, kind, due))

    def _publish(self, kind: Kind, due: Clause) -> None:
        """Publish records of a kind; where another process was faster there is nothing to do."""
        found = self._store.of(kind).find(due, limit=_AT_ONCE, fields=TAXONOMIES)
        ids = one_of("_id", [record["_id"] for record in found])
        self._store.of(kind).change_all(ids, _CHANGE)
        if kind.has_links:
            count_new(self._store, [record | _PUBLISHED for record in found])
