"""``import ics``: events of iCalendar files come, change, and are never there twice."""

import pytest
from calendars import APPLE, GOOGLE, OUTLOOK, WEEKLY, calendar, override, vevent
from click.testing import CliRunner
from icalendar import Calendar
from import_report import outcome

from calendar_app.cli import main

pytestmark = pytest.mark.needs_mongodb

CONTENT = ("events", "series", "venues", "organizers", "categories", "tags")
WALL = "%Y-%m-%d %H:%M"


@pytest.fixture
def import_ics(database, mongod_uri, tmp_path):
    """Return a function that imports the text of a calendar, or an address."""
    del database

    def run_import(source, *options, networks="127.0.0.0/8"):
        if "://" not in source[:10]:
            file = tmp_path / "calendar.ics"
            file.write_bytes(source.encode())
            source = str(file)
        environment = {
            "CALENDAR_MONGODB_URI": mongod_uri,
            "CALENDAR_LANGUAGES": "de,rm",
            "CALENDAR_DEFAULT_LANGUAGE": "de",
            "CALENDAR_TIMEZONE": "Europe/Zurich",
            "CALENDAR_IMPORT_NETWORKS": networks,
        }
        return CliRunner().invoke(main, ["import", "ics", source, *options], env=environment)

    return run_import


@pytest.fixture
def listed(anyone):
    """Return a function that lists all events, oldest first."""
    everything = {"start_date": "2020-01-01", "end_date": "2035-01-01", "per_page": 50}

    def read(**query):
        response = anyone.get("/events", **everything, **query)
        assert response.status_code == 200, response.text
        return response.json["events"]

    return read


def starts(events):
    return [event["start_date"][:16] for event in events]


def test_google_calendar_is_imported_with_its_series(import_ics, listed):
    assert outcome(import_ics(GOOGLE)) == (2, 0, 0, 0)
    *yoga, songs = listed()
    assert starts(yoga) == ["2027-03-01 09:00", "2027-03-15 11:00", "2027-03-22 09:00"]
    assert [event["overrides"] for event in yoga] == [[], ["end_date", "start_date"], []]
    assert (songs["title"], songs["event_status"]) == ("Songs &amp; dances", "postponed")
    assert (songs["start_date"], songs["timezone"]) == ("2027-07-01 19:00:00", "Europe/Zurich")
    assert songs["description"] == "<p>Bring <b>songs</b>.<br />And friends.</p>"
    assert songs["venue"]["venue"] == "Aula"
    assert songs["venue"]["address"] == "Via Nova 3, 7500 Valdorta, Switzerland"


def test_outlook_calendar_is_imported_in_the_zone_of_windows(import_ics, listed):
    assert outcome(import_ics(OUTLOOK)) == (2, 0, 0, 0)
    meeting, festival = listed()
    assert (meeting["utc_start_date"], meeting["title"]) == ("2027-06-01 08:30:00", "Sitzung")
    assert meeting["timezone"] == "Europe/Berlin"
    assert festival["timezone"] == "Europe/Zurich"
    assert meeting["description"] == "<p>Agenda, short</p>"
    (organizer,) = meeting["organizer"]
    assert (organizer["organizer"], organizer["email"]) == ("Ladina Caduff", "ladina@example.org")
    assert (festival["all_day"], festival["end_date"]) == (True, "2027-08-02 23:59:59")


def test_zone_without_a_known_name_is_that_of_the_site_if_clocks_agree(import_ics, listed):
    own = OUTLOOK.replace("W. Europe Standard Time", "Customized Time Zone")
    assert outcome(import_ics(own.replace("CLASS:PUBLIC", "RRULE:FREQ=DAILY;COUNT=2")))[0] == 2
    first, second, _ = listed()
    assert (first["timezone"], second["start_date"]) == ("Europe/Zurich", "2027-06-02 10:30:00")


def test_series_in_a_zone_that_nobody_knows_is_refused(import_ics):
    own = OUTLOOK.replace("W. Europe Standard Time", "Customized Time Zone")
    own = own.replace("+0200", "+0237").replace("CLASS:PUBLIC", "RRULE:FREQ=DAILY;COUNT=2")
    result = import_ics(own)
    assert outcome(result) == (1, 0, 0, 1)
    assert "time zone" in result.stdout


def test_zone_of_another_program_is_recognised_behind_its_prefix(import_ics, listed):
    name = "/freeassociation.sourceforge.net/Europe/London"
    import_ics(calendar(vevent().replace("Europe/Zurich", name)))
    assert listed()[0]["timezone"] == "Europe/London"


def test_apple_calendar_is_imported_with_place_and_picture(import_ics, listed):
    assert outcome(import_ics(APPLE)) == (1, 0, 0, 0)
    (alp,) = listed()
    assert (alp["all_day"], alp["end_date"]) == (True, "2027-09-02 23:59:59")
    assert (alp["venue"]["venue"], alp["venue"]["geo_lat"]) == ("Alp Sura", 46.8)
    assert alp["website"] == "https://example.org/alp"
    assert [term["name"] for term in alp["categories"]] == ["Family", "Hike"]
    assert alp["image"]["url"] == "https://example.org/alp.jpg"
    (contact,) = alp["organizer"]
    assert (contact["phone"], contact["email"]) == ("+41 81 555 01 01", "reto@example.org")


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


def test_edits_here_stay_until_the_file_changes(import_ics, listed, as_admin):
    import_ics(calendar(vevent()))
    (event,) = listed()
    as_admin.patch(f"/events/{event['id']}", title="Ours")
    import_ics(calendar(vevent()))
    assert listed()[0]["title"] == "Ours"
    import_ics(calendar(vevent(title="Theirs")))
    assert listed()[0]["title"] == "Theirs"


