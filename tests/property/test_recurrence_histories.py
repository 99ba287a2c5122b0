"""Random histories of writes to series, against a model in plain Python.

``RECURRENCE_CASES`` in the environment sets the number of histories.
"""

import os
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from random import Random

import pytest

from calendar_app.http.request.current import get_services

pytestmark = [pytest.mark.needs_mongodb, pytest.mark.timeout(0)]

CASES = int(os.environ.get("RECURRENCE_CASES", "40"))
STEPS = 10
LENGTH = timedelta(hours=2)
TITLES = ["Market", "Fair", "Choir", "Reading"]
ROMANSH = ["Martgà", "Fiera", "Chor", "Lectura"]
DAYS = {"DAILY": 1, "WEEKLY": 7}


def text(moment):
    return moment.isoformat(" ", "seconds")


@dataclass
class Series:
    """A series in plain words; ``before`` is where it was cut off."""

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
    """An occurrence: its place in a series, and what it overrides."""

    series: int
    date: datetime
    own: dict = field(default_factory=dict)
    times: tuple | None = None
    own_times: set = field(default_factory=set)
    lacks_romansh: bool = False
    state: str = "live"


class Model:
    """A calendar of series, and what each write makes of it."""

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

    def shown(self, number):
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
        given = self.series[event.series].fields
        if "romansh" in changes and event.lacks_romansh:
            event.lacks_romansh = False
        event.own |= changes
        event.own = {name: value for name, value in event.own.items() if value != given[name]}
        event.times = times or event.times
        start, end = event.times or (event.date, event.date + LENGTH)
        event.own_times = {"start_date"} if start != event.date else set()
        event.own_times |= {"end_date"} if end != event.date + LENGTH else set()
        event.times = event.times if event.own_times else None

    def take(self, number, changes, step):
        """Let the addressed event of a wider write have what was sent."""
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
        series.before = moment
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
            for moment in dates - there.keys():
                self.events[added(series_id, moment)] = Event(series_id, moment)


