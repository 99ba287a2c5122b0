"""Two events that begin at the same time: two, perhaps one, or certainly one."""

from dataclasses import replace
from datetime import date, datetime

import pytest

from calendar_app.sources.likeness import ComparedEvent, VenueTraits, alike, likeness

EVENING = datetime.fromisoformat("2027-06-05 18:00")
TOWNS = {1: "", 2: "Samedan", 3: "Samedan", 4: "Celerina", 5: "Samedan"}
NAMES = {2: "Kirchgemeindehaus Samedan", 3: "Sportplatz"}
VENUES = {
    number: VenueTraits.of(
        {"variants": {"de": {"venue": NAMES.get(number, "Kirchgemeindehaus"), "city": town}}}
    )
    for number, town in TOWNS.items()
}


def event(number, title="summer concert", **parts):
    usual = {"when": EVENING, "venues": frozenset({1}), "sources": frozenset({number})}
    return ComparedEvent(id=number, owner=number, titles=(title,), **usual | parts)


def compared(other, **parts):
    alike = likeness(event(1, **parts), other, VENUES)
    return alike and alike.is_certain


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("gospelabend", "gospel abend"),
        ("gospel abend", "gospelabend"),
        ("grosser gospelabend", "gospel abend"),
        ("gemeindeversammlung", "gemeinde versammlung"),
        ("choir concert", "concert of the choir"),
    ],
)
def test_titles_are_alike_however_they_are_written(first, second):
    assert alike(first, second) >= 85


@pytest.mark.parametrize(
    ("first", "second"), [("gospelabend", "filmabend"), ("summer concert", "flea market")]
)
def test_other_titles_are_not_alike(first, second):
    assert alike(first, second) < 85


@pytest.mark.parametrize(
    "other",
    [
        event(2, when=datetime.fromisoformat("2027-06-05 19:00")),
        event(2, when=date(2027, 6, 5)),
        event(2, sources=frozenset({1, 5})),
        replace(event(2), owner=1),
        event(2, venues=frozenset({3})),
        event(2, "flea market"),
    ],
    ids=["later", "all day", "one source", "one series", "elsewhere", "another title"],
)
def test_two_events_are_two(other):
    assert compared(other) is None


@pytest.mark.parametrize(
    ("own", "other", "is_certain"),
    [
        ({}, event(2), True),
        ({}, event(2, venues=frozenset({2})), False),
        ({}, event(2, venues=frozenset()), False),
        ({}, event(2, "concert"), False),
        ({"uids": frozenset({"a"})}, event(2, "concert", uids=frozenset({"a"})), True),
        ({"addresses": frozenset({"a"})}, event(2, "concert", addresses=frozenset({"a"})), True),
        ({"title": "yoga course 1"}, event(2, "yoga course 2"), False),
    ],
    ids=["the same", "near", "somewhere", "alike", "one UID", "one address", "another part"],
)
def test_what_is_alike_is_certain_only_with_more_in_common(own, other, is_certain):
    assert compared(other, **own) is is_certain


HIKE, OTHER_HIKE = "winterwanderung ratia", "winterwanderung fohn"


@pytest.mark.parametrize(
    ("title", "other", "may_be_one"),
    [
        (HIKE, OTHER_HIKE, False),
        (HIKE, "winterwanderung", True),
        (HIKE, "ratia winter wanderung", True),
        (HIKE, "winterwanderung mit ratias", True),
        ("winterwanderung 1", "winterwanderung 2", False),
        ("winterwanderung im dorf", "winterwanderung am see", False),
    ],
)
@pytest.mark.parametrize("venues", [{2}, set()], ids=["a hall of that name", "nowhere"])
def test_where_the_place_stays_open_no_title_says_what_the_other_does_not(
    title, other, may_be_one, venues
):
    certainty = compared(event(2, other, venues=frozenset(venues)), title=title)
    assert (certainty is not None) is may_be_one


AT_POINT, IN_TOWN = {"point": (46.5, 9.8)}, {"venues": frozenset({2})}


@pytest.mark.parametrize(
    ("own", "its"),
    [
        ({}, {}),
        (AT_POINT, IN_TOWN | AT_POINT),
        ({"venues": frozenset({5})}, IN_TOWN),
        ({"uids": frozenset({"a"})}, IN_TOWN | {"uids": frozenset({"a"})}),
    ],
    ids=["one venue", "near points", "one town", "one UID"],
)
def test_with_more_in_common_than_a_name_titles_may_differ_in_a_word(own, its):
    assert compared(event(2, OTHER_HIKE, **its), title=HIKE, **own) is not None


def test_halls_of_one_name_in_two_towns_are_two_places():
    in_samedan = {"venues": frozenset({5})}
    assert compared(event(2, venues=frozenset({4})), **in_samedan) is None
    assert compared(event(2, venues=frozenset({2})), **in_samedan) is False
