"""Venues, or organizers, that are perhaps several: sources mean different ones by one record."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.namesakes import Facts, compare, facts_of
from calendar_app.sources.register import SOURCE_REGISTER
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import all_of, differs, equals

_OPEN = 0  # for a name that is looked for again
_PHONE = re.compile(r"[+\d][\d\s/().-]+")


@dataclass(frozen=True, slots=True)
class FusedName:
    """The name of a record at one source, with its address or contact there."""

    source: int
    name: str
    address: str


def fused_records(store: Store, kind: Kind) -> Iterator[tuple[int, list[FusedName]]]:
    """Yield ids of records with contradicting names in registers, and the names."""
    named_records = all_of([equals("kind", kind.name), differs("record", _OPEN)])
    names = {name: f"${name}" for name in ("source", "name", "address")}
    groups = store[SOURCE_REGISTER].aggregate(
        [
            {"$match": named_records},
            {"$group": {"_id": "$record", "names": {"$push": names}}},
            {"$match": {"names.1": {"$exists": True}}},
            {"$sort": {"_id": 1}},
        ]
    )
    for each in groups:
        facts = [_facts(kind, name["address"]) for name in each["names"]]
        if any(compare(*pair).contradicts for pair in combinations(facts, 2)):
            fused = (FusedName(**name) for name in each["names"])
            yield each["_id"], sorted(fused, key=lambda name: (name.address, name.source))


def _facts(kind: Kind, line: str) -> Facts:
    """Return the facts in the line that a register keeps of an address or a contact."""
    if kind.is_place:
        return facts_of(kind, {"variants": {"": {"address": line}}})
    contact: Record = {"variants": {}}
    for part in map(str.strip, line.split(", ")):
        if "@" in part:
            contact["email"] = part
        elif "://" in part:
            contact["variants"] = {"": {"website": part}}
        elif _PHONE.fullmatch(part):
            contact["phone"] = part
    return facts_of(kind, contact)
