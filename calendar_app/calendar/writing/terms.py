"""Terms and parents: counts of events, places below others, names that are taken once.

Each category also keeps the ids of all its ``ancestors``, so that one look-up finds all
descendants of a category, and moving one rewrites categories but never events.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from calendar_app.calendar.reading.links import TAXONOMIES
from calendar_app.calendar.writing.before import as_listed
from calendar_app.calendar.writing.changes import Change, Plan
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.slugs import slugify
from calendar_app.domain.statuses import PUBLISH
from calendar_app.domain.texts.composing import name_key
from calendar_app.errors import InvalidParameters, Message, TermExists
from calendar_app.storage.mongo.collection import LOCKED
from calendar_app.storage.mongo.marks import Before
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.mongo.transactions import note_before
from calendar_app.storage.query.clauses import (
    all_of,
    differs,
    equals,
    identified,
    missing,
    one_of,
)
from calendar_app.storage.query.stages import occurring

# MongoDB wants to be told how many, if it is told where to begin.
_ALL = 2**31 - 1
_PUBLIC = all_of([equals("status", PUBLISH), missing("password")])
_PATIENCE = 60.0  # seconds, for the term of a large calendar


def count_terms(store: Store, changes: Sequence[Change]) -> None:
    """Count the published events without a password of each term, with one update per step.

    Added terms that were deleted meanwhile are removed from the events and series.
    """
    for taxonomy in TAXONOMIES:
        steps, added = _steps(changes, taxonomy)
        for change in changes:
            if change.kind.name == taxonomy and not change.before:
                added.discard(change.after["_id"])
                change.after["count"] = steps.pop(change.after["_id"], 0)
        updates = {step: {"count": step} for step in sorted(set(steps.values()) - {0})}
        is_complete = True
        for step, update in updates.items():
            terms = [term for term, own in steps.items() if own == step]
            is_complete &= _change_all(store, taxonomy, terms, update) or step < 0
        # The terms of a draft are not counted: a lock keeps them from being deleted.
        uncounted = [term for term in added if not steps.get(term)]
        if uncounted:
            is_complete &= _change_all(store, taxonomy, uncounted, LOCKED)
        if not is_complete:
            _leave_out_deleted(store, taxonomy, changes)


def _steps(changes: Sequence[Change], taxonomy: str) -> tuple[Counter[int], set[int]]:
    """Return by how much the count of each term changes, and the terms that are added."""
    steps: Counter[int] = Counter()
    added: set[int] = set()
    for change in changes:
        if change.kind.has_links:
            old, new = (set(each.get(taxonomy, ())) for each in (change.before, change.after))
            added |= new - old
            steps.update(new if _is_counted(change.kind, change.after) else ())
            steps.subtract(old if _is_counted(change.kind, change.before) else ())
    return steps, added


def _is_counted(kind: Kind, record: Record) -> bool:
    is_public = record.get("status") == PUBLISH and record.get("password") is None
    return is_public and kind.name == "events"


def _change_all(store: Store, taxonomy: str, terms: Sequence[int], step: Mapping[str, int]) -> bool:
    """Write to each of the terms; say whether all were there."""
    matched = store[taxonomy].change_all(one_of("_id", sorted(terms)), {"$inc": step})
    return matched == len(terms)


def _leave_out_deleted(store: Store, taxonomy: str, changes: Sequence[Change]) -> None:
    records = [change.after for change in changes if change.kind.has_links and change.after]
    terms = {term for record in records for term in record[taxonomy]}
    stored = store[taxonomy].find(one_of("_id", sorted(terms)), fields=["_id"])
    deleted = terms - {term["_id"] for term in stored}
    for record in records:
        record[taxonomy] = [term for term in record[taxonomy] if term not in deleted]


def miscounted(store: Store) -> Iterator[tuple[str, int]]:
    """Yield the terms with a wrong count of events, as taxonomy and id."""
    for taxonomy in TAXONOMIES:
        yield from store.in_snapshot(partial(_miscounted, store, taxonomy))


def recount(store: Store, taxonomy: str, term: int) -> None:
    """Count the events of one term anew."""

    def work() -> None:
        # Whoever counts meanwhile writes to the term as well, so that one of both begins again.
        store[taxonomy].change(identified(term), {"$inc": LOCKED})
        number = store["events"].count(all_of([_PUBLIC, equals(taxonomy, term)]))
        store[taxonomy].change(identified(term), {"$set": {"count": number}})

    store.transact(work, _PATIENCE)


def _miscounted(store: Store, taxonomy: str) -> list[tuple[str, int]]:
    events = store["events"].aggregate(occurring(taxonomy, _PUBLIC))
    numbers = {group["_id"]: group["number"] for group in events}
    terms = store[taxonomy].each([{"$project": {"count": 1}}])
    return [
        (taxonomy, term["_id"])
        for term in terms
        if term.get("count", 0) != numbers.get(term["_id"], 0)
    ]


class Hierarchy:
    """Keeps the ancestors of stored categories in step."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def follow(self, kind: Kind, before: Record, after: Record) -> None:
        """Let the descendants of a category that moved keep their ancestors in step."""
        if before.get("ancestors") == after.get("ancestors"):
            return
        self._note_below(kind, after)
        self._replace_above(kind, after, len(before["ancestors"]))

    def lift_children(self, kind: Kind, record: Record) -> None:
        """Move the children of a category to its parent."""
        self._note_below(kind, record)
        lifted = {"$set": {"parent": record["parent"]}}
        self._store.of(kind).change_all(equals("parent", record["_id"]), lifted)
        self._replace_above(kind, record, len(record["ancestors"]) + 1)

    def _note_below(self, kind: Kind, record: Record) -> None:
        """Note all below a category as they were: with them events leave and enter filters."""
        below = self._store.of(kind).find(equals("ancestors", record["_id"]))
        note_before(Before(kind.name, term["_id"], as_listed(term)) for term in below)

    def _replace_above(self, kind: Kind, record: Record, number: int) -> None:
        """Let all below a category have its ancestors in place of so many that they had first."""
        rest = {"$slice": ["$ancestors", number, _ALL]}
        above = {"$concatArrays": [record["ancestors"], rest]}
        below = equals("ancestors", record["_id"])
        self._store.of(kind).change_all(below, [{"$set": {"ancestors": above}}])


