"""A feed of a filter has the dates of the list of that filter, by the rule of their series."""

from datetime import date

import icalendar
import pytest
import recurring_ical_events
from keeping import kept


def make_series(make_event, as_admin, rules):
    """Make a series from a Tuesday on, and return the ids of its events."""
    event = make_event(
        title="Market",
        start_date="2030-03-05 08:00",
        end_date="2030-03-05 12:00",
        recurrence={"rrule": rules},
        tags=["food"],
    )
    path = f"/series/{event['series']['id']}/events"
    events = as_admin.get(path, per_page=50, start_date="2030-01-01").json["events"]
    return [each["id"] for each in events]


@kept
def market(make_event, as_admin):
    """Return the ids of the events of a weekly market of six dates."""
    return make_series(make_event, as_admin, "FREQ=WEEKLY;COUNT=6")


def read(anyone, **query):
    text = anyone.get("/events.ics", **query).text
    calendar = icalendar.Calendar.from_ical(text)
    events = recurring_ical_events.of(calendar).between(date(2030, 1, 1), date(2031, 1, 1))
    lines = "".join(each.to_ical().decode() for each in calendar.walk("VEVENT"))
    return lines, sorted(f"{event['DTSTART'].dt:%Y-%m-%d %H:%M:%S}" for event in events)


def listed(anyone, **query):
    answer = anyone.get("/events", per_page=50, **query).json
    return [event["start_date"] for event in answer["events"]]


@pytest.mark.parametrize(
    "left_out", [(0,), (2,), (5,), (0, 1), (4, 5), (1, 3), (0, 5), (0, 1, 2, 3, 4)]
)
def test_dates_that_a_filter_leaves_out_are_exceptions_of_the_rule(
    anyone, as_admin, market, left_out
):
    for place in left_out:
        as_admin.post(f"/events/{market[place]}", tags=["other"])
    text, dates = read(anyone, tags="food")
    assert dates == listed(anyone, tags="food", start_date="2030-01-01")
    assert ("RRULE" in text, "RDATE" in text) == (True, False)


def test_rule_ends_where_the_filter_ends(anyone, market):
    assert len(market) == 6
    window = {"start_date": "2030-01-01", "end_date": "2030-03-20"}
    text, dates = read(anyone, **window)
    assert (
        dates == listed(anyone, **window) == [f"2030-03-{n} 08:00:00" for n in ("05", "12", "19")]
    )
    assert "UNTIL=" in text
    assert "EXDATE" not in text


def test_moved_date_that_a_filter_leaves_out_stays_away(anyone, as_admin, market):
    moved = {"start_date": "2030-03-13 09:00", "end_date": "2030-03-13 10:00", "tags": ["other"]}
    as_admin.post(f"/events/{market[1]}", **moved)
    _, dates = read(anyone, tags="food")
    assert dates == listed(anyone, tags="food", start_date="2030-01-01")
    assert len(dates) == 5


@pytest.mark.parametrize("left_out", [(), (0,), (1,), (0, 1)])
def test_start_that_the_rule_does_not_give_is_named_beside_it(
    anyone, as_admin, make_event, left_out
):
    events = make_series(make_event, as_admin, "FREQ=WEEKLY;BYDAY=FR;COUNT=4")
    for place in left_out:
        as_admin.post(f"/events/{events[place]}", tags=["other"])
    text, dates = read(anyone, tags="food")
    assert dates == listed(anyone, tags="food", start_date="2030-01-01")
    assert "RDATE;TZID=Europe/Zurich:20300305T080000" in text


@pytest.mark.parametrize("left_out", [(), (0,), (1,), (2, 3), (0, 1, -1)])
def test_series_with_several_rules_has_the_first_one_and_the_other_dates(
    anyone, as_admin, make_event, left_out
):
    rules = [f"FREQ=WEEKLY;BYDAY={day};COUNT=4" for day in ("TU", "FR")]
    events = make_series(make_event, as_admin, rules)
    for place in left_out:
        as_admin.post(f"/events/{events[place]}", tags=["other"])
    text, dates = read(anyone, tags="food")
    assert dates == listed(anyone, tags="food", start_date="2030-01-01")
    assert (text.count("RRULE"), text.count("RDATE")) == (1, 1)


def test_dates_without_a_rule_are_named_one_by_one(anyone, as_admin, make_event):
    event = make_event(
        title="Talk",
        start_date="2030-03-05 19:00",
        end_date="2030-03-05 21:00",
        recurrence={"rdate": ["2030-03-20 19:00", "2030-04-02 19:00"]},
        tags=["talk"],
    )
    as_admin.post(f"/events/{event['id']}", tags=["other"], scope="this")
    text, dates = read(anyone, tags="talk")
    assert dates == ["2030-03-20 19:00:00", "2030-04-02 19:00:00"]
    assert ("RRULE" in text, "RDATE" in text) == (False, True)


def test_location_names_all_venues(anyone, make_event):
    make_event(title="Festival", venue=[{"venue": "Hall", "city": "Chur"}, {"venue": "Church"}])
    event = icalendar.Calendar.from_ical(anyone.get("/events.ics").text).walk("VEVENT")[0]
    assert event["LOCATION"] == "Hall, Chur; Church"
