"""Venues and organizers of one name: the same unless something that both say contradicts."""

import pytest

from calendar_app.domain.kinds import ORGANIZER, VENUE
from calendar_app.domain.namesakes import Ties, compare, facts_of, meant


def venue(address="", city="", zip_code="", **more):
    texts = {"venue": "Halle", "address": address, "city": city, "country": more.get("country", "")}
    values = {"zip": zip_code, "geo": more.get("geo")}
    return {"_id": more.get("record_id", 0), "variants": {"de": texts}, **values}


def organizer(email="", phone="", website="", record_id=0):
    texts = {"organizer": "Turnverein", "website": website}
    return {"_id": record_id, "variants": {"de": texts}, "email": email, "phone": phone}


def contradict(first, second):
    kind = VENUE if "venue" in first["variants"]["de"] else ORGANIZER
    own, others = facts_of(kind, first), facts_of(kind, second)
    forth, back = compare(own, others).contradicts, compare(others, own).contradicts
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
        (organizer(phone="044 123 45 67"), organizer(phone="081 123 45 67")),
        (organizer(website="https://tv.example/a"), organizer(website="https://tv.example/b")),
    ],
)
def test_records_that_contradict_are_two(first, second):
    assert contradict(first, second)


CHUR = venue("Weg 1", "Chur", "7000", record_id=1)
TRIN = venue("Gasse 2", "Trin", "7014", record_id=2)
BARE = venue(record_id=3)
STREET = venue("Gasse 2", record_id=4)
SWISS = venue(country="CH", record_id=5)

IN_CHUR = [venue(f"Weg {number}", "Chur", record_id=number) for number in (7, 8)]


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
        ([CHUR, {**CHUR, "_id": 6}], venue(city="Chur"), 1),
        ([BARE], venue(city="Trin"), None),
        ([BARE], venue("Gasse 2"), None),
        ([SWISS], venue(city="Trin", country="CH"), None),
        ([SWISS], venue(country="CH"), 5),
        ([STREET], venue(city="Trin"), None),
        ([STREET], venue("Gasse 2", "Trin"), 4),
        ([TRIN], venue("Gasse 2"), 2),
        # Among several that differ, one that says just the same.
        ([*IN_CHUR, venue(city="Chur", record_id=9)], venue(city="Chur"), 9),
        (IN_CHUR, venue(city="Chur"), None),
    ],
)
def test_record_is_chosen_that_shares_most_and_hides_nothing(candidates, sent, chosen):
    record = meant(VENUE, candidates, sent)
    assert (record and record["_id"]) == chosen


@pytest.mark.parametrize(
    ("candidates", "own", "chosen"),
    [
        ([CHUR, TRIN], {1}, 1),
        ([CHUR, TRIN, BARE], {2}, 2),
        ([CHUR, TRIN, BARE], {2, 3}, 3),
        ([CHUR, TRIN], {1, 2}, None),
    ],
)
def test_name_alone_means_what_the_sender_has_linked(candidates, own, chosen):
    record = meant(VENUE, candidates, venue(), Ties(own=lambda _: own))
    assert (record and record["_id"]) == chosen


STREET_IN_CHUR = venue("Gasse 2", "Chur", record_id=10)


@pytest.mark.parametrize(
    ("candidates", "sent", "own", "chosen"),
    [
        ([CHUR, TRIN, BARE], venue(), set(), None),
        ([CHUR, BARE], venue(), set(), None),
        ([CHUR, TRIN, SWISS], venue(country="CH"), set(), None),
        ([TRIN, STREET_IN_CHUR, STREET], venue("Gasse 2"), set(), None),
        # The sender has linked it before, it is the only one, or it tells its town.
        ([CHUR, TRIN, BARE], venue(), {3}, 3),
        ([BARE], venue(), set(), 3),
        ([*IN_CHUR, venue(city="Chur", record_id=9)], venue(city="Chur"), set(), 9),
    ],
)
def test_place_without_a_town_is_among_several_that_of_its_own_source(
    candidates, sent, own, chosen
):
    record = meant(VENUE, candidates, sent, Ties(own=lambda _: own, is_of_others=lambda _: True))
    assert (record and record["_id"]) == chosen


def test_who_may_complete_a_record_means_the_one_that_says_nothing_but_its_name():
    assert meant(VENUE, [BARE], venue(city="Trin"), Ties(completes=lambda _: True)) is BARE
    assert meant(VENUE, [CHUR], venue(city="Trin"), Ties(completes=lambda _: True)) is None


def test_organizer_with_an_address_is_not_one_without():
    assert meant(ORGANIZER, [organizer()], organizer("a@example.org")) is None
    with_address = organizer("a@example.org")
    assert meant(ORGANIZER, [organizer(), with_address], organizer("a@example.org")) is with_address


def test_telephone_and_website_of_a_venue_tell_no_places_apart():
    halls = [{**venue(city="Chur"), "phone": number} for number in ("081 1", "081 2")]
    assert not contradict(*halls)


def test_wordings_of_all_languages_count():
    own = {"variants": {"de": {"city": "Mailand"}, "it": {"city": "Milano"}}}
    assert not contradict(own, {"variants": {"it": {"city": "Milano"}}})
