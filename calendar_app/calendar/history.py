"""History: an entry for each save of a record, and the way back to earlier states."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import fields
from typing import Any

from calendar_app.calendar.auditing import current_audit
from calendar_app.domain.kind import Index, Kind, Record
from calendar_app.domain.ledger import LEDGER, settled
from calendar_app.domain.statuses import TRASH, is_hidden, listing_state
from calendar_app.domain.timespan import TimeSpan
from calendar_app.domain.translations import fingerprints, restated
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import Clause, after, all_of, equals, given, one_of
from calendar_app.storage.query.list_query import Page, Window

TEXTS, SOURCES, PASSWORD, HIDDEN = "variants", "sources", "password", "hidden"
TIMES = tuple(field.name for field in fields(TimeSpan))
# By language, so that two editors who write two languages change two fields.
_BY_LANGUAGE = (TEXTS, SOURCES, LEDGER)
_COMMON = (*TIMES, "status", "author", "published", "recurrence", PASSWORD)
# What belongs to a state, and is no field that somebody fills in.
_MEMBERSHIP = ("series", "recurrence_id", "date_slug", "overrides")
BOOKKEEPING = ("dated", "date_sent", "date_utc_sent", "origin", *_MEMBERSHIP)
# Computed from other fields or records.
_COMPUTED = ("location", "restricted_place", "ancestors", "count")


def kept_fields(kind: Kind) -> frozenset[str]:
    """Return the fields of a kind's documents that history keeps, besides those by language."""
    own = {*kind.defaults, *kind.usual, *kind.lines} - {*_COMPUTED}
    place = {"location"} if kind.is_place else set()
    return frozenset(own | place | {*_COMMON, *BOOKKEEPING})


def changed_paths(kind: Kind, before: Record, after: Record) -> list[str]:
    """Return the paths at which two states differ: ``venues``, ``variants.de.title``."""
    names = kept_fields(kind) & (before.keys() | after.keys())
    shared = [name for name in sorted(names) if _differ(name, before, after)]
    return [
        *shared,
        *_differing_texts(TEXTS, before, after),
        *_differing_sources(before, after),
        *_differing_texts(LEDGER, before, after),
    ]


def values_at(record: Record, paths: Iterable[str]) -> Record:
    """Return the values of a record at some paths, without absent ones and its password."""
    values: Record = {}
    for path in paths:
        *above, name = path.split(".", 2)
        source, target = record, values
        for part in above:
            source, target = source.get(part, {}), target.setdefault(part, {})
        if name in source and path != PASSWORD:
            target[name] = is_hidden(source[name]) if path == HIDDEN else source[name]
    return values


def with_values(record: Record, paths: Iterable[str], values: Record) -> Record:
    """Return a record with ``values`` at these paths; paths without a value are removed."""
    changed = {**record, **{name: _copied(record.get(name, {})) for name in _BY_LANGUAGE}}
    for path in paths:
        if path != PASSWORD:
            *above, name = path.split(".", 2)
            _set(changed, above, name, values)
    for name in _BY_LANGUAGE:
        changed[name] = {tag: own for tag, own in changed[name].items() if own}
    if not changed[LEDGER]:  # It was stored before there was one.
        del changed[LEDGER]
    if HIDDEN in changed:
        hidden, locked = is_hidden(changed[HIDDEN]), changed.get(PASSWORD) is not None
        changed[HIDDEN] = listing_state(hidden=hidden, locked=locked)
    return changed


def _set(record: Record, above: list[str], name: str, values: Record) -> None:
    for part in above:
        record, values = record.setdefault(part, {}), values.get(part, {})
    if name in values:
        record[name] = values[name]
    else:
        record.pop(name, None)


def _copied(by_language: Record) -> Record:
    return {tag: dict(own) for tag, own in by_language.items()}


def _differ(name: str, before: Record, after: Record) -> bool:
    if name == HIDDEN:
        return is_hidden(before.get(name)) != is_hidden(after.get(name))
    return not _equal(before.get(name), after.get(name))


def _equal(value: Any, later: Any) -> bool:
    return type(value) is type(later) and bool(value == later)


def _differing_texts(field: str, before: Record, after: Record) -> Iterator[str]:
    """Yield the paths of texts, or of their entries in the ledger, that differ."""
    was, now = before.get(field, {}), after.get(field, {})
    for tag in sorted(was.keys() | now.keys()):
        old, new = was.get(tag, {}), now.get(tag, {})
        for name in sorted(old.keys() | new.keys()):
            if old.get(name) != new.get(name):
                yield f"{field}.{tag}.{name}"


def _differing_sources(before: Record, after: Record) -> Iterator[str]:
    was, now = before.get(SOURCES, {}), after.get(SOURCES, {})
    for tag in sorted(was.keys() | now.keys()):
        if was.get(tag) != now.get(tag):
            yield f"{SOURCES}.{tag}"


# Writes the history: one entry for each save, in the transaction of the save.
#
# An entry is ``{kind, record, revision, date, user, name, door, action, changed, before}``: the
# revision that the save made, the paths that it ``changed``, and their values ``before``, from
# which earlier states follow. A new record leaves no values.

