"""Parents of categories and events."""

from calendar_app.domain.kind import Record
from calendar_app.errors import InvalidParameters, Message
from calendar_app.mongo.store import Store
from calendar_app.query.clauses import identified


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
