"""Feeds made anew are limited by the events in them; cached or unchanged feeds are free."""

from dataclasses import replace

import pytest
from calling import Client

from calendar_app.api.http.request.state import get_services
from calendar_app.app import create_app

TWO = {"feed_rate": "2/minute", "trusted_proxies": ("127.0.0.1",), "cache_memory": 4}


@pytest.fixture
def limited(new_worker):
    client = new_worker(**TWO)
    # The first feed of a calendar names it, and so is not kept.
    client.send("GET", "/events.ics?per_page=50", environ_base={"REMOTE_ADDR": "192.0.2.9"})
    return client


@pytest.fixture(autouse=True)
def event(make_event):
    return make_event()


def read(client, path, address="192.0.2.1", **headers):
    base = {"REMOTE_ADDR": address}
    return client.send("GET", path, environ_base=base, headers=headers)


def statuses(client, *paths, address="192.0.2.1"):
    return [read(client, path, address).status_code for path in paths]


def test_further_feeds_are_refused_until_the_next_minute(limited, clock):
    clock.advance(seconds=20)
    assert statuses(limited, "/events.ics", "/events.atom") == [200, 200]
    refused = read(limited, "/events.csv")
    assert (refused.status_code, refused.code) == (429, "too_many_requests")
    assert refused.headers["Retry-After"] == "40"
    clock.advance(seconds=40)
    assert statuses(limited, "/events.csv") == [200]


@pytest.mark.parametrize("path", ["/events.geojson", "/events.jsonld", "/venues.jsonld"])
def test_every_kind_of_feed_counts(limited, path):
    assert statuses(limited, f"{path}?per_page=1", f"{path}?per_page=2", "/events.ics") == [
        200,
        200,
        429,
    ]


def test_a_kept_feed_is_not_limited(limited):
    assert statuses(limited, "/events.ics", "/events.atom", "/events.csv") == [200, 200, 429]
    assert statuses(limited, *["/events.ics"] * 5, "/events.csv") == [*[200] * 5, 429]


def test_feeds_of_guessed_passwords_take_no_room(settings, database, clock):
    app = create_app(replace(settings, **TWO), database, clock)
    client, memory = Client(app), get_services(app).cache_memory
    for path in ("/events.atom", "/events.ics"):
        read(client, path)
    before = memory.sizes()
    assert before["feeds"] > 0
    for number in range(3):
        guess = read(client, f"/events.ics?password={number}", f"192.0.2.{number + 20}")
        assert guess.status_code == 200
    assert memory.sizes() == before


def test_an_unchanged_feed_is_not_limited(limited, as_admin):
    tag = read(limited, "/events.ics").headers["ETag"]
    assert statuses(limited, "/events.atom", "/events.csv") == [200, 429]
    as_admin.post("/tags", name="Of no event")
    unchanged = [
        read(limited, "/events.ics", **{"If-None-Match": tag}).status_code for _ in range(9)
    ]
    assert unchanged == [304] * 9


def test_a_time_tells_an_unchanged_feed_too(limited, as_admin):
    changed = read(limited, "/events.ics").headers["Last-Modified"]
    assert statuses(limited, "/events.atom", "/events.csv") == [200, 429]
    as_admin.post("/tags", name="Of no event")
    assert read(limited, "/events.ics", **{"If-Modified-Since": changed}).status_code == 304


@pytest.mark.parametrize("path", ["/events.jsonld", "/venues.jsonld"])
def test_an_unchanged_graph_is_not_limited(limited, as_admin, path):
    tag = {"If-None-Match": read(limited, path).headers["ETag"]}
    assert statuses(limited, "/events.ics", "/events.csv") == [200, 429]
    assert [read(limited, path, **tag).status_code for _ in range(5)] == [304] * 5
    as_admin.post("/tags", name="Of no event")
    assert [read(limited, path, **tag).status_code for _ in range(5)] == [304] * 5


@pytest.mark.parametrize(
    "invented",
    [
        {"If-None-Match": "*"},
        {"If-None-Match": '"invented"'},
        {"If-Modified-Since": "Sat, 01 Jan 2050 00:00:00 GMT"},
    ],
    ids=str,
)
@pytest.mark.parametrize("feed", ["/events.ics", "/events.jsonld"])
def test_invented_versions_do_not_raise_the_limit(limited, feed, invented):
    paths = [f"{feed}?per_page={number}" for number in range(1, 9)]
    answers = [read(limited, path, **invented).status_code for path in paths]
    assert set(answers[:2]) < {200, 304}
    assert set(answers[2:]) == {429}


def test_each_address_counts_for_itself(limited):
    paths = ["/events.ics", "/events.atom", "/events.csv"]
    assert statuses(limited, *paths) == [200, 200, 429]
    assert statuses(limited, "/events.geojson", address="192.0.2.2") == [200]


def test_lists_are_not_limited(limited):
    assert statuses(limited, "/events.ics", "/events.atom", "/events.csv", "/events") == [
        200,
        200,
        429,
        200,
    ]


def test_workers_count_together_and_exceed_the_limit_once_each(new_worker):
    workers = [new_worker(**TWO) for _ in range(3)]
    answers = [
        read(workers[number % 3], f"/events.ics?per_page={number + 1}").status_code
        for number in range(9)
    ]
    assert 2 <= answers.count(200) <= 4
    assert set(answers[-3:]) == {429}


@pytest.mark.usefixtures("app")
def test_known_users_are_not_limited(new_worker):
    paths = [f"/events.ics?per_page={number}" for number in range(1, 6)]
    assert statuses(new_worker("subscriber", **TWO), *paths) == [200] * 5


@pytest.mark.parametrize("address", ["127.0.0.1", "10.0.0.1", "fd00::1", "::ffff:10.0.0.1", ""])
def test_an_address_that_all_may_share_is_not_limited(new_worker, address):
    paths = [f"/events.ics?per_page={number}" for number in range(1, 6)]
    behind_proxy = new_worker(**TWO | {"trusted_proxies": ()})
    assert statuses(behind_proxy, *paths, address=address) == [200] * 5


def test_without_a_proxy_addresses_of_the_internet_are_limited(new_worker):
    paths = ["/events.ics", "/events.atom", "/events.csv"]
    direct = new_worker(**TWO | {"trusted_proxies": ()})
    assert statuses(direct, *paths, address="9.9.9.9") == [200, 200, 429]


def test_an_empty_rate_limits_nobody(new_worker):
    paths = [f"/events.ics?per_page={number}" for number in range(1, 6)]
    assert statuses(new_worker(**TWO | {"feed_rate": ""}), *paths) == [200] * 5
