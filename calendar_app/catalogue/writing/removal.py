"""Taking records away: to the trash, or for good with all that points to them."""

from calendar_app.catalogue.pictures.uses import ShownPictures
from calendar_app.catalogue.places.points import Places
from calendar_app.catalogue.reading.links import LINKS
from calendar_app.catalogue.slugs.naming import Naming
from calendar_app.catalogue.writing.terms import Terms
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.statuses import TRASH
from calendar_app.query.clauses import equals
from calendar_app.storage.store import Store


class Removal:
    """Trashes and purges, inside the transaction that runs."""

    def __init__(
        self, store: Store, naming: Naming, terms: Terms, shown_pictures: ShownPictures
    ) -> None:
        self._store = store
        self._naming = naming
        self._terms = terms
        self._places = Places(store)
        self._shown_pictures = shown_pictures

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
        if kind.name == "media":
            self._shown_pictures.release(record, force=force)
        events, field = self._store["events"], kind.name
        if field == "venues":
            self._places.leave(record["_id"])
        if field in LINKS:
            events.change_all(equals(field, record["_id"]), {"$pull": {field: record["_id"]}})
        elif kind.name == "events":
            events.change_all(equals("parent", record["_id"]), {"$set": {"parent": 0}})
        if kind.name == "categories":
            self._lift_children(kind, record)
        self._store.of(kind).remove(equals("_id", record["_id"]))

    def _lift_children(self, kind: Kind, record: Record) -> None:
        """Move the children of a category to its parent."""
        for child in self._store.of(kind).find(equals("parent", record["_id"])):
            lifted = {"parent": record["parent"], "ancestors": record["ancestors"]}
            self._store.of(kind).change(equals("_id", child["_id"]), {"$set": lifted})
            self._terms.follow(kind, child, {**child, **lifted})
