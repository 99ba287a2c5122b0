"""``import ics``: events of iCalendar files come with all that they say."""

import pytest
from calendars import APPLE, GOOGLE, OUTLOOK, calendar, override, vevent
from clock import NOON
from import_report import outcome

from calendar_app.calendar.import_runs import ImportRuns
from calendar_app.storage.mongo.store import Store


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
    address = [songs["venue"][name] for name in ("address", "zip", "city", "country")]
    assert address == ["Via Nova 3", "7500", "Valdorta", "Switzerland"]


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


def test_override_in_utc_is_shown_in_the_zone_of_its_series(import_ics, listed):
    series = vevent("one@example.org", "RRULE:FREQ=WEEKLY;COUNT=2")
    moved = override("20270113T190000", title="Guest", start="20270113T190000")
    moved = moved.replace("DTSTART;TZID=Europe/Zurich:20270113T19", "DTSTART:20270113T17")
    moved = moved.replace("DTEND;TZID=Europe/Zurich:20270113T21", "DTEND:20270113T18")
    moved = moved.replace("0000\nDTEND", "0000Z\nDTEND").replace("0000\nSUMMARY", "0000Z\nSUMMARY")
    tokyo = calendar(series, moved, zone="Asia/Tokyo")
    assert outcome(import_ics(tokyo)) == (1, 0, 0, 0)
    _, guest = listed()
    assert (guest["start_date"], guest["timezone"]) == ("2027-01-13 18:00:00", "Europe/Zurich")


def test_series_in_a_zone_that_nobody_knows_is_refused(import_ics):
    own = OUTLOOK.replace("W. Europe Standard Time", "Odd Time Zone")
    own = own.replace("+0200", "+0237").replace("CLASS:PUBLIC", "RRULE:FREQ=DAILY;COUNT=2")
    result = import_ics(own)
    assert outcome(result) == (1, 0, 0, 1)
    assert "time zone" in result.stdout


def test_zone_of_another_program_is_recognized_behind_its_prefix(import_ics, listed):
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


def test_bad_components_are_refused_by_name_and_the_rest_imported(import_ics, listed):
    bad = {
        "Hourly": vevent("hourly", "RRULE:FREQ=HOURLY", title="Hourly"),
        "Nowhere": vevent("nowhere", title="Nowhere").replace("Europe/Zurich", "Mars/Olympus"),
        "Broken": vevent("broken", title="Broken").replace("20270106T190000", "sometime"),
        "Backwards": vevent("backwards", title="Backwards").replace("T21", "T08"),
    }
    result = import_ics(calendar(*bad.values(), vevent()))
    assert outcome(result) == (1, 0, 0, len(bad))
    refused = [line for line in result.stdout.splitlines() if line.startswith("Refused")]
    reasons = {
        "Hourly": "HOURLY",
        "Nowhere": "Mars/Olympus",
        "Broken": "DTSTART",
        "Backwards": "end_date",
    }
    for title, reason in reasons.items():
        (line,) = (line for line in refused if f'"{title}"' in line)
        assert reason in line.partition(f'"{title}"')[2]
    assert [event["title"] for event in listed()] == ["Choir"]


EDGES = [
    vevent().replace("TZID=Europe/Zurich:20270106T190000", "X-A=b:99991231T235959Z"),
    vevent("one@example.org", "RRULE:FREQ=DAILY;COUNT=3", start="99991230T190000"),
    vevent("one@example.org", "RRULE:FREQ=YEARLY;UNTIL=00020101T000000Z", start="00010101T000000"),
    vevent("one@example.org", "RRULE:FREQ=DAILY;COUNT=3", "DURATION:P9999999D"),
    vevent("one@example.org", "RRULE:FREQ=DAILY;COUNT=3", "RDATE:99991231T235959Z"),
    vevent("one@example.org", f"LOCATION:{'x' * 100_000}", f"CATEGORIES:{'y,' * 200}"),
    vevent("u" * 5000, title="t" * 100_000),
]


@pytest.mark.parametrize("event", EDGES, ids=range(len(EDGES)))
def test_event_at_the_edge_of_what_can_be_does_not_hinder_others(import_ics, event):
    result = import_ics(calendar(event, vevent("two@example.org")))
    created, _, _, refused = outcome(result)
    assert (created, created + refused) in ((1, 2), (2, 2))


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
    assert (second["venue"], second["address"]) == ("Aula", "Chur")
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


def test_refusals_are_remembered_until_an_import_has_none(import_ics, database):
    odd = OUTLOOK.replace("W. Europe Standard Time", "Odd Time Zone").replace("+0200", "+0237")
    runs = ImportRuns(Store(database), lambda: NOON)
    import_ics(odd.replace("CLASS:PUBLIC", "RRULE:FREQ=DAILY;COUNT=2"))
    (run,) = runs.failed()
    assert run.refused == 1
    assert "time zone" in run.problems[0]
    import_ics(OUTLOOK)
    assert runs.failed() == []


def test_import_that_ends_with_an_error_is_remembered(import_ics, database):
    assert import_ics("no calendar").exit_code == 1
    (run,) = ImportRuns(Store(database), lambda: NOON).failed()
    assert run.problems


def test_long_series_comes_with_its_dates_of_today_and_the_report_says_so(import_ics, listed):
    one = "one@example.org"
    series = vevent(one, "RRULE:FREQ=WEEKLY", start="20150107T190000")
    changed = "RECURRENCE-ID;TZID=Europe/Zurich:20160106T190000"
    early = vevent(one, changed, title="Early", start="20160106T190000")
    result = import_ics(calendar(series, early))
    assert outcome(result) == (1, 0, 0, 0)
    assert f"Not listed of event {one}" in result.stdout
    assert listed()[0]["start_date"] == listed()[0]["series"]["dates_from"] > "2024"
