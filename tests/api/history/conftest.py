"""Histories of records over HTTP, on both databases."""

import pytest

DATE = {"start_date": "2030-03-10 19:00:00", "end_date": "2030-03-10 22:00:00"}
NEW = {
    "events": {"title": "First", **DATE},
    "venues": {"venue": "First"},
    "organizers": {"organizer": "First"},
    "categories": {"name": "First"},
    "tags": {"name": "First"},
    "series": {"title": "First", **DATE, "recurrence": {"rrule": "FREQ=WEEKLY;COUNT=3"}},
}
LABELS = {
    "events": "title",
    "series": "title",
    "venues": "venue",
    "organizers": "organizer",
    "categories": "name",
    "tags": "name",
    "media": "title",
}


@pytest.fixture
def make(as_admin, upload):
    """Return a function that makes a record, and returns its path."""

    def create(collection, by=as_admin, **changes):
        if collection == "media":
            return f"/media/{upload(by, title='First')['id']}"
        path = "/events" if collection == "series" else f"/{collection}"
        answer = by.post(path, **NEW[collection], **changes)
        assert answer.status_code == 201, answer.json
        return f"/{collection}/{answer.json['id']}"

    return create


@pytest.fixture
def saves(as_admin):
    """Return a function that lists the saves of a record, the latest first."""

    def entries(path, by=as_admin, **query):
        answer = by.get(f"{path}/history", **query)
        assert answer.status_code == 200, answer.json
        return answer.json["history"]

    return entries


@pytest.fixture
def write(as_admin, clock):
    """Return a function that changes a record an hour later and returns it as read alone."""

    def change(path, by=as_admin, language="de", **changes):
        clock.advance(hours=1)
        answer = by.send(
            "PATCH", path, json=changes, query_string={"translation_language": language}
        )
        assert answer.status_code == 200, answer.json
        return by.get(path).json

    return change


@pytest.fixture
def restore(as_admin):
    """Return a function that takes a record back to a revision."""

    def back(path, revision, by=as_admin, **options):
        return by.send("POST", f"{path}/history/{revision}/restore", **options)

    return back
