"""What is still on is found by its length, without a look at all that has been over before."""

from copy import deepcopy
from datetime import timedelta

import pytest

from calendar_app.domain.lengths import lasts_under
from calendar_app.query.durations import LASTS_UNDER

pytestmark = [pytest.mark.needs_mongodb, pytest.mark.lasting]

DAYS = 1500
PAGE = 12
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
    made = make_event(start_date="2030-01-01 10:00:00", end_date="2030-01-01 12:00:00")
    (one,) = database["events"].find()
    database["events"].insert_many(_copy(one, number) for number in range(1, DAYS))
    assert made["id"] == one["_id"]


def _copy(one, number):
    other = deepcopy(one) | {"_id": one["_id"] + number}
    other.pop("slugs")
    begun, long = timedelta(days=number), timedelta(hours=LONG.get(number % 100, 2))
    for name in ("start", "start_local"):
        other[name] += begun
    for name in ("end", "end_local"):
        other[name] = other[name.replace("end", "start")] + long
    other[LASTS_UNDER] = lasts_under(other["start_local"], other["end_local"])
    return other


@pytest.fixture
def looked(profiled):
    """Return what tells how many keys and documents of events each question has looked at."""

    def at(client, **query):
        page, asked = profiled(client, **query)
        return page, *([each[f"{what}Examined"] for each in asked] for what in LOOKED_AT)

    return at


@pytest.mark.usefixtures("many")
@pytest.mark.parametrize("order", ["asc", "desc"])
@pytest.mark.parametrize("query", [LATE, MONTH, {"overlaps_from": "2033-06-01"}], ids="&".join)
def test_little_else_is_looked_at(anyone, looked, query, order):
    _, keys, documents = looked(anyone, **query, order=order)
    assert documents[0] <= PAGE
    assert keys[0] < 10 * PAGE


@pytest.mark.usefixtures("many")
@pytest.mark.parametrize("day", ["2030-02-01", "2031-12-24", "2033-06-01"])
@pytest.mark.parametrize("name", ["ends_after", "overlaps_from"])
def test_the_total_looks_at_no_event_and_at_none_that_is_over(worker, looked, name, day):
    page, keys, documents = looked(worker(), **{name: day})
    assert page["total"] > PAGE
    assert documents[1] == 0
    assert keys[1] <= page["total"] + 1


@pytest.mark.usefixtures("many")
@pytest.mark.parametrize("day", ["2030-06-01", "2031-12-24", "2033-06-01", "2034-01-01"])
@pytest.mark.parametrize("order", ["asc", "desc"])
def test_the_list_is_that_of_a_walk_through_all(anyone, database, day, order):
    wanted = [
        event["_id"]
        for event in database["events"].find().sort("start_local", 1 if order == "asc" else -1)
        if str(event["end_local"]) > f"{day} 23:59:59"
    ]
    shown, page = [], {"next_rest_url": None}
    number = 1
    while "next_rest_url" in page:
        page = anyone.get("/events", ends_after=day, order=order, per_page=50, page=number).json
        shown += [event["id"] for event in page["events"]]
        assert page["total"] == len(wanted)
        number += 1
    assert shown == wanted


@pytest.mark.usefixtures("many")
@pytest.mark.parametrize("order", ["asc", "desc"])
@pytest.mark.parametrize("orderby", ["start_date", "end_date", "modified", "id"])
def test_pages_far_behind_go_on_where_those_before_end(anyone, order, orderby):
    sent = {"overlaps_from": "2030-01-01", "orderby": orderby, "order": order, "per_page": 50}
    pages = [anyone.get("/events", page=number, **sent).json["events"] for number in range(1, 31)]
    ids = [event["id"] for page in pages for event in page]
    assert len(ids) == len(set(ids)) == DAYS
    if orderby == "id":
        assert ids == sorted(ids, reverse=order == "desc")
    if orderby == "start_date":
        starts = [event["start_date"] for page in pages for event in page]
        assert starts == sorted(starts, reverse=order == "desc")
