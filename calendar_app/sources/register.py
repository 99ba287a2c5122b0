"""The register of a source: its names for venues and organizers, with ours.

A place is known by the id that the source gives it, else by name and address as they are written
there. The entry stays whatever the record is called here, so people can correct both. ``said`` and
``wrote`` are digests by field, as ``MergeMemory``: with them a record follows its source.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from calendar_app.calendar.reading.links import LINKED
from calendar_app.calendar.writing.changes import Plan
from calendar_app.domain.kind import Index, Kind, Record
from calendar_app.domain.kinds import BY_NAME
from calendar_app.domain.provenance import names_of
from calendar_app.domain.statuses import TRASH
from calendar_app.domain.words import fold
from calendar_app.sources.calendar_events import EXTERNAL_ID
from calendar_app.sources.digests import digest
from calendar_app.sources.merging import MergeMemory
from calendar_app.sources.notes import escaped, memory_of
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import all_of, equals, one_of

SOURCE_REGISTER = "source_register"
REGISTER_INDEXES = (
    Index((("source", 1), ("kind", 1), ("name", 1), ("_id", 1)), "the register of a source"),
    Index((("kind", 1), ("record", 1)), "what sources call a record"),
    Index((("kind", 1), ("folded", 1)), "a record that another source calls so"),
)
# In the changes that make a venue or an organizer: its key.
REGISTER_KEY = "register_key"
_CALLED = ("address", "city", "stateprovince", "country", "website")
_SHARED = ("zip", "email", "phone")
_MOST_NAMED = 500
_DECIMALS = 3  # of a point: about a hundred meters


@dataclass(frozen=True, slots=True)
class RegisterEntry:
    """One name of a source for a venue or an organizer; ``record`` is the id of ours.

    One without a ``memory`` was brought before there was a register.
    """

    key: str
    kind: str
    record: int
    memory: MergeMemory | None = None


def origins_of(entry: Any) -> list[str]:
    """Return the names under which an import knows a venue or an organizer that an event names."""
    return names_of(entry) if isinstance(entry, dict) else []


def register_key(kind: str, entry: Record) -> str:
    """Return the key of a venue or an organizer: by its id at the source, else by all its data."""
    own = entry.get(EXTERNAL_ID) or next(iter(origins_of(entry)), "")
    if own:
        return digest([kind, "id", own])
    texts: Record = next(iter(entry["variants"].values()), {})
    label = BY_NAME[kind].label
    words = [texts.get(name) for name in (label, *_CALLED)]
    words += [entry.get(name) for name in _SHARED]
    point = [round(number, _DECIMALS) for number in entry.get("geo") or ()]
    return digest([kind, "name", *(" ".join(str(text or "").split()) for text in words), point])


def named_entries(changes: Record) -> Iterator[tuple[str, Record]]:
    """Yield the venues and organizers that changes name, each with the name of its kind."""
    for kind in LINKED:
        for entry in changes.get(kind, ()):
            if isinstance(entry, dict):
                yield kind, entry


@dataclass(frozen=True, slots=True)
class Register:
    """The register of one ``source``, by its id; that of no source is empty."""

    store: Store
    source: int

    def entries(
        self, changes: Iterable[Record], brought: Mapping[str, int]
    ) -> dict[str, RegisterEntry]:
        """Return the entries for all that changes name, by key.

        Those that an import has ``brought``, by origin, are known too; those whose records are in
        the trash, or gone, are not.
        """
        entries: dict[str, RegisterEntry] = {}
        for own in changes:
            for kind, sent in named_entries(own):
                key = register_key(kind, sent)
                ids = (brought[origin] for origin in origins_of(sent) if origin in brought)
                entries[key] = RegisterEntry(key, kind, next(ids, 0))
        for each in self._documents(entries):
            entries[each["key"]] = RegisterEntry(
                each["key"], each["kind"], each["record"], memory_of(each)
            )
        living = self._living(entries.values())
        return {key: each for key, each in entries.items() if each.record in living[each.kind]}

    def remember(
        self, plan: Plan, kind: Kind, entry: Record, record: Record, memory: MergeMemory
    ) -> None:
        """Let a plan store the record of a venue or an organizer, and its memory."""
        if not self.source:
            return
        key = entry[REGISTER_KEY]
        texts: Record = next(iter(entry["variants"].values()), {})
        own = {
            "source": self.source,
            "kind": kind.name,
            "key": key,
            "name": texts.get(kind.label, ""),
            "folded": fold(str(texts.get(kind.label, ""))),
            "address": address_in(entry),
            "external_id": str(entry.get(EXTERNAL_ID) or next(iter(origins_of(entry)), "")),
            "record": record["_id"],
            **memory_document(memory),
        }
        plan.upsert_beside(SOURCE_REGISTER, self._id(key), {"$set": own})

    def records_called(self, kind: str, name: str) -> list[int]:
        """Return the ids of the records that any source calls by a name."""
        of_name = all_of([equals("kind", kind), equals("folded", fold(name))])
        entries = self.store[SOURCE_REGISTER].find(of_name, limit=_MOST_NAMED, fields=["record"])
        return sorted({each["record"] for each in entries})

    def _id(self, key: str) -> str:
        return f"{self.source} {key}"

    def _documents(self, keys: Collection[str]) -> Sequence[Record]:
        if not keys or not self.source:
            return ()
        ids = sorted(self._id(key) for key in keys)
        return self.store[SOURCE_REGISTER].find(one_of("_id", ids))

    def _living(self, entries: Collection[RegisterEntry]) -> Mapping[str, set[int]]:
        """Return the ids of the records outside the trash, by kind."""
        living: dict[str, set[int]] = {}
        for kind in LINKED:
            ids = sorted({each.record for each in entries if each.kind == kind} - {0})
            records = self.store[kind].find(one_of("_id", ids), fields=["status"]) if ids else ()
            living[kind] = {each["_id"] for each in records if each["status"] != TRASH}
        return living


def follow_united(
    store: Store, kind: str, removed: int, remaining: int, among: Collection[str] | None = None
) -> list[str]:
    """Point the entries of a united record to the record that stays.

    Return the ids of these entries; with ``among`` no others are changed.
    """
    own = all_of([equals("kind", kind), equals("record", removed)])
    if among is not None:
        own = all_of([one_of("_id", among), own])
    ids = [each["_id"] for each in store[SOURCE_REGISTER].find(own, fields=["_id"])]
    if ids:
        store[SOURCE_REGISTER].change_all(one_of("_id", ids), {"$set": {"record": remaining}})
    return ids


def address_in(entry: Record) -> str:
    """Return the address of a venue, or the contact of an organizer, in one line."""
    texts: Record = next(iter(entry["variants"].values()), {})
    town = " ".join(filter(None, (str(entry.get("zip") or ""), str(texts.get("city") or ""))))
    contact = [entry.get(name) for name in ("email", "phone")]
    lines: list[Any] = [texts.get("address"), town, *contact, texts.get("website")]
    return ", ".join(str(line) for line in lines if line)


def memory_document(memory: MergeMemory) -> Record:
    """Return a memory in the form in which it is stored."""
    return {"said": escaped(memory.said), "wrote": escaped(memory.wrote)}
