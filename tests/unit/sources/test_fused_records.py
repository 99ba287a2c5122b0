"""A record for which sources mean several: what they say of it contradicts each other."""

import pytest
from mongomock import MongoClient

from calendar_app.domain.kinds import ORGANIZER, VENUE
from calendar_app.sources.fused_records import fused_records
from calendar_app.sources.register import SOURCE_REGISTER
from calendar_app.storage.mongo.store import Store


def fused(kind, *addresses, record=7):
    store = Store(MongoClient()["calendar"])
    for number, address in enumerate(addresses):
        entry = {"source": number, "name": "Turnhalle", "address": address}
        store[SOURCE_REGISTER].insert({"_id": number, "kind": kind.name, "record": record, **entry})
    return [
        (record, [each.address for each in names]) for record, names in fused_records(store, kind)
    ]


@pytest.mark.parametrize(
    ("first", "second", "are_several"),
    [
        ("Via Maistra 1, 7503 Samedan", "Via Maistra 1, 7505 Celerina", True),
        ("Via Maistra 1, 7503 Samedan", "Via Nova 9, 7503 Samedan", True),
        ("Via Maistra 1, 7503 Samedan", "Via Maistra 1", False),
        ("7503 Samedan", "Via Maistra 1, 7503 Samedan", False),
        ("7503 Samedan", "Celerina", True),
        ("7503 Samedan", "", False),
    ],
)
def test_places_of_two_addresses_are_perhaps_several(first, second, are_several):
    assert bool(fused(VENUE, first, second)) == are_several


@pytest.mark.parametrize(
    ("first", "second", "are_several"),
    [
        ("a@example.org", "b@example.org", True),
        ("a@example.org", "a@example.org, 081 852 10 10", False),
        ("081 852 10 10", "+41 81 852 10 10", False),
        ("081 852 10 10", "081 852 10 11", True),
        ("https://a.example", "https://b.example", True),
        ("a@example.org", "081 852 10 10", False),
    ],
)
def test_organizers_of_two_contacts_are_perhaps_several(first, second, are_several):
    assert bool(fused(ORGANIZER, first, second)) == are_several


def test_names_that_are_looked_for_again_mean_nothing():
    assert fused(VENUE, "7503 Samedan", "7505 Celerina", record=0) == []


def test_all_names_of_a_record_are_listed_by_address():
    assert fused(VENUE, "7503 Samedan", "7505 Celerina", "") == [
        (7, ["", "7503 Samedan", "7505 Celerina"])
    ]
