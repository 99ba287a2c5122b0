"""Notes of the first data format are converted once, and nothing is imported before that."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from data_format import load_first_release, raise_format
from import_report import outcome
from small_calendar import HALL, event
from test_import_series import DAYS, markets

from calendar_app.storage.migrations import MIGRATIONS
from calendar_app.storage.mongo.migrating import Migrator
from calendar_app.storage.mongo.store import Store

FORMER = ("imported", "icalendar")
NOTED = ("events", "series", "venues")
SITE = markets(*DAYS, venue=HALL)
SITE["events"][1]["title"] = "Special market"
SITE["events"].append(event(50, "Concert", venue=HALL))


@pytest.fixture
def first_release(database):
    """Fill the database with data of the first release."""
    load_first_release(database)
    return database


def with_former_notes(database):
    former = {"$or": [{name: {"$exists": True}} for name in FORMER]}
    return sum(database[name].count_documents(former) for name in NOTED)


def revisions(database):
    records = {name: list(database[name].find()) for name in (*NOTED, "sources")}
    return {(name, r["_id"]): r.get("revision") for name, own in records.items() for r in own}


def test_nothing_is_imported_before_the_notes_are_converted(first_release, import_calendar):
    before = revisions(first_release)
    refused = import_calendar(SITE)
    assert refused.exit_code != 0
    assert "calendar-app migrate" in refused.stderr
    assert revisions(first_release) == before
    raise_format(first_release)
    assert outcome(import_calendar(SITE)) == (0, 0, 4, 0)


def test_interrupted_conversion_goes_on(first_release):
    def killed(_):
        raise KeyboardInterrupt

    steps = [replace(e, update_of=killed) if e.collection == "venues" else e for e in MIGRATIONS]
    migrator = Migrator(Store(first_release), steps)
    migrator.raise_mark()
    before = with_former_notes(first_release)
    with pytest.raises(KeyboardInterrupt):
        migrator.convert(lambda: None)
    assert before > with_former_notes(first_release) > 0
    assert Migrator(Store(first_release), MIGRATIONS).convert(lambda: None)
    assert with_former_notes(first_release) == 0


def test_two_processes_that_start_at_once_convert_each_document_once(first_release):
    former = with_former_notes(first_release)

    def start(_):
        migrator = Migrator(Store(first_release), MIGRATIONS)
        if migrator.can_raise():
            migrator.raise_mark()
        return migrator.convert(lambda: None)

    with ThreadPoolExecutor(2) as pool:
        assert sum(pool.map(start, range(2))) == former > 0
    assert with_former_notes(first_release) == 0


def imported(number):
    return [{"source": f"venues/site.example?id={number}", "language": "de", "digest": "a"}]


@pytest.fixture
def united_before(as_admin, database):
    """Return the ids of two venues of a site that were united in the first format."""
    kept, removed = (as_admin.post("/venues", venue=name).json["id"] for name in ("Hall", "Aula"))
    for number in (kept, removed):
        database["venues"].update_one({"_id": number}, {"$set": {"imported": imported(number)}})
    as_admin.post(f"/venues/{kept}/unite", **{"with": removed})
    return kept, removed


def names(database, number):
    notes = database["venues"].find_one({"_id": number}).get("from_sources", ())
    return sorted(note["uid"].rpartition("=")[2] for note in notes)


@pytest.mark.parametrize("union_of_first_release", [False, True])
def test_union_is_undone_with_the_names_of_both(
    as_admin, database, united_before, union_of_first_release
):
    kept, removed = united_before
    if union_of_first_release:
        own = {"$set": {"imported": imported(removed)}, "$unset": {"origins": ""}}
        database["unions"].update_many({}, own)
    raise_format(database)
    assert names(database, kept) == sorted(map(str, united_before))
    assert names(database, removed) == []
    undone = as_admin.delete(f"/venues/{kept}/unite", **{"with": removed})
    assert undone.status_code == 200
    assert (names(database, kept), names(database, removed)) == ([str(kept)], [str(removed)])


def test_union_of_the_first_format_is_undone_before_the_conversion(
    as_admin, database, united_before
):
    kept, removed = united_before
    as_admin.delete(f"/venues/{kept}/unite", **{"with": removed})
    raise_format(database)
    assert (names(database, kept), names(database, removed)) == ([str(kept)], [str(removed)])


def test_deleted_event_of_the_first_format_stays_in_the_trash(
    first_release, as_admin, import_calendar
):
    as_admin.delete("/events/50")
    raise_format(first_release)
    import_calendar(SITE)
    assert first_release["events"].find_one({"_id": 50})["status"] == "trash"
    restored = as_admin.patch("/events/50", status="publish")
    assert restored.status_code == 200
    assert outcome(import_calendar(SITE)) == (0, 0, 4, 0)
