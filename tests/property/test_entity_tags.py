"""A 304 is sent only if the full response would be the same."""

import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

pytestmark = pytest.mark.timeout(600)

EXAMPLES = int(os.environ.get("ENTITY_TAG_EXAMPLES", "3"))
STEPS = 12

READS = st.sampled_from(
    [
        "/events/{event}",
        "/events/{event}?translation_language=rm",
        "/events/{event}?translation_language=rm&fallback=none",
        "/events/{event}?translation_language=all",
        "/events/{event}?_fields=title,venue",
        "/events",
        "/events?per_page=1&page=2",
        "/events?search=again",
        "/events?venue={venue}",
        "/events?categories={category}",
        "/events?categories=again",
        "/events?tags=more",
        "/events?orderby=title",
        "/events?translation_language=rm&fallback=none&orderby=title",
        "/events?orderby=modified&order=asc",
        "/venues/{venue}",
        "/venues?event={event}",
        "/organizers/{organizer}",
        "/organizers?search=again",
        "/categories",
        "/categories/{category}",
        "/tags?translation_language=rm",
    ]
)
WRITES = st.sampled_from(
    [
        ("PATCH", "/events/{event}", {"title": "Once"}),
        ("PATCH", "/events/{event}", {"title": "Once again"}),
        ("PATCH", "/events/{event}?translation_language=rm", {"title": "Anc ina giada"}),
        ("PATCH", "/events/{event}", {"status": "draft"}),
        ("PATCH", "/events/{event}", {"status": "publish"}),
        ("PATCH", "/events/{event}", {"venue": "{venue}"}),
        ("PATCH", "/events/{event}", {"venue": ""}),
        ("PATCH", "/events/{event}", {"organizer": "{organizer}"}),
        ("PATCH", "/events/{event}", {"categories": ["{category}"]}),
        ("PATCH", "/events/{event}", {"categories": ""}),
        ("PATCH", "/events/{event}", {"start_date": "2030-03-01", "end_date": "2030-03-02"}),
        ("PATCH", "/events/{event}", {"hide_from_listings": True}),
        ("PATCH", "/events/{event}", {"hide_from_listings": False}),
        ("PATCH", "/venues/{venue}", {"venue": "Hall again", "city": "Chur"}),
        ("PATCH", "/venues/{venue}", {"geo_lat": 46.8, "geo_lng": 9.5}),
        ("PATCH", "/venues/{venue}", {"status": "draft"}),
        ("PATCH", "/venues/{venue}", {"status": "publish"}),
        ("PATCH", "/organizers/{organizer}", {"organizer": "Again"}),
        ("PATCH", "/organizers/{organizer}?translation_language=rm", {"organizer": "Puspè"}),
        ("PATCH", "/categories/{category}", {"name": "Again"}),
        ("PATCH", "/categories/{category}", {"name": "First", "slug": "first"}),
        ("PATCH", "/categories/{category}", {"slug": "again"}),
        (
            "POST",
            "/events",
            {"title": "More", "start_date": "2030-02-01", "end_date": "2030-02-01"},
        ),
        ("POST", "/tags", {"name": "More"}),
    ]
)
STEP = st.tuples(st.sampled_from(["one", "other"]), WRITES, st.lists(READS, min_size=1, max_size=4))


@pytest.fixture
def ids(make_event, make_venue, make_organizer, make_category):
    return {
        "event": make_event(title="First")["id"],
        "venue": make_venue()["id"],
        "organizer": make_organizer()["id"],
        "category": make_category()["id"],
    }


@pytest.fixture
def workers(new_worker):
    """Return two workers who write."""
    return {"one": new_worker("admin"), "other": new_worker("admin")}


def filled(body, ids):
    """Return a body with the ids that it names."""

    def value(member_or_text):
        if isinstance(member_or_text, list):
            return [value(member) for member in member_or_text]
        return member_or_text.format(**ids) if isinstance(member_or_text, str) else member_or_text

    return {name: value(field_value) for name, field_value in body.items()}


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(steps=st.lists(STEP, min_size=1, max_size=STEPS))
def test_a_304_is_never_wrong(workers, new_worker, anyone, ids, steps):
    responses = {}
    for who, (method, path, body), reads in steps:
        workers[who].send(method, path.format(**ids), json=filled(body, ids))
        newcomer = new_worker()
        for read in reads:
            address = read.format(**ids)
            etag, cached_body = responses.get(address, ("", b""))
            answer = anyone.send("GET", address, headers={"If-None-Match": etag} if etag else {})
            anew = newcomer.send("GET", address)
            if answer.status_code == 304:
                assert (cached_body, 200) == (anew.data, anew.status_code)
            else:
                assert (answer.data, answer.status_code) == (anew.data, anew.status_code)
                responses[address] = answer.headers.get("ETag", ""), answer.data
