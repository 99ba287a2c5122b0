"""A night belongs to the evening on which it begins, on pages."""

import pytest

SATURDAY, SUNDAY, MONDAY = "2030-03-30", "2030-03-31", "2030-04-01"
NIGHTS = {
    "Tanz": (f"{SATURDAY} 22:00:00", f"{SUNDAY} 02:00:00"),
    "Bis sechs": (f"{SATURDAY} 23:00:00", f"{SUNDAY} 06:00:00"),
}
MORNINGS = {
    "Bis nach sechs": (f"{SATURDAY} 22:00:00", f"{SUNDAY} 06:00:01"),
    "Frühschicht": (f"{SUNDAY} 00:30:00", f"{SUNDAY} 02:00:00"),
    "Ausstellung": (f"{SATURDAY} 10:00:00", f"{MONDAY} 17:00:00"),
    "Festival": (f"{SATURDAY} 10:00:00", f"{MONDAY} 03:00:00"),
}


@pytest.fixture(autouse=True)
def _events(make_event):
    for title, (start, end) in (NIGHTS | MORNINGS).items():
        make_event(title=title, start_date=start, end_date=end)
    make_event(title="Ganzer Tag", start_date=SUNDAY, end_date=SUNDAY, all_day=True)
    tokyo = {"start_date": f"{SATURDAY} 21:00:00", "end_date": f"{SUNDAY} 01:00:00"}
    make_event(title="In Tokio", timezone="Asia/Tokyo", **tokyo)


def titles(page):
    return sorted(set(page.titles))


@pytest.mark.parametrize(
    ("day", "expected"),
    [
        (SATURDAY, [*NIGHTS, "Ausstellung", "Bis nach sechs", "Festival", "In Tokio"]),
        (SUNDAY, [*MORNINGS, "Ganzer Tag"]),
        (MONDAY, ["Ausstellung"]),
    ],
)
@pytest.mark.parametrize("view", ["{day}/", "list/?overlaps_from={day}&overlaps_to={day}"])
def test_night_is_on_one_day(browse, view, day, expected):
    assert titles(browse(f"/events/{view.format(day=day)}")) == sorted(expected)


@pytest.mark.parametrize(("day_ends", "days"), [("06:00", 1), ("00:00", 2)])
@pytest.mark.parametrize("view", ["week/2030-03-30", "month/2030-03"])
def test_tables_show_a_night_once(browse_with, view, day_ends, days):
    text = browse_with(day_ends=day_ends)(f"/events/{view}/").tree.text_content()
    # A page has the days as a table, and as a list for narrow screens.
    assert text.count("Tanz") == 2 * days


def test_last_night_is_among_past_events_from_its_morning_on(browse, clock):
    clock.now = clock.now.replace(month=3, day=31, hour=10)
    page = browse(f"/events/list/?ends_before={SATURDAY}&order=desc")
    assert set(NIGHTS) <= set(page.titles)
    assert "Bis nach sechs" not in page.titles


def test_interface_keeps_the_hours_of_the_clock(anyone):
    query = {"overlaps_from": SUNDAY, "overlaps_to": SUNDAY, "per_page": 50}
    events = anyone.get("/events", **query).json["events"]
    assert set(NIGHTS) <= {event["title"] for event in events}
    over = anyone.get("/events", ends_before=SATURDAY, start_date="2030-01-01").json["events"]
    assert not over


def test_what_is_on_after_midnight_is_on_today_until_it_is_over(browse, clock):
    clock.now = clock.now.replace(month=3, day=30, hour=23, minute=30)  # 00:30 in Zurich
    assert "Tanz" in browse("/events/today/").titles
    clock.advance(hours=2)
    assert "Tanz" not in browse("/events/today/").titles
