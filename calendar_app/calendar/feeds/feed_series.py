"""Series in feeds for calendar programs: one component with the rule, and one per override.

From today on a subscriber gets the dates of the list and no other. Where the list holds all of
these, the rule says so, with past ones; dates that the caller may not read are exceptions of it.
Where a filter leaves some out, the dates of the list are named one by one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from calendar_app.domain.kind import Record
from calendar_app.domain.recurrence.model import Recurrence


@dataclass(frozen=True, slots=True)
class FeedSeries:
    """A series as a feed holds it: its record, and the events that differ from it.

    ``recurrence`` gives the dates of the feed, counted from ``start``, in wall clock.
    """

    record: Record
    overrides: Sequence[Record]
    start: datetime
    recurrence: Recurrence

    @property
    def records(self) -> Sequence[Record]:
        """Return all records that the feed shows."""
        return (self.record, *self.overrides)

    @property
    def dates(self) -> tuple[datetime, Recurrence]:
        """Return the first date and the recurrence, for cache keys."""
        return self.start, self.recurrence
