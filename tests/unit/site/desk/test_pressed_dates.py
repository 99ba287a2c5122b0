"""Dates of a new series are left out, moved and called off by a press, and come back."""

from datetime import date, datetime

import pytest

from calendar_app.site.desk.event_form.dates import changes_of, dates_of, pressed
from calendar_app.site.desk.event_form.times import Notation

TEXT = Notation("de", date(2026, 11, 23), ("de", "rm"))
WEEKLY = {"start_date": "6.1.2027", "start_time": "8:00", "all_day": "", "repeat": "WEEKLY"}
DATE = "2027-01-20T08:00:00"
LINE = "20.01.2027 08:00"
UNTOUCHED = {
    f"move_was[{DATE}]": "20.01.2027 08:00 \u2013 12:00",
    f"move_day[{DATE}]": "20.01.2027",
}
UNTOUCHED |= {f"move_from[{DATE}]": "08:00", f"move_until[{DATE}]": "12:00"}


def after(button, values=WEEKLY, **typed):
    sent = UNTOUCHED | {f"{name}[{DATE}]": text for name, text in typed.items()}
    values = pressed(values, {"button": button, **sent}, TEXT)
    return {name: values[f"repeat_{name}"] for name in ("except", "moved", "off")}


@pytest.mark.parametrize(
    ("button", "typed", "lines"),
    [
        ("save", {}, {}),
        ("leave-out", {}, {"except": LINE}),
        ("call-off", {}, {"off": LINE}),
        ("call-off", {"off_reason": "Sturm"}, {"off": f"{LINE}: Sturm"}),
        ("move", {"move_day": "21.1."}, {"moved": f"{LINE} → 21.01.2027 08:00 \u2013 12:00"}),
        ("move", {"move_day": "Freitag"}, {"moved": f"{LINE} → 22.01.2027 08:00 \u2013 12:00"}),
        ("move", {"move_day": "15.1."}, {"moved": f"{LINE} → 15.01.2027 08:00 \u2013 12:00"}),
        ("move", {"move_day": "bald"}, {"moved": f"{LINE} → bald 08:00 \u2013 12:00"}),
        ("move", {"move_until": ""}, {"moved": f"{LINE} → 20.01.2027 08:00"}),
        # What is typed counts, whichever button takes it along.
        ("save", {"off_reason": "Sturm"}, {"off": f"{LINE}: Sturm"}),
        ("put-back", {"off_reason": "Sturm"}, {}),
        ("leave-out nonsense", {}, {}),
    ],
)
def test_press_says_one_thing_of_a_date(button, typed, lines):
    button = button if " " in button else f"{button} {DATE}"
    assert after(button, **typed) == {"except": "", "moved": "", "off": ""} | lines


def test_later_press_takes_the_place_of_the_earlier_one():
    values = WEEKLY | {"repeat_except": f"13.1.2027\n{LINE}\nirgendwann", "repeat_off": "3.2.2027"}
    lines = after(f"call-off {DATE}", values)
    assert lines == {"except": "13.1.2027\nirgendwann", "moved": "", "off": f"{LINE}\n3.2.2027"}
    back = after(f"put-back {DATE}", values)
    assert back == {"except": "13.1.2027\nirgendwann", "moved": "", "off": "3.2.2027"}


def test_lines_are_changes_of_single_dates():
    values = WEEKLY | {
        "repeat_moved": "20.1.2027 → 22.1.2027 9:00 \u2013 11:00\n27.1. -> 28.1.2027"
    }
    moved, moved_in_short, off = changes_of(values | {"repeat_off": "3.2.2027 8:00: Sturm"}, TEXT)
    assert moved.date == datetime.fromisoformat(DATE)
    assert moved.values == {
        "start_date": "22.01.2027",
        "start_time": "09:00",
        "end_date": "22.01.2027",
        "end_time": "11:00",
    }
    assert moved_in_short.values == {"start_date": "28.01.2027", "start_time": "08:00"}
    assert off.values == {"event_status": "canceled", "status_reason": "Sturm"}


def preview(*days, more):
    dates = [
        {
            "recurrence_id": f"{day} 08:00:00",
            "start_date": f"{day} 08:00:00",
            "end_date": f"{day} 12:00:00",
        }
        for day in days
    ]
    return {"dates": dates, "unused_exdate": ["2027-01-14 08:00:00"], "more": more}


@pytest.mark.parametrize(
    ("more", "days"),
    [
        # What lies behind the last date of an endless series waits for its page.
        (True, ["06", "13", "20", "27"]),
        (False, ["06", "13", "20", "27", "31"]),
    ],
)
def test_left_out_dates_stand_among_the_dates_that_are_shown(more, days):
    values = WEEKLY | {"repeat_except": "13.1.2027\n14.1.2027\n20.1.2027\n31.1.2027\nirgendwann"}
    listed = dates_of(values, preview("2027-01-06", "2027-01-27", more=more), TEXT, all_day=False)
    assert [each.id for each in listed] == [f"2027-01-{day}T08:00:00" for day in days]
    assert [each.state for each in listed][1:3] == ["repeat_except"] * 2
    assert {(each.start, each.end) for each in listed} == {("08:00", "12:00")}


@pytest.mark.parametrize(
    ("control", "line"), [("repeat_moved", "20.1.2027 → nie"), ("repeat_off", "nie: Sturm")]
)
def test_line_that_is_no_date_is_refused_at_its_control(control, line):
    with pytest.raises(ValueError, match="Write the day") as refusal:
        changes_of(WEEKLY | {control: line}, TEXT)
    assert refusal.value.args[1] == control
