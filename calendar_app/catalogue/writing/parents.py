"""Events that are parts of others."""

from calendar_app.domain.kind import Record
from calendar_app.errors import InvalidParameters, Message
from calendar_app.query.clauses import identified
from calendar_app.storage.store import Store


def refuse_circle(store: Store, event: Record, parent: int) -> None:
    """Refuse a parent that is the event itself, or a part of it."""
    passed: set[int] = set()
    while parent and parent not in passed:
        if parent == event["_id"]:
            raise InvalidParameters({"post_parent": Message("An event cannot be below itself.")})
        passed.add(parent)
        # Held, lest it moves below this event at the same time.
        above = store["events"].hold(identified(parent), ["parent"])
        parent = above.get("parent", 0) if above else 0
