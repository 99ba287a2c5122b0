"""Count the hours after midnight to the evening before: on which days an event is on."""

from datetime import date, datetime, time, timedelta

_SHORTEST = timedelta(microseconds=1)


def days_of(start: datetime, end: datetime, day_ends: time) -> tuple[date, date]:
    """Return the first and the last day on which an event is on.

    All are times on the event's own clocks. What ends by ``day_ends`` ends with the day before,
    unless it begins after midnight.
    """
    last = end - night(day_ends) - _SHORTEST if end > start else end
    return start.date(), max(start.date(), last.date())


def night(day_ends: time) -> timedelta:
    """Return how long after midnight a day lasts."""
    return datetime.combine(date.min, day_ends) - datetime.combine(date.min, time.min)


def night_to(day: date, now: datetime, day_ends: time) -> timedelta:
    """Return how long the night to a day lasts; while it lasts, how long it has lasted.

    So what is still on after midnight is on, and what is over is not.
    """
    whole, passed = night(day_ends), now - datetime.combine(day, time.min)
    return passed if timedelta() <= passed < whole else whole
