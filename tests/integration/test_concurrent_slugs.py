"""Slugs are unique within a kind, also among concurrent writers."""

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from threading import Barrier

import pytest

from calendar_app.accounts.callers import Caller
from calendar_app.api.http.request.state import get_services
from calendar_app.domain.kinds import EVENT
from calendar_app.domain.moments import Moment
from calendar_app.storage.mongo.store import Store

EVENING = {"start_date": "2030-03-10 19:00:00", "end_date": "2030-03-10 22:00:00"}


def created(client, title="Concert", **more):
    answer = client.post("/events", title=title, **EVENING, **more)
    assert answer.status_code == 201, answer.json
    return answer.json


@pytest.fixture
def workers(as_admin, worker):
    return [as_admin, worker("admin"), worker("admin")]


def numbered(number):
    return ["concert", *(f"concert-{each}" for each in range(2, number + 1))]


def test_workers_in_turn_give_slugs_in_turn(workers):
    assert [created(workers[turn % 3])["slug"] for turn in range(8)] == numbered(8)


def test_workers_at_once_give_each_slug_once(workers):
    start = Barrier(6)

    def work(which):
        start.wait(timeout=30)
        return [created(workers[which % 3])["slug"] for _ in range(2)]

    with ThreadPoolExecutor(6) as pool:
        slugs_of_all = [slug for slugs in pool.map(work, range(6)) for slug in slugs]
    assert sorted(slugs_of_all) == sorted(numbered(12))


def test_requested_slug_is_assigned_once(workers):
    first, second, _ = workers
    assert created(first, "A", slug="gala")["slug"] == "gala"
    assert created(second, "B", slug="gala")["slug"] == "gala-2"


def test_slug_is_unique_within_its_language(workers):
    first, second, _ = workers
    created(first, variants={"rm": {"title": "Concert"}})
    both = created(second, variants={"rm": {"title": "Concert"}}, translation_language="de")
    assert both["slug"] == "concert-2"
    record = second.get(f"/events/{both['id']}", translation_language="rm").json
    assert record["slug"] == "concert-2"


def test_trashed_and_former_slugs_are_free(workers, as_admin):
    first, second, third = workers
    event = created(first)
    as_admin.delete(f"/events/{event['id']}")
    assert created(second)["slug"] == "concert"
    as_admin.patch("/events/by-slug/concert", slug="other")
    assert created(third)["slug"] == "concert"


def test_equal_names_in_a_request_get_distinct_slugs(as_admin):
    event = created(as_admin, tags=["A + B", "A & B"])
    assert sorted(tag["slug"] for tag in event["tags"]) == ["a-b", "a-b-2"]


def test_linked_records_are_stored_once_after_a_slug_collision(workers, as_admin):
    first, second, _ = workers
    created(first)
    event = created(second, venue={"venue": "Hall"}, tags=["New"])
    assert event["slug"] == "concert-2"
    assert as_admin.get("/venues").json["total"] == 1
    assert as_admin.get("/tags").json["total"] == 1
    assert event["tags"][0]["count"] == 1


def test_equal_names_in_a_transaction_need_no_retry(app, database):
    editor, runs = get_services(app).editor, []
    caller = Caller(id=1, name="admin", role="administrator")
    day = Moment(datetime.fromisoformat("2030-03-10"))

    def work():
        runs.append(1)
        changes = {"start": day, "end": day, "variants": {"de": {"title": f"Gala {len(runs)}"}}}
        records = [editor.create(EVENT, changes, caller, "de") for _ in range(3)]
        return [event["variants"]["de"]["slug"] for event in records]

    assert Store(database).transact(work) == ["gala-1", "gala-1-2", "gala-1-3"]
    assert len(runs) == 1
