"""A calendar follows another one: nothing is lost, nothing comes twice, nothing comes home."""

import json

import pytest
from neighbors import EDITOR, differences


@pytest.fixture
def pair(calendars):
    return calendars("ab")


FULL = {
    "variants": {
        "de": {
            "title": "Konzert & Tanz",
            "description": "<p>Mit Musik</p>",
            "excerpt": "Kurz",
            "website": "https://club.example/de",
            "custom_fields": {"dress": {"label": "Kleidung", "value": "festlich"}},
        },
        "rm": {"title": "Concert", "description": "<p>Cun musica</p>"},
    },
    "translation_origin": {"rm": "machine"},
    "cost": "CHF 20",
    "image": "https://pictures.example/choir.jpg",
    "accessibility": ["wheelchair", "hearing_loop"],
    "in_language": ["de", "rm"],
    "audience": {"min_age": 6, "max_age": 12, "groups": ["families"]},
    "registration": {
        "url": "https://club.example/register",
        "closes": "2030-02-20 12:00:00",
        "required": True,
    },
    "event_status": "postponed",
    "status_reason": "Ill",
    "attendance_mode": "mixed",
    "online_url": "https://stream.example/1",
    "venue": {
        "venue": "Aula",
        "description": "<p>Hall</p>",
        "address": "Via 1",
        "city": "Chur",
        "zip": "7000",
        "country": "Switzerland",
        "phone": "+41 81 555 01 01",
        "website": "https://aula.example/",
        "geo_lat": 46.85,
        "geo_lng": 9.53,
    },
    "organizer": [{"organizer": "Club", "email": "club@example.org", "phone": "+41 81 555 01 02"}],
    "categories": ["Music"],
    "tags": ["Choir"],
}


def test_first_reading_brings_everything(pair):
    a, b = pair
    a.make(**FULL)
    source = b.follow(a)
    assert b.read(source) == {"new": 1}
    assert differences(b.events(), a.events()) == []
    assert b.events()[0]["proposed"] != []


def test_later_readings_bring_changes_alone_and_an_unchanged_one_is_a_single_request(pair):
    a, b = pair
    first, _ = a.make(title="Talk"), a.make(title="Play")
    source = b.follow(a)
    assert b.read(source) == {"new": 2}
    a.as_admin.patch(f"/events/{first['id']}", title="Lecture")
    assert b.read(source) == {"changed": 1, "unchanged": 1}
    a.asked.clear()
    assert b.read(source) == {"unchanged": 2}
    assert [path.rpartition("/")[2] for path in a.asked] == ["changes"]
    assert b.titles() == ["Lecture", "Play"]


def test_schedule_reads_each_minute_and_reports_what_has_changed(pair):
    a, b = pair
    source = b.follow(a)
    for _ in range(3):
        b.clock.advance(minutes=1)
        assert b.sources.readings.read_due() == 1
    assert b.database["source_readings"].count_documents({}) == 1  # The first one.
    a.make()
    b.clock.advance(minutes=1)
    assert b.sources.readings.read_due() == 1
    assert b.titles() == ["Talk"]
    assert b.database["source_readings"].count_documents({"source": source}) == 2


@pytest.mark.parametrize("change", ["delete", "draft", "password", "hidden"])
def test_what_can_be_read_no_more_goes_at_once_and_comes_back(pair, change):
    a, b = pair
    event = a.make()["id"]
    source = b.follow(a)
    b.read(source)
    if change == "delete":
        a.as_admin.delete(f"/events/{event}")
    else:
        changes = {"draft": {"status": "draft"}, "password": {"password": "open"}}
        hidden = {"hide_from_listings": True}
        a.as_admin.patch(f"/events/{event}", **changes.get(change, hidden))
    assert b.read(source)["vanished"] == 1
    assert b.titles() == []
    again = {"status": "publish", "password": "", "hide_from_listings": False}
    a.as_admin.patch(f"/events/{event}", **again)
    assert b.read(source) == {"changed": 1}
    assert b.titles() == ["Talk"]


def test_hidden_events_never_come(pair):
    a, b = pair
    a.make(status="draft")
    a.make(status="private")
    a.make(hide_from_listings=True)
    a.make(password="open")
    source = b.follow(a)
    assert "new" not in b.read(source)
    assert b.titles() == []


