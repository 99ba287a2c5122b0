"""``import ics``: events are found again by their UID, and follow the file."""

import os
import subprocess
import sys
from datetime import UTC, datetime

from calendars import APPLE, GOOGLE, OUTLOOK, WEEKLY, calendar, override, vevent
from icalendar import Calendar
from import_report import outcome

from calendar_app.sources.calendar_events import LINEAGE
from calendar_app.storage.mongo.leases import LEASES
from calendar_app.storage.mongo.store import Store

CONTENT = ("events", "series", "venues", "organizers", "categories", "tags")


def starts(events):
    return [event["start_date"][:16] for event in events]


def test_import_repeated_changes_nothing(import_ics, database):
    for source in (GOOGLE, OUTLOOK, APPLE):
        import_ics(source)
    before = {name: list(database[name].find()) for name in CONTENT}
    for source, number in ((GOOGLE, 2), (OUTLOOK, 2), (APPLE, 1)):
        assert outcome(import_ics(source)) == (0, 0, number, 0)
    assert {name: list(database[name].find()) for name in CONTENT} == before


def test_dry_run_reports_and_writes_nothing(import_ics, database):
    names = ("sequences", *CONTENT)
    before = {name: list(database[name].find()) for name in names}
    assert outcome(import_ics(GOOGLE, "--dry-run")) == (2, 0, 0, 0)
    assert {name: list(database[name].find()) for name in names} == before


def test_changed_title_updates_all_dates(import_ics, listed):
    import_ics(calendar(vevent("one@example.org", WEEKLY)))
    ids = [event["id"] for event in listed()]
    changed = calendar(vevent("one@example.org", WEEKLY, title="Band"))
    assert outcome(import_ics(changed)) == (0, 1, 0, 0)
    assert [(event["id"], event["title"]) for event in listed()] == [(n, "Band") for n in ids]


def test_added_and_removed_dates_follow(import_ics, listed):
    import_ics(calendar(vevent("one@example.org", WEEKLY)))
    left_out = "EXDATE;TZID=Europe/Zurich:20270113T190000"
    added = "RDATE;TZID=Europe/Zurich:20270201T190000"
    changed = calendar(vevent("one@example.org", WEEKLY, left_out, added))
    assert outcome(import_ics(changed)) == (0, 1, 0, 0)
    dates = ["2027-01-06 19:00", "2027-01-20 19:00", "2027-01-27 19:00", "2027-02-01 19:00"]
    assert starts(listed()) == dates
    import_ics(calendar(vevent("one@example.org", WEEKLY)))
    dates = ["2027-01-06 19:00", "2027-01-13 19:00", "2027-01-20 19:00", "2027-01-27 19:00"]
    assert starts(listed()) == dates


def test_date_deleted_here_stays_deleted(import_ics, listed, as_admin):
    import_ics(calendar(vevent("one@example.org", WEEKLY)))
    as_admin.delete(f"/events/{listed()[1]['id']}")
    import_ics(calendar(vevent("one@example.org", WEEKLY, title="Band")))
    assert starts(listed()) == ["2027-01-06 19:00", "2027-01-20 19:00", "2027-01-27 19:00"]


def test_override_that_the_file_drops_is_reset(import_ics, listed):
    series = vevent("one@example.org", WEEKLY)
    moved = override("20270113T190000", title="Guest", start="20270114T190000")
    canceled = override("20270120T190000", "STATUS:CANCELLED")
    import_ics(calendar(series, moved, canceled))
    _, guest, off, _ = listed()
    assert (guest["title"], guest["start_date"]) == ("Guest", "2027-01-14 19:00:00")
    assert (off["title"], off["event_status"]) == ("Choir", "canceled")
    assert outcome(import_ics(calendar(series))) == (0, 1, 0, 0)
    assert [event["overrides"] for event in listed()] == [[], [], [], []]
    assert starts(listed())[1] == "2027-01-13 19:00"


def test_event_becomes_a_series_and_single_again(import_ics, listed):
    import_ics(calendar(vevent()))
    (single,) = listed()
    assert outcome(import_ics(calendar(vevent("one@example.org", WEEKLY)))) == (0, 1, 0, 0)
    assert len(listed(series=single["id"])) == 4
    assert outcome(import_ics(calendar(vevent()))) == (0, 1, 0, 0)
    (event,) = listed()
    assert (event["id"], "series" in event) == (single["id"], False)
    assert outcome(import_ics(calendar(vevent()))) == (0, 0, 1, 0)


