"""Fixtures for tests of the resources."""

import pytest
from api.resources.protected_event import SECRET
from keeping import kept


@pytest.fixture
def described(anyone):
    """Return a function that reads the linked data of a record that was made."""

    def read(record, collection="events", **query):
        answer = anyone.send(
            "GET",
            f"/{collection}/{record['id']}",
            headers={"Accept": "application/ld+json"},
            query_string=query,
        )
        assert answer.status_code == 200
        return answer.json

    return read


@pytest.fixture
def make_on(make_event):
    """Return a function that makes an event from one day (and time) to another."""

    def make(start, end=None, **changes):
        end = end or start
        start = start if " " in start else f"{start} 10:00:00"
        end = end if " " in end else f"{end} 12:00:00"
        return make_event(start_date=start, end_date=end, title=start, **changes)["id"]

    return make


@pytest.fixture
def listed(anyone):
    """Return a function that lists the ids of events for given parameters."""

    def ids(**query):
        answer = anyone.get("/events", **query)
        assert answer.status_code == 200, answer.json
        assert answer.json["total"] == len(answer.json["events"])
        return [event["id"] for event in answer.json["events"]]

    return ids


@pytest.fixture
def make_kind(request):
    """Return a function that makes a record of a kind."""
    return lambda kind, **changes: request.getfixturevalue(f"make_{kind}")(**changes)


@pytest.fixture
def stored_texts(anyone):
    """Return a function that reads the texts of a record in every language."""

    def read(path):
        return anyone.get(path, translation_language="all").json["variants"]

    return read


@pytest.fixture
def make_term(as_admin):
    """Return a function that creates a term."""

    def create(collection, **body):
        answer = as_admin.post(f"/{collection}", **({"name": "Jazz"} | body))
        assert answer.status_code == 201, answer.json
        return answer.json

    return create


@kept
def protected(make_event, make_venue, make_organizer, make_tag, as_author):
    """Return an event of the author, with much to hide behind its password."""
    event = make_event(
        by=as_author,
        title="Gathering",
        description="Confidential",
        excerpt="Confidential too",
        cost="12",
        website="https://secret.example/",
        image="https://secret.example/a.png",
        venue=make_venue(venue="Hideout")["id"],
        organizer=make_organizer(organizer="Conspirators")["id"],
        tags=[make_tag()["id"]],
        featured=True,
        status_reason="Somebody talked",
        attendance_mode="online",
        online_url="https://secret.example/live",
        accessibility=["wheelchair"],
        in_language=["de"],
        audience={"min_age": 6},
        registration={"url": "https://secret.example/register"},
    )
    answer = as_author.put(f"/events/{event['id']}", password=SECRET)
    assert answer.status_code == 200
    return event
