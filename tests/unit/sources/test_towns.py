"""Where the places of a source are: addresses in one line, and the town of the source."""

import pytest

from calendar_app.sources.places import Towns

SAMEDAN = Towns("Samedan", frozenset({"samedan", "celerina"}))


def venue(name="Turnhalle", **own):
    shared = {field: own.pop(field) for field in ("zip",) if field in own}
    return {"variants": {"de": {"venue": name, **own}}, **shared}


@pytest.mark.parametrize(
    ("sent", "placed"),
    [
        (venue(), venue(city="Samedan")),
        (venue(city="Zernez"), venue(city="Zernez")),
        (venue(zip="7530"), venue(zip="7530")),
        (venue(address="Plaz 3"), venue(address="Plaz 3", city="Samedan")),
        (venue(address="Plaz"), venue(address="Plaz")),
        (venue(address="Celerina"), venue(city="Celerina")),
        (venue(address="plaz 3, CELERINA"), venue(address="plaz 3", city="CELERINA")),
        (
            venue(address="Plaz 3, CH-7505 Celerina, Schweiz"),
            venue(address="Plaz 3", city="Celerina", country="Schweiz", zip="7505"),
        ),
        (venue(address="7505 Celerina"), venue(city="Celerina", zip="7505")),
        (venue("Turnhalle, Plaz 3"), venue(address="Plaz 3", city="Samedan")),
        (venue("Turnhalle, Celerina"), venue(city="Celerina")),
        (venue("Kirche, Sent"), venue("Kirche, Sent")),
        (
            venue("Turnhalle, Plaz 3", address="Via Nova 1"),
            venue("Turnhalle, Plaz 3", address="Via Nova 1", city="Samedan"),
        ),
    ],
)
def test_each_part_of_an_address_is_in_a_field_of_its_own(sent, placed):
    assert SAMEDAN.place(sent) == placed


def test_source_without_a_town_gives_none():
    assert Towns().place(venue(address="Plaz 3")) == venue(address="Plaz 3")


def test_what_was_sent_stays_as_it_is():
    sent = venue(address="Plaz 3, 7505 Celerina")
    SAMEDAN.place(sent)
    assert sent == venue(address="Plaz 3, 7505 Celerina")


@pytest.mark.parametrize("room", ["Saal 2", "Sitzungszimmer 3", "Raum 12a", "Salle 1", "Sala 4"])
def test_room_is_no_street(room):
    placed = Towns().place(venue(f"Halle, {room}"))
    assert placed == venue(f"Halle, {room}")


@pytest.mark.parametrize("street", ["Via Nova 3", "Saalgasse 2", "Hallenstrasse 4", "Saalweg 7a"])
def test_street_behind_the_name_is_the_address(street):
    placed = Towns().place(venue(f"Halle, {street}"))
    assert placed == venue("Halle", address=street)
