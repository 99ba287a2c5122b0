"""The dates, slugs and history that each action leaves of a series, in each scope."""

from datetime import datetime

import mongomock
import pytest

from calendar_app.accounts.callers import Caller
from calendar_app.assembly.services import schedule_of, site_of
from calendar_app.calendar.editor import Editor
from calendar_app.calendar.history import HISTORY
from calendar_app.calendar.search.vocabulary import Vocabulary
from calendar_app.calendar.slugs import FORMER_SLUGS
from calendar_app.calendar.writing.planner import RecordBuilder
from calendar_app.domain.kinds import BY_NAME, EVENT, SERIES
from calendar_app.domain.moments import Moment
from calendar_app.domain.recurrence.notation import SentRecurrence
from calendar_app.domain.recurrence.rules import parse_rule
from calendar_app.errors import AlreadyTrashed
from calendar_app.settings import Settings
from calendar_app.storage.mongo.store import Store

NOW = datetime(2030, 3, 1, 12)  # noqa: DTZ001 - naive, and in UTC
ADMIN = Caller(id=1, name="admin", role="administrator")
DATES = 4
ADDRESSED = 2  # the third date, so that two stand before it
LISTED, TRASHED, DELETED = "publish", "trash", None
RENAMED = "renamed"
SCOPES = ("this", "following", "all")


class Series:
    """A weekly series on four dates, once renamed, so that it and its dates had other slugs."""

    def __init__(self):
        settings = Settings.load(environment={}, languages=["de"], default_language="de")
        self.store = Store(mongomock.MongoClient().calendar)
        self.editor = Editor(
            self.store,
            BY_NAME,
            RecordBuilder(self.store, lambda: NOW, site_of(settings)),
            Vocabulary(self.store, settings.chains()),
            series=SERIES,
            schedule=schedule_of(settings, lambda: NOW),
        )
        start = Moment(datetime(2030, 3, 6, 10))  # noqa: DTZ001 - a wall clock
        changes = {
            "start": start,
            "end": start,
            "variants": {"de": {"title": "Market", "slug": "old-market"}},
            "recurrence": SentRecurrence((parse_rule(f"FREQ=WEEKLY;COUNT={DATES}"),)),
        }
        self.id = self.editor.create(EVENT, changes, ADMIN, "de")["_id"]
        self.change("all", variants={"de": {"slug": "market"}}, number=0)
        self.change("this", variants={"de": {"title": "Night market"}})

    @property
    def events(self):
        return self.store["events"].find({}, order=[("recurrence_id", 1)])

    def addressed(self, number=ADDRESSED):
        clause = {"recurrence_id": datetime(2030, 3, 6 + 7 * number, 10)}  # noqa: DTZ001 - a wall clock
        return self.store["events"].first(clause)["_id"]

    def change(self, scope, number=ADDRESSED, **changes):
        sent = changes | {"scope": scope}
        return self.editor.change(EVENT, self.addressed(number), sent, ADMIN, "de")

    def remove(self, scope, *, force):
        return self.editor.remove(EVENT, self.addressed(), ADMIN, scope=scope, force=force)

    def states(self):
        """Return the status of each date, ``None`` where it is gone."""
        by_date = {event["recurrence_id"]: event["status"] for event in self.events}
        days = [datetime(2030, 3, 6 + 7 * number, 10) for number in range(DATES)]  # noqa: DTZ001 - a wall clock
        return [by_date.get(day) for day in days]

    def titles(self):
        return [event["variants"]["de"]["title"] for event in self.events]

    def records_in(self, collection, kind):
        return {entry["record"] for entry in self.store[collection].find({"kind": kind.name})}


@pytest.fixture
def series():
    return Series()


@pytest.mark.parametrize(
    ("scope", "titles"),
    [
        ("this", ["Market", "Market", RENAMED, "Market"]),
        ("following", ["Market", "Market", RENAMED, RENAMED]),
        ("all", [RENAMED] * DATES),
    ],
)
def test_a_change_reaches_the_dates_of_its_scope(series, scope, titles):
    series.change(scope, variants={"de": {"title": RENAMED}})
    assert series.titles() == titles
    assert series.states() == [LISTED] * DATES


