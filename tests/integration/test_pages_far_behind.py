"""Pages in the middle of a long list: found by a walk through an index, and nothing else."""

from copy import deepcopy
from datetime import timedelta
from itertools import product

import pytest

pytestmark = pytest.mark.needs_mongodb

EVENTS, PAGE, MIDDLE = 4200, 50, 42
BEFORE = (MIDDLE - 1) * PAGE
ORDERS, TRIES = ("asc", "desc"), 3
WALKED = (
    "cursor next calls",
    "cursor prev calls",
    "cursor search calls",
    "cursor search near calls",
)
ALL = {"start_date": "2029-01-01", "end_date": "2060-01-01", "per_page": PAGE}


@pytest.fixture
def many(make_event, database):
    """Store an event an hour, changed in another order than they begin."""
    made = make_event(start_date="2030-01-01 10:00:00", end_date="2030-01-01 12:00:00")
    (one,) = database["events"].find()
    database["events"].insert_many(_copy(one, number) for number in range(1, EVENTS))
    return made


def _copy(one, number):
    other = deepcopy(one) | {"_id": one["_id"] + number}
    other.pop("slugs")
    for name in ("start", "start_local", "end", "end_local"):
        other[name] += timedelta(hours=number)
    other["modified"] += timedelta(minutes=number * 7919 % EVENTS)
    return other


@pytest.fixture
def walked(database):
    """Return what tells how often the database moved a cursor for a page that it had not seen."""

    def moved():
        told = database.client.admin.command("serverStatus")["wiredTiger"]["cursor"]
        return sum(told[name] for name in WALKED)

    def asked(client, **query):
        database.command("planCacheClear", "events")
        before = moved()
        assert client.get("/events", **query).status_code == 200
        return moved() - before

    # mongod itself does something now and then.
    return lambda *to, **query: min(asked(*to, **query) for _ in range(TRIES))


@pytest.mark.usefixtures("many")
def test_a_page_in_the_middle_takes_one_walk(worker, walked):
    forgetful = worker(remember_answers=0)
    for orderby, order in product(["start_date", "end_date", "modified"], ORDERS):
        sent = ALL | {"orderby": orderby, "order": order}
        forgetful.get("/events", **sent)  # so that the total is known
        assert BEFORE < walked(forgetful, page=MIDDLE, **sent) < 3 * BEFORE, sent


@pytest.mark.usefixtures("many")
def test_pages_in_the_middle_go_on_where_those_before_end(anyone):
    for orderby, order in product(["start_date", "end_date", "modified", "id", "title"], ORDERS):
        sent = ALL | {"orderby": orderby, "order": order}
        numbers = range(MIDDLE - 3, MIDDLE + 3)
        pages = [anyone.get("/events", page=number, **sent).json["events"] for number in numbers]
        ids = [event["id"] for page in pages for event in page]
        assert len(ids) == len(set(ids)) == len(pages) * PAGE
        if orderby in ("start_date", "end_date", "modified"):
            times = [event[orderby] for page in pages for event in page]
            assert times == sorted(times, reverse=order == "desc"), sent
