"""A model in plain Python of the writes to recurring events."""

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

LENGTH = timedelta(hours=2)
DAYS = {"DAILY": 1, "WEEKLY": 7}


def text(moment):
    return moment.isoformat(" ", "seconds")


@dataclass
class Series:
    """A series without its rule text; ``before`` is the moment where it was split."""

    start: datetime
    freq: str
    count: int | None
    fields: dict
    before: datetime | None = None
    exdates: set = field(default_factory=set)
    rdates: set = field(default_factory=set)
    is_trashed: bool = False

    def date(self, number):
        if self.freq in DAYS:
            return self.start + number * timedelta(days=DAYS[self.freq])
        months = self.start.month - 1 + number
        return self.start.replace(year=self.start.year + months // 12, month=months % 12 + 1)

    def by_rule(self, horizon):
        dates, number = [], 0
        while self.count is None or number < self.count:
            moment = self.date(number)
            if number and (moment > horizon or (self.before and moment >= self.before)):
                break
            dates.append(moment)
            number += 1
        return dates

    def dates(self, horizon):
        if self.is_trashed:
            return set()
        return ({*self.by_rule(horizon)} | self.rdates) - self.exdates

    def move(self, step):
        self.start += step
        self.before = self.before and self.before + step
        self.exdates = {moment + step for moment in self.exdates}
        self.rdates = {moment + step for moment in self.rdates}


@dataclass
class Event:
    """An occurrence with its series, its recurrence date and its overrides."""

    series: int
    date: datetime
    own: dict = field(default_factory=dict)
    times: tuple | None = None
    own_times: set = field(default_factory=set)
    lacks_romansh: bool = False
    state: str = "live"


class Model:
    """A calendar of series, with the effect of each kind of write."""

    def __init__(self, horizon):
        self.horizon = horizon
        self.series = {}
        self.events = {}

    def live(self, series_id=None):
        return [
            number
            for number, event in self.events.items()
            if event.state == "live" and series_id in (None, event.series)
        ]

    def fields_of(self, number):
        event = self.events[number]
        fields = self.series[event.series].fields | event.own
        start, end = event.times or (event.date, event.date + LENGTH)
        overrides = set(event.own) - {"romansh"}
        overrides |= {"title"} if "romansh" in event.own and not event.lacks_romansh else set()
        overrides |= {"translations"} if event.lacks_romansh else set()
        overrides |= event.own_times
        return {
            "title": fields["title"],
            "romansh": None if event.lacks_romansh else fields["romansh"],
            "cost": fields["cost"],
            "start": text(start),
            "end": text(end),
            "recurrence_id": text(event.date),
            "overrides": overrides,
        }

    def override(self, number, changes, times=None):
        event = self.events[number]
        series_fields = self.series[event.series].fields
        if "romansh" in changes and event.lacks_romansh:
            event.lacks_romansh = False
        event.own |= changes
        event.own = {
            name: value for name, value in event.own.items() if value != series_fields[name]
        }
        event.times = times or event.times
        start, end = event.times or (event.date, event.date + LENGTH)
        event.own_times = {"start_date"} if start != event.date else set()
        event.own_times |= {"end_date"} if end != event.date + LENGTH else set()
        event.times = event.times if event.own_times else None

    def take(self, number, changes, step):
        """Drop the overrides of the addressed event that a wider write replaces."""
        event = self.events[number]
        if "romansh" in changes:
            event.lacks_romansh = False
        event.own = {name: value for name, value in event.own.items() if name not in changes}
        if step is not None:
            event.times, event.own_times = None, set()

    def change_all(self, number, changes, step):
        series_id = self.events[number].series
        self.take(number, changes, step)
        self.series[series_id].fields |= changes
        self.shift(series_id, step)

    def shift(self, series_id, step):
        if step:
            self.series[series_id].move(step)
            for event in self.events.values():
                if event.series == series_id:
                    event.date += step

    def follow(self, number, changes, step):
        event = self.events[number]
        old = self.series[event.series]
        position = old.by_rule(self.horizon).index(event.date)
        self.series[number] = replace(
            old,
            start=event.date,
            count=old.count and old.count - position,
            fields=old.fields | changes,
            exdates={moment for moment in old.exdates if moment >= event.date},
            rdates=set(),
        )
        later = event.date
        for each in self.events.values():
            if each.series == event.series and each.date >= later and each is not event:
                each.series = number
        self.cut(event.series, later)
        event.series = number
        self.take(number, changes, step)
        self.shift(number, step)

    def cut(self, series_id, moment):
        series = self.series[series_id]
        series.before = min(series.before or moment, moment)
        if series.count:
            dates = [series.date(number) for number in range(series.count)]
            series.count = sum(date < moment for date in dates)
        series.exdates = {date for date in series.exdates if date < moment}
        series.rdates = {date for date in series.rdates if date < moment}

    def settle(self, added):
        """Give each series the events of its dates; ``added`` tells the ids of new ones."""
        for series_id, series in self.series.items():
            dates = series.dates(self.horizon)
            there = {}
            for event in self.events.values():
                if event.series == series_id and event.state != "gone":
                    there[event.date] = event
                    event.state = "live" if event.date in dates else "trash"
            for moment in sorted(dates - there.keys()):
                self.events[added(series_id, moment)] = Event(series_id, moment)
