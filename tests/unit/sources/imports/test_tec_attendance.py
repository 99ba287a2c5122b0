"""Event status and attendance mode of imported events."""

import pytest

from calendar_app.domain.cost import Currency
from calendar_app.domain.kinds import EVENT
from calendar_app.sources.imports.tec.records import changes_of

SITE = "https://site.example"
STREAM = "https://stream.example/?a=1&b=2"
FIELDS = ("event_status", "attendance_mode", "online_url")


def changes_of_event(**fields):
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
    return {name: value for name, value in changes_of_event(**fields).items() if name in FIELDS}


def test_missing_fields_are_not_changed():
    changes = changes_of_event()

    assert not set(FIELDS) & changes.keys()
    assert "status_reason" not in changes["variants"]["de"]


def test_fields_of_this_calendar_are_imported():
    fields = {"event_status": "postponed", "attendance_mode": "mixed", "online_url": STREAM}

    assert shared(**fields) == fields
    assert shared(event_status="scheduled", attendance_mode="offline", online_url="") == {
        "event_status": "scheduled",
        "attendance_mode": "offline",
        "online_url": "",
    }


@pytest.mark.parametrize("name", ["status_reason", "event_status_reason"])
def test_status_reason_is_a_translatable_text(name):
    assert changes_of_event(**{name: "Sturm"})["variants"]["de"]["status_reason"] == "Sturm"
    assert changes_of_event(**{name: ""})["variants"]["de"]["status_reason"] is None


@pytest.mark.parametrize(
    ("url", "status"),
    [
        ("https://schema.org/EventScheduled", "scheduled"),
        ("https://schema.org/EventCancelled", "canceled"),
        ("http://schema.org/EventPostponed", "postponed"),
    ],
)
def test_status_comes_from_schema_org(url, status):
    assert shared(json_ld={"eventStatus": url}) == {"event_status": status}


@pytest.mark.parametrize(
    ("fields", "mode"),
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
def test_attendance_mode_comes_from_schema_org_or_virtual_events(fields, mode):
    assert shared(**fields) == {"attendance_mode": ("offline", "online", "mixed")[mode]}


def test_online_url_comes_from_virtual_events():
    fields = {"is_virtual": True, "virtual_url": "https://stream.example/?a=1&amp;b=2"}

    assert shared(**fields) == {"attendance_mode": "online", "online_url": STREAM}


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
def test_unknown_values_are_ignored(junk):
    assert shared(**junk) == {}


def test_invalid_online_url_is_empty():
    assert shared(virtual_url="javascript:alert(1)") == {"online_url": ""}