def test_guard_holds_the_loss_of_most_events_back(pair):
    a, b = pair
    events = [a.make(title=f"Talk {number}")["id"] for number in range(7)]
    source = b.follow(a)
    b.read(source)
    for event in events:
        a.as_admin.delete(f"/events/{event}")
    assert b.read(source).startswith("It is held back")
    assert len(b.titles()) == 7
    held = b.sources.readings.last(source, EDITOR).id
    assert b.read(source, accept=held) == {"vanished": 7}
    assert b.titles() == []


def test_many_changes_are_not_held_back(pair):
    a, b = pair
    events = [a.make(title=f"Talk {number}")["id"] for number in range(7)]
    source = b.follow(a)
    b.read(source)
    for event in events:
        a.as_admin.patch(f"/events/{event}", excerpt="Short")
    assert b.read(source) == {"changed": 7}


def test_series_comes_with_rules_exceptions_and_changed_dates(pair):
    a, b = pair
    weekly = {"rrule": "FREQ=WEEKLY;COUNT=5", "exdate": ["2030-03-15 19:00:00"]}
    first = a.make(title="Choir", recurrence=weekly, **{k: FULL[k] for k in ("venue", "tags")})
    series = first["series"]["id"]
    dates = a.as_admin.get(f"/series/{series}/events").json["events"]
    a.as_admin.patch(f"/events/{dates[1]['id']}", title="Concert", start_date="2030-03-08 20:00:00")
    a.as_admin.delete(f"/events/{dates[2]['id']}")
    source = b.follow(a)
    assert b.read(source) == {"new": 1}
    assert differences(b.events(), a.events()) == []
    assert len(b.events()) == 3
    assert b.read(source) == {"unchanged": 1}
    # A date comes back, another one is as its series again, and the series gets a text.
    a.as_admin.patch(f"/events/{dates[2]['id']}", status="publish")
    a.as_admin.patch(f"/events/{dates[1]['id']}", title="Choir")
    a.as_admin.patch(f"/series/{series}", description="<p>Sing</p>")
    assert b.read(source) == {"changed": 1}
    assert differences(b.events(), a.events()) == []
    a.as_admin.delete(f"/events/{dates[3]['id']}")
    b.read(source)
    assert differences(b.events(), a.events()) == []
    a.as_admin.delete(f"/series/{series}")
    assert b.read(source)["vanished"] == 1
    assert b.titles() == []


def test_event_that_becomes_a_series_and_a_single_one_again_stays_one(pair):
    a, b = pair
    event = a.make()["id"]
    source = b.follow(a)
    b.read(source)
    a.as_admin.patch(f"/events/{event}", recurrence={"rrule": "FREQ=DAILY;COUNT=3"})
    b.read(source)
    assert differences(b.events(), a.events()) == []
    assert len(b.events()) == 3
    a.as_admin.patch(f"/events/{event}", recurrence=None, scope="all")
    b.read(source)
    assert differences(b.events(), a.events()) == []
    assert len(b.events()) == 1


def test_text_of_a_machine_is_one_here_until_somebody_there_checks_or_writes_it(pair):
    a, b = pair
    event = a.make(**FULL)["id"]
    source = b.follow(a)
    b.read(source)
    a.as_admin.patch(f"/events/{event}", translation_reviewed={"rm": True})
    assert b.read(source) == {"changed": 1}
    assert differences(b.events(), a.events()) == []
    assert {each[3] for each in b.events()[0]["proposed"]} == {True}
    a.as_admin.patch(f"/events/{event}", translation_origin={"rm": "human"})
    b.read(source)
    assert differences(b.events(), a.events()) == []
    assert b.events()[0]["proposed"] == []


def test_cleared_values_are_empty_here_too(pair):
    a, b = pair
    event = a.make(**FULL)["id"]
    source = b.follow(a)
    b.read(source)
    nothing = {"description": "", "cost": "", "audience": None, "registration": None, "image": ""}
    a.as_admin.patch(f"/events/{event}", **nothing, accessibility=[], custom_fields={}, tags=[])
    a.as_admin.patch(f"/events/{event}", variants={"rm": {"title": "", "description": ""}})
    assert b.read(source) == {"changed": 1}
    assert differences(b.events(), a.events()) == []


def test_feed_that_begins_anew_is_compared_and_removes_nothing_at_once(pair):
    a, b = pair
    kept, lost = a.make(title="Kept")["id"], a.make(title="Lost")["id"]
    source = b.follow(a)
    b.read(source)
    # As a backup has it that is older than the second event.
    a.database["events"].delete_one({"_id": lost})
    state = {"_id": source}
    b.database["source_states"].update_one(state, {"$set": {"etag": "no token of theirs"}})
    assert b.read(source) == {"unchanged": 1, "vanished": 1}
    assert b.titles() == ["Kept", "Lost"]
    a.as_admin.patch(f"/events/{kept}", title="Still kept")
    assert b.read(source) == {"changed": 1, "unchanged": 1}
    b.clock.advance(days=1, minutes=1)
    assert b.read(source)["vanished"] == 1
    assert b.titles() == ["Still kept"]


