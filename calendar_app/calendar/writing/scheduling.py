"""Publishes scheduled records (``future``) that are due."""

from collections.abc import Iterable
from functools import partial

from calendar_app.accounts.policy import ANYONE
from calendar_app.calendar.auditing import Door, note_change, through, written_by
from calendar_app.calendar.feeds.contents import WITHDRAWN
from calendar_app.calendar.history import Recorder
from calendar_app.calendar.places import DECISIVE, Places
from calendar_app.calendar.reading.links import TAXONOMIES
from calendar_app.calendar.writing.counting import count_new
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.moments import Now
from calendar_app.domain.statuses import FUTURE, PUBLISH, touch
from calendar_app.mongo.store import Store
from calendar_app.query.clauses import Clause, all_of, at_most, equals, one_of

_BATCH = 500  # records of a transaction
_PUBLISHED: Record = {"status": PUBLISH}
_READ = (*TAXONOMIES, "password", "revision", "modified", "series", *DECISIVE)


class Scheduler:
    """Turns ``future`` into ``publish``; ``now`` gives the present as a naive UTC time."""

    def __init__(
        self, store: Store, kinds: Iterable[Kind], series: Kind, now: Now, recorder: Recorder
    ) -> None:
        self._store = store
        self._kinds = [kind for kind in kinds if kind.has_status]
        self._series = series
        self._now = now
        self._recorder = recorder
        self._places = Places(store)

    def publish_due(self) -> int:
        """Publish all records that are due, and return their number.

        Safe in several processes at once: each record is published by one of them.
        """
        with through(Door.SERVICE), written_by(ANYONE):
            published = sum(map(self._publish_all, self._kinds))
            # What a series adds later is public too.
            self._publish_all(self._series)
        return published

    def _publish_all(self, kind: Kind) -> int:
        due = all_of([equals("status", FUTURE), at_most("published", self._now())])
        total = 0
        while self._store.of(kind).first(due, ["_id"]):
            total += self._store.transact(partial(self._publish_batch, kind, due))
        return total

    def _publish_batch(self, kind: Kind, due: Clause) -> int:
        """Publish some due records; none where another process was faster."""
        records = self._store.of(kind).find(due, limit=_BATCH, fields=_READ)
        ids = one_of("_id", [record["_id"] for record in records])
        published = {**_PUBLISHED, "modified": self._now()}
        change = {"$set": published}
        unmark = {"$unset": {WITHDRAWN: ""}, "$inc": {"revision": 1}}
        self._store.of(kind).change_all(ids, change | unmark)
        after = [each | published | {"revision": each["revision"] + 1} for each in records]
        self._recorder.note_all(kind, zip(records, after, strict=True))
        for record in records:
            note_change("publish", kind, record["_id"])
        if kind.has_links and kind is not self._series:
            count_new(self._store, after)
        if its_series := {record["series"] for record in after if "series" in record}:
            now = self._now()
            self._store.of(self._series).change_all(one_of("_id", its_series), touch(now))
        if kind.is_place:
            for record in after:
                self._places.update_events_at(record)
        return len(records)