HISTORY = "history"
_DAY = 24 * 60 * 60  # seconds
CREATE, UPDATE, TO_TRASH, UNTRASH = "create", "update", "trash", "untrash"
ACTIONS = (CREATE, UPDATE, TO_TRASH, UNTRASH)


def history_indexes(days: int) -> tuple[Index, ...]:
    """Return the indexes of history that is kept for so many days."""
    return (
        Index(
            (("kind", 1), ("record", 1), ("revision", -1)),
            serves="the history of a record, the latest first; forgetting it",
        ),
        Index((("date", 1),), serves="forgetting entries after a time", expire_after=days * _DAY),
    )


class Recorder:
    """Notes saves; with ``days`` 0 it notes nothing."""

    def __init__(self, store: Store, days: int) -> None:
        self._entries = store[HISTORY]
        self._notes = days > 0

    def note(self, changes: Iterable[tuple[Kind, Record, Record]]) -> None:
        """Note saves, each of a record before and after; ``before`` is empty for a new one."""
        entries = [_entry(*change) for change in changes] if self._notes else []
        if entries:
            self._entries.insert_many(entries)

    def forget(self, kind: Kind, record_ids: Collection[int]) -> None:
        """Forget the history of records that are deleted for good."""
        clauses = [equals("kind", kind.name), one_of("record", record_ids)]
        self._entries.remove(all_of(clauses))


def _entry(kind: Kind, before: Record, after: Record) -> Record:
    audit = current_audit()
    paths = changed_paths(kind, before, after) if before else []
    earlier = values_at(before, paths) | {"modified": before["modified"]} if before else {}
    return {
        "kind": kind.name,
        "record": after["_id"],
        "revision": after["revision"],
        "date": after["modified"],
        "user": audit.author.id,
        "name": audit.author.name,
        "door": str(audit.door),
        "action": _action(before, after),
        "changed": paths,
        "before": earlier,
    }


def _action(before: Record, after: Record) -> str:
    if not before:
        return CREATE
    was, now = before.get("status"), after.get("status")
    if was == now or TRASH not in (was, now):
        return UPDATE
    return TO_TRASH if now == TRASH else UNTRASH


# Reads the history: its entries, earlier states, and what translations were made from.

_LATEST_FIRST = (("revision", -1),)
_WITHOUT_VALUES = {"before": 0}


class History:
    """The entries of one store."""

    def __init__(self, store: Store) -> None:
        self._entries = store[HISTORY]

    def page(self, kind: Kind, record_id: int, window: Window) -> Page:
        """Return a page of the entries of a record, without values, the latest first."""
        own = _of(kind, record_id)
        entries = self._entries.find(
            own, order=_LATEST_FIRST, skip=window.skip, limit=window.size, fields=_WITHOUT_VALUES
        )
        return Page(entries, window, lambda: self._entries.count(own))

    def entry(self, kind: Kind, record_id: int, revision: int) -> Record | None:
        return self._entries.first(all_of([_of(kind, record_id), equals("revision", revision)]))

    def state(self, kind: Kind, record: Record, revision: int) -> Record | None:
        """Return a record as it was at a revision; ``None`` where history does not tell.

        Its password stays the present one, and its computed fields but for the languages.
        """
        later = all_of([_of(kind, record["_id"]), after("revision", revision)])
        entries = self._entries.find(later, order=_LATEST_FIRST)
        reached = range(record["revision"], max(revision, 0), -1)
        if revision > record["revision"] or [each["revision"] for each in entries] != [*reached]:
            return None
        state = record
        for entry in entries:
            state = with_values(state, entry["changed"], entry["before"])
            state["modified"] = entry["before"].get("modified")
        if revision < 1 or state["modified"] is None:
            return None
        state = settled(state, state.get(LEDGER, {}))
        return state | restated(kind, state) | {"revision": revision}

    def source_texts(self, kind: Kind, record: Record, language: str) -> dict[str, Any]:
        """Return the source texts from which outdated texts of a translation were made.

        A field is left out where history does not reach that far.
        """
        source = record.get(SOURCES, {}).get(language)
        if source is None:
            return {}
        tag, then = source["language"], source["texts"]
        now = fingerprints(kind, record[TEXTS].get(tag, {}))
        changed_names = {name for name in then if then[name] != now.get(name)}
        path = f"before.{TEXTS}.{tag}"
        clause = all_of([_of(kind, record["_id"]), given(path)])
        entries = (
            self._entries.find(clause, order=_LATEST_FIRST, fields=[path]) if changed_names else []
        )
        return _texts_of(
            kind, (entry["before"][TEXTS][tag] for entry in entries), then, changed_names
        )


def _texts_of(
    kind: Kind, earlier_texts: Iterable[Record], digests: Mapping[str, str], changed_names: set[str]
) -> dict[str, Any]:
    """Return the latest earlier text of each sought field that has its digest."""
    texts: dict[str, Any] = {}
    for earlier in earlier_texts:
        candidates = {
            name: text for name, text in earlier.items() if name in changed_names - texts.keys()
        }
        for name, digest in fingerprints(kind, candidates).items():
            if digest == digests[name]:
                texts[name] = candidates[name]
    return texts


def _of(kind: Kind, record_id: int) -> Clause:
    return all_of([equals("kind", kind.name), equals("record", record_id)])
