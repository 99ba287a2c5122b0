"""``import ics`` makes a source, and finds it again the next time."""

from collections import Counter
from datetime import datetime

import pytest
from calendars import WEEKLY, calendar, override, vevent
from data_format import raise_format
from import_report import outcome

from calendar_app.accounts.callers import Caller
from calendar_app.sources.importing import ImportOrigin, Imports
from calendar_app.sources.imports.ics.events import Languages
from calendar_app.sources.imports.ics.reader import CalendarReader
from calendar_app.sources.parsed import SourceError
from calendar_app.sources.runs import Request

EDITOR = Caller(2, "editor", "editor")
CONTENT = ("events", "series", "venues", "organizers", "categories", "tags", "history")


@pytest.fixture
def all_sources(as_admin):
    """Return a function that lists the sources."""
    return lambda: as_admin.get("/sources").json["sources"]


def stored(database):
    return {name: list(database[name].find()) for name in CONTENT}


def choir(number, *lines, **kwargs):
    return vevent(f"{number}@choir", *lines, start=f"202701{number:02}T190000", **kwargs)


def test_file_is_a_source_of_its_name_with_a_report(import_ics, all_sources, as_admin):
    bad = vevent("bad", "RRULE:FREQ=HOURLY", title="Bad")
    import_ics(calendar(choir(6), choir(7), bad), name="choir.ics")
    (source,) = all_sources()
    assert (source["name"], source["kind"], source["address"]) == ("choir.ics", "ics", "")
    assert (source["result"], source["every"], source["due"]) == ("done", 0, None)
    listed = as_admin.get("/events", source=source["id"], start_date="2027-01-01").json["events"]
    assert [(each["source"]["id"], each["source"]["uid"]) for each in listed] == [
        (source["id"], "6@choir"),
        (source["id"], "7@choir"),
    ]
    path = f"/sources/{source['id']}/readings"
    (reading,) = as_admin.get(path).json["readings"]
    assert reading["numbers"] == {"new": 2, "refused": 1}
    assert reading["bytes"] > 0
    entries = as_admin.get(f"{path}/{reading['id']}", outcome="refused").json["entries"]
    assert "FREQ=HOURLY" in entries[0]["reason"]


def test_address_is_a_source_that_can_be_read_again(
    import_ics, host, all_sources, as_admin, listed
):
    address = host.put("/feed.ics", calendar(choir(6)).encode(), Content_Type="text/calendar")
    assert outcome(import_ics(address)) == (1, 0, 0, 0)
    (source,) = all_sources()
    assert source["address"] == address
    assert as_admin.put(f"/sources/{source['id']}", every=60).status_code == 200
    assert outcome(import_ics(address)) == (0, 0, 1, 0)
    assert len(all_sources()) == len(listed()) == 1


def test_address_that_is_a_source_already_is_read_as_it(import_ics, host, all_sources, as_admin):
    address = host.put("/feed.ics", calendar(choir(6)).encode(), Content_Type="text/calendar")
    own = as_admin.post("/sources", name="Choir", kind="ics", address=address, status="draft")
    assert outcome(import_ics(address)) == (1, 0, 0, 0)
    assert [each["id"] for each in all_sources()] == [own.json["id"]]
    everything = {"source": own.json["id"], "status": "draft", "start_date": "2027-01-01"}
    assert len(as_admin.get("/events", **everything).json["events"]) == 1


def test_source_of_a_file_gets_the_address_of_its_calendar(import_ics, host, all_sources, as_admin):
    import_ics(calendar(choir(6)), name="choir.ics")
    feed = calendar(choir(6), choir(7)).encode()
    address = host.put("/feed.ics", feed, Content_Type="text/calendar")
    assert outcome(import_ics(address)) == (1, 0, 1, 0)
    (source,) = all_sources()
    assert (source["name"], source["address"]) == ("choir.ics", address)
    assert as_admin.put(f"/sources/{source['id']}", every=60).json["due"]


def test_what_a_file_lacks_has_not_vanished(import_ics, database):
    import_ics(calendar(*map(choir, range(6, 20))))
    assert outcome(import_ics(calendar(choir(6, title="Band")))) == (0, 1, 0, 0)
    assert database["events"].count_documents({"from_sources.missing": {"$exists": True}}) == 0


