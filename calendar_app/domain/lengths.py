"""How long events last, roughly: enough to know how long ago one began that is still on.

Most events are over within the day, a few go on for months. Told apart by their length, those that
are on at some time began shortly before it, but for the few.
"""

from datetime import date, datetime, time, timedelta

# In days. What lasts longer than all of these may have begun at any time.
LENGTHS = (1, 8, 64, 512)
LONGER = 0


def lasts_under(start: datetime, end: datetime) -> int:
    """Return the least of the lengths that the time between is shorter than, else ``LONGER``."""
    return next((days for days in LENGTHS if end - start < timedelta(days=days)), LONGER)


def begun_since(moment: datetime, days: int) -> datetime:
    """Return since when an event began that lasts less than so many days and is on at ``moment``.

    As far back as years are counted.
    """
    try:
        return moment - timedelta(days=days)
    except OverflowError:
        return datetime.combine(date.min, time.min)
