"""What a site says of whether its events take place, and how people attend them."""

import pytest

from calendar_app.domain.currencies import Currency
from calendar_app.imports.tec.records import changes_of
from calendar_app.resources.kinds import EVENT

SITE = "https://site.example"
STREAM = "https://stream.example/?a=1&b=2"
FIELDS = ("event_status", "attendance_mode", "online_url")


def taken(**fields):
    raw = {
        "id": 12,
        "status": "publish",
        "url": f"{SITE}/event/fete/",
        "title": "Fête",
        "slug": "fete",
        "all_day": False,
        "start_date": "2027-05-01 19:00:00",
        "end_date": "2027-05-01 21:00:00",
        "timezone": "Europe/Zurich",
        **fields,
    }
    return changes_of(EVENT, raw, "de", Currency("CHF", "CHF", "prefix"))


def shared(**fields):
    return {name: value for name, value in taken(**fields).items() if name in FIELDS}


def test_what_a_site_does_not_tell_stays_as_it_is():
    changes = taken()

    assert not set(FIELDS) & changes.keys()
    assert "status_reason" not in changes["variants"]["de"]


def test_a_calendar_of_this_sort_is_taken_at_its_word():
    told = {"event_status": "postponed", "attendance_mode": "mixed", "online_url": STREAM}

    assert shared(**told) == told
    assert shared(event_status="scheduled", attendance_mode="offline", online_url="") == {
        "event_status": "scheduled",
        "attendance_mode": "offline",
        "online_url": "",
    }


@pytest.mark.parametrize("name", ["status_reason", "event_status_reason"])
def test_a_reason_is_a_text_of_its_language(name):
    assert taken(**{name: "Sturm"})["variants"]["de"]["status_reason"] == "Sturm"
    assert taken(**{name: ""})["variants"]["de"]["status_reason"] is None


@pytest.mark.parametrize(
    ("told", "status"),
    [
        ("https://schema.org/EventScheduled", "scheduled"),
        ("https://schema.org/EventCancelled", "canceled"),
        ("http://schema.org/EventPostponed", "postponed"),
    ],
)
def test_a_status_is_told_in_the_words_of_schema_org(told, status):
    assert shared(json_ld={"eventStatus": told}) == {"event_status": status}


@pytest.mark.parametrize(
    ("told", "mode"),
    [
        ({"json_ld": {"eventAttendanceMode": "https://schema.org/OnlineEventAttendanceMode"}}, 1),
        ({"json_ld": {"eventAttendanceMode": "https://schema.org/MixedEventAttendanceMode"}}, 2),
        ({"json_ld": {"eventAttendanceMode": "https://schema.org/OfflineEventAttendanceMode"}}, 0),
        ({"is_virtual": True}, 1),
        ({"is_virtual": True, "virtual_event_type": "virtual"}, 1),
        ({"is_virtual": True, "virtual_event_type": "hybrid"}, 2),
        ({"is_virtual": False, "virtual_event_type": "virtual"}, 0),
    ],
)
def test_a_mode_is_told_by_schema_org_or_virtual_events(told, mode):
    assert shared(**told) == {"attendance_mode": ("offline", "online", "mixed")[mode]}


def test_virtual_events_tells_where_to_follow():
    told = {"is_virtual": True, "virtual_url": "https://stream.example/?a=1&amp;b=2"}

    assert shared(**told) == {"attendance_mode": "online", "online_url": STREAM}


@pytest.mark.parametrize(
    "junk",
    [
        {"event_status": "cancelled"},
        {"event_status": 7, "attendance_mode": ["online"]},
        {"json_ld": "none"},
        {"json_ld": {"eventStatus": "EventRescheduled", "eventAttendanceMode": 7}},
        {"json_ld": {"eventStatus": None}},
        {"is_virtual": None},
    ],
)
def test_words_that_say_nothing_here_are_passed_over(junk):
    assert shared(**junk) == {}


def test_what_is_no_address_is_none():
    assert shared(virtual_url="javascript:alert(1)") == {"online_url": ""}
