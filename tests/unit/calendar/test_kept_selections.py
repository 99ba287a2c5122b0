"""A feed that is kept over a write is the one that would be selected anew, or is not kept."""

from datetime import datetime
from random import Random

import pytest
from bson import Timestamp

from calendar_app.calendar.reading.feed_series import FeedSeries, Item, Selection, Survey
from calendar_app.calendar.reading.kept_selections import KeptSelection, Row, keep
from calendar_app.domain.recurrence.rules import Recurrence
from calendar_app.domain.statuses import Stamp
from calendar_app.storage.mongo.editions import Edition, Step
from calendar_app.storage.query.list_query import Listing, Window

NOON = datetime(2030, 1, 15, 12)  # noqa: DTZ001 - naive means UTC
EDITION = Edition({}, Timestamp(1, 1), Timestamp(1, 1), 1)
LATER = Edition({}, Timestamp(2, 1), Timestamp(2, 1), 1)
UP, DOWN = [("start", 1), ("_id", 1)], [("start", -1), ("_id", -1)]
ROOM = 4


def row(number, start):
    item = Item(number, False, b"%d %d" % (number, start), (Stamp(1, NOON),))
    return Row((start, number), "Europe/Zurich", 2030 + start % 3, item)


def selected(events, order, room, skip):
    """Return what a calendar with these starts of events selects, by id."""
    rows = [row(number, start) for number, start in events.items()]
    rows.sort(key=lambda each: each.key, reverse=order is DOWN)
    page = rows[skip : skip + room]
    zones = {"Europe/Zurich": min(each.year for each in page)} if page else {}
    items = [each.item for each in page]
    changed = NOON if items else datetime(1970, 1, 1)  # noqa: DTZ001
    selection = Selection({}, items, zones, changed, len(rows) > skip + room, {})
    return KeptSelection(EDITION, selection, page, order, room, skip == 0, {}, {})


def written(random, events):
    """Return the events after one or two of them came, went or moved, and their ids."""
    after, ids = dict(events), set()
    for _ in range(random.randint(1, 2)):
        number = random.choice([*events, 50, 51])
        ids.add(number)
        after.pop(number, None)
        if random.random() < 0.7:
            after[number] = random.randint(0, 9)
    return after, ids


@pytest.mark.parametrize("skip", [0, 2])
@pytest.mark.parametrize("order", [UP, DOWN])
def test_what_is_kept_is_what_would_be_selected(order, skip):
    random, kept = Random(1), 0  # noqa: S311 - repeatable, not secret
    for _ in range(500):
        events = {number: random.randint(0, 9) for number in range(random.randint(0, 7))}
        after, ids = written(random, events)
        rows = [row(number, start) for number, start in after.items() if number in ids]
        former = selected(events, order, ROOM, skip)
        result = former.after(ids, rows, {}, {}, LATER)
        if result is not None:
            fresh = selected(after, order, ROOM, skip)
            assert (result.selection, result.rows) == (fresh.selection, fresh.rows)
            kept += 1
    assert kept


def test_events_within_a_feed_are_replaced_moved_added_and_left_out():
    events = {1: 1, 2: 2, 3: 3}
    for after, number in (
        ({1: 1, 2: 2, 3: 0}, 3),
        ({1: 1, 2: 2, 3: 3, 4: 2}, 4),
        ({1: 1, 3: 3}, 2),
    ):
        rows = [row(number, after[number])] if number in after else []
        result = selected(events, UP, ROOM, 0).after({number}, rows, {}, {}, LATER)
        assert [each.item.id for each in result.rows] == sorted(after, key=lambda n: (after[n], n))
        assert result.edition is LATER


SERIES = {3: FeedSeries({"_id": 3, "text": "x" * 10_000}, [], NOON, Recurrence())}


def holding(series):
    """Return a selection that shows venue 1, with these series."""
    selection = Selection({}, [], {}, NOON, False, series)
    survey = Survey({}, linked={"venues": {1}})
    return keep(EDITION, survey, selection, Listing(Window(1, ROOM), UP), {"venues": {}})


def test_size_counts_the_records_of_series():
    assert 10_000 < holding(SERIES).size - holding({}).size < 12_000


@pytest.mark.parametrize(
    ("series", "venue", "ids"),
    [({}, 2, {5}), (SERIES, 1, {5}), (SERIES, 2, None)],
    ids=["no series", "a venue that is shown", "a venue of a date that is not looked at"],
)
def test_what_a_series_may_hide_counts_once_it_is_written(series, venue, ids):
    step = Step(EDITION.order, LATER.order, {"events": {5}, "venues": {venue}})
    later = Edition({}, Timestamp(2, 1), Timestamp(2, 1), 1, (step,), LATER.order)
    assert holding(series).written_ids(later, lambda _links: {}) == ids
