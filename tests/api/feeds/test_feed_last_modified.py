"""Feeds send Last-Modified, for programs that keep no entity tags."""

import pytest


def read(client, path, since=None, **query):
    headers = {"If-Modified-Since": since} if since else {}
    return client.send("GET", path, headers=headers, query_string=query)


@pytest.mark.parametrize("suffix", ["ics", "atom", "geojson", "csv"])
def test_an_unchanged_feed_is_not_sent_again(anyone, make_event, suffix):
    make_event()
    first = read(anyone, f"/events.{suffix}")
    again = read(anyone, f"/events.{suffix}", first.headers["Last-Modified"])
    assert (again.status_code, again.get_data()) == (304, b"")


@pytest.mark.parametrize("change", [{"title": "Another"}, {"status": "draft"}])
def test_a_feed_that_has_changed_within_the_same_second_is_sent_again(
    anyone, as_admin, make_event, change
):
    events = [make_event()["id"] for _ in range(2)]
    first = read(anyone, "/events.csv")
    as_admin.post(f"/events/{events[0]}", **change)
    again = read(anyone, "/events.csv", first.headers["Last-Modified"])
    assert again.status_code == 200
    assert again.headers["Last-Modified"] > first.headers["Last-Modified"]


def test_what_a_reader_does_not_see_changes_no_feed(anyone, make_event):
    make_event()
    first = read(anyone, "/events.atom")
    make_event(status="draft")
    assert read(anyone, "/events.atom", first.headers["Last-Modified"]).status_code == 304


def test_one_event_is_not_sent_again_until_it_changes(anyone, as_admin, make_event, clock):
    event = make_event()["id"]
    first = read(anyone, f"/events/{event}.ics")
    since = first.headers["Last-Modified"]
    assert read(anyone, f"/events/{event}.ics", since).status_code == 304
    clock.advance(minutes=1)
    as_admin.post(f"/events/{event}", title="Another")
    assert read(anyone, f"/events/{event}.ics", since).status_code == 200


def test_an_entity_tag_counts_before_the_time(anyone, make_event):
    make_event()
    first = read(anyone, "/events.ics")
    headers = {"If-Modified-Since": first.headers["Last-Modified"], "If-None-Match": '"another"'}
    assert anyone.send("GET", "/events.ics", headers=headers).status_code == 200


def test_all_workers_say_the_same_whenever_they_began(anyone, as_admin, make_event, worker, clock):
    event = make_event()["id"]
    make_event()
    first = read(anyone, "/events.csv").headers["Last-Modified"]
    clock.advance(minutes=5)
    assert read(worker(), "/events.csv").headers["Last-Modified"] == first
    as_admin.post(f"/events/{event}", status="draft")
    changed = read(worker(), "/events.csv").headers["Last-Modified"]
    assert changed > first
    clock.advance(minutes=5)
    assert read(anyone, "/events.csv").headers["Last-Modified"] == changed
    assert read(worker(), "/events.csv", changed).status_code == 304
    assert read(worker(), "/events.csv", first).status_code == 200


def test_worker_with_a_slow_clock_says_no_earlier_time(anyone, as_admin, make_event, worker, clock):
    event = make_event()["id"]
    first = read(anyone, "/events.csv").headers["Last-Modified"]
    as_admin.post(f"/events/{event}", title="Another")
    clock.advance(minutes=-5)
    assert read(worker(), "/events.csv").headers["Last-Modified"] > first
