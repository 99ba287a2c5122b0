"""Which records events refer to, without a look at each of a great many events."""

from calendar_app.mongo.store import Store
from calendar_app.query.clauses import Clause, none_of
from calendar_app.query.stages import ids_together, referred_to

_EVENTS = "events"
# Nearly all venues of a calendar are those of some thousand events. For each of the others MongoDB
# is asked for one event, which takes as long as a look at sixty.
_MOST_LOOKED_AT = 5000


def referred_to_by_events(store: Store, name: str, clause: Clause) -> set[int]:
    """Return the ids of all that events which match refer to by the field and kind ``name``."""
    looked_at = store[_EVENTS].aggregate(ids_together(name, clause, _MOST_LOOKED_AT + 1))
    ids = {each for together in looked_at for each in together["_id"]}
    if sum(together["number"] for together in looked_at) <= _MOST_LOOKED_AT:
        return ids
    unseen = store[name].find(none_of("_id", ids), fields=["_id"])
    stages = referred_to([record["_id"] for record in unseen], _EVENTS, name, clause)
    return ids | {record["_id"] for record in store[name].aggregate(stages)}
