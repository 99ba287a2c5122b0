"""``import tec`` from another instance of this calendar: all languages share an id."""

from import_report import outcome
from two_languages import IDS, SITE, Site, stored

TEXTS = ("title", "venue", "organizer", "name", "description", "slug")


def telling(language, **fallbacks):
    """Return a calendar that shows these texts in another language, all of these names if none."""
    changed = {
        name: {
            "id": IDS[name][0],
            "global_id": f"{SITE}?id={IDS[name][0]}",
            "fallback_fields": [*fallbacks.get(name, ())],
        }
        for name in IDS
    }
    return Site(language, **changed)


def texts_of(database, name):
    return stored(database, name)["variants"]


def test_fallback_texts_of_a_calendar_are_not_imported(import_language, database, anyone):
    german = telling("de", talk=["description"])
    assert outcome(import_language(german)) == (9, 0, 0, 0)
    assert texts_of(database, "talk")["de"] == {"title": "Vortrag", "slug": "vortrag"}
    assert outcome(import_language(telling("rm"))) == (0, 9, 0, 0)
    path = f"/events/{IDS['talk'][0]}"
    response = anyone.get(path, translation_language="de").json
    assert ("Referat" in response["description"], response["fallback_fields"]) == (
        True,
        ["description"],
    )
    assert outcome(import_language(german)) == (0, 0, 9, 0)


def test_record_without_a_name_in_the_language_is_passed_over(import_language, database):
    german = telling("de", talk=TEXTS, hall=TEXTS)
    for options in (["--dry-run"], []):
        result = import_language(german, *options)
        assert outcome(result) == (7, 0, 0, 0)
        assert "Passed over, as they are in other languages: 2" in result.stdout.splitlines()
    assert stored(database, "concert")["venues"] == []
    assert outcome(import_language(telling("rm"), "--create-missing")) == (2, 7, 0, 0)
    assert texts_of(database, "talk").keys() == texts_of(database, "hall").keys() == {"rm"}
