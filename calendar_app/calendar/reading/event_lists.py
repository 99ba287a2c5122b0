"""Lists of events that pages ask for by themselves, without the parameters of a request.

Dates are compared with the event's own wall clock, see ``docs/reference/reading.md``.
"""

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from calendar_app.accounts.callers import Caller
from calendar_app.accounts.policy import listed_for
from calendar_app.domain.moments import LAST_SECOND, default_window
from calendar_app.storage.query.clauses import (
    Clause,
    after,
    all_of,
    at_least,
    at_most,
    on_after_night,
)
from calendar_app.storage.query.list_query import Listing, Window

_BY_START = (("start_local", 1), ("_id", 1))


def starting_from(moment: datetime) -> Clause:
    """Match by start; the redundant end condition narrows scans of the end index."""
    return all_of([at_least("start_local", moment), at_least("end_local", moment)])


def ending_by(moment: datetime) -> Clause:
    """Match by end; the redundant start condition narrows scans of the start index."""
    return all_of([at_most("end_local", moment), at_most("start_local", moment)])


def in_default_window(today: datetime, zone: ZoneInfo) -> Clause:
    """Match the events of lists without dates: those of today and of the years that follow."""
    begin, end = default_window(today, zone)
    return all_of([starting_from(begin), ending_by(end)])


def starting_after(moment: datetime) -> Clause:
    """Match later starts; the end condition is redundant likewise."""
    return all_of([after("start_local", moment), after("end_local", moment)])


def starting_after_day(day: date) -> Clause:
    """Match starts on a later day."""
    return starting_after(datetime.combine(day, LAST_SECOND))


def on_day(day: date, night: timedelta) -> Clause:
    """Match events that are on during a day; the night to it belongs to the evening before."""
    begin, end = datetime.combine(day, time.min), datetime.combine(day, LAST_SECOND)
    return all_of([still_on(begin, night), at_most("start_local", end)])


def still_on(midnight: datetime, night: timedelta) -> Clause:
    """Match events that have not ended when a day begins, nor in the night to it."""
    return all_of([after("end_local", midnight), on_after_night(midnight, night)])


def events_by_start(
    clause: Clause, caller: Caller, chain: tuple[str, ...], size: int, *, by_title: bool = False
) -> Listing:
    """Return the first ``size`` events that match, by start.

    ``by_title`` says that the clause tells nothing of what a password protects, so that protected
    events are listed too, by title and dates alone.
    """
    listed = listed_for(caller, by_title=by_title)
    only_language = chain[0] if len(chain) == 1 else None
    return Listing(Window(1, size), _BY_START, all_of([listed, clause]), written=only_language)
