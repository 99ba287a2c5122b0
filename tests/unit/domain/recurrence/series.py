"""Series for tests: events at a site in Zurich, and their recurrences."""

from datetime import UTC, datetime

from unit.domain.spans import settled

from calendar_app.domain.recurrence.expansion import expand
from calendar_app.domain.recurrence.notation import parse, settle

NOW = datetime(2026, 11, 1, tzinfo=UTC)


def weekly_meeting(**sent):
    """Return the time of an event on a Wednesday morning."""
    return settled(**{"start": "2026-12-02 10:00", "end": "2026-12-02 12:00"} | sent)


def whole_day(first, last):
    return settled(start=f"{first} 00:00", end=f"{last} 23:59", all_day=True)


def recurrence(event, value=None, /, *, limit=1000, **parts):
    """Return a recurrence of an event, from a text or from the parts of an object."""
    return settle(parse(value or parts, NOW), event, limit=limit)


def starts(event, recurrence_of_event, until=None, limit=1000):
    """Return the starts of occurrences in wall clock, as texts to the minute."""
    occurrences = expand(
        recurrence_of_event,
        event,
        until=datetime.fromisoformat(until) if until else None,
        limit=limit,
    )
    return [f"{each.start_local:%Y-%m-%d %H:%M}" for each in occurrences]
