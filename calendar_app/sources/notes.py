"""The notes on a record of the sources from which it comes.

``from_sources`` is a list of notes, one for each source: its identity there (``source``, ``uid``,
``recurrence_id``), ``url``, ``read`` (the reading that wrote the note), ``digest`` of all that the
source says, ``text_digest`` that of its text there, and ``traits`` by which the event is known
again. It ``begins`` there at a time in UTC. ``said`` and ``wrote`` are digests by field, as
``MergeMemory``; ``kept`` has what the source says of fields that were edited here, so that it can
be taken after all. ``missing`` is the moment of the first reading without the event, ``unlisted``
that of a list of which it may be outside, ``vanished`` what was done then; ``dates`` are those of a
series that a site lists. ``picture`` says when a picture that is linked is to be copied: ``due``,
after so many ``tries``. ``lineage`` are the UIDs that further calendars like this one have given
the event on its way here. ``by_language`` has what imports of the whole site know the event by:
``{digest, group, joined}``. A note of ``ANY_SOURCE`` is of an import that knew no sources: there it
may also have ``overridden`` and ``exdates``, the dates that the file changed or left out.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

from calendar_app.domain import provenance
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.moments import Moment
from calendar_app.domain.richtext import plain
from calendar_app.domain.statuses import TRASH
from calendar_app.domain.words import fold
from calendar_app.sources.calendar_events import (
    EXTERNAL_ID,
    NAMED,
    TEXT_ORIGINS,
    CalendarEvent,
)
from calendar_app.sources.digests import digest
from calendar_app.sources.merging import SOURCE, MergeMemory, is_overruled, said_values
from calendar_app.sources.planning import EventKey, ReadSourceEvent, StoredSourceEvent, Traits
from calendar_app.sources.site_dates import not_begun
from calendar_app.sources.source import Source
from calendar_app.storage.migrations import FORMER_NAME
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import (
    after,
    all_of,
    at_least,
    at_most,
    differs,
    equals,
    given,
    has_member,
    identified,
    one_of,
)

NOTES = provenance.NOTES
PICTURE = "picture"
# The version of the UUIDs in feeds of this program, which are made from a name.
_NAMED_UUID = 5
_LONGEST = 500
_OF_OWNERS = [f"{NOTES}.{name}" for name in ("source", "uid", "recurrence_id", "of", "traits")]
# Beside them those of records of sites.
_OF_SITES = "events/"
_NAMED = (NAMED, _OF_SITES)
# Due for so long, a picture is of an event that its source lists no more.
_GIVEN_UP = timedelta(days=30)
# Events that are looked up at once.
_AT_ONCE = 1000
# What a comparison needs of a note.
_OF_NOTES = (
    *("source", "uid", "recurrence_id", "digest", "text_digest", "rules", "revision", "traits"),
    *("missing", "accepted", "vanished", "of", "dates", "incomplete", "begins", "unlisted"),
    PICTURE,
)


def key_of(event: CalendarEvent) -> EventKey:
    """Return the identity of an event within its source."""
    return EventKey(event.uid, event.recurrence_id)


def related_keys(event: CalendarEvent) -> tuple[EventKey, EventKey]:
    """Return the identities that the event may have to which another one is related."""
    name = event.related.partition(":")[2]
    uid, _, date = name.rpartition("#")
    return EventKey(name), EventKey(uid, date)


def note_in(record: Record, source_id: int) -> Record:
    """Return the note of one source, empty where there is none."""
    notes = (note for note in record.get(NOTES, ()) if note["source"] == source_id)
    return next(notes, {})


def with_note(record: Record, note: Record) -> list[Record]:
    """Return the notes of a record with one of them anew."""
    other_notes = [each for each in record.get(NOTES, ()) if each["source"] != note["source"]]
    return [*other_notes, note]


def store_notes(store: Store, kind: Kind, record: Record, notes: Sequence[Record]) -> None:
    """Store the notes of a record, which makes no revision of it; dates of a series inherit."""
    store.of(kind).change(identified(record["_id"]), {"$set": {NOTES: notes}})
    pass_on_sources(store, kind, record, {**record, NOTES: notes})


def pass_on_sources(store: Store, kind: Kind, before: Record, after: Record) -> None:
    """Let the dates of a series inherit its sources, where these have changed."""
    sources = sorted(provenance.sources_of(after))
    if kind.name == "series" and sources != sorted(provenance.sources_of(before)):
        update = (
            {"$set": {provenance.INHERITED: sources}}
            if sources
            else {"$unset": {provenance.INHERITED: ""}}
        )
        store["events"].change_all(equals("series", after["_id"]), update)


def is_named(uid: str) -> bool:
    """Say whether a UID is made from a name, as those in feeds of this program are."""
    try:
        return UUID(uid).version == _NAMED_UUID
    except ValueError:
        return False


def lineage_of(record: Record) -> list[str]:
    """Return the UIDs under which calendars like this one may know an event of a source."""
    notes = provenance.notes_of(record)
    uids = [uid for note in notes for uid in (note["uid"], *note.get("lineage", ()))]
    return list(dict.fromkeys([*filter(is_named, uids), *record.get("lineage", ())]))


def lacks_picture(note: Record, now: datetime) -> bool:
    """Say whether it is time to copy the picture of an event that shows a link so far."""
    return PICTURE in note and bool(now - _GIVEN_UP < note[PICTURE]["due"] <= now)


def memory_of(note: Record) -> MergeMemory:
    return MergeMemory(unescaped(note.get("said", {})), unescaped(note.get("wrote", {})))


def escaped(digests: Mapping[str, Any]) -> dict[str, Any]:
    """Return values by path in the form in which MongoDB stores them, without dots in names."""
    return {path.replace(".", "/"): value for path, value in digests.items() if value}


def unescaped(digests: Mapping[str, Any]) -> dict[str, Any]:
    return {path.replace("/", "."): value for path, value in digests.items()}


def traits_of(event: CalendarEvent) -> Traits:
    """Return by which an event is known again where its UID is another one."""
    texts = event.changes.get("variants", {}).get(event.language, {})
    places = [
        fold(name)
        for venue in event.changes.get("venues", ())
        if isinstance(venue, dict)
        for own in venue.get("variants", {}).values()
        if (name := own.get("venue"))
    ]
    start = event.changes.get("start")
    return Traits(digest([start]), digest(fold(texts.get("title") or "")), digest(sorted(places)))


def read_event(event: CalendarEvent, place: int) -> ReadSourceEvent:
    """Return the traits of an event at a place in the calendar."""
    return ReadSourceEvent(
        key_of(event),
        fingerprint(event),
        traits_of(event),
        place,
        slides=event.partial,
        dates=event.dates,
        text_digest=event.text_digest,
    )


def fingerprint(event: CalendarEvent) -> str:
    """Return the digest of all that a source says of an event."""
    overrides = [[each.date, _without_external_ids(each.changes)] for each in event.overrides]
    values = said_values(_without_external_ids(event.changes), event.parts)
    origins = event.changes.get(TEXT_ORIGINS)
    values |= {TEXT_ORIGINS: origins} if origins else {}
    dates = [date for date, _ in event.recurrence.rdates] if event.adds_dates else []
    return digest([values, list(event.recurrence.exdates), overrides, event.related, *dates])


def _without_external_ids(changes: Record) -> Record:
    """Return changes without the ids of places and organizers: they say nothing of the event."""
    entries_by_name = {
        name: [
            _without_external_id(entry) if isinstance(entry, dict) else entry
            for entry in changes[name]
        ]
        for name in ("venues", "organizers")
        if changes.get(name)
    }
    return {**changes, **entries_by_name}


def _without_external_id(entry: Record) -> Record:
    """Return an entry with its names as they were first digested: no event is to look changed."""
    own = {key: each for key, each in entry.items() if key not in (EXTERNAL_ID, NOTES)}
    return own | ({FORMER_NAME: provenance.import_notes(entry)} if NOTES in entry else {})


def storable(value: Any) -> Any:
    """Return a value of a source in the form in which MongoDB stores it."""
    match value:
        case None | bool() | int() | float() | str() | datetime():
            return value
        case Moment():
            is_instant = value.zone is not None
            return {"wall": value.instant(UTC) if is_instant else value.wall, "utc": is_instant}
        case Mapping():
            return {str(name): storable(each) for name, each in value.items()}
        case list() | tuple():
            return [storable(each) for each in value]
        case _:
            return str(value)


def restored(value: Any) -> Any:
    """Return a value as the source said it."""
    match value:
        case {"wall": datetime() as wall, "utc": is_instant}:
            return Moment(wall, UTC if is_instant else None)
        case dict():
            return {name: restored(each) for name, each in value.items()}
        case list():
            return [restored(each) for each in value]
        case _:
            return value


def readable(value: Any) -> Any:
    """Return a value of a source for people: text, or lists of it."""
    match value:
        case None | bool() | int() | float():
            return value
        case str():
            return plain(value)[:_LONGEST]
        case Moment():
            return f"{value.wall:%Y-%m-%d %H:%M}" + (" UTC" if value.zone else "")
        case dict():
            variants = value.get("variants", {})
            return [readable(text) for texts in variants.values() for text in texts.values()]
        case list() | tuple():
            return [readable(each) for each in value]
        case _:
            return str(value)[:_LONGEST]


class Stored(NamedTuple):
    """A record that is here, and its kind."""

    kind: Kind
    record: Record


class KnownEvents:
    """Finds the events that came from sources; ``kinds`` are those of events and of series."""

    def __init__(self, store: Store, kinds: tuple[Kind, Kind]) -> None:
        self._store = store
        self._events, self._series = kinds

    def of(self, source: Source, now: datetime) -> dict[EventKey, StoredSourceEvent]:
        """Return all events of a source; a series comes before its events.

        With other settings than last time each is to be looked at again.
        """
        source_id, rules = source.id, source.fingerprint
        coming = self._coming_dates(source_id, now)
        overruled = self._overruled(source, coming, now)
        events: dict[EventKey, StoredSourceEvent] = {}
        edited: set[str] = set()
        for kind in (self._events, self._series):
            for record in self._stream(kind, source_id):
                note = note_in(record, source_id)
                is_edited = note.get("revision") != record["revision"]
                if "of" in note:
                    edited.update([note["uid"]] if is_edited else [])
                    continue
                starts = coming[record["_id"]] if kind is self._series else ()
                is_coming = bool(starts) or (kind is self._events and record["start"] > now)
                is_coming = is_coming and record["status"] != TRASH
                is_open = is_edited or note.get("rules") != rules or "incomplete" in note
                is_open = is_open or lacks_picture(note, now)
                each = _known_event(record, note, is_coming=is_coming, is_edited=is_open)
                if starts:
                    is_edited = each.is_edited or record["_id"] in overruled
                    each = replace(each, starts=tuple(starts), is_edited=is_edited)
                if "dates" in note:
                    each = replace(each, dates=not_begun(note["dates"], now))
                events[each.key] = each
        for key in map(EventKey, edited):
            if key in events:
                events[key] = replace(events[key], is_edited=True)
        return events

    def records(self, source_id: int, uids: list[str]) -> dict[EventKey, tuple[Kind, Record]]:
        """Return the records with some UIDs, a series before its events."""
        own = all_of([equals("source", source_id), one_of("uid", uids)])
        # The former lets MongoDB see that the index has all that the latter matches.
        clause = all_of([equals(f"{NOTES}.source", source_id), has_member(NOTES, own)])
        return {
            EventKey(note["uid"], note["recurrence_id"]): (kind, record)
            for kind in (self._events, self._series)
            for record in self._store.of(kind).find(clause)
            if "of" not in (note := note_in(record, source_id))
        }

    def lack_pictures(self, source_id: int, now: datetime) -> bool:
        """Say whether it is time to copy the picture of an event of a source."""
        due = f"{PICTURE}.due"
        is_due = [after(due, now - _GIVEN_UP), at_most(due, now)]
        own = all_of([equals("source", source_id), *is_due])
        clause = all_of([equals(f"{NOTES}.source", source_id), has_member(NOTES, own)])
        kinds = (self._events, self._series)
        return any(self._store.of(kind).first(clause, ["_id"]) for kind in kinds)

    def imported(self, events: Sequence[CalendarEvent]) -> dict[str, Stored]:
        """Return the records of events, by permanent name, that came before there were sources."""
        names = {event.source for event in events if event.source.startswith(_NAMED)}
        sources = {event.uid: event.source for event in events if event.uid.startswith(_OF_SITES)}
        records = self.named(sorted(names | sources.keys()))
        by_uid = {source: records[uid] for uid, source in sources.items() if uid in records}
        return by_uid | {name: records[name] for name in names if name in records}

    def named(self, names: Sequence[str]) -> dict[str, Stored]:
        """Return the records that every source knows by a name; a series before an event."""
        own = all_of([equals("source", provenance.ANY_SOURCE), one_of("uid", names)])
        clause = all_of([equals(f"{NOTES}.source", provenance.ANY_SOURCE), has_member(NOTES, own)])
        return {
            name: Stored(kind, record)
            for kind in ((self._events, self._series) if names else ())
            for record in self._store.of(kind).find(clause)
            for name in provenance.names_of(record)
        }

    def owners(
        self, keys: Collection[EventKey], source_ids: Collection[int]
    ) -> dict[EventKey, dict[int, Traits]]:
        """Return the sources among ``source_ids`` of each event, with its traits at each."""
        uids = sorted({key.uid for key in keys})
        notes = [
            note
            for begin in range(0, len(uids) if source_ids else 0, _AT_ONCE)
            for kind in (self._events, self._series)
            for record in self._noted(kind, source_ids, uids[begin : begin + _AT_ONCE])
            for note in record[NOTES]
            if note["source"] in source_ids and "of" not in note
        ]
        owners: defaultdict[EventKey, dict[int, Traits]] = defaultdict(dict)
        for note in notes:
            key = EventKey(note["uid"], note["recurrence_id"])
            owners[key][note["source"]] = Traits(*note["traits"])
        return owners

    def _noted(
        self, kind: Kind, source_ids: Collection[int], uids: Sequence[str]
    ) -> Iterable[Record]:
        own = all_of([one_of("source", source_ids), one_of("uid", uids)])
        clause = all_of([given(f"{NOTES}.source"), has_member(NOTES, own)])
        return self._store.of(kind).find(clause, fields=_OF_OWNERS)

    def _stream(self, kind: Kind, source_id: int) -> Iterator[Record]:
        fields = [f"{NOTES}.{name}" for name in _OF_NOTES]
        clause = equals(f"{NOTES}.source", source_id)
        names = [*fields, "revision", "start", "status"]
        yield from self._store.of(kind).stream(clause, order=[("_id", 1)], fields=names)

    def _coming_dates(self, source_id: int, now: datetime) -> defaultdict[int, list[datetime]]:
        """Return the starts of the coming dates by series."""
        starts: defaultdict[int, list[datetime]] = defaultdict(list)
        clause = equals(f"{NOTES}.source", source_id)
        ids = [each["_id"] for each in self._store.of(self._series).find(clause, fields=["_id"])]
        if ids:
            coming = all_of([one_of("series", ids), after("start", now), differs("status", TRASH)])
            dates = self._store.of(self._events)
            for each in dates.stream(coming, order=[("_id", 1)], fields=["series", "start"]):
                starts[each["series"]].append(each["start"])
        return starts

    def _overruled(self, source: Source, series: Iterable[int], now: datetime) -> set[int]:
        """Return the series with coming dates edited here where the source has the authority."""
        if SOURCE not in source.authority.values():
            return set()
        clauses = [one_of("series", list(series)), at_least("end", now), differs("status", TRASH)]
        # The source itself overrides the others.
        clauses += [differs("overrides", []), differs(f"{NOTES}.source", source.id)]
        dates = self._store.of(self._events).find(all_of(clauses), fields=["series", "overrides"])
        return {
            each["series"] for each in dates if is_overruled(each["overrides"], source.authority)
        }


def _known_event(
    record: Record, note: Record, *, is_coming: bool, is_edited: bool
) -> StoredSourceEvent:
    return StoredSourceEvent(
        key=EventKey(note["uid"], note["recurrence_id"]),
        record_id=record["_id"],
        digest=note.get("digest", ""),
        traits=Traits(*note["traits"]),
        is_coming=is_coming,
        is_edited=is_edited,
        missing=note.get("missing"),
        accepted=note.get("accepted", False),
        vanished=note.get("vanished", ""),
        begins=note.get("begins", record["start"]),
        unlisted="unlisted" in note,
        text_digest=note.get("text_digest", ""),
    )