class Parents:
    """Reads and locks parents until the transaction ends."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def parent(self, name: str, record_id: int, field: str) -> Record | None:
        """Return one record of a collection with one of its fields, if it is there."""
        # Held, lest it moves below the record at the same time.
        return self._store[name].lock_document(identified(record_id), [field])

    def of_event(self, event: Record, parent_id: int) -> int:
        """Return the parent of an event: ``parent_id``, or 0 if that has been deleted.

        Refuses the event itself, and a part of it.
        """
        passed: set[int] = set()
        above = parent_id
        while above and above not in passed:
            if above == event["_id"]:
                raise InvalidParameters(
                    {"post_parent": Message("An event cannot be below itself.")}
                )
            passed.add(above)
            record = self.parent("events", above, "parent")
            if record is None:
                return 0 if above == parent_id else parent_id
            # Nothing stands below what is new.
            above = record.get("parent", 0) if event.get("revision") else 0
        return parent_id


class Terms:
    """Says where new and moved terms belong."""

    def __init__(self, store: Store, parents: Parents) -> None:
        self._store = store
        self._parents = parents

    def place(self, plan: Plan, kind: Kind, record: Record, changes: Record) -> None:
        """Set the ancestors of a term that gets a parent, and refuse a name that is taken."""
        if kind.has_status:
            return
        if "parent" in changes and kind.is_hierarchical:
            record["parent"] = changes["parent"] or 0
            record["ancestors"] = self._ancestors(kind, record)
        if not record.get("revision"):
            self._refuse_second(plan, kind, record, changes)

    def _ancestors(self, kind: Kind, record: Record) -> list[int]:
        """Return the ids above the record, the topmost first."""
        if not record["parent"]:
            return []
        parent = self._parents.parent(kind.name, record["parent"], "ancestors")
        if parent is None:
            raise InvalidParameters(
                {"parent": Message("There is no such {kind}.", kind="category")}
            )
        above = [*parent["ancestors"], parent["_id"]]
        if record["_id"] in above:
            raise InvalidParameters({"parent": Message("A category cannot be below itself.")})
        return above

    def _refuse_second(self, plan: Plan, kind: Kind, record: Record, changes: Record) -> None:
        """Refuse a new term of a name that its place already has, unless it brings a slug."""
        for language, texts in record["variants"].items():
            slug = slugify(changes["variants"][language].get("slug") or "")
            if slug or not texts.get(kind.label):
                continue
            key = name_key(language, texts[kind.label])
            if plan.stored_namesakes(kind.name, [key]) == []:
                continue
            clauses = [equals("names", key)]
            if kind.is_hierarchical:
                clauses.append(equals("parent", record["parent"]))
            namesake = self._store.of(kind).first(
                all_of([*clauses, differs("_id", record["_id"])]), ["_id"]
            )
            if namesake is not None:
                raise TermExists(kind.singular, namesake["_id"])
