"""Histories of three sources that announce the same events, beside editors and a keeper.

``REGION_HISTORIES`` is their number; each has another seed, which a failure names.
"""

import os
from dataclasses import dataclass, replace
from itertools import combinations
from random import Random

import pytest
from calendars import calendar, vevent
from mirrors import Mirror

from calendar_app.accounts.callers import Caller
from calendar_app.api.http.request.state import get_services
from calendar_app.errors import InvalidParameters, NotAllowed, NotFound, NotOnBothSides
from calendar_app.storage.query.list_query import Window

HISTORIES = int(os.environ.get("REGION_HISTORIES", "1"))
FIRST = int(os.environ.get("REGION_FIRST_HISTORY", "1"))
STEPS = 40
ADMIN, EDITOR = Caller(1, "admin", "administrator"), Caller(2, "editor", "editor")
KEEPER = 4  # of the club alone
ALL = Window(1, 100)
# What takes place, each on a day of its own; no two of these words are alike.
WORDS = ("Alphorn", "Blasmusik", "Cabaret", "Flohmarkt", "Weihnachten")
TITLES = ("{}", "{} concert", "Concert {}", "{} in the evening")
# The other two lead the times of what they announce, the town before the region. What becomes of
# vanished events is another thing in each history.
NAMES = ("Club", "Town", "Region")
SETTINGS = {
    "Club": {"keepers": [KEEPER]},
    "Town": {"authority": {"times": "source"}, "rank": 2},
    "Region": {"authority": {"times": "source"}, "rank": 1},
}
VANISHED = ("keep", "cancel", "trash", "trash")
WRITTEN = ("events", "series", "venues", "organizers", "history")


@pytest.fixture(scope="module")
def settings(settings):
    """Return the settings of a site where possible duplicates wait."""
    return replace(settings, doubles="wait")


@dataclass(frozen=True)
class Entry:
    """An event as a source lists it."""

    word: str
    title: str
    minute: int = 0
    place: str = "Hall"
    canceled: bool = False

    @property
    def start(self):
        return f"203003{WORDS.index(self.word) + 10}T19{self.minute:02}00"

    def component(self, uid):
        lines = [f"LOCATION:{self.place}", "ORGANIZER;CN=Band:mailto:band@example.org"]
        lines += ["STATUS:CANCELLED"] if self.canceled else []
        return vevent(uid, *lines, title=self.title, start=self.start)