def test_calendar_in_a_file_of_another_name_is_the_same_source(import_ics, all_sources, listed):
    import_ics(calendar(choir(6), choir(7)), name="choir.ics")
    again = calendar(choir(7, title="Band"), choir(8))
    assert outcome(import_ics(again, name="choir(1).ics")) == (1, 1, 0, 0)
    (source,) = all_sources()
    assert source["name"] == "choir.ics"
    assert [event["title"] for event in listed()] == ["Choir", "Band", "Choir"]


def test_events_of_two_files_are_found_again_in_a_third(import_ics, all_sources, database):
    import_ics(calendar(choir(6)), name="2026.ics")
    import_ics(calendar(choir(7)), name="2027.ics")
    before = stored(database)
    both = calendar(choir(6), choir(7))
    assert outcome(import_ics(both, name="all.ics")) == (0, 0, 2, 0)
    assert stored(database) == before
    assert [each["name"] for each in all_sources()] == ["2026.ics", "2027.ics"]


def test_equal_uids_of_two_calendars_are_different_events(import_ics, all_sources, listed):
    def numbered(title, month):
        starts = {n: f"2027{month:02}{n:02}T190000" for n in (1, 2, 3)}
        return calendar(
            *(vevent(str(n), title=f"{title} {n}", start=at) for n, at in starts.items())
        )

    import_ics(numbered("Choir", 1), name="choir.ics")
    assert outcome(import_ics(numbered("Match", 2), name="club.ics")) == (3, 0, 0, 0)
    assert [each["name"] for each in all_sources()] == ["choir.ics", "club.ics"]
    assert outcome(import_ics(numbered("Match", 2), name="club.ics")) == (0, 0, 3, 0)
    assert [each["title"] for each in listed()][::3] == ["Choir 1", "Match 1"]


def test_few_known_events_do_not_make_a_file_another_source(import_ics, all_sources):
    import_ics(calendar(choir(6)), name="choir.ics")
    more = calendar(*map(choir, range(6, 12)))
    assert outcome(import_ics(more, name="town.ics")) == (6, 0, 0, 0)
    assert [each["name"] for each in all_sources()] == ["choir.ics", "town.ics"]


def test_source_that_was_removed_is_made_again_without_doubles(import_ics, all_sources, as_admin):
    import_ics(calendar(choir(6)))
    (source,) = all_sources()
    assert as_admin.delete(f"/sources/{source['id']}").status_code == 200
    assert outcome(import_ics(calendar(choir(6)))) == (0, 0, 1, 0)
    assert [each["id"] for each in all_sources()] == [source["id"]]


def test_files_in_two_languages_are_repeated_without_a_write(import_ics, listed, database):
    names = {"de": ("Chor", "Aula"), "rm": ("Cor", "Sala")}
    files = {
        tag: calendar(choir(6, f"LOCATION:{place}", title=title))
        for tag, (title, place) in names.items()
    }
    for tag, file in files.items():
        import_ics(file, "--language", tag, name=f"{tag}.ics")
    before = stored(database)
    for tag, file in files.items():
        result = import_ics(file, "--language", tag, name=f"{tag}.ics")
        assert outcome(result) == (0, 0, 1, 0)
    assert stored(database) == before
    assert [event["title"] for event in listed(translation_language="rm")] == ["Cor"]


def test_dry_run_makes_no_source(import_ics, all_sources, database):
    assert outcome(import_ics(calendar(choir(6)), "--dry-run")) == (1, 0, 0, 0)
    assert all_sources() == []
    assert database["source_readings"].count_documents({}) == 0


def test_import_that_is_stopped_says_so_and_is_gone_on_with(sources, database):
    events = calendar(*(choir(6 + n % 20).replace("@choir", f"-{n}@choir") for n in range(320)))
    parsed = CalendarReader(Languages(("de",), "de"), "Europe/Zurich").read(events.encode())
    origin = ImportOrigin(kind="ics", name="choir.ics", language="de")
    imports = Imports(sources.parts)

    def stop(_done, _all):
        for source in database["sources"].find():
            sources.readings.stop(source["_id"], EDITOR)

    with pytest.raises(SourceError, match="stopped"):
        imports.read(parsed, origin, Request(progress=stop), lambda: None)
    stored = database["events"].count_documents({})
    assert 0 < stored < 320
    (reading,) = database["source_readings"].find()
    assert reading["state"] == "stopped"
    results = imports.read(parsed, origin, Request(), lambda: None)
    assert Counter(str(each.outcome) for each in results) == {
        "unchanged": stored,
        "new": 320 - stored,
    }


