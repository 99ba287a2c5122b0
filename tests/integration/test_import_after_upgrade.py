"""Records that the first release has imported are known to the imports of today.

``first_release.jsonl`` has them as that release stored them: a site in two languages, with a series
of which one date has another title, and a file with a series and an event in two languages.
"""

import pytest
from calendars import WEEKLY, calendar, override, vevent
from data_format import load_first_release, raise_format
from import_report import outcome
from small_calendar import HALL, event
from test_import_series import DAYS, markets

GERMAN = markets(*DAYS, venue=HALL)
GERMAN["events"][1]["title"] = "Special market"
GERMAN["events"].append(event(50, "Concert", venue=HALL))
FEST = vevent("two@example.org", title="Fest", start="20270301T190000")
FILE = calendar(
    vevent(
        "one@example.org",
        WEEKLY,
        "EXDATE;TZID=Europe/Zurich:20270127T190000",
        "LOCATION:Aula\\, Chur",
    ),
    override("20270113T190000", title="Guest", start="20270114T190000"),
    FEST,
)
ROMANSH_FILE = calendar(FEST.replace("Fest", "Festa"))


def romansh(suffix=" rm"):
    return {
        "events": [
            {**each, "title": f"{each['title']}{suffix}", "lang": "rm"} for each in GERMAN["events"]
        ]
    }


@pytest.fixture
def database_of_first_release(database):
    """Fill the database with data of the first release, and convert them."""
    load_first_release(database)
    raise_format(database)
    return database


@pytest.fixture
def import_all(import_calendar, import_ics):
    """Return a function that repeats all imports, and returns their outcomes."""

    def importing(second=None):
        return [
            outcome(import_calendar(GERMAN)),
            outcome(import_calendar(second or romansh(), "--language", "rm")),
            outcome(import_ics(FILE)),
            outcome(import_ics(ROMANSH_FILE, "--language", "rm")),
        ]

    return importing


def records(database):
    return [each for name in ("events", "series") for each in database[name].find()]


def test_repeated_imports_change_nothing_after_an_upgrade(database_of_first_release, import_all):
    database = database_of_first_release
    before = {each["_id"]: each.get("revision") for each in records(database)}
    again = [(0, 0, 4, 0), (0, 0, 4, 0), (0, 0, 2, 0), (0, 0, 1, 0)]
    assert import_all() == again
    assert {each["_id"]: each.get("revision") for each in records(database)} == before
    assert import_all() == again


def test_each_record_has_one_note_of_each_source_after_an_upgrade(
    database_of_first_release, import_all
):
    import_all()
    for record in records(database_of_first_release):
        assert record.keys().isdisjoint({"icalendar", "imported"})
        sources = [note["source"] for note in record.get("from_sources", ())]
        assert len(sources) == len(set(sources))
        assert sources or "series" in record


def test_dates_inherit_the_sources_of_their_series_after_an_upgrade(
    database_of_first_release, import_all
):
    import_all()
    database = database_of_first_release
    dates = list(database["events"].find({"series": {"$gt": 0}}))
    assert dates
    for date in dates:
        notes = database["series"].find_one({"_id": date["series"]}).get("from_sources", ())
        assert date.get("inherited_sources", []) == sorted(note["source"] for note in notes)


@pytest.mark.usefixtures("database_of_first_release")
def test_texts_of_a_second_language_follow_their_site_after_an_upgrade(import_all, listed):
    assert import_all(romansh(" nov"))[1] == (0, 4, 0, 0)
    titles = {each["title"] for each in listed(translation_language="rm")}
    assert {"Market nov", "Special market nov", "Concert nov"} <= titles


@pytest.mark.usefixtures("database_of_first_release")
def test_edit_made_before_an_upgrade_stays_while_the_site_says_the_same(
    import_all, listed, as_admin
):
    (concert,) = (each for each in listed() if each["title"] == "Concert")
    as_admin.patch(f"/events/{concert['id']}", title="Ours")
    import_all()
    assert "Ours" in {each["title"] for each in listed()}
