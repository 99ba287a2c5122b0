"""The events of a stored series: which of them take place, and which differ from its rule."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from calendar_app.api.http.request import current
from calendar_app.calendar.reading.event_lists import events_by_start, in_default_window
from calendar_app.domain.kind import Record
from calendar_app.domain.kinds import EVENT
from calendar_app.domain.statuses import CANCELED, POSTPONED, TRASH
from calendar_app.domain.statuses import STATUSES as ALL_STATUSES
from calendar_app.readmodel.records import local_text
from calendar_app.site.desk.event_form.dates import PreviewDate
from calendar_app.site.desk.event_form.times import Notation
from calendar_app.site.desk.rendering import language
from calendar_app.site.html import wording
from calendar_app.storage.query.clauses import all_of, any_of, equals, one_of
from calendar_app.storage.query.list_query import Listing, Window

LEFT_OUT, MOVED = "left-out", "moved"
_MOST_COMING, _MOST_CHANGED = 24, 500
_START = "start_local"


@dataclass(frozen=True, slots=True)
class SeriesDate:
    """One event of a series: when it is, and whether it takes place.

    ``state`` is that of the event, or that it is left out; ``day``, ``start`` and ``end`` are for
    the controls with which it is moved.
    """

    id: int
    when: str
    state: str
    is_moved: bool
    reason: str
    day: str
    start: str
    end: str


def when_of(event: Record) -> str:
    """Return when an event is, shortly where it is within a day."""
    start, end, all_day = event[_START], event["end_local"], event["all_day"]
    if start.date() != end.date() and not all_day:
        return wording.when(start, end, language(), all_day=False)
    return wording.short_moment(start, end, language(), all_day=all_day)


def named(event: Record) -> str:
    """Return the title of an event, and when it is."""
    title = local_text(event, "title", current.context().chain).text
    return ", ".join(filter(None, (title, when_of(event))))


def moved_texts(before: Record, after: Record) -> dict[str, str]:
    """Return the former and the new time of an event, for a message."""
    spans = [(event[_START], event["end_local"]) for event in (before, after)]
    all_day = bool(before["all_day"] and after["all_day"])
    is_short = all(start.date() == end.date() for start, end in spans)
    if is_short and before["all_day"] == after["all_day"]:
        texts = wording.move(*spans, language(), all_day=all_day)
    else:
        texts = when_of(before), when_of(after)
    return dict(zip(("date", "new_date"), texts, strict=True))


def coming_dates(series_id: int | None, how: Notation) -> Sequence[SeriesDate]:
    """Return the coming dates of a series; none without one."""
    context = current.context()
    if series_id is None:
        return ()
    is_coming = in_default_window(context.today(), context.zone)
    clause = all_of([equals("series", series_id), is_coming])
    listing = events_by_start(clause, context.caller, context.chain, _MOST_COMING, by_title=True)
    listing = replace(listing, statuses=ALL_STATUSES)
    coming = context.reader.search(EVENT, listing, context.caller).items
    return [date_controls(record, how) for record in coming]


def date_controls(record: Record, how: Notation) -> SeriesDate:
    start, end, all_day = record[_START], record["end_local"], record["all_day"]
    day, last = how.day(start.date()), how.day(end.date())
    until = f"{end:%H:%M}" if last == day else f"{last} {end:%H:%M}"
    is_left_out = record["status"] == TRASH
    state = LEFT_OUT if is_left_out else record.get("event_status", "")
    reason = local_text(record, "status_reason", current.context().chain).text
    return SeriesDate(
        record["_id"],
        " ".join(wording.short_when(start, end, language(), all_day=all_day)),
        state,
        _START in record["overrides"],
        reason,
        day,
        "" if all_day else f"{start:%H:%M}",
        "" if all_day else until,
    )


def with_changes(series_id: int, dates: Sequence[PreviewDate], how: Notation) -> list[PreviewDate]:
    """Return the dates of a rule, marked where their events are called off or moved."""
    context = current.context()
    is_changed = any_of(
        [
            one_of("event_status", (CANCELED, POSTPONED)),
            equals("overrides", _START),
            equals("status", TRASH),
        ]
    )
    clause = all_of([equals("series", series_id), is_changed])
    listing = Listing(Window(1, _MOST_CHANGED), ((_START, 1),), clause, statuses=ALL_STATUSES)
    changed = {
        record["recurrence_id"].isoformat(): date_controls(record, how)
        for record in context.reader.search(EVENT, listing, context.caller).items
    }
    return [
        replace(date, state=own.state or MOVED, note=own.reason if own.state else own.when)
        if (own := changed.get(date.id)) and not date.state
        else date
        for date in dates
    ]
