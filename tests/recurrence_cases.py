"""Random recurrence rules with starts on them, for comparisons with other expanders.

As a program it writes ``RECURRENCE_RULES`` of them as JSON, with our dates.
"""

import json
import os
import sys
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from random import Random

from dateutil.rrule import rrulestr
from unit.domain.recurrence.series import recurrence
from unit.domain.spans import settled

from calendar_app.domain.recurrence.expansion import candidates
from calendar_app.domain.zones import instant_of, wall_of, zone_of

RULES = int(os.environ.get("RECURRENCE_RULES", "300"))
MOST_DATES = 60
ZONES = (
    "Europe/Zurich",
    "America/New_York",
    "America/Santiago",
    "Australia/Lord_Howe",
    "Africa/Casablanca",
    "Pacific/Apia",
    "UTC",
)
DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")


@dataclass(frozen=True)
class Case:
    """A rule, a start on it, and the latest start to compare, in wall clock."""

    rule: str
    zone: str
    start: datetime
    horizon: datetime

    def dates(self):
        """Return our dates, at most ``MOST_DATES``; each as the rule names it."""
        event = settled(start=str(self.start), end=str(self.start), timezone=self.zone)
        dates = []
        for date in candidates(recurrence(event, rrule=self.rule), event):
            if date.wall > self.horizon or len(dates) == MOST_DATES:
                break
            dates.append(date.wall)
        return dates

    def comparable(self, dates):
        """Return dates of another expander as ours: those that a gap makes one are one."""
        zone = zone_of(self.zone)
        by_instant = {}
        for wall in sorted(dates):
            by_instant.setdefault(instant_of(wall, zone), wall)
        return [wall for wall in by_instant.values() if wall <= self.horizon][:MOST_DATES]

    def as_json(self):
        """Return the case in UTC, as expanders without zones read it."""
        case = replace(self, zone="UTC")
        return {
            "rule": self.rule.replace("Z", ""),
            "start": self.start.isoformat(),
            "end": self.horizon.isoformat(),
            "dates": [date.isoformat() for date in case.dates()],
            "most": MOST_DATES,
        }


def random_case(random):
    """Return a case; its UNTIL, if any, stands last in the rule."""
    while True:
        zone = random.choice(ZONES)
        start = datetime(2020, 1, 1) + timedelta(  # noqa: DTZ001  a wall clock has no zone
            days=random.randrange(3000), minutes=30 * random.randrange(48)
        )
        rule = _random_rule(random)
        start = next(iter(rrulestr(rule, dtstart=start)), None)
        if start is None or _is_skipped(start, zone_of(zone)):
            continue
        horizon = start + timedelta(days=random.choice((90, 800, 4000)))
        return Case(rule + _random_end(random, start), zone, start, horizon)


def _is_skipped(start, zone):
    """Return whether the clocks never show a start: the event begins later then."""
    return wall_of(instant_of(start, zone), zone) != start


def _random_end(random, start):
    match random.randrange(3):
        case 0:
            return f";COUNT={random.randint(1, 40)}"
        case 1:
            until = start + timedelta(days=random.randint(1, 1500), minutes=random.randrange(1440))
            return f";UNTIL={until:%Y%m%dT%H%M%SZ}"
        case _:
            return ""


def _random_rule(random):
    freq = random.choice(("DAILY", "WEEKLY", "MONTHLY", "YEARLY"))
    parts = [f"FREQ={freq}"]
    if random.random() < 0.5:
        parts.append(f"INTERVAL={random.randint(1, 5)}")
    if random.random() < 0.3:
        parts.append(f"WKST={random.choice(DAYS)}")
    parts += _RANDOM_PARTS[freq](random)
    if random.random() < 0.1:
        parts.append(f"BYHOUR={_sample(random, range(24), 3)}")
    return ";".join(parts)


def _sample(random, values, most):
    return ",".join(map(str, sorted(random.sample(list(values), random.randint(1, most)))))


def _daily(random):
    return random.choice(([], [], [f"BYDAY={_sample(random, DAYS, 5)}"], [_months(random)]))


def _weekly(random):
    days = random.choice(([], [f"BYDAY={_sample(random, DAYS, 5)}"]))
    return days + random.choice(([], [], [_months(random)]))


def _monthly(random):
    days = _sample(random, DAYS, 4)
    nth = ",".join(f"{number}{random.choice(DAYS)}" for number in random.sample((1, 2, 3, -1), 2))
    return random.choice(
        (
            [],
            [f"BYMONTHDAY={_sample(random, [*range(1, 32), -1, -2], 4)}"],
            [f"BYDAY={nth}"],
            [f"BYDAY={days}"],
            [f"BYDAY={days}", f"BYMONTHDAY={_sample(random, range(1, 29), 9)}"],
            [f"BYDAY={days}", f"BYSETPOS={_sample(random, [1, 2, 3, -1], 2)}"],
        )
    ) + random.choice(([], [], [_months(random)]))


def _yearly(random):
    nth = f"{random.choice((1, 2, 4, -1))}{random.choice(DAYS)}"
    days = _sample(random, DAYS, 3)
    return random.choice(
        (
            [],
            [_months(random)],
            [_months(random), f"BYMONTHDAY={_sample(random, range(1, 29), 3)}"],
            [_months(random), f"BYDAY={nth}"],
            [_months(random), f"BYDAY={days}"],
            [f"BYDAY=20{random.choice(DAYS)}"],
            [f"BYYEARDAY={_sample(random, [*range(1, 366), -1, -100], 4)}"],
            [f"BYWEEKNO={_sample(random, range(2, 52), 2)}", f"BYDAY={days}"],
            [_months(random), f"BYDAY={days}", f"BYSETPOS={random.choice((1, 2, -1))}"],
        )
    )


def _months(random):
    return f"BYMONTH={_sample(random, range(1, 13), 4)}"


_RANDOM_PARTS = {"DAILY": _daily, "WEEKLY": _weekly, "MONTHLY": _monthly, "YEARLY": _yearly}


if __name__ == "__main__":
    random = Random(3)  # noqa: S311  the same rules each time
    json.dump([random_case(random).as_json() for _ in range(RULES)], sys.stdout)
