"""So many contributions are taken from an address, and from all of them."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from calling import Client

from calendar_app.app import create_app

from .conftest import CONTRIBUTION


@pytest.fixture
def flood(settings, database, clock):
    """Return a function that sends from an address to a site that takes three an hour of each."""
    app = create_app(replace(settings, submission_rate="3/hour"), database, clock)
    client = Client(app)

    def post(address="192.0.2.1"):
        return client.send(
            "POST", "/submissions", json=CONTRIBUTION, environ_base={"REMOTE_ADDR": address}
        )

    return post


def test_an_address_may_send_so_many(flood, database, clock):
    assert [flood().status_code for _ in range(3)] == [201] * 3
    refused = flood()
    assert (refused.status_code, refused.code) == (429, "too_many_requests")
    assert refused.headers["Retry-After"] == "3600"
    assert flood("192.0.2.2").status_code == 201
    assert database["events"].count_documents({}) == 4
    clock.advance(hours=1)
    assert flood().status_code == 201


def test_neighbors_of_an_address_of_ipv6_are_one(flood):
    statuses = [flood(f"2001:db8::{number}").status_code for number in range(1, 5)]
    assert statuses == [201, 201, 201, 429]


def test_all_addresses_together_may_send_ten_times_as_many(flood):
    statuses = Counter(flood(f"192.0.2.{number}").status_code for number in range(40))
    assert statuses == {201: 30, 429: 10}


def test_address_that_is_not_known_counts_with_all(flood):
    statuses = Counter(flood("").status_code for _ in range(31))
    assert statuses == {201: 30, 429: 1}


def test_what_is_refused_for_a_mistake_does_not_count(flood, anyone):
    for _ in range(5):
        assert anyone.post("/submissions", **(CONTRIBUTION | {"title": ""})).status_code == 400
    assert flood("127.0.0.1").status_code == 201


def test_a_flood_at_once_stores_no_more(flood, database):
    with ThreadPoolExecutor(8) as pool:
        statuses = Counter(pool.map(lambda _: flood().status_code, range(40)))
    assert statuses[201] == database["events"].count_documents({}) == 3