# Events of imports that knew no sources.

GUEST = override("20270113T190000", title="Guest", start="20270114T190000")
LEFT_OUT = "EXDATE;TZID=Europe/Zurich:20270127T190000"
FEST = vevent("two@example.org", title="Fest", start="20270301T190000")
FESTA = calendar(FEST.replace("Fest", "Festa"))
SERIES = vevent("one@example.org", WEEKLY, LEFT_OUT)
# The digests are those that such imports have stored.
NOTES = {
    "series": [
        {
            "source": "ics:one@example.org",
            "language": "de",
            "digest": "bce35330c4f4a508de259ecac26400975cb5aa1f31af4c39f06ef227000e8050",
            "overridden": [datetime.fromisoformat("2027-01-13T19:00")],
            "exdates": [datetime.fromisoformat("2027-01-27T19:00")],
        }
    ],
    "events": [
        {
            "source": "ics:two@example.org",
            "language": tag,
            "digest": digest,
            "overridden": [],
            "exdates": [],
        }
        for tag, digest in (
            ("de", "c34e73077402c9784675158a741ae52505ba6e46ae14758324687f828aa1b8b4"),
            ("rm", "ddda46420f48b3a5cef0d27f1077d792608bafd13d309b74de9831d1b8896350"),
        )
    ],
}


@pytest.fixture
def imported_before(import_ics, database):
    """Import a series and a single event in two languages, as imports without sources did."""
    import_ics(calendar(SERIES, GUEST, FEST))
    import_ics(FESTA, "--language", "rm")
    for name, notes in NOTES.items():
        single = {"series": {"$exists": False}}
        database[name].update_one(single, {"$set": {"icalendar": notes}})
        database[name].update_many({}, {"$unset": {"from_sources": ""}})
    for name in ("sources", "source_states"):
        database[name].delete_many({})
    raise_format(database)


def revisions(database):
    return {
        (name, record["_id"]): record["revision"]
        for name in ("events", "series")
        for record in database[name].find()
    }


@pytest.mark.usefixtures("imported_before")
def test_events_imported_before_become_those_of_the_source_unchanged(
    import_ics, database, all_sources, listed
):
    before, titles = revisions(database), [each["title"] for each in listed()]
    assert outcome(import_ics(calendar(SERIES, GUEST, FEST))) == (0, 0, 2, 0)
    assert outcome(import_ics(FESTA, "--language", "rm")) == (0, 0, 1, 0)
    assert revisions(database) == before
    assert [each["title"] for each in listed()] == titles
    (source,) = all_sources()
    assert database["series"].count_documents({"from_sources.source": source["id"]}) == 1
    for name in NOTES:
        assert database[name].count_documents({"icalendar": {"$exists": True}}) == 0
    after = stored(database)
    assert outcome(import_ics(calendar(SERIES, GUEST, FEST))) == (0, 0, 2, 0)
    assert stored(database) == after


@pytest.mark.usefixtures("imported_before")
def test_events_imported_before_follow_a_file_that_has_changed(import_ics, listed):
    series = vevent("one@example.org", WEEKLY, title="Band")
    assert outcome(import_ics(calendar(series, FEST.replace("T21", "T22")))) == (0, 2, 0, 0)
    *dates, fest = listed()
    assert [(each["title"], each["start_date"][:10]) for each in dates] == [
        ("Band", f"2027-01-{day:02}") for day in (6, 13, 20, 27)
    ]
    assert fest["end_date"] == "2027-03-01 22:00:00"
    assert listed(translation_language="rm")[-1]["title"] == "Festa"


@pytest.mark.usefixtures("imported_before")
def test_edit_made_after_an_upgrade_stays(import_ics, listed, as_admin):
    import_ics(calendar(SERIES, GUEST, FEST))
    as_admin.patch(f"/events/{listed()[-1]['id']}", title="Ours")
    import_ics(calendar(SERIES, GUEST, FEST.replace("Fest", "Theirs")))
    assert listed()[-1]["title"] == "Ours"


@pytest.mark.usefixtures("imported_before")
def test_source_that_is_read_by_itself_takes_over_events_imported_before(
    add, read, listed, database
):
    before, number = revisions(database), len(listed())
    reading = read(add(), SERIES, GUEST, FEST)
    assert (reading.state, reading.numbers) == ("done", {"unchanged": 2})
    assert (revisions(database), len(listed())) == (before, number)
