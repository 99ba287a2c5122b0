"""``import tec`` from a calendar such as this one: a record has one id in all its languages."""

import pytest
from import_report import joined, left, outcome
from two_languages import IDS, SITE, Site, label, stored

pytestmark = pytest.mark.needs_mongodb
TEXTS = ("title", "venue", "organizer", "name", "description", "slug")


def telling(language, **fallbacks):
    """Return a calendar that shows these texts in another language, all of these names if none."""
    told = {
        name: {
            "id": IDS[name][0],
            "global_id": f"{SITE}?id={IDS[name][0]}",
            "fallback_fields": [*fallbacks.get(name, ())],
        }
        for name in IDS
    }
    return Site(language, **told)


def texts_of(database, name):
    return stored(database, name)["variants"]


def test_texts_that_a_calendar_shows_in_another_language_are_none_in_the_first_one_either(
    import_language, database, anyone
):
    german = telling("de", talk=["description"])
    assert outcome(import_language(german)) == (9, 0, 0, 0)
    assert texts_of(database, "talk")["de"] == {"title": "Vortrag", "slug": "vortrag"}
    assert outcome(import_language(telling("rm"))) == (0, 9, 0, 0)
    path = f"/events/{IDS['talk'][0]}"
    shown = anyone.get(path, translation_language="de").json
    assert ("Referat" in shown["description"], shown["fallback_fields"]) == (True, ["description"])
    assert outcome(import_language(german)) == (0, 0, 9, 0)


def test_what_a_calendar_names_in_a_second_language_alone_comes_with_that(
    import_language, database
):
    german = telling("de", talk=TEXTS, hall=TEXTS)
    german.changed["hall"]["city"] = "Dorta"
    for options in (["--dry-run"], []):
        first = import_language(german, *options)
        assert outcome(first) == (7, 0, 0, 0)
        assert "Passed over, as they are in other languages: 2" in first.stdout.splitlines()
    assert stored(database, "concert")["venues"] == []

    for options in (["--dry-run"], []):
        second = import_language(telling("rm"), *options)
        assert (outcome(second), left(second)) == ((2, 7, 0, 0), [])
    assert joined(second) == (0, 0, 0, 0)
    assert texts_of(database, "talk").keys() == texts_of(database, "hall").keys() == {"rm"}
    assert stored(database, "concert")["venues"] == [IDS["hall"][0]]
    assert "location" in stored(database, "concert")
    assert outcome(import_language(telling("rm"))) == (0, 0, 9, 0)


def test_records_of_a_calendar_are_not_joined_for_being_alike(import_language, database):
    import_language(telling("de", talk=TEXTS))
    told = telling("rm", concert=TEXTS).collections()
    concert, _, talk = told["events"]
    talk |= {name: concert[name] for name in ("venue", "start_date", "image")}
    import_language(Site.telling("rm", told))
    assert label(stored(database, "talk"), "rm") == "Referat"
    assert texts_of(database, "concert").keys() == {"de"}
