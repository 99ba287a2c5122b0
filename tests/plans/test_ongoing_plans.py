"""Ongoing events are found by duration, without reading past ones."""

from copy import deepcopy
from datetime import timedelta

import pytest

from calendar_app.domain.fields import LASTS_UNDER
from calendar_app.domain.kinds import EVENT
from calendar_app.domain.timespan import lasts_under

pytestmark = pytest.mark.lasting

DAYS = 1500
PAGE = 12
SLUG = "amid-all-days"
LOOKED_AT = ("keys", "docs")
LATE = {"ends_after": "2033-06-01"}
MONTH = {"overlaps_from": "2033-06-01", "overlaps_to": "2033-06-30"}
# A few of them last long: in hours, by what their number leaves when divided by 100.
LONG = {7: 26, 20: 100, 33: 24 * 20, 46: 24 * 100, 59: 24 * 700}


@pytest.fixture
def many(make_event, database):
    """Store an event a day for years, most of them over by the evening."""
    if not database["events"].find_one():
        _fill(make_event, database)


def _fill(make_event, database):
    event = make_event(start_date="2030-01-01 10:00:00", end_date="2030-01-01 12:00:00")
    (original,) = database["events"].find()
    database["events"].insert_many(_copy(original, number) for number in range(1, DAYS))
    assert event["id"] == original["_id"]


def _copy(event, number):
    copied = deepcopy(event) | {"_id": event["_id"] + number}
    copied.pop("slugs")
    if number == DAYS // 2:
        copied["slugs"] = [f"de:{SLUG}"]
        copied["variants"]["de"]["slug"] = SLUG
    begun, long = timedelta(days=number), timedelta(hours=LONG.get(number % 100, 2))
    for name in ("start", "start_local"):
        copied[name] += begun
    for name in ("end", "end_local"):
        copied[name] = copied[name.replace("end", "start")] + long
    copied[LASTS_UNDER] = lasts_under(copied["start_local"], copied["end_local"])
    return copied


@pytest.fixture
def looked(profiled):
    """Return a function that returns the keys and documents examined by each query."""

    def at(client, path="/events", **query):
        page, entries = profiled(client, path, **query)
        return page, *([each[f"{what}Examined"] for each in entries] for what in LOOKED_AT)

    return at


@pytest.mark.usefixtures("many")
@pytest.mark.parametrize("order", ["asc", "desc"])
@pytest.mark.parametrize("query", [LATE, MONTH, {"overlaps_from": "2033-06-01"}], ids="&".join)
def test_few_other_documents_are_examined(anyone, looked, query, order):
    _, keys, documents = looked(anyone, **query, order=order)
    assert documents[0] <= PAGE
    assert keys[0] < 10 * PAGE


@pytest.mark.usefixtures("many")
def test_what_was_changed_first_is_sorted_before_it_is_read(anyone, looked):
    page, keys, documents = looked(anyone, **LATE, orderby="modified")
    assert page["total"] > 10 * PAGE
    assert keys[0] <= page["total"] + 1
    assert max(documents) <= 2 * PAGE


@pytest.mark.usefixtures("many")
@pytest.mark.parametrize(
    ("day", "sorted_by"), [("2033-09-01", "end_local"), ("2029-06-01", "modified")]
)
def test_what_was_changed_first_is_read_without_comparing_indexes(anyone, profiled, day, sorted_by):
    _, entries = profiled(anyone, ends_after=day, orderby="modified")
    assert list(entries[0]["command"]["hint"])[:3] == ["status", "hidden", sorted_by]


@pytest.mark.usefixtures("many")
@pytest.mark.parametrize("day", ["2030-02-01", "2031-12-24", "2033-06-01"])
@pytest.mark.parametrize("name", ["ends_after", "overlaps_from"])
def test_total_of_ongoing_events_examines_no_event(worker, looked, name, day):
    page, keys, documents = looked(worker(), **{name: day})
    assert page["total"] > PAGE
    assert documents[1] == 0
    assert keys[1] <= page["total"] + 1


@pytest.mark.usefixtures("many")
def test_total_of_a_month_examines_no_earlier_event(worker, looked):
    page, keys, documents = looked(worker(), **MONTH)
    assert page["total"] > PAGE
    assert documents[1] == 0
    assert keys[1] < 10 * page["total"]


@pytest.mark.usefixtures("many")
@pytest.mark.parametrize("query", [LATE, MONTH], ids="&".join)
def test_list_is_the_same_while_the_index_is_missing(worker, database, query):
    listed = worker().get("/events", **query).json["events"]
    fields = list(EVENT.index_by(LASTS_UNDER).fields)
    database["events"].drop_index(fields)
    try:
        assert worker().get("/events", **query).json["events"] == listed
    finally:
        database["events"].create_index(fields)


@pytest.mark.usefixtures("many")
def test_page_of_an_event_examines_no_past_ones(app, looked):
    _, keys, documents = looked(app.test_client(), f"/event/{SLUG}/")
    assert sum(documents) <= PAGE
    assert sum(keys) < 10 * PAGE


@pytest.mark.usefixtures("many")
@pytest.mark.parametrize("day", ["2030-06-01", "2031-12-24", "2033-06-01", "2034-01-01"])
@pytest.mark.parametrize("order", ["asc", "desc"])
def test_the_list_is_that_of_a_walk_through_all(anyone, database, day, order):
    expected = [
        event["_id"]
        for event in database["events"].find().sort("start_local", 1 if order == "asc" else -1)
        if str(event["end_local"]) > f"{day} 23:59:59"
    ]
    listed, page = [], {"next_rest_url": None}
    number = 1
    while "next_rest_url" in page:
        page = anyone.get("/events", ends_after=day, order=order, per_page=50, page=number).json
        listed += [event["id"] for event in page["events"]]
        assert page["total"] == len(expected)
        number += 1
    assert listed == expected


@pytest.mark.usefixtures("many")
@pytest.mark.parametrize("order", ["asc", "desc"])
@pytest.mark.parametrize("orderby", ["start_date", "end_date", "modified", "id"])
def test_far_pages_continue_the_previous_ones(anyone, order, orderby):
    sent = {"overlaps_from": "2030-01-01", "orderby": orderby, "order": order, "per_page": 50}
    pages = [anyone.get("/events", page=number, **sent).json["events"] for number in range(1, 31)]
    ids = [event["id"] for page in pages for event in page]
    assert len(ids) == len(set(ids)) == DAYS
    if orderby == "id":
        assert ids == sorted(ids, reverse=order == "desc")
    if orderby == "start_date":
        starts = [event["start_date"] for page in pages for event in page]
        assert starts == sorted(starts, reverse=order == "desc")
