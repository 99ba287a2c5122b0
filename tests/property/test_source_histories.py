"""Histories of a feed by chance, beside edits made here: the same dates, and nothing lost.

``SOURCE_HISTORIES`` is their number; each has another seed, which a failure names.
"""

import os
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from random import Random

import pytest
import recurring_ical_events
from calendars import calendar
from icalendar import Calendar

from calendar_app.accounts.callers import Caller
from calendar_app.api.http.request.state import get_services

HISTORIES = int(os.environ.get("SOURCE_HISTORIES", "2"))
FIRST = int(os.environ.get("SOURCE_FIRST_HISTORY", "1"))
EDITOR = Caller(2, "editor", "editor")
STEPS = 5
BEGIN = datetime.fromisoformat("2030-01-20T19:00")
YEAR = timedelta(days=365)
RULES = ("", "", "RRULE:FREQ=WEEKLY;COUNT=4", "RRULE:FREQ=DAILY;COUNT=3")
# Nothing is taken, whichever of these comes.
BROKEN = (b"", b"<html><form>Log in</form></html>", b"Internal Server Error")


@dataclass(frozen=True)
class Entry:
    """An event of the feed; ``star`` is the title of its second date."""

    name: str
    start: datetime
    rule: str = ""
    place: str = "Hall"
    text: str = "As always"
    canceled: bool = False
    star: str = ""

    def components(self, uid):
        """Yield the VEVENT, and that of the date that it overrides."""
        rest = [f"LOCATION:{self.place}", f"DESCRIPTION:{self.text}"]
        rest += ["STATUS:CANCELLED"] if self.canceled else []
        yield vevent(uid, self.name, self.start, [*rest, *([self.rule] if self.rule else [])])
        if self.star and self.rule:
            step = timedelta(days=7 if "WEEKLY" in self.rule else 1)
            date = self.start + step
            line = f"RECURRENCE-ID;TZID=Europe/Zurich:{date:%Y%m%dT%H%M%S}"
            yield vevent(uid, self.star, date + timedelta(minutes=30), [line, *rest])


def vevent(uid, title, start, lines):
    end = start + timedelta(hours=2)
    clocks = [(name, f"{at:%Y%m%dT%H%M%S}") for name, at in (("START", start), ("END", end))]
    times = [f"DT{name};TZID=Europe/Zurich:{clock}" for name, clock in clocks]
    head = ["BEGIN:VEVENT", f"UID:{uid}", "DTSTAMP:20260101T000000Z", *times, f"SUMMARY:{title}"]
    return "\n".join([*head, *lines, "END:VEVENT"])


@dataclass
class History:
    """A changing feed, and the local edits: texts by event id, language and field."""

    random: Random
    number: int
    entries: dict[str, Entry] = field(default_factory=dict)
    edits: dict[tuple[int, str, str], str] = field(default_factory=dict)
    serial: int = 0
    accepted: int = 0

    def add(self):
        self.serial += 1
        start = BEGIN + timedelta(days=self.random.randrange(200), hours=self.random.randrange(4))
        entry = Entry(f"No {self.number}-{self.serial}", start, self.random.choice(RULES))
        self.entries[f"{self.number}-{self.serial}@feed"] = entry

    def content(self):
        components = [
            component for uid, entry in self.entries.items() for component in entry.components(uid)
        ]
        self.random.shuffle(components)
        return calendar(*components).encode()

    def change(self):
        """Change the feed in some way, of an event one thing at most."""
        random, self.accepted = self.random, 0
        kinds = (self._move, self._rename, self._describe, self._cancel, self._star, self._relocate)
        uids = list(self.entries)
        for uid in random.sample(uids, min(len(uids), random.choice((1, 1, 2, 3)))):
            self.entries[uid] = random.choice(kinds)(self.entries[uid])
        if random.random() < 0.3:
            self.add()
        if random.random() < 0.3 and len(self.entries) > 2:
            del self.entries[random.choice(list(self.entries))]
        if random.random() < 0.3:
            self._rewrite()
        if random.random() < 0.15:
            for uid in list(self.entries)[2:]:
                del self.entries[uid]

    def _rewrite(self):
        """Give all events new UIDs."""
        self.entries = {
            f"{self.random.getrandbits(64)}@feed": entry for entry in self.entries.values()
        }

    def _move(self, entry):
        return replace(entry, start=entry.start + timedelta(hours=self.random.choice((1, 24, 50))))

    def _rename(self, entry):
        self.serial += 1
        return replace(entry, name=f"Renamed {self.number}-{self.serial}")

    def _describe(self, entry):
        return replace(entry, text=f"Text {self.random.getrandbits(32)}")

    def _cancel(self, entry):
        return replace(entry, canceled=not entry.canceled)

    def _star(self, entry):
        return replace(entry, star="" if entry.star else "Star guest")

    def _relocate(self, entry):
        return replace(entry, place=f"Room {self.random.randrange(5)}")


