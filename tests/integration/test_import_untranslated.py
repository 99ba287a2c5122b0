"""``import tec --language rm``: what a site shows in both languages alike is no translation."""

import pytest
from import_report import outcome
from two_languages import IDS, Site, label, stored

pytestmark = pytest.mark.needs_mongodb
UNTRANSLATED = ("hall", "square", "family", "market")


def half_translated(**changed):
    """Return a site that shows some of its records in Romansh as they are in German."""
    german, site = Site("de"), Site("rm")
    told, shown = german.collections(), site.collections()
    for name in ("venues", "tags"):
        shown[name] = told[name]
    for event, other in zip(shown["events"], told["events"], strict=True):
        event |= {"venue": other["venue"], "tags": other["tags"]}
    shown["events"][1] = told["events"][1] | changed
    return Site.telling("rm", shown)


def snapshot_of(database, names):
    return [stored(database, name) for name in names]


def test_what_nobody_has_translated_stays_as_it_is_and_is_counted(import_language, database):
    import_language(Site("de"))
    before = snapshot_of(database, UNTRANSLATED)
    for options in (["--dry-run"], []):
        assert outcome(import_language(half_translated(), *options)) == (0, 5, 4, 0)
    assert snapshot_of(database, UNTRANSLATED) == before
    assert label(stored(database, "talk"), "rm") == "Referat"
    assert outcome(import_language(half_translated())) == (0, 0, 9, 0)


def test_what_changes_in_the_first_language_shows_where_nobody_has_translated_it(
    import_language, database, as_admin, anyone
):
    import_language(Site("de"))
    import_language(half_translated())
    hall = f"/venues/{IDS['hall'][0]}"
    as_admin.patch(hall, venue="Kulturhaus")
    import_language(half_translated())
    assert anyone.get(hall, translation_language="rm").json["venue"] == "Kulturhaus"
    assert stored(database, "hall")["variants"].keys() == {"de"}


def test_what_changes_in_both_languages_is_no_translation_whichever_is_imported_first(
    import_language, database
):
    def telling(name):
        hall = {"venue": name, "slug": name.lower(), "description": ""}
        german, romansh = Site("de", hall=hall), half_translated()
        romansh.collections()["venues"][0] |= hall
        return german, romansh

    for site in telling("Saal"):
        import_language(site)
    german, romansh = telling("Kulturhaus")
    for site in (romansh, german):
        assert outcome(import_language(site)) == (0, 1, 8, 0)
    assert label(stored(database, "hall"), "rm") == "Kulturhaus"
    assert outcome(import_language(romansh)) == (0, 1, 8, 0)
    assert stored(database, "hall")["variants"].keys() == {"de"}
    assert outcome(import_language(romansh)) == (0, 0, 9, 0)


def test_text_that_people_wrote_for_one_that_has_come_stays_while_the_site_says_the_same(
    import_language, database, as_admin
):
    import_language(Site("de"))
    import_language(half_translated(title="Martgà", description="<p>Curt</p>"))
    market = f"/events/{IDS['market'][0]}"
    romansh = {"translation_language": "rm"}
    as_admin.send("PATCH", market, query_string=romansh, json={"description": "<p>Noss</p>"})
    site = half_translated(title="Martgà", description="<p>Curt</p>")
    assert outcome(import_language(site)) == (0, 0, 9, 0)
    assert stored(database, "market")["variants"]["rm"]["description"] == "<p>Noss</p>"


def test_texts_that_nobody_has_translated_are_left_out_one_by_one(import_language, database):
    import_language(Site("de"))
    site = half_translated(title="Martgà", excerpt="Curt")
    assert outcome(import_language(site)) == (0, 6, 3, 0)
    texts = stored(database, "market")["variants"]["rm"]
    assert texts == {"title": "Martgà", "slug": "markt", "excerpt": "<p>Curt</p>"}
    assert outcome(import_language(site)) == (0, 0, 9, 0)


def test_a_translation_that_a_site_has_no_longer_is_taken_away(import_language, database):
    import_language(Site("de"))
    import_language(half_translated(title="Martgà"))
    assert outcome(import_language(half_translated())) == (0, 1, 8, 0)
    assert stored(database, "market")["variants"].keys() == {"de"}


def test_translations_that_people_wrote_here_stay(import_language, database, as_admin):
    import_language(Site("de"))
    as_admin.send(
        "PATCH",
        f"/venues/{IDS['hall'][0]}",
        query_string={"translation_language": "rm"},
        json={"venue": "Sala"},
    )
    import_language(half_translated())
    assert label(stored(database, "hall"), "rm") == "Sala"


def test_names_that_two_records_of_a_site_have_in_common_are_translations(
    import_language, database
):
    import_language(Site("de"))
    import_language(Site("rm", band={"organizer": "Kapelle"}))
    assert label(stored(database, "band"), "rm") == "Kapelle"
