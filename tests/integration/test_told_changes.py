"""Receivers are told of the calendar's changes as the reader of their webhook sees them."""

import dataclasses

import pytest
from receivers import receiving

from calendar_app.api.http.request.state import get_services
from calendar_app.api.resources.following import Follower
from calendar_app.assembly.background import courier_of, hub_of
from calendar_app.domain.moments import naive_clock
from calendar_app.storage.mongo.store import Store


@pytest.fixture
def settings(settings):
    return dataclasses.replace(
        settings, webhook_networks=("127.0.0.0/8",), websub_hub="http://127.0.0.1:1/"
    )


@pytest.fixture
def subscribe(app, database, clock, as_admin):
    """Return a function that adds a webhook to a receiver; each call of its result delivers."""
    settings = get_services(app).settings
    follow = Follower(app).changes
    courier = courier_of(settings, Store(database), follow, naive_clock(clock))

    def telling(receiver, **values):
        answer = as_admin.post("/webhooks", name="Mirror", address=receiver.address, **values)
        receiver.secret = answer.json["secret"]

        def deliver():
            receiver.messages.clear()
            courier.deliver_due()
            return [(each["type"], each["data"].get("id")) for each in receiver.messages]

        return deliver

    return telling


@pytest.fixture
def receiver():
    with receiving() as receiver:
        yield receiver


def test_stranger_learns_what_comes_changes_and_goes(subscribe, receiver, make_event, as_admin):
    make_event()
    deliver = subscribe(receiver)
    event = make_event(title="Concert")["id"]
    assert deliver() == [("events.upsert", event)]
    as_admin.put(f"/events/{event}", title="Concerts")
    assert deliver() == [("events.upsert", event)]
    as_admin.delete(f"/events/{event}")
    assert deliver() == [("events.delete", event)]
    assert deliver() == []


def test_hidden_events_leave_no_trace(subscribe, receiver, make_event, as_admin):
    deliver = subscribe(receiver)
    draft = make_event(status="draft")["id"]
    as_admin.put(f"/events/{draft}", title="Secret")
    as_admin.delete(f"/events/{draft}", force=True)
    assert deliver() == []


def test_reader_is_told_what_they_may_read(subscribe, receiver, make_event, as_editor):
    deliver = subscribe(receiver, reads_as=as_editor.id)
    draft = make_event(status="draft")["id"]
    assert deliver() == [("events.upsert", draft)]


def test_full_message_has_the_event_in_the_language_of_the_webhook(
    subscribe, receiver, make_event, anyone
):
    deliver = subscribe(receiver, content="full", language="rm")
    texts = {"de": {"title": "Konzert"}, "rm": {"title": "Concert"}}
    event = make_event(title=None, variants=texts)["id"]
    deliver()
    (message,) = receiver.messages
    listed = anyone.get("/events", include=event, translation_language="rm").json["events"]
    assert [message["data"]["record"]] == listed


def test_filter_tells_of_its_events_and_of_what_leaves_it(
    subscribe, receiver, make_event, make_category, as_admin
):
    music = make_category(name="Music")["id"]
    deliver = subscribe(receiver, filters={"categories": "music"})
    event, _ = make_event(categories=[music])["id"], make_event()
    assert deliver() == [("events.upsert", event)]
    as_admin.put(f"/events/{event}", categories=[])
    assert deliver() == [("events.delete", event)]


def test_kinds_choose_the_messages(subscribe, receiver, make_event, as_admin):
    deliver = subscribe(receiver, kinds=["events.delete"])
    event = make_event()["id"]
    assert deliver() == []
    as_admin.delete(f"/events/{event}")
    assert deliver() == [("events.delete", event)]


@pytest.mark.parametrize("named_by", ["id", "slug"])
def test_webhook_goes_on_when_the_category_that_it_names_is_deleted(
    subscribe, receiver, make_event, as_admin, named_by
):
    music = as_admin.post("/categories", name="Music").json
    deliver = subscribe(receiver, filters={"categories": str(music[named_by])})
    event = make_event(categories=[music["id"]])["id"]
    assert deliver() == [("events.upsert", event)]
    as_admin.delete(f"/categories/{music['id']}")
    assert deliver() == [("events.delete", event)]
    make_event()
    assert deliver() == []
    assert [each["state"] for each in as_admin.get("/webhooks").json["webhooks"]] == ["on"]


def test_webhook_goes_on_while_the_venue_that_it_names_is_hidden(
    subscribe, receiver, make_event, make_venue, as_admin
):
    venue = make_venue()["id"]
    deliver = subscribe(receiver, filters={"venue": str(venue)})
    event = make_event(venue=venue)["id"]
    assert deliver() == [("events.upsert", event)]
    as_admin.put(f"/venues/{venue}", status="draft")
    assert deliver() == [("events.delete", event)]
    as_admin.put(f"/venues/{venue}", status="publish")
    assert deliver() == [("events.upsert", event)]


def test_webhook_whose_reader_is_gone_ends(subscribe, receiver, make_event, as_admin, as_author2):
    deliver = subscribe(receiver, reads_as=as_author2.id)
    as_admin.delete(f"/users/{as_author2.id}")
    make_event()
    assert deliver() == []
    (webhook,) = as_admin.get("/webhooks").json["webhooks"]
    assert webhook["ended"] == "no_reader"


# The hub of WebSub.


def test_atom_feeds_of_all_events_name_the_hub_and_no_others(anyone):
    hub = '<link rel="hub" href="http://127.0.0.1:1/" />'
    assert hub in anyone.get("/events.atom").text
    assert hub in anyone.get("/events.atom", translation_language="rm").text
    assert hub not in anyone.get("/events.atom", search="music").text


def test_hub_is_told_once_of_each_change(app, database, clock, make_event, receiver):
    settings = dataclasses.replace(get_services(app).settings, websub_hub=receiver.address)
    now = naive_clock(clock)
    hub, changes = hub_of(settings, Store(database), now), Follower(app).public_changes
    messages = []
    receiver.take = lambda body, _headers: messages.append(body.decode()) or 204
    hub.publish(changes, now)
    make_event(status="draft")
    hub.publish(changes, now)
    assert messages == []
    make_event()
    receiver.take = lambda _body, _headers: 503
    hub.publish(changes, now)
    receiver.take = lambda body, _headers: messages.append(body.decode()) or 204
    hub.publish(changes, now)
    assert messages == []  # A hub that fails is left alone for a while.
    clock.advance(seconds=10)
    hub.publish(changes, now)
    clock.advance(hours=2)
    hub.publish(changes, now)
    assert len(messages) == 3  # The feed without a language, and one of each.
    assert all("hub.mode=publish" in each and "events.atom" in each for each in messages)


def test_hub_that_fails_is_left_alone_twice_as_long_each_time(
    app, database, clock, make_event, receiver
):
    settings = dataclasses.replace(get_services(app).settings, websub_hub=receiver.address)
    now = naive_clock(clock)
    hub, changes = hub_of(settings, Store(database), now), Follower(app).public_changes
    requests = []
    receiver.take = lambda body, _headers: requests.append(body) or 503
    hub.publish(changes, now)
    make_event()
    for number, pause in enumerate((10, 20, 40), 1):
        hub.publish(changes, now)
        clock.advance(seconds=pause - 1)
        hub.publish(changes, now)
        assert len(requests) == number
        clock.advance(seconds=1)
    hub.publish(changes, now)
    assert len(requests) == 4