def test_trashed_event_is_not_imported_again(import_ics, listed, as_admin):
    import_ics(calendar(vevent()))
    as_admin.delete(f"/events/{listed()[0]['id']}")
    assert outcome(import_ics(calendar(vevent(title="Other")))) == (0, 0, 1, 0)
    assert listed() == []


def test_bad_components_are_refused_by_name_and_the_rest_imported(import_ics, listed):
    bad = {
        "Hourly": vevent("hourly", "RRULE:FREQ=HOURLY", title="Hourly"),
        "Nowhere": vevent("nowhere", title="Nowhere").replace("Europe/Zurich", "Mars/Olympus"),
        "Broken": vevent("broken", title="Broken").replace("20270106T190000", "sometime"),
        "Backwards": vevent("backwards", title="Backwards").replace("T21", "T08"),
        "Anonymous": vevent("", title="Anonymous"),
    }
    result = import_ics(calendar(*bad.values(), vevent()))
    assert outcome(result) == (1, 0, 0, len(bad))
    refused = [line for line in result.stdout.splitlines() if line.startswith("Refused")]
    reasons = {
        "Hourly": "HOURLY",
        "Nowhere": "Mars/Olympus",
        "Broken": "DTSTART",
        "Backwards": "end_date",
        "Anonymous": "UID",
    }
    for title, reason in reasons.items():
        (line,) = (line for line in refused if f'"{title}"' in line)
        assert reason in line.partition(f'"{title}"')[2]
    assert [event["title"] for event in listed()] == ["Choir"]


def test_override_of_no_date_is_refused_again_and_again(import_ics, listed):
    stray = override("20270107T190000", title="Stray")
    source = calendar(vevent("one@example.org", WEEKLY), stray)
    assert outcome(import_ics(source)) == (1, 0, 0, 1)
    assert outcome(import_ics(source)) == (0, 0, 1, 1)
    assert len(listed()) == 4


def test_second_language_joins_the_same_event(import_ics, listed):
    import_ics(calendar(vevent(title="Chor")))
    assert outcome(import_ics(calendar(vevent(title="Cor")), "--language", "rm")) == (0, 1, 0, 0)
    assert [event["title"] for event in listed(translation_language="de")] == ["Chor"]
    assert [event["title"] for event in listed(translation_language="rm")] == ["Cor"]


def test_language_of_a_text_counts(import_ics, listed):
    import_ics(calendar(vevent().replace("SUMMARY:Choir", "SUMMARY;LANGUAGE=rm-CH:Cor")))
    (event,) = listed(translation_language="rm")
    assert (event["title"], event["translations"]["rm"]["status"] != "missing") == ("Cor", True)


def test_venue_is_found_again_and_stays_as_it_is(import_ics, listed, as_admin):
    venue = as_admin.post("/venues", venue="Aula", address="Via Nova 3", city="Valdorta").json
    there = vevent("there", "LOCATION:Aula\\, Via Nova 3\\, 7500 Valdorta", "GEO:46;9")
    elsewhere = vevent("elsewhere", "LOCATION:Aula\\, Chur", start="20270107T190000")
    import_ics(calendar(there, elsewhere))
    first, second = (event["venue"] for event in listed())
    assert (first["id"], "geo_lat" in first) == (venue["id"], False)
    assert second["venue"] == "Aula, Chur"
    import_ics(calendar(there, vevent("new", "LOCATION:Aula\\, Chur", start="20270108T190000")))
    assert listed()[2]["venue"]["id"] == second["id"]


def test_scripts_in_a_description_are_dropped(import_ics, listed):
    frame = "<iframe src='https://evil.example'></iframe>"
    html = f"X-ALT-DESC;FMTTYPE=text/html:<p onclick='x()'>Hi<script>x()</script></p>{frame}"
    import_ics(calendar(vevent("one@example.org", html)))
    assert listed()[0]["description"] == "<p>Hi</p>"


def test_private_event_is_hidden_from_strangers(import_ics, listed, as_admin):
    assert outcome(import_ics(calendar(vevent("one@example.org", "CLASS:PRIVATE"))))[0] == 1
    assert listed() == []
    everything = {"start_date": "2020-01-01", "status": "private"}
    assert len(as_admin.get("/events", **everything).json["events"]) == 1


def test_feed_at_an_address_is_imported(import_ics, host, listed):
    address = host.put("/feed.ics", calendar(vevent()).encode(), Content_Type="text/calendar")
    assert outcome(import_ics(address)) == (1, 0, 0, 0)
    assert [event["title"] for event in listed()] == ["Choir"]


def test_address_in_a_private_network_is_refused(import_ics, host):
    address = host.put("/feed.ics", calendar(vevent()).encode())
    result = import_ics(address, networks="")
    assert (result.exit_code, host.asked) == (1, [])
    assert "import_networks" in result.stderr or "not public" in result.stderr


@pytest.mark.parametrize("content", ["", "nonsense", "BEGIN:VEVENT\r\nEND:VEVENT\r\n"])
def test_file_that_is_no_calendar_is_refused_in_one_line(import_ics, content):
    result = import_ics(content)
    assert result.exit_code == 1
    (line,) = result.stderr.splitlines()
    assert "iCalendar" in line


def components(feed):
    """Return what a feed says of its events, but for what belongs to its calendar."""
    own = ("UID", "DTSTAMP", "SEQUENCE", "LAST-MODIFIED", "CREATED", "URL", "RELATED-TO")
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
