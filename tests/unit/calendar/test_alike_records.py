"""Which venues and organizers are proposed as one: the rules of names and addresses decide."""

import pytest
from mongomock import MongoClient

from calendar_app.calendar.alike_records import alike_records
from calendar_app.domain.kinds import ORGANIZER, VENUE
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import EVERYTHING

HALL = {"venue": "Kulturhalle"}
STREET = {"address": "Via Maistra 1"}
SAMEDAN, CHUR = {"city": "Samedan"}, {"city": "Chur"}


def groups(kind, *texts, events=()):
    store = Store(MongoClient()["calendar"])
    for number, own in enumerate(texts, 1):
        shared = {name: own[name] for name in ("email", "zip") if name in own}
        words = {name: text for name, text in own.items() if name not in shared}
        record = {"_id": number, "status": own.get("status", "publish"), "author": 1}
        store.of(kind).insert(record | shared | {"variants": {"de": words}})
    for number, linked in enumerate(events, 1):
        store["events"].insert({"_id": number, kind.name: [linked]})
    return [[each.id for each in group] for group in alike_records(store, kind, EVERYTHING)]


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ([HALL, HALL | STREET | SAMEDAN], [[1, 2]]),
        ([{"venue": "Kulturhalle, Via Maistra 1"}, HALL], [[2, 1]]),
        ([{"venue": "Kulturhalle, Via Maistra 1"}, HALL | STREET | SAMEDAN], [[2, 1]]),
        ([{"venue": "kulturhalle, via maistra 1, 7503 Samedan"}, HALL | SAMEDAN], [[2, 1]]),
        ([HALL | SAMEDAN, HALL | CHUR], []),
        ([HALL | SAMEDAN, HALL | CHUR, HALL], []),
        ([{"venue": "Kulturhalle, Altweg 5"}, HALL | STREET], []),
        ([{"venue": "Kulturhaus, Saal 2"} | STREET, {"venue": "Kulturhaus"} | STREET], []),
        ([HALL | SAMEDAN, HALL | SAMEDAN | STREET, HALL | SAMEDAN], [[1, 2, 3]]),
        ([HALL, {"venue": "Turnhalle"}], []),
        ([HALL, HALL | {"status": "trash"}], []),
    ],
)
def test_venues_are_proposed_where_nothing_contradicts(texts, expected):
    assert groups(VENUE, *texts) == expected


def test_organizers_with_different_mail_are_two():
    club, choir = {"organizer": "Club", "email": "a@x.ch"}, {"organizer": "Club", "email": "b@x.ch"}
    assert groups(ORGANIZER, club, choir) == []
    assert groups(ORGANIZER, club, {"organizer": "CLUB"}) == [[1, 2]]


def test_the_one_with_most_events_is_to_stay():
    assert groups(VENUE, HALL, HALL | SAMEDAN, events=[2, 2, 1]) == [[2, 1]]
