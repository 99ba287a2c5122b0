"""Narrows lists of running events by the duration of events.

An index by start cannot tell where to begin: what is on may have begun at any time. Taken by their
lengths, events can: see ``domain/lengths.py``. MongoDB merges the parts in the order of the start.
"""

from datetime import datetime

from calendar_app.domain.lengths import LENGTHS, LONGER, begun_since
from calendar_app.query.clauses import Clause, all_of, any_of, at_least, equals

LASTS_UNDER = "lasts_under"

_END, _START = "end_local", "start_local"
# Where anything else narrows a list, an index of that does better than one of lengths.
_NARROWED_BY = frozenset({"status", "hidden", _START, _END})


def narrow_by_duration(clause: Clause, order: object) -> Clause:
    """Narrow a list by start and end to the latest start of each duration.

    Other clauses are returned unchanged.
    """
    parts = clause.get("$and", [clause])
    ends = [moment for part in parts if (moment := _still_on_at(part))]
    plain = all(part.keys() <= _NARROWED_BY for part in parts)
    begins = any("$gt" in part.get(_START, ()) or "$gte" in part.get(_START, ()) for part in parts)
    if not ends or not plain or begins or not _by_start(order):
        return clause
    latest = max(ends)
    short = [
        all_of([clause, equals(LASTS_UNDER, days), at_least(_START, begun_since(latest, days))])
        for days in LENGTHS
    ]
    longer = all_of([clause, equals(LASTS_UNDER, LONGER)])
    return any_of([*short, longer])


def _by_start(order: object) -> bool:
    return isinstance(order, list) and order[:1] in ([(_START, 1)], [(_START, -1)])


def _still_on_at(part: Clause) -> datetime | None:
    moment = part.get(_END, {}).get("$gt")
    return moment if isinstance(moment, datetime) else None