def test_calendar_of_an_earlier_release_is_refused_with_the_reason(pair, host):
    _, b = pair
    change = {"kind": "events", "id": 1, "change": "upsert", "record": {"id": 1}}
    page = {"changes": [change], "next": "t", "more": False}
    address = host.put("/v1/changes", json.dumps(page).encode())
    source = b.follow(b, address=address.removesuffix("/changes"))
    assert "earlier release" in b.read(source)
    source = b.follow(b, address=host.address("/else"))
    assert "no changes to be followed" in b.read(source)


# Home again.


def test_two_calendars_that_follow_each_other_share_everything_once(pair):
    a, b = pair
    of_a, of_b = a.make(title="Of A")["id"], b.make(title="Of B")["id"]
    weekly = {"rrule": "FREQ=WEEKLY;COUNT=2"}
    a.make(title="Weekly", recurrence=weekly)
    from_b, from_a = a.follow(b), b.follow(a)
    for _ in range(5):
        a.read(from_b), b.read(from_a)
    titles = ["Of A", "Of B", "Weekly", "Weekly"]
    assert (a.titles(), b.titles()) == (titles, titles)
    a.as_admin.patch(f"/events/{of_a}", title="Of A, renamed")
    b.as_admin.patch(f"/events/{of_b}", title="Of B, renamed")
    for _ in range(3):
        a.read(from_b), b.read(from_a)
    titles = ["Of A, renamed", "Of B, renamed", "Weekly", "Weekly"]
    assert (a.titles(), b.titles()) == (titles, titles)


@pytest.mark.parametrize("force", [False, True])
def test_deleted_event_does_not_come_home_from_who_still_has_it(pair, force):
    a, b = pair
    event = a.make()["id"]
    from_b, from_a = a.follow(b), b.follow(a)
    b.read(from_a)
    a.as_admin.delete(f"/events/{event}", force=force)
    assert a.read(from_b) == {"own": 1}
    assert b.read(from_a)["vanished"] == 1
    a.read(from_b), b.read(from_a)
    assert (a.titles(), b.titles()) == ([], [])


def test_ring_of_three_brings_nothing_home(calendars):
    a, b, c = calendars("abc")
    event = a.make(title="Round")["id"]
    a.make(title="Rounds", recurrence={"rrule": "FREQ=WEEKLY;COUNT=2"})
    ring = [(b, b.follow(a)), (c, c.follow(b)), (a, a.follow(c))]
    for _ in range(3):
        for calendar, source in ring:
            calendar.read(source)
    a.as_admin.patch(f"/events/{event}", title="Round again")
    for _ in range(3):
        for calendar, source in ring:
            calendar.read(source)
    titles = ["Round again", "Rounds", "Rounds"]
    assert [each.titles() for each in (a, b, c)] == [titles] * 3
    a.as_admin.delete(f"/events/{event}", force=True)
    for calendar, source in reversed(ring):
        calendar.read(source)
    for calendar, source in ring:
        calendar.read(source)
    assert [each.titles() for each in (a, b, c)] == [["Rounds", "Rounds"]] * 3


def test_event_that_comes_by_two_ways_comes_once(calendars):
    a, b, c = calendars("abc")
    event = a.make()["id"]
    b.read(b.follow(a))
    ways = [c.follow(b), c.follow(a)]
    for source in ways:
        c.read(source)
    assert c.titles() == ["Talk"]
    a.as_admin.patch(f"/events/{event}", title="Lecture")
    for source in ways:
        c.read(source)
    assert len(c.titles()) == 1


def test_corrected_place_is_that_of_the_events_that_came_before(pair):
    a, b = pair
    a.make(venue={"venue": "Aula", "city": "Chur"})
    source = b.follow(a)
    b.read(source)
    right = b.as_admin.post("/venues", venue="Aula Nova").json["id"]
    (entry,) = b.as_admin.get(f"/sources/{source}/register", kind="venue").json["entries"]
    b.as_admin.patch(f"/sources/{source}/register/{entry['id']}", record=right)
    assert b.read(source) == {"changed": 1}
    assert b.events()[0]["venue"][0]["venue"] == "Aula Nova"
