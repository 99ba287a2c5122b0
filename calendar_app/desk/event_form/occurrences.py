"""The coming dates of a series, beside the form of the series and of each of its events."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from calendar_app.desk.event_form.stored import StoredEvent
from calendar_app.desk.languages import language
from calendar_app.http.request import current
from calendar_app.kinds import EVENT
from calendar_app.pages import wording
from calendar_app.query.list_query import Window
from calendar_app.resources.events.filters import EventListSchema

_SCHEMA = EventListSchema()
_MOST = 24


@dataclass(frozen=True, slots=True)
class Date:
    """One event of a series: when it is, and whether it takes place."""

    id: int
    when: str
    status: str
    is_own: bool


def occurrences_of(event: StoredEvent) -> Sequence[Date]:
    """Return the coming events of the series of an event, none for a single one."""
    if event.series_id is None:
        return ()
    listing = _SCHEMA.load({"series": str(event.series_id), "status": "any"}).listing
    found = current.reader().search(
        EVENT, replace(listing, window=Window(1, _MOST)), current.caller()
    )
    return [
        Date(
            record["_id"],
            wording.when(
                record["start_local"], record["end_local"], language(), all_day=record["all_day"]
            ),
            record.get("event_status", ""),
            record["_id"] == event.record["_id"],
        )
        for record in found.items
    ]
