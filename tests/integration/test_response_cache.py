"""An answer is given again until something is written, and never when it is no longer right."""

import pytest
from calling import BASE

from calendar_app.storage.mongo.transactions import round_trips


@pytest.fixture
def elsewhere(worker):
    """Return who writes by way of another worker, which keeps answers of its own."""
    return worker("admin")


@pytest.fixture
def forgetful(worker):
    """Return who asks a worker that keeps no answers."""
    return worker(cache_answers=False)


def counted_read(client, path, **query):
    assert client.get(path, **query).status_code == 200
    return round_trips()


@pytest.mark.parametrize(
    "path", ["/events", "/events/{event}", "/venues", "/venues/{venue}", "/categories", "/tags"]
)
def test_unchanged_response_takes_one_query(anyone, make_event, make_venue, path):
    venue = make_venue()["id"]
    path = path.format(event=make_event(venue=venue)["id"], venue=venue)
    first = anyone.get(path)
    assert counted_read(anyone, path) == 1
    assert anyone.get(path).data == first.data


def test_route_in_the_query_shares_the_cached_response(anyone, make_event):
    make_event()
    assert anyone.get("/events").status_code == 200
    anyone.send("GET", "/", base="", query_string={"rest_route": f"{BASE}/events"})
    assert round_trips() == 1


def test_cached_response_has_the_same_headers(anyone, make_event):
    make_event()
    first, second = (dict(anyone.get("/events").headers) for _ in range(2))
    assert first.pop("X-Request-ID") != second.pop("X-Request-ID")
    assert first == second


def test_write_of_another_worker_is_visible_at_once(anyone, elsewhere, make_event):
    event = make_event(title="0")
    for number in range(1, 20):
        elsewhere.patch(f"/events/{event['id']}", title=str(number))
        assert anyone.get(f"/events/{event['id']}").json["title"] == str(number)
        assert anyone.get("/events").json["events"][0]["title"] == str(number)


def test_change_of_a_linked_record_is_visible(anyone, elsewhere, make_event, make_venue):
    venue = make_venue(venue="Old")
    event = make_event(venue=venue["id"])
    assert anyone.get(f"/events/{event['id']}").json["venue"]["venue"] == "Old"
    elsewhere.patch(f"/venues/{venue['id']}", venue="New")
    assert anyone.get(f"/events/{event['id']}").json["venue"]["venue"] == "New"
    elsewhere.delete(f"/venues/{venue['id']}")
    assert anyone.get(f"/events/{event['id']}").json["venue"] == []


def test_the_new_day_has_a_list_of_its_own(anyone, make_event, clock):
    make_event(title="Today", start_date="2030-01-15 20:00", end_date="2030-01-15 21:00")
    assert anyone.get("/events").json["total"] == 1
    clock.advance(days=1)
    assert anyone.get("/events").json["total"] == 0


def test_words_for_dates_mean_another_time_each_second(anyone, make_event, clock):
    make_event(start_date="2030-01-15 13:00:01", end_date="2030-01-15 14:00:00")
    query = {"starts_after": "now", "strict_dates": True}
    assert anyone.get("/events", **query).json["total"] == 1
    clock.advance(seconds=1)
    assert anyone.get("/events", **query).json["total"] == 0


def test_a_scheduled_event_appears_once_it_is_published(anyone, make_event, publish_after):
    make_event(status="future", date="2030-01-15 14:00:00")
    assert anyone.get("/events").json["total"] == 0
    publish_after(minutes=61)
    assert anyone.get("/events").json["total"] == 1


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://one.example"},
        {"Accept": "application/ld+json"},
        {"Host": "other.example"},
        {"X-Request-ID": "mine"},
    ],
)
def test_each_representation_is_cached_separately(anyone, forgetful, make_event, headers):
    path = f"/events/{make_event()['id']}"
    anyone.send("GET", path)
    cached, uncached = (client.send("GET", path, headers=headers) for client in (anyone, forgetful))
    ignored = {"Date", "X-Request-ID"} - set(headers)
    assert cached.data == uncached.data
    assert {k: v for k, v in cached.headers if k not in ignored} == {
        k: v for k, v in uncached.headers if k not in ignored
    }


def test_editor_gets_no_response_cached_for_strangers(anyone, as_editor, make_event):
    draft = make_event(status="draft")["id"]
    assert anyone.get("/events", status="publish").json["total"] == 0
    assert anyone.get(f"/events/{draft}").status_code == 403
    assert as_editor.get(f"/events/{draft}").status_code == 200
    assert anyone.get(f"/events/{draft}").status_code == 403


def test_unlocked_event_stays_locked_for_others(anyone, as_editor, make_event):
    path = f"/events/{make_event(description='Hidden')['id']}"
    as_editor.patch(path, password="sesame")
    assert "Hidden" in anyone.get(path, password="sesame").json["description"]
    for _ in range(2):
        assert "Hidden" not in anyone.get(path).get_data(as_text=True)


def test_unchanged_response_is_304(anyone, elsewhere, make_event):
    event = make_event(title="Old")
    path = f"/events/{event['id']}"
    etag = anyone.get(path).headers["ETag"]
    for _ in range(2):
        again = anyone.send("GET", path, headers={"If-None-Match": etag})
        assert (again.status_code, again.data) == (304, b"")
        assert "Content-Type" not in again.headers
        assert again.headers["ETag"] == etag
    elsewhere.patch(path, title="New")
    assert anyone.send("GET", path, headers={"If-None-Match": etag}).json["title"] == "New"


def test_service_without_a_cache_answers_the_same(anyone, forgetful, make_event):
    make_event()
    assert forgetful.get("/events").data == anyone.get("/events").data


def test_no_more_is_kept_than_there_is_room_for(worker, make_event):
    make_event(description="x" * 40_000)
    little = worker(cache_memory=1)
    for number in range(40):
        assert little.get("/events", starts_before="2040-01-01", other=number).json["total"] == 1


def test_links_keep_the_requested_address(anyone, make_event):
    make_event()
    first, second = (anyone.get("/events", other=number).json["rest_url"] for number in (1, 2))
    assert "other=1" in first
    assert "other=2" in second
