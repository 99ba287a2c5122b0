"""Venues, or organizers, that are perhaps one: of one name, and nothing both say contradicts.

A name that carries the address, "Kulturhalle, Via Maistra 1", counts as the name with that address.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.namesakes import Ties, compare, facts_of, meant
from calendar_app.domain.statuses import TRASH
from calendar_app.domain.words import fold
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import Clause, all_of, differs, one_of
from calendar_app.storage.query.stages import occurring

_TEXTS = "variants"
_FIELDS = (_TEXTS, "author", "status", "zip", "phone", "email", "location")
_ADDRESS = "address"


@dataclass(frozen=True, slots=True)
class AlikeRecord:
    """A record that is perhaps the same as others, with the number of its events."""

    record: Record
    events: int

    @property
    def id(self) -> int:
        number: int = self.record["_id"]
        return number


def alike_records(store: Store, kind: Kind, clause: Clause) -> list[list[AlikeRecord]]:
    """Return groups of matching records that are perhaps one, the one to keep first in each."""
    by_name: defaultdict[str, dict[int, Record]] = defaultdict(dict)
    records: dict[int, Record] = {}
    alive = all_of([clause, differs("status", TRASH)])
    for record in store.of(kind).each([{"$match": alive}, {"$project": dict.fromkeys(_FIELDS, 1)}]):
        whole = _with_address_of_name(kind, record)
        for name in _names(kind, whole):
            by_name[name][record["_id"]] = whole
        records[record["_id"]] = record
    groups: dict[int, set[int]] = {}
    for namesakes in by_name.values():
        for pair in _pairs(kind, namesakes):
            group = set(pair).union(*(groups.get(each, ()) for each in pair))
            groups |= dict.fromkeys(group, group)
    unique = {min(group): group for group in groups.values()}
    numbers = events_linking(store, kind, groups)
    return [
        _ordered(kind, [AlikeRecord(records[each], numbers[each]) for each in unique[first]])
        for first in sorted(unique)
    ]


def events_linking(store: Store, kind: Kind, record_ids: Collection[int]) -> Counter[int]:
    """Return how many events link each of these records, by id."""
    linking = one_of(kind.name, sorted(record_ids))
    groups = store["events"].aggregate(occurring(kind.name, linking)) if record_ids else ()
    return Counter({each["_id"]: each["number"] for each in groups})


def _ordered(kind: Kind, group: Sequence[AlikeRecord]) -> list[AlikeRecord]:
    """Put the one to keep first: with a plain name, with the most events, the oldest."""

    def rank(each: AlikeRecord) -> Any:
        carries_address = _with_address_of_name(kind, each.record) is not each.record
        return carries_address, -each.events, each.id

    return sorted(group, key=rank)


def _pairs(kind: Kind, namesakes: Mapping[int, Record]) -> Iterator[tuple[int, int]]:
    """Yield the ids of records of which the first means the second, and that one nothing else."""
    for number, record in namesakes.items():
        other = _meant_by(kind, namesakes, record)
        back = other and _meant_by(kind, namesakes, other)
        if other and back and not _contradict(kind, record, back):
            yield number, other["_id"]


def _meant_by(kind: Kind, namesakes: Mapping[int, Record], record: Record) -> Record | None:
    """Return the record that another one would mean, if it were sent with an event."""
    others = [each for number, each in namesakes.items() if number != record["_id"]]
    return meant(kind, others, record, Ties(completes=lambda _: True))


def _contradict(kind: Kind, first: Record, second: Record) -> bool:
    return compare(facts_of(kind, first), facts_of(kind, second)).contradicts


def _names(kind: Kind, record: Record) -> set[str]:
    names = (texts.get(kind.label) for texts in record[_TEXTS].values())
    return {folded for name in names if name and (folded := fold(name).strip())}


def _with_address_of_name(kind: Kind, record: Record) -> Record:
    """Move an address out of the name of a venue that has none."""
    variants = record[_TEXTS]
    if not kind.is_place or any(texts.get(_ADDRESS) for texts in variants.values()):
        return record
    split = {
        tag: str(texts.get(kind.label) or "").partition(",") for tag, texts in variants.items()
    }
    if not any(address.strip() for _, _, address in split.values()):
        return record
    whole = {
        tag: {**texts, kind.label: split[tag][0].strip(), _ADDRESS: split[tag][2].strip()}
        for tag, texts in variants.items()
    }
    return {**record, _TEXTS: whole}
