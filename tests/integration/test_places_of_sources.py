"""Venues and organizers that come in by name: the one that is meant, or a new one."""

import pytest
from calendars import vevent
from sent_places import BARE, CELERINA, CHOIR, CLUB, SAMEDAN, event, fields_of

from calendar_app.storage.mongo.transactions import count_round_trips_anew, round_trips


@pytest.fixture
def listed(anyone):
    def listing(**query):
        return anyone.get("/events", start_date="2030-01-01", **query).json["events"]

    return listing


WAYS = ["csv", "jsonld", "push", "rest"]


@pytest.mark.parametrize("way", WAYS)
def test_same_place_is_one_venue_with_its_street_and_town(take_in, way):
    first, second = take_in(way, event(SAMEDAN), event(SAMEDAN))
    assert first["venue"]["id"] == second["venue"]["id"]
    assert fields_of(second, SAMEDAN) == SAMEDAN


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("before", [[], [BARE], [{**BARE, "address": "Dorfstrasse 1"}]])
def test_places_of_one_name_in_two_towns_are_two_venues(take_in, make_venue, way, before):
    for venue in before:
        make_venue(**venue)
    events = take_in(way, event(SAMEDAN), event(CELERINA), event(SAMEDAN))
    towns = [each["venue"]["city"] for each in events]
    assert towns == ["Samedan", "Celerina", "Samedan"]
    assert len({each["venue"]["id"] for each in events}) == 2


@pytest.mark.parametrize("way", ["csv", "push"])
def test_places_of_two_sources_are_told_apart_by_their_towns(take_in, way):
    (bare,) = take_in(way, event(BARE), name="Kreis")
    (first,) = take_in(way, event(SAMEDAN), name="Samedan")
    (second,) = take_in(way, event(CELERINA), name="Celerina")
    assert [each["venue"].get("city") for each in (bare, first, second)] == [
        None,
        "Samedan",
        "Celerina",
    ]


@pytest.mark.parametrize("way", ["csv", "push"])
def test_name_alone_means_the_place_of_its_own_source(take_in, way):
    (elsewhere,) = take_in(way, event(CELERINA), name="Celerina")
    first, second = take_in(way, event(SAMEDAN), event(BARE), name="Samedan")
    assert second["venue"]["id"] == first["venue"]["id"] != elsewhere["venue"]["id"]
    (later,) = take_in("push", event(BARE), name="Samedan") if way == "push" else [second]
    assert later["venue"]["id"] == first["venue"]["id"]


@pytest.mark.parametrize("way", ["csv", "push"])
def test_place_with_a_name_alone_gets_the_address_that_its_source_names_later(take_in, way):
    first, second, third = take_in(way, event(BARE), event(SAMEDAN), event(CELERINA))
    assert first["venue"]["id"] == second["venue"]["id"] != third["venue"]["id"]
    assert fields_of(first, SAMEDAN) == SAMEDAN


def test_place_of_an_earlier_reading_gets_its_address_unless_people_changed_it(
    take_in, as_editor, listed
):
    (first,) = take_in("push", event(BARE))
    (second,) = take_in("push", event(SAMEDAN))
    assert first["venue"]["id"] == second["venue"]["id"]
    (third,) = take_in("push", event({"venue": "Turnhalle"}))
    as_editor.patch(f"/venues/{third['venue']['id']}", phone="081 123 45 67")
    (fourth,) = take_in("push", event({"venue": "Turnhalle", "city": "Samedan"}))
    assert fourth["venue"]["id"] != third["venue"]["id"]
    assert {each["venue"].get("city") for each in listed()} == {"Samedan", None}


def test_place_that_another_source_brought_is_not_given_an_address(take_in):
    (first,) = take_in("push", event(BARE), name="Kreis")
    same, second = take_in("push", event(BARE), event(SAMEDAN), name="Samedan")
    assert same["venue"]["id"] == first["venue"]["id"] != second["venue"]["id"]
    assert second["venue"]["city"] == "Samedan"


@pytest.mark.parametrize("way", ["csv", "push", "rest"])
def test_name_alone_means_the_only_place_of_that_name(take_in, make_venue, way):
    venue = make_venue(**SAMEDAN)
    (only,) = take_in(way, event(BARE))
    assert only["venue"]["id"] == venue["id"]


@pytest.mark.parametrize("way", ["csv", "push", "rest"])
def test_name_alone_means_none_of_several_places(take_in, way):
    first, second = take_in("push", event(SAMEDAN), event(CELERINA), name="Region")
    third, fourth = take_in(way, event(BARE), event(BARE), name="Kreis")
    assert third["venue"]["id"] not in {first["venue"]["id"], second["venue"]["id"]}
    assert third["venue"]["id"] == fourth["venue"]["id"]
    assert "city" not in third["venue"]


@pytest.mark.parametrize("way", ["csv", "push"])
def test_name_alone_means_another_place_in_each_source(take_in, way):
    take_in("push", event(SAMEDAN), event(CELERINA), name="Region")
    kreis, gemeinde = take_in(way, event(BARE), name="Kreis"), take_in(way, event(BARE), name="Ort")
    again = take_in(way, event(BARE), event(BARE), name="Ort")
    assert kreis[0]["venue"]["id"] != gemeinde[0]["venue"]["id"]
    assert {each["venue"]["id"] for each in again} == {gemeinde[0]["venue"]["id"]}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("is_first_bare", [False, True])
def test_organizers_of_one_name_keep_their_own_email(take_in, make_organizer, way, is_first_bare):
    if is_first_bare:
        make_organizer(organizer="Frauenverein")
    events = take_in(way, event(SAMEDAN), event(SAMEDAN, CHOIR), event(SAMEDAN))
    emails = [each["organizer"][0]["email"] for each in events]
    assert emails == [CLUB["email"], CHOIR["email"], CLUB["email"]]


def trips_of_first_reading(add, read, number):
    """Return the round trips of a reading with so many events, each at a new place."""
    days = (f"203003{day + 1:02}T{number % 24:02}0000" for day in range(number))
    events = [
        vevent(f"{number}-{day}@new", f"LOCATION:Place {number}-{day}", start=start)
        for day, start in enumerate(days)
    ]
    source = add(name=f"Feed of {number}")
    count_round_trips_anew()
    assert read(source, *events).numbers == {"new": number}
    return round_trips()


def test_register_of_new_places_is_written_at_once(add, read, database):
    fewest, most = (trips_of_first_reading(add, read, number) for number in (5, 25))
    assert database["source_register"].count_documents({}) == 30
    # One more for each place, if the register were written entry by entry.
    assert (most - fewest) / 20 < 4.5
