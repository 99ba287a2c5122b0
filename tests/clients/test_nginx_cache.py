"""A shared cache in front of the service, nginx with ``proxy_cache``, keeps nothing secret."""

import pytest
from calling import SECRET

pytestmark = pytest.mark.needs_nginx


@pytest.fixture
def protected(make_event):
    make_event(title="Open")
    return make_event(title="Closed", description="Confidential", password="pp")


def test_it_answers_the_same_list_again(cache, protected):
    assert protected
    cache_states = [cache.get("/events").headers["X-Cache"] for _ in range(2)]
    assert cache_states == ["MISS", "HIT"]


@pytest.mark.parametrize("body", [{"search": "nowhere"}, {"password": "pp"}, {"per_page": 1}])
def test_a_body_poisons_no_answer(cache, protected, body):
    sent = cache.request("GET", "/events?per_page=7", json=body)
    read = cache.get("/events?per_page=7")

    assert (sent.status_code, read.headers["X-Cache"]) == (200, "HIT")
    assert sent.json() == read.json()
    assert {event["title"] for event in read.json()["events"]} == {"Open", "Closed"}
    assert "Confidential" not in read.text
    assert protected


@pytest.mark.parametrize("name", ["password", "pass%77ord", "password[]"])
def test_protected_event_is_not_cached(cache, protected, name):
    for path in ("/events", "/events.ics", f"/events/{protected['id']}"):
        for _ in range(2):
            assert cache.get(f"{path}?{name}=pp").headers["X-Cache"] == "MISS"
        assert "Confidential" not in cache.get(path).text


def test_authenticated_response_is_not_cached(cache, protected):
    for path in ("/events", f"/events/{protected['id']}"):
        for _ in range(2):
            signed_in = cache.get(path, auth=("admin", SECRET))
            assert "Confidential" in signed_in.text
            assert signed_in.headers["X-Cache"] == "MISS"
        assert "Confidential" not in cache.get(path).text


def test_an_editor_gets_no_answer_that_was_kept_for_strangers(cache, protected):
    assert "Confidential" not in cache.get("/events").text
    assert cache.get("/events").headers["X-Cache"] == "HIT"
    assert "Confidential" in cache.get("/events", auth=("admin", SECRET)).text
    assert protected
