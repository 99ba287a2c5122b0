"""Random histories of writes to series, against a model in plain Python.

``RECURRENCE_CASES`` in the environment sets the number of histories.
"""

import os
from datetime import datetime, timedelta
from random import Random

import pytest
from property.recurrence_model import LENGTH, Model, Series, text

from calendar_app.api.http.request.state import get_services

pytestmark = pytest.mark.timeout(0)

CASES = int(os.environ.get("RECURRENCE_CASES", "3"))
STEPS = 10
TITLES = ["Market", "Fair", "Choir", "Reading"]
ROMANSH = ["Martgà", "Fiera", "Chor", "Lectura"]


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
        event_ids = [e["id"] for e in self.listed(series_id) if e["recurrence_id"] == text(moment)]
        assert len(event_ids) == 1, (self.log, series_id, moment)
        return event_ids[0]

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
        self.drop_unchanged(number, changes)
        self.send("patch", f"/events/{number}", **sent)
        if times == self.times(number):
            times = None
        self.model.override(number, changes, times)

    def drop_unchanged(self, number, changes):
        """Drop texts that equal the presented ones, which count as not sent."""
        self.drop(changes, self.model.fields_of(number))

    def drop_shared(self, number, changes):
        """Drop texts that equal those of the series; others are meant for all its events."""
        fields = self.model.fields_of(number)
        own = self.model.events[number].own
        self.drop(changes, {name: fields[name] for name in fields if name not in own})

    @staticmethod
    def drop(changes, fields):
        for name in {*changes} - {"cost"}:
            if name not in fields or changes[name] != fields[name]:
                continue
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
        return None if moved == self.times(number) and not event.times else step

    def all(self, number):
        changes, sent = self.changes()
        step = self.moved(number, sent)
        self.drop_shared(number, changes)
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
        self.drop_shared(number, changes)
        is_first = self.is_first(number)
        self.send("patch", f"/events/{number}", scope="following", **sent)
        if is_first:
            self.model.change_all(number, changes, step)
        elif changes or step is not None:
            self.model.follow(number, changes, step)

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
        siblings = [e for e in self.model.events.values() if e.series == event.series]
        if all(each.state == "gone" for each in siblings):
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
            series.exdates.discard(event.date)
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
            fields = {
                "title": event["variants"]["de"]["title"],
                "romansh": event["variants"].get("rm", {}).get("title"),
                "cost": event["cost"],
                "start": event["start_date"],
                "end": event["end_date"],
                "recurrence_id": event["recurrence_id"],
                "overrides": set(event["overrides"]),
            }
            assert fields == self.model.fields_of(number), (self.log, number)
            assert event["slug"] == f"{answer.json['slug']}-{event['recurrence_id'][:10]}"


@pytest.mark.parametrize("seed", range(CASES))
def test_histories_of_series_are_as_in_the_model(as_admin, app, clock, seed):
    history = History(as_admin, clock, get_services(app).horizon.extend, seed)
    history.begin()
    history.model.settle(history.added)
    for _ in range(STEPS):
        history.write()
        history.model.settle(history.added)
        history.compare()
