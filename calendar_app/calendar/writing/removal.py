"""Taking records away: to the trash, or for good with all that points to them."""

from collections.abc import Collection

from calendar_app.calendar.history import Recorder
from calendar_app.calendar.pictures.uploads import ShownPictures
from calendar_app.calendar.places import Places
from calendar_app.calendar.reading.links import LINKED, LINKS
from calendar_app.calendar.slugs import FormerSlugs
from calendar_app.calendar.writing.record_builder import RecordBuilder
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.statuses import TRASH, touch
from calendar_app.mongo.store import Store
from calendar_app.query.clauses import equals


class Removal:
    """Trashes and purges, inside the transaction that runs."""

    def __init__(
        self,
        store: Store,
        builder: RecordBuilder,
        shown_pictures: ShownPictures,
        recorder: Recorder,
    ) -> None:
        self._store = store
        self._naming = builder.naming
        self._terms = builder.terms
        self._places = Places(store)
        self._shown_pictures = shown_pictures
        self._former_slugs = FormerSlugs(store)
        self._recorder = recorder
        self._now = builder.now

    def trashed(self, kind: Kind, record: Record) -> Record:
        """Return the record as it lies in the trash, its slugs free for others."""
        variants = {tag: dict(texts) for tag, texts in record["variants"].items()}
        was = {"status": TRASH, "status_before_trash": record["status"]}
        after = {**record, **was, "variants": variants}
        self._naming.retire(kind, after)
        return after

    def purge(self, kind: Kind, record: Record, *, force: bool) -> None:
        """Delete the record and every reference to it.

        Raises ``PictureInUse`` for a picture that records show, unless with ``force``.
        """
        if kind.is_picture:
            self._shown_pictures.release(record, self._now(), force=force)
        if kind.is_place:
            self._places.clear_events_at(record["_id"])
        if kind.name in LINKS:
            self._withdraw(kind.name, record["_id"])
        if kind.is_hierarchical:
            self._terms.lift_children(kind, record)
        elif "parent" in kind.defaults:
            clause = equals("parent", record["_id"])
            self._store.of(kind).change_all(clause, {"$set": {"parent": 0}})
        self._store.of(kind).remove(equals("_id", record["_id"]))
        self.forget(kind, [record["_id"]])

    def hide(self, kind: Kind, record_id: int) -> None:
        """Let the events that link to a record tell that it is no longer public."""
        for name in ("events", "series"):
            self._store[name].change_all(equals(kind.name, record_id), touch(self._now()))

    def forget(self, kind: Kind, record_ids: Collection[int]) -> None:
        """Forget former slugs and history of records that are deleted for good."""
        self._former_slugs.forget(kind, record_ids)
        self._recorder.forget(kind, record_ids)

    def recheck_after_commit(self, kind: Kind, record_id: int) -> None:
        """Remove references, after the commit, to a deleted picture, organizer or venue.

        What came meanwhile is not seen before. Terms, parents and the first venue of an event are
        seen by the event itself, which would take one more question for the others.
        """
        if kind.is_picture:
            self._shown_pictures.withdraw(record_id, self._now())
        elif kind.name in LINKED:
            self._withdraw(kind.name, record_id)

    def _withdraw(self, field: str, record_id: int) -> None:
        clause = equals(field, record_id)
        update = {"$pull": {field: record_id}, **touch(self._now())}
        for name in ("events", "series"):
            self._store[name].change_all(clause, update)
