"""The window of a calendar: of what lies outside, it says nothing.

Many calendars list the next ten events, or those from today on. An event behind the last one that
is listed may have been pushed out by new ones, and one before the first may be too near.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple
from urllib.parse import parse_qsl, urlsplit

# What says itself which events of a site are meant; otherwise all that have not ended.
_DATES = frozenset(
    {"start_date", "end_date", "starts_after", "starts_before", "ends_after", "ends_before"}
)
_FIRST, _LAST = datetime.min, datetime.max  # noqa: DTZ901  # naive in UTC, as all instants here


class ListedWindow(NamedTuple):
    """The starts of the first and the last event that a calendar lists, in UTC."""

    first: datetime
    last: datetime

    def covers(self, start: datetime) -> bool:
        """Say whether an event with this start would be listed.

        A list that ends with several events at one time may lack others of that time.
        """
        return self.first <= start < self.last


# Of a calendar that is known to have all its events, and of an empty one.
ALL_TIMES = ListedWindow(_FIRST, _LAST)
_NO_TIME = ListedWindow(_LAST, _FIRST)


def window_of(starts: Iterable[datetime], *, from_now: bool) -> ListedWindow:
    """Return the window of a calendar from the starts of its events.

    One that lists all events ``from_now`` on lacks none before the first.
    """
    listed = list(starts)
    if not listed:
        return _NO_TIME
    return ListedWindow(_FIRST if from_now else min(listed), max(listed))


def names_dates(address: str) -> bool:
    """Say whether the address of a site says itself which dates are listed."""
    return not _DATES.isdisjoint(dict(parse_qsl(urlsplit(address).query)))