class History:
    """Writes to the service and to the model, and compares them."""

    def __init__(self, admin, clock, extend, seed):
        self.admin, self.clock, self.extend = admin, clock, extend
        self.random = Random(seed)  # noqa: S311  # no secret
        self.model = Model(datetime.fromisoformat("2032-01-15 23:59:59"))
        self.log = [seed]

    def send(self, method, path, **sent):
        self.log.append((method, path, sent))
        answer = getattr(self.admin, method)(path, **sent)
        assert answer.status_code in (200, 201), (self.log, answer.json)
        return answer.json

    def listed(self, series_id):
        query = {"per_page": 50, "translation_language": "all"}
        return self.admin.get(f"/series/{series_id}/events", **query).json["events"]

    def begin(self):
        start = datetime.fromisoformat(f"2030-02-{self.random.randint(5, 12):02} 10:00:00")
        freq = self.random.choice(["DAILY", "WEEKLY", "MONTHLY"])
        count = None if freq == "MONTHLY" else self.random.randint(3, 8)
        fields = {"title": "Market", "romansh": "Martgà", "cost": "$5"}
        rule = f"FREQ={freq}" + (f";COUNT={count}" if count else "")
        event = self.send(
            "post",
            "/events",
            title="Market",
            variants={"rm": {"title": "Martgà"}},
            cost="5",
            start_date=text(start),
            end_date=text(start + LENGTH),
            recurrence={"rrule": rule},
        )
        self.model.series[event["id"]] = Series(start, freq, count, fields)

    def added(self, series_id, moment):
        """Return the id that the service gave to a new date."""
        found = [e["id"] for e in self.listed(series_id) if e["recurrence_id"] == text(moment)]
        assert len(found) == 1, (self.log, series_id, moment)
        return found[0]

    def changes(self):
        """Return random changes, in the words of the model and of the service."""
        names = self.random.sample(["title", "romansh", "cost"], self.random.randint(1, 2))
        values = {"title": TITLES, "romansh": ROMANSH, "cost": ["$5", "$7", "$9"]}
        changes = {name: self.random.choice(values[name]) for name in names}
        sent = {"variants": {}}
        if "title" in changes:
            sent["variants"]["de"] = {"title": changes["title"]}
        if "romansh" in changes:
            sent["variants"]["rm"] = {"title": changes["romansh"]}
        if "cost" in changes:
            sent["cost"] = changes["cost"].removeprefix("$")
        return changes, sent

    def write(self):
        live = self.model.live()
        steps = [self.extension]
        if live:
            steps += [self.this, self.this, self.all, self.all, self.following, self.rule]
            steps += [self.delete_this, self.delete_following, self.untranslate]
            steps += [self.delete_all] if self.random.random() < 0.3 else []
        if any(event.state == "trash" for event in self.model.events.values()):
            steps += [self.restore, self.restore]
        self.random.choice(steps)(self.random.choice(live) if live else 0)

    def this(self, number):
        changes, sent = self.changes()
        event, times = self.model.events[number], None
        if self.random.random() < 0.4:
            start = event.date + timedelta(hours=self.random.choice([0, 1, 3]))
            times = (start, start + timedelta(hours=self.random.choice([2, 3])))
            sent |= {"start_date": text(times[0]), "end_date": text(times[1])}
        self.drop_shown(number, changes)
        self.send("patch", f"/events/{number}", **sent)
        if times == self.times(number):
            times = None
        self.model.override(number, changes, times)

    def drop_shown(self, number, changes):
        """Drop texts that equal the presented ones, which count as not sent."""
        shown = self.model.shown(number)
        for name in [name for name in changes if changes[name] == shown[name] and name != "cost"]:
            del changes[name]

    def times(self, number):
        event = self.model.events[number]
        return event.times or (event.date, event.date + LENGTH)

    def moved(self, number, sent):
        """Send other times at random; return the step of the rule, ``None`` for none."""
        if self.random.random() < 0.6:
            return None
        event = self.model.events[number]
        step = timedelta(days=self.random.choice([-1, 0, 1]), hours=self.random.choice([0, 1]))
        moved = (event.date + step, event.date + step + LENGTH)
        sent |= {"start_date": text(moved[0]), "end_date": text(moved[1])}
        return None if moved == self.times(number) else step

    def all(self, number):
        changes, sent = self.changes()
        step = self.moved(number, sent)
        self.drop_shown(number, changes)
        self.send("patch", f"/events/{number}", scope="all", **sent)
        self.model.change_all(number, changes, step)

    def is_first(self, number):
        event = self.model.events[number]
        dates = [self.model.events[each].date for each in self.model.live(event.series)]
        return event.date == min(dates)

    def following(self, number):
        if self.model.series[self.model.events[number].series].rdates:
            return
        changes, sent = self.changes()
        step = self.moved(number, sent)
        self.drop_shown(number, changes)
        is_first = self.is_first(number)
        self.send("patch", f"/events/{number}", scope="following", **sent)
        write = self.model.change_all if is_first else self.model.follow
        write(number, changes, step)

    def rule(self, number):
        series = self.model.series[self.model.events[number].series]
        freq, count = self.random.choice(["DAILY", "WEEKLY"]), self.random.randint(2, 8)
        rule = {"rrule": f"FREQ={freq};COUNT={count}"}
        self.send("patch", f"/events/{number}", scope="all", recurrence=rule)
        series.freq, series.count, series.before = freq, count, None
        series.exdates, series.rdates = set(), set()

    def delete_this(self, number):
        event = self.model.events[number]
        force = self.random.random() < 0.3
        self.send("delete", f"/events/{number}", force=force)
        event.state = "gone" if force else "trash"
        self.model.series[event.series].exdates.add(event.date)
        others = [e for e in self.model.events.values() if e.series == event.series]
        if all(each.state == "gone" for each in others):
            del self.model.series[event.series]
            assert self.admin.get(f"/series/{event.series}").status_code == 404

    def delete_following(self, number):
        event = self.model.events[number]
        is_first = self.is_first(number)
        self.send("delete", f"/events/{number}", scope="following")
        if is_first:
            self.model.series[event.series].is_trashed = True
        else:
            self.model.cut(event.series, event.date)

    def delete_all(self, number):
        self.send("delete", f"/events/{number}", scope="all")
        self.model.series[self.model.events[number].series].is_trashed = True

    def restore(self, _):
        trashed = [n for n, event in self.model.events.items() if event.state == "trash"]
        number = self.random.choice(trashed)
        event = self.model.events[number]
        series = self.model.series[event.series]
        if series.is_trashed:
            self.send("patch", f"/events/{number}", status="publish", scope="all")
            series.is_trashed = False
            return
        self.send("patch", f"/events/{number}", status="publish")
        series.exdates.discard(event.date)
        if event.date not in series.dates(self.model.horizon):
            series.rdates.add(event.date)
        event.state = "live"
        self.model.override(number, {})

    def untranslate(self, number):
        if self.model.events[number].lacks_romansh:
            return
        query = {"translation_language": "rm", "translation_only": True}
        self.send("delete", f"/events/{number}", **query)
        self.model.events[number].lacks_romansh = True
        self.model.events[number].own.pop("romansh", None)
        self.model.override(number, {})

    def extension(self, _):
        self.clock.advance(days=31)
        self.log.append("extend")
        self.extend()
        self.model.horizon += timedelta(days=31)

    def compare(self):
        for series_id in self.model.series:
            self.compare_series(series_id)
        listed = self.admin.get("/events", recurring=True, start_date="2029-01-01", per_page=1)
        assert listed.json["total"] == len(self.model.live()), self.log
        number = self.random.choice(list(self.model.events))
        status = {"live": 200, "trash": 403, "gone": 404}[self.model.events[number].state]
        assert self.admin.get(f"/events/{number}").status_code == status, (self.log, number)

    def compare_series(self, series_id):
        series = self.model.series[series_id]
        if series.is_trashed:
            assert not self.model.live(series_id)
            return
        answer = self.admin.get(f"/series/{series_id}")
        assert answer.status_code == 200, (self.log, answer.json)
        events = {event["id"]: event for event in self.listed(series_id)}
        assert sorted(events) == sorted(self.model.live(series_id)), (self.log, series_id)
        assert answer.json["count"] == len(events), self.log
        for number, event in events.items():
            shown = {
                "title": event["variants"]["de"]["title"],
                "romansh": event["variants"].get("rm", {}).get("title"),
                "cost": event["cost"],
                "start": event["start_date"],
                "end": event["end_date"],
                "recurrence_id": event["recurrence_id"],
                "overrides": set(event["overrides"]),
            }
            assert shown == self.model.shown(number), (self.log, number)
            assert event["slug"] == f"{answer.json['slug']}/{event['recurrence_id'][:10]}"


@pytest.mark.parametrize("seed", range(CASES))
def test_histories_of_series_are_as_in_the_model(as_admin, app, clock, seed):
    history = History(as_admin, clock, get_services(app).horizon.extend, seed)
    history.begin()
    history.model.settle(history.added)
    for _ in range(STEPS):
        history.write()
        history.model.settle(history.added)
        history.compare()
