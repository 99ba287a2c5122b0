"""The one writer: stores what planners decided, and all that follows from it."""

from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from datetime import datetime
from functools import partial

from calendar_app.calendar.auditing import note_change
from calendar_app.calendar.history import Recorder
from calendar_app.calendar.places import DECISIVE, PlacedEvents
from calendar_app.calendar.reading.feed_contents import note_withdrawal
from calendar_app.calendar.reading.links import LINKED, LINKS
from calendar_app.calendar.search.vocabulary import Vocabulary, lender_of, optimistic_filter
from calendar_app.calendar.shown_pictures import ShownPictures
from calendar_app.calendar.slugs import FormerSlugs
from calendar_app.calendar.unions import Unions
from calendar_app.calendar.writing.before import records_before
from calendar_app.calendar.writing.changes import Change, WriteConflict, difference
from calendar_app.calendar.writing.terms import Hierarchy, count_terms
from calendar_app.domain.fields import WORDS
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.moments import Now
from calendar_app.domain.provenance import inherit, sources_of
from calendar_app.domain.statuses import PUBLISH, TRASH, note_hiding, touch, was_public
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.mongo.transactions import note_before, on_commit
from calendar_app.storage.query.clauses import equals, one_of

EVENTS, SERIES = "events", "series"
# Is given the records of a write before and after it, in its transaction; either may be empty.
WriteFollower = Callable[[Iterable[tuple[Kind, Record, Record]]], None]
# Is given the changes of a write before they are stored, in its transaction.
WritePreparer = Callable[[Collection[Change]], None]


class Writer:
    """Stores changes; every write of records goes through it.

    ``now`` gives the present as a naive UTC time; with ``history_days`` 0 no history is kept.
    """

    def __init__(
        self,
        store: Store,
        vocabulary: Vocabulary,
        now: Now,
        *,
        history_days: int,
        followers: Sequence[WriteFollower] = (),
    ) -> None:
        self.now = now
        self._store = store
        self._vocabulary = vocabulary
        self._placed = PlacedEvents(store)
        self._hierarchy = Hierarchy(store)
        self._pictures = ShownPictures(store)
        self._former_slugs = FormerSlugs(store)
        self._unions = Unions(store)
        self._recorder = Recorder(store, history_days)
        self._followers = [*followers]
        self._preparers: list[WritePreparer] = []

    def follow_with(self, follower: WriteFollower) -> None:
        """Let one more follower take part in all later writes."""
        self._followers.append(follower)

    def prepare_with(self, preparer: WritePreparer) -> None:
        """Let somebody change the records of all later writes before these are stored."""
        self._preparers.append(preparer)

    def apply(self, changes: Collection[Change]) -> None:
        """Store changes of different records in the transaction that runs.

        The records after them get their revision, their words and their time. Changes that change
        nothing are dropped. Raises ``WriteConflict`` where a record is not as it was read.
        """
        now = self.now()
        for prepare in self._preparers:
            prepare(changes)
        _pass_on_sources(changes)
        written = [change for change in changes if _is_written(change, now)]
        stored = [change for change in written if change.after]
        changed = [change for change in stored if change.before]
        self._vocabulary.index_words(change.records for change in stored)
        count_terms(self._store, written)
        for change in stored:
            _stamp(change, now)
        for kind, own in _by_kind(written):
            self._store_records(kind, own)
        for change in written:
            self._follow(change, now)
        self._touch_series(written, now)
        self._former_slugs.note(change.records for change in changed)
        self._recorder.note(change.records for change in stored if change.in_history)
        self.inform(change.records for change in written)
        note_before(records_before(written))
        _note_changes(changes, written)
        self._recheck_after_commit(written)

    def inform(self, records: Iterable[tuple[Kind, Record, Record]]) -> None:
        """Give all followers the records before and after a write."""
        pairs = [*records]
        for follow in self._followers:
            follow(pairs)

    def _store_records(self, kind: Kind, changes: Sequence[Change]) -> None:
        """Store changes of one kind in an order in which no two have the same unique value.

        Documents that take over a unique value of another one are deleted and inserted. So are
        occurrences with the words of their series: inside a transaction, MongoDB 6 parses the
        catalog entry of the collection for each index of each updated document, so that the time
        grows with the square of the indexes. An update does not touch the keys of words: with 40
        words of its own a document is updated as fast as replaced, with more of them faster.
        """
        records = self._store.of(kind)
        deleted = [change.before["_id"] for change in changes if not change.after]
        replaced = _taking_over(changes) | _showing_words_of_series(changes)
        updates = [
            (optimistic_filter(change.before), difference(change.before, change.after))
            for change in changes
            if change.before and change.after and change.after["_id"] not in replaced
        ]
        inserted = [c.after for c in changes if not c.before or c.before["_id"] in replaced]
        if deleted or replaced:
            records.remove(one_of("_id", [*deleted, *replaced]))
        if deleted:
            self._forget(kind, deleted)
        if updates and records.change_each(updates) != len(updates):
            raise WriteConflict
        if new := [record for record in inserted if record]:
            records.insert_many(new)

    def _forget(self, kind: Kind, record_ids: Collection[int]) -> None:
        """Forget former slugs, history, unions and children of records deleted for good."""
        if kind.name == EVENTS:
            below = one_of("parent", record_ids)
            self._store.of(kind).change_all(below, {"$set": {"parent": 0}})
        self._former_slugs.forget(kind, record_ids)
        self._unions.forget_texts(kind, record_ids)
        self._recorder.forget(kind, record_ids)

    def _follow(self, change: Change, now: datetime) -> None:
        """Update the documents that depend on a record."""
        kind, before, after = change.records
        if not after:
            self._clear_references(kind, before, now)
        elif before:
            if kind.is_place and any(before[name] != after[name] for name in DECISIVE):
                self._placed.follow(after)
            if kind.is_hierarchical:
                self._hierarchy.follow(kind, before, after)
            if kind.name in LINKED and was_public(before, after):
                # Events that link to it tell that it is no longer public.
                self._change_linking(kind.name, after["_id"], touch(now))

    def _clear_references(self, kind: Kind, record: Record, now: datetime) -> None:
        if kind.is_picture:
            self._pictures.release(record, now)
        if kind.is_place:
            self._placed.clear(record["_id"])
        if kind.name in LINKS:
            self._withdraw(kind, record, now)
        if kind.is_hierarchical:
            self._hierarchy.lift_children(kind, record)

    def _withdraw(self, kind: Kind, record: Record, now: datetime) -> None:
        """Let no event link to a record."""
        update = {"$pull": {kind.name: record["_id"]}, **touch(now)}
        self._change_linking(kind.name, record["_id"], update)

    def _change_linking(self, field: str, record_id: int, update: Record) -> None:
        for name in (EVENTS, SERIES):
            self._store[name].change_all(equals(field, record_id), update)

    def _touch_series(self, changes: Sequence[Change], now: datetime) -> None:
        """Touch the series of public dates that change without it: its component names them."""
        series_ids = {
            change.after["series"]
            for change in changes
            if "series" in change.after
            and PUBLISH in (change.before.get("status"), change.before and change.after["status"])
        }
        for change in changes:
            if change.kind.name == SERIES:
                series_ids.discard((change.after or change.before)["_id"])
        if series_ids:
            self._store[SERIES].change_all(one_of("_id", sorted(series_ids)), touch(now))

    def _recheck_after_commit(self, changes: Sequence[Change]) -> None:
        """Clear references to records that were deleted while a reference was being written."""
        showing = [change.after for change in changes if _shows_another_picture(change)]
        if showing:
            on_commit(lambda: self._pictures.withdraw_missing(showing, self.now()))
        for change in changes:
            if not change.after:
                on_commit(partial(self._recheck_deleted, change.kind, change.before))

    def _recheck_deleted(self, kind: Kind, record: Record) -> None:
        """Remove references to a deleted picture, organizer or venue that came meanwhile.

        Terms, parents and the first venue of an event are seen by the event itself, which would
        take one more question for the others.
        """
        if kind.is_picture:
            self._pictures.withdraw(record["_id"], self.now())
        elif kind.name in LINKED:
            self._withdraw(kind, record, self.now())