class Region:
    """The calendar with its sources, and the promises to check: a plain model of both.

    ``feeds`` are those of the sources as they are, ``read_feeds`` as they were read last, each with
    entries by UID. ``edits`` are the facts edited here, ``apart`` the pairs that are public with
    good reason, ``corrected`` the venues that people chose for entries of a register, ``trashed``
    the events that people have put into the trash, ``unions`` what was so before each of them.
    """

    def __init__(self, app, database, client, random, clock):
        services = get_services(app)
        self.sources, self.accounts = services.sources, services.accounts
        self.database, self.client, self.random, self.clock = database, client, random, clock
        self.ids, self.feeds, self.read_feeds = {}, {}, {}
        self.edits, self.corrected, self.apart, self.public = {}, {}, set(), set()
        self.trashed, self.unions = set(), {}
        self.vanished = {name: random.choice(VANISHED) for name in NAMES}
        self.serial = 0
        for name in NAMES:
            words = random.sample(WORDS, 3)
            self.feeds[name] = {self._uid(word, name): self._entry(word) for word in words}
            self.read_feeds[name] = {}
            self.add(name)

    # The sources.

    def add(self, name):
        values = {"name": name, "kind": "ics", "address": f"https://{name.lower()}.example/"}
        values["vanished"] = self.vanished[name]
        former = self.ids.get(name)
        number = self.sources.add(values | {"status": "publish"} | SETTINGS[name], ADMIN).id
        assert former in (None, number)
        self.ids[name] = number

    def living(self):
        there = {each.source.id for each in self.sources.list(EDITOR)}
        return [name for name in NAMES if self.ids[name] in there]

    def read(self, name):
        entries = dict(self.feeds[name])
        content = calendar(*(each.component(uid) for uid, each in entries.items())).encode()
        reading = self.sources.readings.read(self.ids[name], EDITOR, content=content)
        assert reading.state in ("done", "unchanged"), reading
        assert "refused" not in reading.numbers, reading
        self.read_feeds[name] = entries

    def change_feed(self, name):
        """Change one event in a feed, add one, or leave one out."""
        feed, random = self.feeds[name], self.random
        missing = [word for word in WORDS if self._uid(word, name) not in feed]
        kind = random.choice(("rename", "move", "place", "cancel", "cancel", "drop", "add", "add"))
        uid = random.choice(list(feed))
        if kind == "add" and missing:
            word = random.choice(missing)
            feed[self._uid(word, name)] = self._entry(word)
        elif kind == "drop" and len(feed) > 1:
            del feed[uid]
        elif kind == "rename":
            feed[uid] = replace(feed[uid], title=self._entry(feed[uid].word).title)
        elif kind == "move":
            feed[uid] = replace(feed[uid], minute=random.choice((0, 15, 30)))
        elif kind == "place":
            feed[uid] = replace(feed[uid], place=random.choice(("Hall", "Hall", "Church")))
        else:
            feed[uid] = replace(feed[uid], canceled=not feed[uid].canceled)

    def _entry(self, word):
        return Entry(word, self.random.choice(TITLES).format(word))

    def _uid(self, word, name):
        return f"{word}@{name}"

    # Steps.

    def change_and_read(self):
        name = self.random.choice(self.living())
        self.change_feed(name)
        self.read(name)

    def lose_and_find(self):
        """Let a source lack one event until it is taken away, and have it again."""
        name = self.random.choice(self.living())
        feed = self.feeds[name]
        # What lies outside a list is not missing.
        inner = sorted(feed, key=lambda uid: feed[uid].start)[1:-1]
        if not inner:
            return
        uid = self.random.choice(inner)
        entry = feed.pop(uid)
        for _ in range(2):
            self.read(name)
            self.clock.advance(hours=25)
        self.require_all()
        others = [each for each in self.living() if each != name]
        if others and self.random.random() < 0.5:
            other = self.random.choice(others)
            self.feeds[other][self._uid(entry.word, other)] = replace(entry)
            self.read(other)
            self.require_all()
        feed[uid] = entry
        self.read(name)

    def read_unchanged(self):
        """Read all sources until each has heard of the others, and then once more."""
        for _ in range(2):
            for name in self.living():
                self.read(name)
        before = {name: list(self.database[name].find()) for name in WRITTEN}
        for name in self.living():
            self.read(name)
            for collection, documents in before.items():
                assert list(self.database[collection].find()) == documents, (name, collection)
        self.require_leaders()

    def edit_title(self):
        """Edit the title of an event here."""
        event = self.random.choice([each for each in self.events() if each["status"] != "trash"])
        self.serial += 1
        word = self.random.choice((word_of(event), "Ours"))
        self._edit("events", event["_id"], title=f"{word} {self.serial}")

    def trash_or_restore(self):
        """Put an event into the trash, or restore any event from it."""
        events = self.random.sample(self.events(), 1)
        events += [each for each in self.events() if each["status"] == "trash"][:1]
        event = self.random.choice(events)
        number = event["_id"]
        if event["status"] == "trash":
            assert self.client.put(f"/events/{number}", status="publish").status_code == 200
            self.trashed.discard(number)
            self.require_nothing_twice()
            self._read_all()
        else:
            assert self.client.delete(f"/events/{number}").status_code == 200
            self.trashed.add(number)

    def _read_all(self):
        """Let events follow their sources again after a time out of reach."""
        for name in self.living():
            self.read(name)

    def edit_venue(self):
        """Edit the address of a venue here."""
        self.serial += 1
        venue = self.random.choice(list(self.database["venues"].find()))
        self._edit("venues", venue["_id"], address=f"Via {self.serial}")

    def _edit(self, collection, number, **fields):
        answer = self.client.put(f"/{collection}/{number}", **fields)
        assert answer.status_code == 200, answer.json
        for name, value in fields.items():
            self.edits[collection, number, name] = value

    def correct(self):
        """Let an entry of a register mean another venue."""
        source = self.ids[self.random.choice(self.living())]
        _, lines = self.sources.register(source, EDITOR, ALL, "venues")
        if not lines:
            return
        key = self.random.choice(lines).entry["key"]
        self.serial += 1
        names = [{"venue": f"Right place {self.serial}"}] * (self.random.random() < 0.3)
        made = [self.client.post("/venues", **each).json["id"] for each in names]
        others = [each["_id"] for each in self.database["venues"].find()]
        venue = self.random.choice(made or others)
        self.sources.correct(source, key, EDITOR, record=venue)
        self.corrected[source, key] = venue

    def decide(self):
        """Decide on a pair as an editor, or as the keeper of one source."""
        pairs = [each["events"] for each in self.sources.decisions.pairs(EDITOR, ALL).items]
        decided = [each["events"] for each in self.database["source_doubles"].find()]
        choices = {"unite": pairs, "differ": pairs, "take_back": decided}
        decision = self.random.choice(("unite", "differ", "differ", "take_back"))
        if not choices[decision]:
            return
        pair = self.random.choice(choices[decision])
        before = self.events_by_id()
        caller = self.random.choice((EDITOR, self.accounts.caller(KEEPER)))
        try:
            getattr(self.sources.decisions, decision)(*pair, caller)
        except NotFound:
            assert decision == "take_back"
            return
        except InvalidParameters:
            # The event that stayed was united with a third one, or put into the trash.
            assert decision == "take_back"
            return
        except (NotAllowed, NotOnBothSides):
            assert caller != EDITOR
            return
        if caller != EDITOR:
            self._require_own(decision, [before[each] for each in pair])
        self._note_decision(decision, *sorted(pair))

    def _require_own(self, decision, events):
        """Require that a keeper decided on own events: on one, or on both to make one of them."""
        sources = [{note["source"] for note in each["from_sources"]} for each in events]
        own = self.ids["Club"]
        assert any(own in each for each in sources)
        assert decision != "unite" or all(each == {own} for each in sources)

    def _note_decision(self, decision, stays, goes):
        if decision == "differ":
            self.apart.add((stays, goes))
        elif decision == "take_back":
            self._note_two_again(stays, goes)
            self.apart.discard((stays, goes))
            pair = self.database["source_doubles"].find_one({"events": [stays, goes]})
            own = self.database["events"].find({"_id": {"$in": pair["events"]}})
            both = {each["_id"]: each["status"] for each in own}
            waits = [both[each] for each in pair["waits"]]
            assert "publish" not in waits or "trash" in both.values()
        else:
            self._note_union(stays, goes)
            for collection, number, name in list(self.edits):
                if (collection, number) == ("events", goes):
                    value = self.edits.pop((collection, goes, name))
                    self.edits.setdefault((collection, stays, name), value)
            for pairs in (self.apart, self.public):
                own = {tuple(sorted({*each} - {goes} | {stays})) for each in pairs if goes in each}
                pairs |= {each for each in own if len(each) > 1}

    def _note_union(self, stays, goes):
        titles = [self.edits.get(("events", each, "title")) for each in (stays, goes)]
        pairs = [{each for each in own if goes in each} for own in (self.apart, self.public)]
        self.unions[stays, goes] = (titles, pairs)

    def _note_two_again(self, stays, goes):
        """Give both the earlier edits, and later edits to the event that stayed."""
        if (stays, goes) not in self.unions:
            return
        (own, other), (apart, public) = self.unions.pop((stays, goes))
        if own is None and self.edits.get(("events", stays, "title")) == other:
            self.edits.pop(("events", stays, "title"), None)
        if other is not None:
            self.edits["events", goes, "title"] = other
        self.apart |= apart
        self.public |= public
        self._read_all()

    def remove_or_add(self):
        """Remove a source, or add one again that was removed."""
        removed = [name for name in NAMES if name not in self.living()]
        if removed:
            self.add(removed[0])
        else:
            self.sources.remove(self.ids[self.random.choice(NAMES)], ADMIN)

    # What has to hold.

    def events(self):
        return list(self.database["events"].find({"from_sources": {"$exists": True}}))

    def events_by_id(self):
        return {each["_id"]: each for each in self.events()}

    def require_all(self):
        self.require_edits()
        self.require_nothing_twice()
        self.require_what_takes_place()
        self.require_register()

    def require_edits(self):
        for (collection, number, name), value in self.edits.items():
            texts = self.database[collection].find_one(number)["variants"]["de"]
            assert texts[name] == value, (collection, number)

    def require_nothing_twice(self):
        events = self.events()
        names = [note["uid"] for each in events for note in each["from_sources"]]
        assert len(names) == len(set(names)), names
        public = [each for each in events if each["status"] == "publish"]
        pairs = {
            (one["_id"], other["_id"])
            for one, other in combinations(public, 2)
            if {*words_of(one)} & {*words_of(other)}
        }
        by_id = {each["_id"]: each for each in public}
        fresh = pairs - self.public - self.apart
        twice = [pair for pair in fresh if are_alike(*(by_id[each] for each in pair))]
        assert twice == []
        self.public = pairs
        self.require_reason_to_wait(events)

    def require_reason_to_wait(self, events):
        pairs = self.sources.decisions.pairs(EDITOR, ALL).items
        undecided = {each for pair in pairs for each in pair["events"]}
        by_id = {each["_id"]: each for each in events}
        for pair in pairs:
            one, other = (by_id[each] for each in pair["events"])
            assert {*words_of(one)} == {*words_of(other)}
        waiting = {each["_id"] for each in events if each["status"] == "pending"}
        assert waiting <= undecided

    def require_what_takes_place(self):
        living = {self.ids[name]: name for name in self.living()}
        for event in self.events():
            names = [(living.get(note["source"]), note["uid"]) for note in event["from_sources"]]
            entries = [self.read_feeds[name].get(uid) if name else None for name, uid in names]
            is_ours = event["_id"] in self.trashed
            if all(entries) and not any(entry.canceled for entry in entries) and not is_ours:
                states = event["status"], event.get("event_status")
                assert states[0] != "trash", event
                assert states[1] != "canceled", event

    def require_register(self):
        meant = {}
        for name in self.living():
            page, lines = self.sources.register(self.ids[name], EDITOR, ALL)
            assert len(page.items) == len(lines)
            assert not any(each.is_open for each in lines)
            meant |= {(self.ids[name], each.entry["key"]): each.record["_id"] for each in lines}
        living = {self.ids[name] for name in self.living()}
        corrected = {key: each for key, each in self.corrected.items() if key[0] in living}
        assert meant.items() >= corrected.items()

    def require_leaders(self):
        """Require the times of the leading source for the events in it."""
        names = {self.ids[name]: name for name in self.living()}
        for event in [each for each in self.events() if each["status"] != "trash"]:
            of = {names.get(note["source"]): note["uid"] for note in event["from_sources"]}
            leader = next((name for name in ("Town", "Region") if name in of), None)
            # What it does not list may lie outside its window.
            if leader and (entry := self.feeds[leader].get(of[leader])):
                assert f"{event['start_local']:%Y%m%dT%H%M%S}" == entry.start, event