def test_fields_edited_here_stay_and_the_others_follow_the_file(import_ics, listed, as_admin):
    import_ics(calendar(vevent()))
    (event,) = listed()
    as_admin.patch(f"/events/{event['id']}", title="Ours")
    assert outcome(import_ics(calendar(vevent()))) == (0, 0, 1, 0)
    assert listed()[0]["title"] == "Ours"
    theirs = vevent("one@example.org", "DESCRIPTION:Bring songs.", title="Theirs")
    assert outcome(import_ics(calendar(theirs))) == (0, 1, 0, 0)
    (event,) = listed()
    assert (event["title"], event["description"]) == ("Ours", "<p>Bring songs.</p>")


def test_trashed_event_is_not_imported_again(import_ics, listed, as_admin):
    import_ics(calendar(vevent()))
    as_admin.delete(f"/events/{listed()[0]['id']}")
    assert outcome(import_ics(calendar(vevent(title="Other")))) == (0, 0, 1, 0)
    assert listed() == []


def test_override_of_no_date_is_refused_again_and_again(import_ics, listed):
    stray = override("20270107T190000", title="Stray")
    source = calendar(vevent("one@example.org", WEEKLY), stray)
    assert outcome(import_ics(source)) == (1, 0, 0, 1)
    assert outcome(import_ics(source)) == (0, 0, 1, 1)
    assert len(listed()) == 4


def components(feed):
    """Return the events of a feed without the properties of its calendar."""
    own = ("UID", "DTSTAMP", "SEQUENCE", "LAST-MODIFIED", "CREATED", "URL", "RELATED-TO", LINEAGE)
    kept = []
    for event in Calendar.from_ical(feed).events:
        # The address of the first calendar has become the website.
        lines = event.to_ical(sorted=True).decode().replace("\r\n ", "").splitlines()
        kept.append([line for line in lines if not line.startswith((*own, "DESCRIPTION"))])
    return sorted(kept)


def test_own_feed_is_imported_once_and_says_the_same(
    import_ics, anyone, as_admin, make_event, database
):
    times = {"start_date": "2027-01-06 19:00:00", "end_date": "2027-01-06 21:00:00"}
    venue = {"venue": "Aula", "geo_lat": 46.8, "geo_lng": 9.5}
    organizer = {"organizer": "Ladina", "email": "ladina@example.org"}
    rule = {"rrule": "FREQ=WEEKLY;COUNT=5", "exdate": ["2027-01-13 19:00:00"]}
    make_event(
        title="Chor & Band",
        description="<p>Text</p>",
        categories=["Musik"],
        venue=venue,
        organizer=organizer,
        **times,
        recurrence=rule,
    )
    make_event(title="Fest", start_date="2027-08-01", end_date="2027-08-02", all_day=True)
    make_event(title="Fern", **times, timezone="America/New_York", event_status="postponed")
    everything = {"start_date": "2026-01-01", "end_date": "2028-01-01"}
    dates = anyone.get("/events", **everything, recurring="true").json["events"]
    as_admin.patch(f"/events/{dates[1]['id']}", title="Gast", event_status="canceled")
    as_admin.patch(
        f"/events/{dates[2]['id']}",
        start_date="2027-01-28 18:00:00",
        end_date="2027-01-28 20:00:00",
    )
    feed = anyone.get("/events.ics", **everything).data
    for name in CONTENT:
        database[name].delete_many({})
    assert outcome(import_ics(feed.decode())) == (3, 0, 0, 0)
    again = anyone.get("/events.ics", **everything).data
    assert components(again) == components(feed)
    before = {name: list(database[name].find()) for name in CONTENT}
    assert outcome(import_ics(feed.decode())) == (0, 0, 3, 0)
    assert {name: list(database[name].find()) for name in CONTENT} == before


def test_series_that_continues_another_is_linked_to_it(import_ics, listed, database):
    second = vevent(
        "two@example.org", WEEKLY, "RELATED-TO:one@example.org", start="20270601T190000"
    )
    import_ics(calendar(second, vevent("one@example.org", WEEKLY)))
    first_id, second_id = (listed()[at]["series"]["id"] for at in (0, -1))
    assert database["series"].find_one({"_id": second_id})["continues"] == first_id


def test_series_that_was_split_here_takes_the_file_for_its_first_part(
    import_ics, listed, as_admin, database
):
    import_ics(calendar(vevent("one@example.org", WEEKLY)))
    third = listed()[2]
    as_admin.patch(f"/events/{third['id']}", title="Ours", scope="following")
    assert database["series"].count_documents({"from_sources": {"$exists": True}}) == 1
    assert outcome(import_ics(calendar(vevent("one@example.org", WEEKLY)))) == (0, 0, 1, 0)
    assert [event["title"] for event in listed()] == ["Choir", "Choir", "Ours", "Ours"]


