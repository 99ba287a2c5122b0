"""Edits of people in either of two events stay when these become one."""

import pytest
from calendars import vevent
from stored_series import dates_beside

from calendar_app.accounts.callers import Caller
from calendar_app.storage.query.list_query import Window

EDITOR = Caller(2, "editor", "editor")
WEEKLY = "RRULE:FREQ=WEEKLY;COUNT=3"
DOORS = {"doors": {"label": "Doors", "value": "19:00"}}
PARKING = {"parking": {"label": "Parking", "value": "Behind the hall"}}
MOVED = {"start_date": "2030-03-08 20:00:00", "end_date": "2030-03-08 22:00:00"}


def concert(uid, *lines, title="Concert of the choir"):
    return vevent(uid, "LOCATION:Hall", *lines, title=title, start="20300301T190000")


@pytest.fixture
def pair(add, read, sources):
    """Return a function that lets two sources announce a concert, and returns the ids of both."""

    def announced(first=(), second=(), title="Choir: concert"):
        read(add(name="Club"), concert("1@club", *first))
        read(add(name="Town"), concert("1@town", *second, title=title))
        (proposed,) = sources.decisions.pairs(EDITOR, Window(1, 10)).items
        return proposed["events"]

    return announced


@pytest.fixture
def unite(sources):
    return lambda pair: sources.decisions.unite(*pair, EDITOR)["_id"]


EDITS = {
    "featured": True,
    "sticky": True,
    "show_map": True,
    "show_map_link": True,
    "hide_from_listings": True,
    "accessibility": ["wheelchair"],
    "in_language": ["rm"],
    "audience": {"min_age": 12},
    "registration": {"required": True, "url": "https://example.org/"},
    "custom_fields": DOORS,
    "excerpt": "<p>Short</p>",
    "website": "https://example.org/concert",
    "attendance_mode": "online",
    "event_status": "postponed",
    "online_url": "https://example.org/stream",
    "cost": "20",
}
# What the event that stays says of itself, where it says something else.
OTHERS = {
    "accessibility": ["hearing_loop"],
    "in_language": ["de"],
    "audience": {"min_age": 6},
    "registration": {"required": False, "url": "https://example.org/2"},
    "excerpt": "<p>Another</p>",
    "website": "https://example.org/other",
    "attendance_mode": "mixed",
    "event_status": "canceled",
    "online_url": "https://example.org/other",
    "cost": "10",
}


def edited(as_admin, number, name, value):
    answer = as_admin.put(f"/events/{number}", **{name: value})
    assert answer.status_code == 200, answer.json
    return answer.json[name]


@pytest.mark.parametrize("name", EDITS)
def test_a_field_that_people_edited_in_one_event_stays(pair, unite, as_admin, name):
    first, second = pair()
    value = edited(as_admin, second, name, EDITS[name])
    assert as_admin.get(f"/events/{first}").json[name] != value
    assert as_admin.get(f"/events/{unite((first, second))}").json[name] == value


@pytest.mark.parametrize("name", OTHERS)
def test_of_two_edits_of_a_field_that_of_the_event_that_stays_counts(pair, unite, as_admin, name):
    first, second = pair()
    edited(as_admin, second, name, EDITS[name])
    value = edited(as_admin, first, name, OTHERS[name])
    assert as_admin.get(f"/events/{unite((first, second))}").json[name] == value


@pytest.mark.parametrize("name", ["featured", "sticky", "show_map"])
def test_what_the_event_that_stays_shows_it_goes_on_to_show(pair, unite, as_admin, name):
    first, second = pair()
    edited(as_admin, first, name, value=True)
    assert as_admin.get(f"/events/{unite((first, second))}").json[name] is True


def test_what_people_took_away_stays_away(add, read, sources, unite, as_admin):
    featuring = [{"if": {"words": ["concert"]}, "then": {"featured": True}}]
    for name in ("Club", "Town"):
        read(add(name=name, rules=featuring), concert(f"1@{name}"))
    (proposed,) = sources.decisions.pairs(EDITOR, Window(1, 10)).items
    edited(as_admin, proposed["events"][1], "featured", value=False)
    assert as_admin.get(f"/events/{unite(proposed['events'])}").json["featured"] is False


def test_custom_fields_of_both_stay_each_as_it_was_edited(pair, unite, as_admin):
    first, second = pair()
    edited(as_admin, first, "custom_fields", DOORS)
    other = {"doors": {"label": "Doors", "value": "18:30"}}
    edited(as_admin, second, "custom_fields", other | PARKING)
    fields = as_admin.get(f"/events/{unite((first, second))}").json["custom_fields"]
    assert {key: each["value"] for key, each in fields.items()} == {
        "doors": "19:00",
        "parking": "Behind the hall",
    }