def _pass_on_sources(changes: Collection[Change]) -> None:
    """Let dates inherit the sources of a series that is stored with them."""
    series = {
        change.after["_id"]: sources_of(change.after)
        for change in changes
        if change.kind.name == SERIES and change.after
    }
    for change in changes:
        if change.kind.name == EVENTS and (own := change.after.get("series")) in series:
            inherit(change.after, series[own])


def _is_written(change: Change, now: datetime) -> bool:
    if not (change.before and change.after):
        return True
    if change.kind.fed:
        note_withdrawal(change.before, change.after, now)
    return bool(difference(change.before, change.after))


def _stamp(change: Change, now: datetime) -> None:
    """Give a record its revision; a new one keeps the time that it has."""
    before, after = change.before, change.after
    revision = max(before.get("revision", 0), after.get("revision", 0)) + 1
    after |= {"revision": revision, "modified": now if before else after["modified"]}
    if before and change.kind.name == SERIES:
        note_hiding(before, after, now)


def _by_kind(changes: Iterable[Change]) -> Iterable[tuple[Kind, list[Change]]]:
    by_name: dict[str, list[Change]] = {}
    for change in changes:
        by_name.setdefault(change.kind.name, []).append(change)
    return [(own[0].kind, own) for own in by_name.values()]


def _taking_over(changes: Sequence[Change]) -> set[int]:
    """Return the ids of records that get a unique value which another one has before."""
    changed = [change for change in changes if change.before and change.after]
    holders = {
        value: change.before["_id"] for change in changed for value in _unique_values(change.before)
    }
    return {
        change.after["_id"]
        for change in changed
        if any(
            holders.get(value, change.after["_id"]) != change.after["_id"]
            for value in _unique_values(change.after)
        )
    }


def _showing_words_of_series(changes: Iterable[Change]) -> set[int]:
    """Return the ids of occurrences that have showed the words of their series, and still do."""
    return {
        change.after["_id"]
        for change in changes
        if change.before and change.after and lender_of(change.after) is not None
        # Not those that an earlier release has stored.
        if change.before.get(WORDS) == change.after[WORDS]
    }


def _unique_values(record: Record) -> list[Hashable]:
    date = [(record["series"], record["recurrence_id"])] if "series" in record else []
    return [*record.get("slugs", ()), *date]


def _shows_another_picture(change: Change) -> bool:
    picture = change.after.get("image")
    return isinstance(picture, int) and picture != change.before.get("image")


def _note_changes(changes: Iterable[Change], written: Iterable[Change]) -> None:
    """Note the written changes, and changes with an action of their own, for the audit log."""
    written_ids = set(map(id, written))
    for change in changes:
        if action := _action(change) if id(change) in written_ids else change.action:
            note_change(action, change.kind, (change.after or change.before)["_id"])


def _action(change: Change) -> str:
    if change.action is not None:
        return change.action
    if not (change.before and change.after):
        return "delete" if change.before else "create"
    return (
        "trash" if change.after.get("status") == TRASH != change.before.get("status") else "update"
    )
