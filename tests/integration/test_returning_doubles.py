"""An event back from the trash is compared with other sources like a new event."""

import pytest
from calendars import vevent

from calendar_app.accounts.callers import Caller
from calendar_app.storage.query.list_query import Window

EDITOR = Caller(2, "editor", "editor")
BALLS = [vevent(f"{at}@club", title="Ball", start=f"2030{at}T190000") for at in ("0201", "0501")]
WEEKLY = "RRULE:FREQ=WEEKLY;COUNT=3"
TOLD = {"changed": 1, "double": 1, "unchanged": 2}


def concert(uid, *lines, start="20300301T190000"):
    return vevent(uid, "LOCATION:Hall", *lines, title="Summer concert", start=start)


class Announcements:
    """A concert that a club announces, and a town too; duplicates wait if nothing else is said."""

    def __init__(self, add, read, clock, database, sources):
        self.add, self.read, self.clock = add, read, clock
        self.database, self.decisions = database, sources.decisions
        self.source, self.lines = 0, ()

    def club(self, *lines, vanished="trash", **settings):
        settings = {"status": "publish", "doubles": "wait"} | settings
        self.source = self.add(name="Club", vanished=vanished, **settings)
        self.lines = lines
        self.find()

    def town(self, start="20300301T190000"):
        source = self.add(name="Town", status="publish", doubles="wait")
        self.read(source, concert("1@town", start=start))

    def lose(self):
        """Let the club lack the concert until it is taken away."""
        for _ in range(2):
            self.read(self.source, *BALLS)
            self.clock.advance(hours=25)

    def find(self, **request):
        return self.read(self.source, *BALLS, concert("1@club", *self.lines), **request).numbers

    @property
    def concerts(self):
        events = self.database["events"].find({"variants.de.title": "Summer concert"})
        return list(events.sort("_id", 1))

    @property
    def statuses(self):
        return [each["status"] for each in self.concerts]

    @property
    def pairs(self):
        return self.decisions.pairs(EDITOR, Window(1, 10)).items

    def differ(self):
        self.decisions.differ(*self.pairs[0]["events"], EDITOR)


@pytest.fixture
def announced(add, read, clock, database, sources):
    return Announcements(add, read, clock, database, sources)


@pytest.fixture
def lost(announced):
    """Return the announcements when that of the club lies in the trash."""
    announced.club()
    announced.lose()
    announced.town()
    assert announced.statuses == ["trash", "publish"]
    return announced


@pytest.mark.parametrize(
    ("vanished", "statuses"),
    [
        ("keep", ["publish", "pending"]),
        ("cancel", ["publish", "pending"]),
        ("trash", ["pending", "publish"]),
    ],
)
def test_one_of_two_waits_whatever_became_of_the_first(announced, vanished, statuses):
    announced.club(vanished=vanished)
    announced.lose()
    announced.town()
    announced.find()
    assert announced.statuses == statuses
    assert len(announced.pairs) == 1


def test_what_returns_waits_is_told_and_is_shown_once_it_is_different(lost):
    assert lost.find() == TOLD
    assert lost.statuses == ["pending", "publish"]
    (pair,) = lost.pairs
    assert pair["waits"] == pair["events"][:1]
    lost.differ()
    assert lost.statuses == ["publish", "publish"]


def test_a_preview_names_the_doubles_of_what_returns(lost):
    assert lost.find(dry_run=True) == TOLD
    assert lost.statuses == ["trash", "publish"]


def test_what_returns_to_a_source_that_shows_duplicates_is_public_and_told(announced):
    announced.club(doubles="show")
    announced.lose()
    announced.town()
    assert announced.find() == TOLD
    assert announced.statuses == ["publish", "publish"]
    assert [each["waits"] for each in announced.pairs] == [[]]


def test_what_returns_and_is_certainly_one_becomes_one(announced):
    announced.club(certain_doubles="unite")
    announced.lose()
    announced.town()
    assert announced.find() == {"changed": 1, "united": 1, "unchanged": 2}
    assert sorted(announced.statuses) == ["publish", "trash"]
    assert announced.pairs == []


def test_two_that_differ_are_both_shown_when_one_returns(announced):
    announced.club()
    announced.town()
    announced.differ()
    announced.lose()
    announced.find()
    assert announced.statuses == ["publish", "publish"]
    assert announced.pairs == []


