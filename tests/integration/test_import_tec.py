"""``import tec``: what a recorded site tells is taken over, and what is wrong with it is named."""

from datetime import datetime

from import_report import outcome
from small_calendar import (
    BAND,
    CHOIR,
    CLASSIC,
    FAMILY,
    MUSIC,
    SITE,
    calendar,
    event,
    post,
    stored,
)

from calendar_app.storage.mongo.marks import WRITERS


def test_import_keeps_ids_and_links(import_calendar, database):
    assert outcome(import_calendar(calendar())) == (9, 0, 0, 0)
    concert = stored(database, "events", 60)
    assert concert["variants"]["de"]["title"] == "Concert"
    assert (concert["categories"], concert["tags"]) == ([22], [30])
    assert (concert["venues"], concert["organizers"]) == ([40], [50])
    assert concert["location"]["coordinates"] == [9.25, 46.5]
    assert concert["author"] == 7
    assert concert["lineage"] == [f"{SITE}?id=60"]
    assert concert["published"] == datetime(2026, 6, 1, 10)  # noqa: DTZ001  UTC, as stored
    assert stored(database, "venues", 40)["variants"]["de"]["venue"] == "Hall & Garden"
    assert stored(database, "organizers", 50)["email"] == "band@example.org"


def test_hierarchy_is_kept_though_children_are_listed_first(import_calendar, database):
    import_calendar(calendar())
    choir = stored(database, "categories", 22)
    assert (choir["parent"], choir["ancestors"]) == (21, [20, 21])


def test_terms_count_their_published_events(import_calendar, database):
    draft = event(63, "Draft", status="draft", tags=[FAMILY])
    import_calendar(calendar(events=[*calendar()["events"], draft]))
    assert stored(database, "categories", 22)["count"] == 1
    assert stored(database, "tags", 30)["count"] == 1


def test_language_that_the_site_lacks_is_refused(import_calendar):
    result = import_calendar(calendar(), "--language", "en")
    assert result.exit_code != 0
    assert "en" in result.stderr


def test_refused_records_are_reported_and_the_rest_imported(import_calendar, database):
    bad = [
        event(70, "Backwards", end_date="2027-04-01 10:00:00"),
        event(71, "Nowhere", timezone="Mars/Olympus"),
        event(72, "Secret", all_day=None),
        {"title": "Nameless"},
    ]
    result = import_calendar({"events": [*bad, event(73, "Good")]})
    assert outcome(result) == (1, 0, 0, 4)
    refused = [line for line in result.stdout.splitlines() if line.startswith("Refused")]
    reasons = {"Backwards": "end_date", "Nowhere": "zone", "Secret": "password", "Nameless": "id"}
    assert len(refused) == len(reasons)
    for title, reason in reasons.items():
        (line,) = (line for line in refused if title in line)
        assert reason in line
    assert stored(database, "events", 73)


def test_invalid_addresses_are_reported_and_dropped(import_calendar, database):
    addresses = {"website": "http://not one", "image": {"url": "javascript:alert(1)"}}
    result = import_calendar(
        {
            "events": [
                event(70, "Fair", **addresses),
                event(71, "Fest", website="https://müstair.ch/"),
            ]
        }
    )
    assert outcome(result) == (2, 0, 0, 0)
    assert [line for line in result.stdout.splitlines() if line.startswith("Dropped")] == [
        'Dropped website of event 70 "Fair": http://not one is no address.',
        'Dropped image of event 70 "Fair": javascript:alert(1) is no address.',
    ]
    website = stored(database, "events", 71)["variants"]["de"]["website"]
    assert website == "https://xn--mstair-3ya.ch/"


def test_records_that_only_events_contain_are_imported(import_calendar, database):
    private = post(41, venue="Back room", slug="back-room", status="draft")
    site = {"events": [event(60, "Concert", venue=private, organizer=[BAND], tags=[FAMILY])]}
    assert outcome(import_calendar(site)) == (4, 0, 0, 0)
    assert stored(database, "events", 60)["venues"] == [41]
    assert stored(database, "venues", 41)["status"] == "draft"


def test_dry_run_reports_the_same_and_writes_nothing(import_calendar, database):
    result = import_calendar(calendar(), "--dry-run")
    assert outcome(result) == (9, 0, 0, 0)
    assert "Nothing was written" in result.stdout
    assert not any(dump(database).values())
    import_calendar(calendar())
    renamed = [CHOIR | {"name": "Chorus"}, CLASSIC, MUSIC]
    changed = calendar(events=[event(60, "Concert"), event(64, "New")], categories=renamed)
    before = dump(database)
    for _ in range(2):
        assert outcome(import_calendar(changed, "--dry-run")) == (1, 2, 5, 0)
    assert dump(database) == before


def dump(database):
    return {
        name: list(database[name].find().sort("_id"))
        for name in database.list_collection_names()
        if name != WRITERS
    }


def test_missing_recording_ends_with_one_line(import_calendar, tmp_path):
    result = import_calendar(str(tmp_path / "nowhere.jsonl"))
    assert result.exit_code != 0
    assert len(result.stderr.splitlines()) == 1


def test_oversized_event_is_refused_and_later_ones_imported(import_calendar, database):
    large = event(61, "Market", description="<p>All are welcome.</p>" * 50_000)
    result = import_calendar({"events": [event(60, "Concert"), large, event(62, "Talk")]})
    assert outcome(result) == (2, 0, 0, 1)
    (line,) = [line for line in result.stdout.splitlines() if line.startswith("Refused ")]
    assert line.startswith('Refused event 61 "Market": It is too large')
    assert stored(database, "events", 62)["status"] == "publish"
