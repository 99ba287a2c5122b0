"""Random histories of a calendar, followed by two others: each has what the first one shows."""

from random import Random

import pytest
from neighbors import EDITOR, differences

_LENGTHS = {"FREQ=WEEKLY;COUNT=4": 4, "FREQ=DAILY;COUNT=3;INTERVAL=2": 3}
_WORDS = ("Talk", "Play", "Choir", "Dance & music", "Fest")


class History:
    """Writes by chance to one calendar."""

    def __init__(self, calendar, random):
        self._admin, self._random = calendar.as_admin, random
        self._venues = [
            self._admin.post("/venues", venue=name, city="Chur", zip="7000").json["id"]
            for name in ("Aula", "Hall")
        ]
        self._make(), self._make(), self._make_series()

    def write(self):
        """Write once; a refused write changes nothing."""
        listed = self._admin.get(
            "/events",
            start_date="2020-01-01",
            end_date="2040-01-01",
            per_page=50,
            status="publish,draft,trash",
        )
        events = listed.json["events"]
        event = self._random.choice(events) if events else {"id": 0}
        series = [each["series"]["id"] for each in events if each.get("series")]
        writes = [self._make, self._make_series, *[lambda: self._change(event)] * 8]
        writes += [lambda: self._admin.delete(f"/events/{event['id']}"), self._change_venue]
        if series:
            number = self._random.choice(series)
            writes += [lambda: self._change_series(number)] * 3
        self._random.choice(writes)()

    def _times(self):
        day, hour = self._random.randint(1, 28), self._random.randint(8, 18)
        begin = f"2030-03-{day:02} {hour:02}"
        return {"start_date": f"{begin}:00:00", "end_date": f"{begin}:45:00"}

    def _make(self, **values):
        texts = {"de": {"title": self._word()}}
        if self._random.random() < 0.5:
            texts["rm"] = {"title": f"{self._word()} rm"}
        self._admin.post("/events", variants=texts, **self._times(), **values)

    def _make_series(self):
        self._make(recurrence={"rrule": self._random.choice([*_LENGTHS])})

    def _word(self):
        return f"{self._random.choice(_WORDS)} {self._random.randint(1, 99)}"

    def _change(self, event):
        self._admin.patch(f"/events/{event['id']}", **self._random.choice(self._changes()))

    def _change_series(self, number):
        rules = {"recurrence": {"rrule": self._random.choice([*_LENGTHS])}}
        texts = {"description": f"<p>{self._word()}</p>"}
        ended = {"recurrence": None}
        changes = self._random.choice([rules, texts, *self._changes(), ended])
        self._admin.patch(f"/series/{number}", **changes)

    def _change_venue(self):
        changes = (
            {"venue": self._word()},
            {"phone": f"+41 81 555 01 {self._random.randint(10, 99)}"},
        )
        self._admin.patch(
            f"/venues/{self._random.choice(self._venues)}", **self._random.choice(changes)
        )

    def _changes(self):
        word, some = self._word(), self._random.random() < 0.5
        return [
            {"title": word},
            {"variants": {"rm": {"title": f"{word} rm"}}, "translation_origin": {"rm": "machine"}},
            {"description": f"<p>{word}</p>" if some else ""},
            self._times(),
            {"all_day": some},
            {"status": self._random.choice(["publish", "publish", "draft"])},
            {"password": "open sesame" if some else ""},
            {"hide_from_listings": some},
            {"venue": self._random.choice(self._venues) if some else []},
            {"organizer": [{"organizer": "Club", "email": "club@example.org"}] if some else []},
            {"tags": [self._random.choice(_WORDS)]},
            {"categories": [self._random.choice(_WORDS)] if some else []},
            {"accessibility": ["wheelchair"] if some else []},
            {"audience": {"min_age": 6} if some else None},
            {"cost": "CHF 20" if some else ""},
            {"custom_fields": {"dress": {"label": "Dress", "value": word}}},
            {"event_status": "canceled" if some else "scheduled"},
            {"image": f"https://pictures.example/{word[:4]}.jpg" if some else ""},
        ]


def catch_up(calendar, source):
    """Read a source; accept a reading that is held back."""
    reading = calendar.sources.readings.read(source, EDITOR)
    if reading.state == "waiting":
        reading = calendar.sources.readings.read(source, EDITOR, accept=reading.id)
    assert reading.state in ("done", "unchanged"), reading.reason
    assert "refused" not in reading.numbers, reading


@pytest.mark.parametrize("seed", [1, 2])
def test_followers_have_what_a_calendar_shows_after_each_part_of_its_history(calendars, seed):
    a, b, c = calendars("abc")
    history = History(a, Random(seed))  # noqa: S311 - no secret
    from_a, from_b, home = b.follow(a), c.follow(b), a.follow(c)
    for _ in range(8):
        for _ in range(5):
            history.write()
        catch_up(b, from_a)
        assert differences(b.events(), a.events()) == []
        catch_up(c, from_b)
        assert differences(c.events(), a.events()) == []
        assert "new" not in a.read(home)