def test_each_waits_for_the_other_in_turn(announced):
    announced.club()
    announced.town()
    assert announced.statuses == ["publish", "pending"]
    announced.lose()
    assert announced.statuses == ["trash", "publish"]
    announced.find()
    assert announced.statuses == ["pending", "publish"]
    assert len(announced.pairs) == 1


def test_nothing_waits_again_for_what_lies_in_the_trash(announced):
    announced.club()
    announced.town()
    pair = announced.pairs[0]["events"]
    announced.differ()
    announced.lose()
    announced.decisions.reopen(*pair, EDITOR)
    assert announced.statuses == ["trash", "publish"]


@pytest.fixture
def waiting(announced):
    """Return the announcements when that of the club waited as it vanished."""
    announced.town()
    announced.club()
    announced.lose()
    assert announced.statuses == ["publish", "trash"]
    return announced


def test_what_waited_when_it_vanished_waits_again(waiting):
    waiting.find()
    assert waiting.statuses == ["publish", "pending"]


@pytest.mark.parametrize("back", ["read", "restored"])
def test_what_waited_when_it_vanished_is_shown_where_nothing_is_left(waiting, as_admin, back):
    town, club = (each["_id"] for each in waiting.concerts)
    as_admin.delete(f"/events/{town}", force=True)
    if back == "read":
        waiting.find()
    else:
        as_admin.put(f"/events/{club}", status="pending")
    assert waiting.statuses == ["publish"]


@pytest.fixture
def lost_series(announced):
    """Return the announcements when that of the club is a series in the trash."""
    announced.club(WEEKLY)
    announced.lose()
    announced.town(start="20300308T190000")
    return announced


def test_a_series_that_returns_waits_with_all_its_dates(lost_series):
    lost_series.find()
    assert lost_series.statuses == [*["pending"] * 3, "publish"]


# What people restore.


def restore(announced, as_admin, **request):
    number = next(each["_id"] for each in announced.concerts if each["status"] == "trash")
    return as_admin.put(f"/events/{number}", status="publish", **request)


def test_what_people_restore_waits_and_the_answer_says_so(lost, as_admin):
    answer = restore(lost, as_admin)
    assert answer.json["status"] == "pending"
    stored = as_admin.get(f"/events/{answer.json['id']}")
    assert answer.headers["ETag"] == stored.headers["ETag"]
    assert answer.json["slug"] == stored.json["slug"]
    (pair,) = lost.pairs
    assert pair["waits"] == [answer.json["id"]]


def test_people_can_publish_what_waits_after_all(lost, as_admin):
    number = restore(lost, as_admin).json["id"]
    assert as_admin.put(f"/events/{number}", status="publish").json["status"] == "publish"
    lost.differ()
    assert lost.statuses == ["publish", "publish"]


def test_what_people_put_into_the_trash_is_compared_too(announced, as_admin):
    announced.club()
    as_admin.delete(f"/events/{announced.concerts[0]['_id']}")
    announced.town()
    restore(announced, as_admin)
    assert announced.statuses == ["pending", "publish"]
    assert len(announced.pairs) == 1


def test_what_people_restore_of_a_removed_source_waits_as_the_site_says(lost, sources, as_admin):
    sources.remove(lost.source, EDITOR)
    restore(lost, as_admin)
    assert lost.statuses == ["publish", "publish"]
    assert [each["waits"] for each in lost.pairs] == [[]]


def test_what_people_restore_of_a_source_that_shows_duplicates_is_public(announced, as_admin):
    announced.club(doubles="show")
    announced.lose()
    announced.town()
    restore(announced, as_admin)
    assert announced.statuses == ["publish", "publish"]
    assert [each["waits"] for each in announced.pairs] == [[]]


def test_a_restored_series_waits_with_all_its_dates(lost_series, as_admin, database):
    restore(lost_series, as_admin, scope="all")
    assert lost_series.statuses == [*["pending"] * 3, "publish"]
    assert database["series"].find_one()["status"] == "pending"
    lost_series.differ()
    assert lost_series.statuses == ["publish"] * 4


def test_a_restored_event_without_a_source_is_public(announced, as_admin):
    at = {"start_date": "2030-03-01 19:00:00", "end_date": "2030-03-01 21:00:00"}
    number = as_admin.post("/events", title="Summer concert", **at).json["id"]
    as_admin.delete(f"/events/{number}")
    announced.town()
    restore(announced, as_admin)
    assert announced.statuses == ["publish", "publish"]
    assert announced.pairs == []