def expected_starts(content, now):
    """Return the instants at which the feed has events, by another program."""
    feed = Calendar.from_ical(content)
    window = (now.replace(tzinfo=UTC), (now + YEAR).replace(tzinfo=UTC))
    events = recurring_ical_events.of(feed).between(*window)
    starts = [each["DTSTART"].dt.astimezone(UTC).replace(tzinfo=None) for each in events]
    return sorted(starts)


class Follower:
    """The calendar that reads the feed."""

    def __init__(self, app, database, client):
        self.sources = get_services(app).sources
        self.database = database
        self.client = client

    def events(self, source, now):
        """Return the coming events of a source outside the trash."""
        own = {"from_sources.source": source}
        series = [each["_id"] for each in self.database["series"].find(own, ["_id"])]
        clause = {"$or": [{**own, "series": None}, {"series": {"$in": series}}]}
        coming = {"end": {"$gt": now}, "status": {"$ne": "trash"}}
        return list(self.database["events"].find({**clause, **coming}))

    def edit(self, history, source, now):
        """Edit a text of an event here, or translate its title."""
        events = self.events(source, now)
        if not events:
            return
        event = history.random.choice(events)
        words = f"Ours {history.random.getrandbits(32)}"
        tag, name = history.random.choice((("de", "title"), ("de", "excerpt"), ("rm", "title")))
        answer = self.client.put(
            f"/events/{event['_id']}?translation_language={tag}", **{name: words}
        )
        assert answer.status_code == 200, answer.json
        history.edits[event["_id"], tag, name] = words

    def require_edits(self, history):
        for (event_id, tag, name), words in history.edits.items():
            event = self.database["events"].find_one(event_id)
            assert event is not None
            assert words in event["variants"][tag][name]


def state_of(database):
    names = ("events", "series")
    return {name: list(database[name].find({}, {"from_sources": 0})) for name in names}


@pytest.mark.parametrize("seed", range(FIRST, FIRST + HISTORIES))
def test_a_feed_is_followed_and_edits_stay(app, database, clock, as_admin, seed):
    history = History(Random(seed), seed)  # noqa: S311  # no secret
    follower = Follower(app, database, as_admin)
    feed = {"name": "Feed", "kind": "ics", "address": "https://feed.example.org/"}
    values = {"status": "publish", "vanished": "trash", "unknown_terms": "create"}
    source = follower.sources.add(feed | values, EDITOR).id
    for _ in range(history.random.randrange(3, 12)):
        history.add()
    for step in range(STEPS):
        if step:
            follower.edit(history, source, naive(clock))
            history.change()
        follow(follower, history, source, clock)
        clock.advance(hours=25)
        follow(follower, history, source, clock)
        now = naive(clock)
        starts = sorted(each["start"] for each in follower.events(source, now))
        assert starts == expected_starts(history.content(), now)
        follower.require_edits(history)


def follow(follower, history, source, clock):
    """Read the feed, sometimes after a broken version, and accept a reading that waits."""
    content, random = history.content(), history.random
    if random.random() < 0.2:
        before = state_of(follower.database)
        broken = random.choice((*BROKEN, content[: len(content) // 2]))
        reading = follower.sources.readings.read(source, EDITOR, content=broken)
        assert reading.state in ("failed", "waiting")
        assert state_of(follower.database) == before
    lost = losses(follower, history, source, naive(clock))
    before = state_of(follower.database)
    reading = follower.sources.readings.read(source, EDITOR, content=content)
    if reading.state == "waiting":
        assert state_of(follower.database) == before
        history.accepted = reading.alarming
        reading = follower.sources.readings.read(source, EDITOR, content=content, accept=reading.id)
    else:
        assert lost <= max(5, reading.coming // 5, history.accepted)
    assert reading.state in ("done", "unchanged"), reading
    assert "refused" not in reading.numbers
    before = state_of(follower.database)
    assert follower.sources.readings.read(source, EDITOR, content=content).state in (
        "done",
        "unchanged",
    )
    assert state_of(follower.database) == before


def losses(follower, history, source, now):
    """Return how many single or recurring events have fewer counterparts in the feed."""
    coming = {each.get("series", each["_id"]) for each in follower.events(source, now)}
    return len(coming) - len(history.entries)


def naive(clock):
    return clock.now.replace(tzinfo=None)
