"""A model of the date filters in plain Python."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

SITE = ZoneInfo("Europe/Zurich")
LAST_SECOND = time(23, 59, 59)


@dataclass(frozen=True)
class Event:
    """The wall clock of an event, and whether it is public."""

    id: int
    start: datetime
    end: datetime
    public: bool = True


@dataclass(frozen=True)
class DateText:
    """A date as text, with its wall clock and zone."""

    text: str
    clock: datetime
    zone: object = None
    is_timestamp: bool = False

    def in_site_zone(self):
        if self.zone is None:
            return self.clock
        return self.clock.replace(tzinfo=self.zone).astimezone(SITE).replace(tzinfo=None)

    def day(self):
        return (self.in_site_zone() if self.is_timestamp else self.clock).date()


COMPARISONS: dict[str, Callable[[Event, datetime], bool]] = {
    "start_date": lambda event, bound: event.start >= bound,
    "end_date": lambda event, bound: event.end <= bound,
    "starts_before": lambda event, bound: event.start < bound,
    "starts_after": lambda event, bound: event.start > bound,
    "ends_before": lambda event, bound: event.end < bound,
    "ends_after": lambda event, bound: event.end > bound,
    "overlaps_from": lambda event, bound: event.end > bound,
    "overlaps_to": lambda event, bound: event.start < bound,
}
WINDOW = ("start_date", "end_date")
FROM_THE_FIRST_SECOND = ("start_date", "overlaps_from")


def bound_of(name, moment, *, strict):
    if strict:
        return moment.in_site_zone()
    if name == "overlaps_to":
        return datetime.combine(moment.day() + timedelta(days=1), time.min)
    edge = time.min if name in FROM_THE_FIRST_SECOND else LAST_SECOND
    return datetime.combine(moment.day(), edge)


def default_window(now):
    eve = datetime.combine(now.date() - timedelta(days=1), time(23, 59), UTC).astimezone(SITE)
    today = now.astimezone(SITE).date()
    leap_day = (today.month, today.day) == (2, 29)
    ahead = today.replace(year=today.year + 2, **({"month": 3, "day": 1} if leap_day else {}))
    return {
        "start_date": datetime.combine(eve, time.min),
        "end_date": datetime.combine(ahead, LAST_SECOND),
    }


@dataclass(frozen=True)
class Query:
    dates: dict[str, DateText]
    strict: str | None
    include: tuple[int, ...]
    per_page: int
    editor: bool

    def is_empty_span(self):
        """Return whether nothing can overlap: ``overlaps_to`` is not after ``overlaps_from``."""
        strict = self.strict in ("true", "1", "yes", "on")
        names = ("overlaps_from", "overlaps_to")
        if not set(names) <= self.dates.keys():
            return False
        begin, end = (bound_of(name, self.dates[name], strict=strict) for name in names)
        return end <= begin

    def parameters(self):
        sent = {name: moment.text for name, moment in self.dates.items()}
        if self.strict is not None:
            sent["strict_dates"] = self.strict
        if self.include:
            sent["include"] = ",".join(map(str, self.include))
        return sent | {"per_page": self.per_page}


def expected(events, query, now):
    """Return the ids that a list has, in its order."""
    strict = query.strict in ("true", "1", "yes", "on")
    bounds = {n: bound_of(n, moment, strict=strict) for n, moment in query.dates.items()}
    if query.include:
        bounds = {}
    elif not set(bounds) - set(WINDOW):
        bounds = default_window(now) | bounds
    matching = [
        event
        for event in events
        if (event.public or query.editor)
        and (not query.include or event.id in query.include)
        and all(COMPARISONS[name](event, bound) for name, bound in bounds.items())
    ]
    return [event.id for event in sorted(matching, key=lambda event: (event.start, event.id))]
