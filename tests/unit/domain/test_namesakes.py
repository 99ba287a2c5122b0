"""Venues and organizers of one name: the same unless something that both say contradicts."""

import pytest

from calendar_app.domain.namesakes import compare, facts_of, meant


def venue(address="", city="", zip_code="", **more):
    texts = {"venue": "Halle", "address": address, "city": city, "country": more.get("country", "")}
    values = {"zip": zip_code, "geo": more.get("geo")}
    return {"_id": more.get("record_id", 0), "variants": {"de": texts}, **values}


def organizer(email="", phone="", website="", record_id=0):
    texts = {"organizer": "Turnverein", "website": website}
    return {"_id": record_id, "variants": {"de": texts}, "email": email, "phone": phone}


def contradict(first, second):
    forth = compare(facts_of(first), facts_of(second)).contradicts
    back = compare(facts_of(second), facts_of(first)).contradicts
    assert forth == back
    return forth


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (venue(), venue("Gasse 2", "Trin", "7014")),
        (venue("Gasse 2"), venue("Gasse 2, 7014 Trin")),
        (venue("Gasse 2", "Trin", "7014"), venue("Gasse 2, 7014 Trin")),
        (venue("Dorfstrasse 1"), venue("Dorfstr. 1")),
        (venue("Dorfstrasse 1"), venue("Dorfstrasse")),
        (venue(city="Trin"), venue("Trin")),
        (venue(city="Trin"), venue("Gasse 2")),
        (venue(country="Schweiz"), venue(country="Switzerland")),
        (venue(country="CH"), venue(country="Svizra")),
        (venue(geo=(46.85, 9.53)), venue(geo=(46.852, 9.53))),
        (venue(city="St. Moritz"), venue(city="St Moritz Dorf")),
        (organizer("a@example.org"), organizer("A@example.org ")),
        (organizer("a@example.org"), organizer(phone="081 123 45 67")),
        (organizer(phone="+41 81 123 45 67"), organizer(phone="081 1234567")),
        (organizer(website="https://www.tv.example/"), organizer(website="http://tv.example")),
    ],
)
def test_records_that_say_the_same_or_nothing_may_be_one(first, second):
    assert not contradict(first, second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (venue(zip_code="7000"), venue(zip_code="7014")),
        (venue(city="Chur"), venue(city="Trin")),
        (venue(city="Chur"), venue("Gasse 2, 7014 Trin")),
        (venue(city="Chur"), venue("Trin")),
        (venue("Weg 1", "Chur"), venue("Gasse 2")),
        (venue("Dorfstrasse 1"), venue("Dorfstrasse 2")),
        (venue(country="Schweiz"), venue(country="Italien")),
        (venue(geo=(46.85, 9.53)), venue(geo=(46.854, 9.53))),
        (organizer("chur@example.org"), organizer("ilanz@example.org")),
        (organizer(phone="081 123 45 67"), organizer(phone="081 123 45 68")),
        (organizer(website="https://tv.example/a"), organizer(website="https://tv.example/b")),
    ],
)
def test_records_that_contradict_are_two(first, second):
    assert contradict(first, second)


CHUR = venue("Weg 1", "Chur", "7000", record_id=1)
TRIN = venue("Gasse 2", "Trin", "7014", record_id=2)
BARE = venue(record_id=3)


@pytest.mark.parametrize(
    ("candidates", "sent", "chosen"),
    [
        ([], venue(), None),
        ([CHUR], venue(), 1),
        ([CHUR, TRIN], venue(city="Trin"), 2),
        ([CHUR, TRIN], venue("Gasse 2"), 2),
        ([CHUR, TRIN], venue(city="Flims"), None),
        ([CHUR, TRIN], venue(), None),
        ([CHUR, TRIN, BARE], venue(), 3),
        ([BARE, TRIN], venue("Gasse 2", "Trin"), 2),
        ([CHUR, {**CHUR, "_id": 4}], venue(city="Chur"), 1),
    ],
)
def test_record_is_chosen_that_shares_most(candidates, sent, chosen):
    record = meant(candidates, sent)
    assert (record and record["_id"]) == chosen


def test_wordings_of_all_languages_count():
    own = {"variants": {"de": {"city": "Mailand"}, "it": {"city": "Milano"}}}
    assert not contradict(own, {"variants": {"it": {"city": "Milano"}}})
