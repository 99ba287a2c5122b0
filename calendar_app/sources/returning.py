"""Recognises our own events that come back from calendars that have read them here.

An event passes on by which ids calendars before have known it: UIDs of feeds, and global ids of the
interface, as ``example.org?id=5``. A UID of ours is made of a number of ours, which a global id
tells: so an event is known again by both for certain, even after it was deleted here. A global id
alone is believed by its host. Calendars that have the same host, or no address of their own, are
told apart by the titles of events then.
"""

from collections import defaultdict
from collections.abc import Callable
from functools import cached_property
from itertools import pairwise
from urllib.parse import urlsplit
from uuid import UUID

from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.provenance import notes_of
from calendar_app.domain.statuses import PUBLISH, TRASH
from calendar_app.domain.words import fold
from calendar_app.sources.calendar_events import CalendarEvent
from calendar_app.sources.notes import NOTES, is_named
from calendar_app.sources.notes import lineage_of as passed_on
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import all_of, differs, equals, given

_FIELDS = ["variants"]
_OF_SITES, _SERIES = "events/", "?id=series-"


def own_id(event: CalendarEvent) -> str:
    """Return by which id its source passes an event on; empty for none."""
    if is_named(event.uid):
        return event.uid
    name = event.uid.removeprefix(_OF_SITES).replace(_SERIES, "?id=")
    return name if name != event.uid and name.rpartition("?id=")[2].isdecimal() else ""


def lineage_of(event: CalendarEvent) -> list[str]:
    """Return the ids of an event in its source, and in calendars before."""
    return list(dict.fromkeys(filter(None, (own_id(event), *event.lineage))))


class OwnEvents:
    """The events of this calendar, read when the first one is asked for that may be one.

    ``uid_of`` gives the UID of an event in feeds of a calendar; ``site`` is the public address.
    """

    def __init__(
        self,
        store: Store,
        kinds: tuple[Kind, Kind],
        uid_of: Callable[[UUID, int], UUID],
        site: str,
    ) -> None:
        self._store = store
        self._kinds = kinds
        self._uid_of = uid_of
        parts = urlsplit(site.rstrip("/"))
        self._site = f"{parts.hostname}{parts.path}" if parts.hostname else ""

    def has(self, event: CalendarEvent) -> bool:
        """Say whether an event comes from here."""
        ids = (event.uid, *event.lineage)
        named_uids = {uid for uid in ids if is_named(uid)}
        if not named_uids.isdisjoint(map(self._uid_in, ids)) or not named_uids.isdisjoint(
            self._uids
        ):
            return True
        if self._is(event, own_id(event), by_title=True):
            return True
        # What follows a UID is the global id of the same calendar, which is not this one then.
        alone = (uid for before, uid in pairwise(ids) if not is_named(before))
        return any(self._is(event, uid, by_title=not self._site) for uid in alone)

    def _uid_in(self, global_id: str) -> str:
        """Return the UID of the event here that has the number in a global id; empty for none."""
        number = global_id.rpartition("?id=")[2]
        if self._identity is None or number == global_id or not number.isdecimal():
            return ""
        return str(self._uid_of(self._identity, int(number)))

    def _is(self, event: CalendarEvent, uid: str, *, by_title: bool) -> bool:
        site, is_global, number = uid.rpartition("?id=")
        if not is_global or not number.isdecimal() or self._site not in ("", site):
            return False
        titles = self._titles.get(int(number))
        if titles is None or not by_title:
            return titles is not None
        return not titles.isdisjoint(_titles_in(event.changes))

    @cached_property
    def _titles(self) -> dict[int, set[str]]:
        """The titles of public events and series, by id; a series has that of its first event.

        Hidden ones are in no feed, so that none of them can come back: whoever may send events
        must not learn of their titles.
        """
        titles: defaultdict[int, set[str]] = defaultdict(set)
        public = equals("status", PUBLISH)
        for kind in self._kinds:
            stream = self._store.of(kind).stream(public, order=[("_id", 1)], fields=_FIELDS)
            for record in stream:
                titles[record["_id"]] |= _titles_in(record)
        return dict(titles)

    @cached_property
    def _identity(self) -> UUID | None:
        calendar = self._store["calendars"].first(equals("_id", "calendar"))
        return UUID(calendar["uuid"]) if calendar else None

    @cached_property
    def _uids(self) -> set[str]:
        if self._identity is None:
            return set()
        return {str(self._uid_of(self._identity, number)) for number in self._titles}


class OtherWays:
    """The events of this calendar that other sources brought."""

    def __init__(self, store: Store, kinds: tuple[Kind, Kind], source: int) -> None:
        self._store = store
        self._kinds = kinds
        self._source = source

    def has(self, event: CalendarEvent) -> bool:
        """Say whether an event, or one from which it was read, has come by another source."""
        return any(is_named(uid) and uid in self._uids for uid in (event.uid, *event.lineage))

    @cached_property
    def _uids(self) -> set[str]:
        brought = all_of([given(f"{NOTES}.source"), differs("status", TRASH)])
        return {
            uid
            for kind in self._kinds
            for record in self._store.of(kind).stream(
                brought, order=[("_id", 1)], fields=[NOTES, "lineage"]
            )
            if any(n["source"] != self._source and "missing" not in n for n in notes_of(record))
            for uid in passed_on(record)
            if is_named(uid)
        }


def _titles_in(record: Record) -> set[str]:
    return {fold(t["title"]) for t in record.get("variants", {}).values() if t.get("title")}