def test_a_title_with_entities_stays_as_it_was_edited(pair, unite, as_admin):
    first, second = pair()
    title = edited(as_admin, second, "title", "Choir &amp;amp; concert")
    assert as_admin.get(f"/events/{unite((first, second))}").json["title"] == title


# Parents.


@pytest.fixture
def festival(as_admin):
    """Return the id of an event to which others belong."""
    at = {"start_date": "2030-03-01 10:00:00", "end_date": "2030-03-01 23:00:00"}
    return as_admin.post("/events", title="Festival", **at).json["id"]


@pytest.fixture
def parent(database):
    return lambda number: database["events"].find_one(number)["parent"]


def test_the_event_above_stays(pair, unite, as_admin, festival, parent):
    first, second = pair()
    as_admin.put(f"/events/{second}", post_parent=festival)
    assert parent(unite((first, second))) == festival


def test_an_event_below_the_one_with_which_it_is_united_gets_its_parent(
    pair, unite, as_admin, festival, parent
):
    first, second = pair()
    as_admin.put(f"/events/{second}", post_parent=festival)
    as_admin.put(f"/events/{first}", post_parent=second)
    assert parent(unite((first, second))) == festival


def test_no_event_comes_to_be_below_itself(pair, unite, as_admin, festival, parent):
    first, second = pair()
    as_admin.put(f"/events/{festival}", post_parent=first)
    as_admin.put(f"/events/{second}", post_parent=festival)
    assert parent(unite((first, second))) == 0
    assert parent(festival) == first


# Dates of series.


OF_DATES = {
    "title": "In the church",
    "event_status": "canceled",
    "featured": True,
    "custom_fields": DOORS,
    "accessibility": ["wheelchair"],
    "hide_from_listings": True,
}


@pytest.fixture
def two_series(pair):
    return pair((WEEKLY,), (WEEKLY,), title="Concert of the choir")


@pytest.fixture
def second_dates(two_series, database):
    """Return the ids of the second dates of two series."""
    return [dates_beside(database, each)[1]["_id"] for each in two_series]


@pytest.mark.parametrize("name", OF_DATES)
def test_what_people_edited_of_one_date_of_a_series_stays(
    two_series, second_dates, unite, as_admin, name
):
    first, second = second_dates
    value = edited(as_admin, second, name, OF_DATES[name])
    unite(two_series)
    assert as_admin.get(f"/events/{first}").json[name] == value
    others = as_admin.get(f"/events/{two_series[0]}").json
    assert others[name] != value


def test_a_date_of_a_series_that_people_moved_stays_moved(
    two_series, second_dates, unite, as_admin
):
    as_admin.put(f"/events/{second_dates[1]}", **MOVED)
    unite(two_series)
    assert as_admin.get(f"/events/{second_dates[0]}").json["start_date"] == MOVED["start_date"]


def test_of_two_edits_of_a_date_that_of_the_series_that_stays_counts(
    two_series, second_dates, unite, as_admin
):
    first, second = second_dates
    edited(as_admin, second, "title", "In the church")
    edited(as_admin, first, "title", "In the park")
    unite(two_series)
    assert as_admin.get(f"/events/{first}").json["title"] == "In the park"


def test_a_date_that_people_took_out_of_one_series_takes_place_in_the_other(
    two_series, second_dates, unite, as_admin, listed
):
    as_admin.delete(f"/events/{second_dates[1]}")
    unite(two_series)
    assert len(listed()) == 3


def test_an_edit_of_a_single_event_stays_with_the_date_of_a_series(pair, unite, as_admin):
    events = pair((WEEKLY,))
    edited(as_admin, events[1], "title", "Concert with guests")
    edited(as_admin, events[1], "featured", value=True)
    event = as_admin.get(f"/events/{unite(events)}").json
    assert (event["title"], event["featured"]) == ("Concert with guests", True)


def test_both_sources_read_again_change_nothing_that_people_edited(
    pair, unite, as_admin, read, sources
):
    first, second = pair()
    for name in ("featured", "accessibility", "custom_fields", "excerpt"):
        edited(as_admin, second, name, EDITS[name])
    before = as_admin.get(f"/events/{unite((first, second))}").json
    club, town = (each.source.id for each in sources.list(EDITOR))
    read(club, concert("1@club", "DESCRIPTION:New"))
    read(town, concert("1@town", title="Choir: concert"))
    after = as_admin.get(f"/events/{first}").json
    assert [before[name] for name in EDITS] == [after[name] for name in EDITS]