@pytest.mark.parametrize(
    ("scope", "states"),
    [
        ("this", [LISTED, LISTED, TRASHED, LISTED]),
        ("following", [LISTED, LISTED, TRASHED, TRASHED]),
        ("all", [TRASHED] * DATES),
    ],
)
@pytest.mark.parametrize("door", ["delete", "status"])
def test_trash_keeps_every_date_with_its_history_and_slugs(series, scope, states, door):
    with_history, former = series.records_in(HISTORY, EVENT), series.records_in(FORMER_SLUGS, EVENT)
    if door == "delete":
        series.remove(scope, force=False)
    else:
        series.change(scope, status="trash")
    assert series.states() == states
    assert series.store["series"].count({}) == 1
    assert series.records_in(HISTORY, EVENT) >= with_history
    assert series.records_in(FORMER_SLUGS, EVENT) == former != set()
    assert series.records_in(FORMER_SLUGS, SERIES) == {series.id}


@pytest.mark.parametrize(
    ("scope", "states"),
    [
        ("this", [LISTED, LISTED, DELETED, LISTED]),
        ("following", [LISTED, LISTED, DELETED, DELETED]),
        ("all", [DELETED] * DATES),
    ],
)
def test_deletion_for_good_leaves_no_history_and_no_slugs_of_what_is_gone(series, scope, states):
    number, before = series.addressed(), {event["_id"] for event in series.events}
    series.remove(scope, force=True)
    remaining = {event["_id"] for event in series.events}
    assert series.states() == states
    assert number not in series.records_in(HISTORY, EVENT)
    assert series.records_in(FORMER_SLUGS, EVENT) == remaining
    assert before - remaining
    expected_series = {series.id} if remaining else set()
    assert {each["_id"] for each in series.store["series"].find({})} == expected_series
    assert (
        series.records_in(HISTORY, SERIES)
        == series.records_in(FORMER_SLUGS, SERIES)
        == expected_series
    )


@pytest.mark.parametrize("scope", SCOPES)
def test_restoring_takes_back_what_the_scope_trashed(series, scope):
    slugs = [event["slugs"] for event in series.events]
    series.remove(scope, force=False)
    if scope == "following":
        # The series ends before: each date comes back by itself.
        for number in range(ADDRESSED, DATES):
            series.change("this", number=number, status="publish")
    else:
        series.change(scope, status="publish")
    assert series.states() == [LISTED] * DATES
    assert [event["slugs"] for event in series.events] == slugs
    assert series.titles()[ADDRESSED] == "Night market"


@pytest.mark.parametrize("scope", SCOPES)
def test_what_is_in_the_trash_goes_there_once(series, scope):
    series.remove(scope, force=False)
    with pytest.raises(AlreadyTrashed):
        series.remove(scope, force=False)
    series.remove("all" if scope == "all" else "this", force=True)
    assert series.states()[ADDRESSED] is DELETED


def test_the_last_date_takes_its_series_along(series):
    for number in range(DATES):
        series.editor.remove(EVENT, series.addressed(number), ADMIN, force=True)
    assert series.events == series.store["series"].find({}) == []
    for collection in (HISTORY, FORMER_SLUGS):
        assert series.records_in(collection, SERIES) == set()


@pytest.mark.parametrize(("force", "state"), [(False, TRASHED), (True, DELETED)])
def test_dates_that_a_rule_loses_go_to_the_trash_or_for_good(series, force, state):
    rule = SentRecurrence((parse_rule("FREQ=WEEKLY;COUNT=2"),))
    series.change("all", number=0, recurrence=rule, force=force)
    assert series.states() == [LISTED, LISTED, state, state]


@pytest.mark.parametrize(("force", "state"), [(False, TRASHED), (True, DELETED)])
def test_a_series_that_becomes_one_event_keeps_that_one(series, force, state):
    number = series.addressed()
    other_ids = {event["_id"] for event in series.events} - {number}
    series.change("all", recurrence=SentRecurrence(), force=force)
    by_id = {event["_id"]: event for event in series.events}
    assert by_id[number]["status"] == LISTED
    assert {by_id.get(event_id, {}).get("status") for event_id in other_ids} == {state}
    assert not any("series" in event for event in by_id.values())
    assert series.store["series"].find({}) == []
