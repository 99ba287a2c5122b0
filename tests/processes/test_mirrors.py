"""Mirrors that follow the changes equal a full read after any writes.

Three workers write by chance, one of them in a process of its own that is killed again and again.
"""

import os
from random import Random

import pytest
from mirrors import Mirror
from random_writes import OtherProcess, small_calendar, write

from calendar_app.storage.mongo.marks import mark_everything

WRITES = int(os.environ.get("MIRRORED_WRITES", "100"))
SEED = int(os.environ.get("MIRRORED_WRITES_SEED", "1"))
# One of so many writes kills the other process, and after so many the copies catch up.
KILLS, CATCHING_UP = 12, 5


@pytest.fixture
def other_process(database, mongod_uri, settings):
    del database
    process = OtherProcess(mongod_uri, settings)
    yield process
    process.end()


@pytest.fixture
def calendar(as_admin, upload):
    return small_calendar(as_admin, upload)[0]


# The other process starts again after each kill.
@pytest.mark.timeout(600)
def test_each_copy_is_what_is_read_as_a_whole(worker, other_process, calendar):
    random = Random(SEED)  # noqa: S311 - repeatable, not secret
    workers = [worker("admin"), worker("admin")]
    mirrors = [
        Mirror(worker()),
        Mirror(worker("author2")),
        Mirror(worker(), per_page=3, categories=calendar["categories"][0]),
        Mirror(worker(), geoloc_bbox="9,46.5,10,47"),
        Mirror(worker(), search="market", translation_language="rm"),
    ]
    stored = 0
    for number in range(1, WRITES + 1):
        request = another_write(random, calendar)
        if random.randrange(KILLS) == 0:
            other_process.write_and_die(*request, random.random() / 20)
        elif random.random() < 0.2:
            stored += other_process.write(*request) < 300
        else:
            method, path, body = request
            answer = random.choice(workers).send(method, path, json=body)
            stored += answer.status_code < 300
        if number % CATCHING_UP == 0 or number == WRITES:
            for mirror in mirrors:
                assert mirror.follow() == mirror.whole(), (number, request)
    assert stored > WRITES / 3
    for mirror in mirrors:
        changes = sum(len(page["changes"]) for page in mirror.stream)
        assert changes > 0


def test_a_copy_begins_again_after_a_restore(anyone, as_admin, make_event, database):
    events = [make_event() for _ in range(3)]
    mirror = Mirror(anyone, per_page=2)
    assert mirror.follow().keys() == {event["id"] for event in events}
    # As of an earlier moment: one is not there yet, and another one is as it was.
    database["events"].delete_one({"_id": events[0]["id"]})
    database["events"].update_one({"_id": events[1]["id"]}, {"$set": {"featured": True}})
    mark_everything(database)
    assert mirror.follow() == mirror.whole()
    as_admin.post(f"/events/{events[2]['id']}", title="Another")
    assert mirror.follow() == mirror.whole()


def another_write(random, ids):
    """Return a random write, also a permanent delete, a restore or one of a series."""
    if random.random() < 0.7:
        return write(random, ids)
    event, series = random.choice(ids["events"]), ids["series"][0]
    kind = random.choice(("venues", "organizers", "categories", "tags"))
    links = {"venue": random.choice(ids["venues"]), "tags": [random.choice(ids["tags"])]}
    return random.choice(
        (
            ("DELETE", f"/events/{event}?force=true", None),
            ("PATCH", f"/events/{event}", {"status": "publish"}),
            ("PATCH", f"/events/{event}", {"status": "publish", **links}),
            ("POST", f"/events/{event}/history/{random.randint(1, 4)}/restore", {}),
            ("DELETE", f"/{kind}/{ids[kind][-1]}?force=true", None),
            ("POST", f"/{kind}", {"name": "New", "venue": "New", "organizer": "New"}),
            ("PATCH", f"/series/{series}", {"title": f"Series {event}"}),
            ("PATCH", f"/series/{series}", {"status": random.choice(("publish", "draft"))}),
            ("PATCH", f"/events/{event}", {"scope": "following", "title": f"From {event} on"}),
            (
                "PATCH",
                f"/series/{series}",
                {"recurrence": {"rrule": f"FREQ=WEEKLY;COUNT={random.randint(3, 6)}"}},
            ),
        )
    )
