"""Rules of a source: how its events come in, which stay out, and what a preview says of it."""

import pytest
from calendars import WEEKLY, override, vevent

from calendar_app.accounts.callers import Caller

EDITOR = Caller(2, "editor", "editor")


def titles(events):
    return [each["title"] for each in events]


def single(number, title, *lines):
    return vevent(f"{number}@club", *lines, title=title, start=f"203003{number:02}T190000")


@pytest.fixture
def music(make_category):
    return make_category(name="Music")["id"]


@pytest.fixture
def choir(make_tag):
    return make_tag(name="Choir")["id"]


def test_rules_decide_how_new_events_come_in(add, read, listed, music, choir):
    rules = [
        {"if": {"words": ["sale"]}, "then": {"leave_out": True}},
        {"if": {"lacks": ["place"]}, "then": {"status": "pending"}},
        {
            "if": {"categories": ["konzerte"]},
            "then": {"categories": [music], "tags": [choir], "featured": True},
        },
    ]
    source = add(rules=rules)
    events = [
        single(1, "Concert", "LOCATION:Hall", "CATEGORIES:Konzerte"),
        single(2, "Without a place"),
        single(3, "Sale", "LOCATION:Hall"),
        single(4, "Talk", "LOCATION:Hall"),
    ]
    preview = read(source, *events, dry_run=True)
    decided = {each["label"].split('"')[1]: each.get("rule", 0) for each in preview.entries}
    assert decided == {"Concert": 3, "Without a place": 2, "Sale": 1, "Talk": 0}
    assert read(source, *events).numbers == {"new": 3, "filtered": 1}
    concert, talk = listed()
    assert (concert["featured"], talk["featured"]) == (True, False)
    assert [each["id"] for each in concert["categories"]] == [music]
    assert [each["id"] for each in concert["tags"]] == [choir]
    assert titles([concert, talk]) == ["Concert", "Talk"]
    assert read(source, *events).state == "unchanged"


def test_changed_rules_hold_for_events_that_are_here(sources, add, read, listed, music):
    source = add()
    events = [single(1, "Concert"), single(2, "Ball")]
    read(source, *events)
    featured = {"if": {"words": ["concert"]}, "then": {"categories": [music], "featured": True}}
    sources.change(source, {"rules": [featured]}, EDITOR)
    assert read(source, *events).numbers == {"changed": 1, "unchanged": 1}
    assert [(each["title"], each["featured"]) for each in listed()] == [
        ("Concert", True),
        ("Ball", False),
    ]
    # A preview tells of unchanged events too by which rule they are as they are.
    preview = read(source, *events, dry_run=True)
    assert [(each["outcome"], each["rule"]) for each in preview.entries] == [("unchanged", 1)]
    sources.change(source, {"rules": []}, EDITOR)
    read(source, *events)
    assert [each["categories"] for each in listed()] == [[], []]
    assert {each["featured"] for each in listed()} == {False}


def test_what_was_edited_here_stays_against_a_rule(sources, add, read, listed, as_admin):
    source = add()
    read(source, single(1, "Concert"))
    as_admin.put(f"/events/{listed()[0]['id']}", featured=True)
    plain = {"if": {}, "then": {"featured": False}}
    sources.change(source, {"rules": [plain]}, EDITOR)
    read(source, single(1, "Concert"))
    assert listed()[0]["featured"] is True


def test_rules_hold_for_all_dates_of_a_series(add, read, listed, choir):
    source = add(rules=[{"if": {"words": ["choir"]}, "then": {"tags": [choir]}}])
    events = [
        vevent("one@example.org", WEEKLY),
        override("20270113T190000", "CATEGORIES:Guests", title="Guest"),
    ]
    assert read(source, *events).numbers == {"new": 1}
    assert {tuple(each["id"] for each in event["tags"]) for event in listed()} == {(choir,)}
    assert read(source, *events).state == "unchanged"


def test_rules_hold_for_events_that_programs_send(as_editor, music):
    rules = [
        {"if": {"words": ["sale"]}, "then": {"leave_out": True}},
        {"if": {"has": ["text"]}, "then": {"categories": [music], "status": "publish"}},
    ]
    source = as_editor.post("/sources", name="Tickets", kind="push", rules=rules).json["id"]
    times = {"start_date": "2030-03-01 19:00", "end_date": "2030-03-01 21:00"}

    def send(uid, **changes):
        return as_editor.put(f"/events/by-source/{source}/{uid}", **times, **changes)

    event = send(1, title="Concert", description="With a choir").json
    assert (event["status"], [each["id"] for each in event["categories"]]) == ("publish", [music])
    assert send(2, title="Talk").json["status"] == "pending"
    refused = send(3, title="Sale")
    assert (refused.status_code, list(refused.json["data"]["params"])) == (400, ["uid"])
    assert "Regel" in refused.json["data"]["params"]["uid"]