def words_of(event):
    """Return the true events behind an event; several, if two became one by mistake."""
    return {note["uid"].partition("@")[0] for note in event["from_sources"]}


def word_of(event):
    return min(words_of(event))


def are_alike(one, other):
    """Say whether it is plain that two events of one word are one: by title, place and start."""
    titles = [set(each["variants"]["de"]["title"].casefold().split()) for each in (one, other)]
    places = [{*each["venues"]} for each in (one, other)]
    sources = [{note["source"] for note in each["from_sources"]} for each in (one, other)]
    return (
        any(titles[0] & titles[1] == each for each in titles)
        and one["start"] == other["start"]
        and bool(places[0] & places[1])
        and not sources[0] & sources[1]
    )


@pytest.fixture
def region_of(app, database, as_admin, clock):
    """Return a function that makes the region of a seed."""
    return lambda random: Region(app, database, as_admin, random, clock)


@pytest.mark.parametrize("seed", range(FIRST, FIRST + HISTORIES))
def test_sources_of_a_region_agree_with_editors_and_keepers(region_of, clock, anyone, seed):
    random = Random(seed)  # noqa: S311  # no secret
    region, mirror = region_of(random), Mirror(anyone)
    for name in NAMES:
        region.read(name)
        region.require_all()
    steps = [region.change_and_read] * 8 + [region.decide] * 6 + [region.edit_title] * 2
    steps += [region.edit_venue, region.correct, region.read_unchanged, region.remove_or_add]
    steps += [region.trash_or_restore] * 2 + [region.lose_and_find]
    for number in range(STEPS):
        clock.advance(hours=random.choice((0, 1, 25)))
        random.choice(steps)()
        region.require_all()
        if number % 10 == 0:
            mirror.follow()
    region.read_unchanged()
    region.require_all()
    assert mirror.follow() == mirror.whole()