def test_own_feed_changes_nothing_where_it_comes_from(
    import_ics, anyone, as_admin, make_event, database
):
    times = {"start_date": "2030-01-23 19:00:00", "end_date": "2030-01-23 21:00:00"}
    make_event(title="Chor", **times, recurrence={"rrule": "FREQ=WEEKLY;COUNT=3"})
    make_event(title="Fest", **times, event_status="canceled", status_reason="Sturm")
    dates = anyone.get("/events", recurring="true").json["events"]
    as_admin.patch(f"/events/{dates[1]['id']}", title="Gast")
    feed = anyone.get("/events.ics").text
    assert "COMMENT;LANGUAGE=de:Sturm\r\n" in feed
    before = {name: list(database[name].find()) for name in CONTENT}
    result = import_ics(feed)
    assert outcome(result) == (0, 0, 2, 0)
    assert "come from this calendar: 2" in result.stdout
    assert {name: list(database[name].find()) for name in CONTENT} == before


def test_title_given_here_stays_while_the_file_has_none(import_ics, listed, as_admin):
    untitled = calendar(vevent().replace("SUMMARY:Choir", "SUMMARY:"))
    import_ics(untitled)
    assert listed()[0]["title"] == "(ohne Titel)"
    as_admin.patch(f"/events/{listed()[0]['id']}", title="Chor")
    assert outcome(import_ics(untitled.replace("T21", "T22"))) == (0, 1, 0, 0)
    assert (listed()[0]["title"], listed()[0]["end_date"]) == ("Chor", "2027-01-06 22:00:00")


def test_reason_of_a_cancellation_comes_and_goes(import_ics, listed):
    canceled = calendar(vevent("one@example.org", "STATUS:CANCELLED", "COMMENT:Sturm"))
    import_ics(canceled)
    assert (listed()[0]["event_status"], listed()[0]["status_reason"]) == ("canceled", "Sturm")
    import_ics(calendar(vevent()))
    assert (listed()[0]["event_status"], listed()[0]["status_reason"]) == ("scheduled", "")


def test_short_cancellation_leaves_how_one_takes_part(import_ics, listed):
    online = vevent("one@example.org", "CONFERENCE;VALUE=URI:https://meet.example/choir")
    import_ics(calendar(online))
    mode = listed()[0]["attendance_mode"]
    assert mode != "offline"
    import_ics(calendar(vevent("one@example.org", "STATUS:CANCELLED")))
    assert (listed()[0]["event_status"], listed()[0]["attendance_mode"]) == ("canceled", mode)


def test_contacts_bring_their_mail_phone_and_website(import_ics, listed):
    contacts = (
        "CONTACT:Choir\\, choir@example.org\\, 081 123 45 67\\, https://choir.example/",
        "CONTACT:Parish",
    )
    import_ics(calendar(vevent("one@example.org", *contacts)))
    choir, parish = sorted(listed()[0]["organizer"], key=lambda each: each["organizer"])
    assert [choir[name] for name in ("organizer", "email", "phone", "website")] == [
        *("Choir", "choir@example.org", "081 123 45 67"),
        "https://choir.example/",
    ]
    assert (parish["organizer"], parish.get("website", "")) == ("Parish", "")


def test_two_imports_at_once_create_nothing_twice(mongod_uri, listed, tmp_path):
    file = tmp_path / "calendar.ics"
    file.write_text(calendar(*(vevent(f"{number}@example.org") for number in range(30))))
    command = [sys.executable, "-m", "calendar_app", "import", "ics", str(file)]
    environment = os.environ | {
        "CALENDAR_MONGODB_URI": mongod_uri,
        "CALENDAR_LANGUAGES": "de,rm",
        "CALENDAR_DEFAULT_LANGUAGE": "de",
        "CALENDAR_TIMEZONE": "Europe/Zurich",
    }
    runs = [
        subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(2)
    ]
    texts = [run.communicate()[0].decode() for run in runs]
    assert [run.returncode for run in runs] == [0, 0]
    assert sorted("30 created" in text for text in texts) == [False, True]
    assert len(listed()) == 30


def test_import_that_was_killed_gives_its_turn_back(database, import_ics):
    past, store = datetime(2026, 1, 1, tzinfo=UTC), Store(database)
    store[LEASES].insert({"_id": "import", "holder": "killed", "until": past})
    assert outcome(import_ics(calendar(vevent()))) == (1, 0, 0, 0)
    assert store[LEASES].first({}) is None
