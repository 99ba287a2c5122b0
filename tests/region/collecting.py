"""Collects the region day by day: readings, an editor's work, a follower, and all measures."""

import dataclasses

from calling import Client
from mirrors import Mirror
from region import goals
from region.days import Days
from region.editing import EditorAtWork
from region.feeds import HALF, PUSH, SOURCE_KINDS
from region.goals import Figures, Finding
from region.measuring import Measuring
from region.observed import Calendar
from region.writing import ZONE, pushed

from calendar_app.accounts.callers import Caller
from calendar_app.api.http.request.state import get_services
from calendar_app.errors import CalendarError
from calendar_app.sources.source import Source
from calendar_app.storage.query.list_query import Window

EDITOR = Caller(2, "editor", "editor")
GOOD = ("done", "unchanged")
# What a reading that changes nothing has to leave as it is.
CONTENT = ("events", "series", "venues", "organizers", "categories", "tags", "history")
# Days on which an editor decides what is a double.
_DECISIONS = (2, 5)
_MICROSECONDS = 1_000_000
# The settings of a source that this service has.
_SETTINGS = {each.name for each in dataclasses.fields(Source)}


class Collecting:
    """The true region, its ``host``, the ``reader`` that reads it, and the calendar of an ``app``.

    On every ``compare_every``-th day the copy of a follower is compared with the whole calendar.
    """

    def __init__(self, region, host, reader, app, clock):
        self.region, self.host, self.reader, self.clock = region, host, reader, clock
        self.sources = get_services(app).sources
        self.database = self.sources.parts.store.database
        self.compare_every = 1
        self.figures = Figures()
        self.days = Days(region, self._local_time)
        self.editor = EditorAtWork(Client(app, "editor", EDITOR.id), region, seed=1)
        self.mirror = Mirror(Client(app))
        self.calendar = None

    @property
    def _local_time(self):
        """Return the time by the clock of the region."""
        return self.clock.now.astimezone(ZONE).replace(tzinfo=None)

    def run(self, days):
        """Read all for the first time, let some days pass, and then days without a change."""
        self._add_sources()
        self.figures.note(goals.FIRST_CPU, self._read_all("first reading"))
        self._measure()
        for day in range(1, days + 1):
            self.editor.work(self.calendar)
            if day in _DECISIONS:
                self._decide()
            self.clock.advance(days=1)
            self.host.today = self._local_time
            self.days.pass_one(self._local_time)
            self._read_all(f"day {day}")
            self._measure()
        self._rest()

    def _rest(self):
        """Read unchanged feeds: what has vanished is away after two days."""
        for feed in self.region.feeds.values():
            feed.fault = ""
        for _ in range(2):
            self.clock.advance(days=1)
            self.region.day += 1
            self._read_all("a day to settle")
        self._measure()
        self.clock.advance(days=1)
        before = self._content()
        self.figures.note(goals.UNCHANGED_CPU, self._read_all("unchanged day"))
        after = self._content()
        written = [name for name in CONTENT if before.get(name) != after.get(name)]
        findings = [Finding(each, "", "unchanged", "written") for each in written]
        self.figures.count(goals.WRITES, findings, self.region.day)
        memory = self.reader.usage()["memory"]
        self.figures.note(goals.MEMORY, sum(memory.values()))
        self.figures.notes.append(f"memory: {memory}")

    def _content(self):
        return self.database.command("dbHash")["collections"]

    def _add_sources(self):
        """Add a source for each feed, with those of its settings that the service has."""
        for feed in self.region.feeds.values():
            kind = SOURCE_KINDS[feed.kind]
            settings = {
                "name": feed.name,
                "kind": kind,
                "address": "" if kind == PUSH else self.host.address_of(feed),
                "status": "publish",
                "unknown_terms": "leave_out",
                "vanished": feed.vanished,
                "authority": feed.authority,
                "town": feed.towns[0].name if feed.has_town else "",
                "doubles": "wait",
                "certain_doubles": "unite",
                "rank": feed.number,
            }
            own = {name: value for name, value in settings.items() if name in _SETTINGS}
            feed.source = self.sources.add(own, EDITOR).id

    # Readings.

    def _read_all(self, name):
        """Read all feeds; return the seconds of computing."""
        before, stored_before = self.reader.usage()["cpu"], self._seconds_of_mongodb()
        troubles = {goal: [] for goal in (goals.HALVES, goals.HELD, goals.REFUSED)}
        for feed in self.region.feeds.values():
            result = self._read(feed)
            for goal in self._troubles(feed, result):
                words = f"{result['state']} {result['reason']} {result['numbers']}"
                case = Finding(name, feed.name, f"fault: {feed.fault}", words)
                troubles[goal].append(case)
            if result["state"] in GOOD and not feed.fault:
                feed.note_served(self.host.today, self.region.day)
        for goal, cases in troubles.items():
            self.figures.count(goal, cases, self.region.day)
        service = self.reader.usage()["cpu"] - before
        stored = self._seconds_of_mongodb() - stored_before
        self.figures.notes.append(f"{name}: {service:.1f} s and {stored:.1f} s of MongoDB")
        return service + stored

    def _read(self, feed):
        if feed.kind != PUSH:
            return self.reader.read(self.clock.now, feed.source)
        return self.reader.push(
            self.clock.now, feed.source, pushed(feed, feed.items(self.host.today))
        )

    def _troubles(self, feed, result):
        """Yield the goals that a reading misses."""
        is_good = result["state"] in GOOD
        # A page of fifty events cannot be halved.
        if feed.fault == HALF and is_good and feed.can_be_halved(self.host.today):
            yield goals.HALVES
        if not feed.fault and not is_good:
            yield goals.HELD
        if not feed.fault and any("refused" in each for each in result["numbers"] or ()):
            yield goals.REFUSED

    def _seconds_of_mongodb(self):
        usage = self.database.command("serverStatus")["extra_info"]
        return (usage["user_time_us"] + usage["system_time_us"]) / _MICROSECONDS

    # The editor and the measures.

    def _decide(self):
        """Let the editor decide some open pairs; a union removes one of two events.

        With a series all its dates go, and pairs of these are listed no more.
        """
        pairs = self._open_pairs()
        refused, gone = [], set()
        for pair, are_one in self.editor.decisions(pairs, self.calendar):
            if gone & set(pair) or pair not in self._open_pairs():
                continue
            try:
                if are_one:
                    gone |= set(pair)
                    self.sources.decisions.unite(*pair, EDITOR)
                else:
                    self.sources.decisions.differ(*pair, EDITOR)
            except CalendarError as error:
                entry = self.region.entries[self.calendar.entry_of[pair[0]]]
                label = f"{entry.number} {entry.kind} {entry.title} {entry.start}"
                feeds = " + ".join(feed.name for feed in self.region.feeds_of(entry))
                refused.append(Finding(label, feeds, f"unite {pair}", f"{error!r} {error}"))
        self.figures.count(goals.REFUSED_DECISIONS, refused, self.region.day)

    def _open_pairs(self):
        return [tuple(each["events"]) for each in self._pairs()]

    def _pairs(self):
        return self.sources.decisions.pairs(EDITOR, Window(1, 10_000)).items

    def _measure(self):
        day = self.region.day
        copy = self.mirror.follow()
        if day % self.compare_every == 0:
            self.figures.count(goals.FOLLOWER, list(_differing(copy, self.mirror.whole())), day)
        self.calendar = Calendar(self.database, copy)
        Measuring(
            self.region, self.calendar, self._local_time, self.editor.moved, self.figures
        ).note()
        self.figures.count(goals.LOST_EDITS, list(self.editor.lost(self.calendar)), day)
        self._measure_pairs()

    def _measure_pairs(self):
        """Note the open pairs of doubles that are two events."""
        cases = []
        for pair in self._pairs():
            entries = [self.calendar.entry_of.get(each, -1) for each in pair["events"]]
            if len(set(entries)) == 2:
                own = [self.region.entries[each] for each in entries if each >= 0]
                label = " | ".join(f"{each.title} {each.start} {each.place}" for each in own)
                cases.append(Finding(label, "", f"score {pair['score']}", str(pair["events"])))
        self.figures.count(goals.FALSE_DOUBLES, cases, self.region.day)


def _differing(copy, whole):
    """Yield the events of which the copy of a follower is not the calendar."""
    for number in sorted(whole.keys() | copy.keys()):
        if whole.get(number) != copy.get(number):
            yield Finding(f"event {number}", "", str(whole.get(number)), str(copy.get(number)))
