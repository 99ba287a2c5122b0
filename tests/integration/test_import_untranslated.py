"""``import tec --language rm``: untranslated records, the same in both languages."""

from import_report import outcome
from two_languages import IDS, Site, label, stored

UNTRANSLATED = ("hall", "square", "family", "market")


def half_translated(**changed):
    """Return a Romansh site with some of its records in German."""
    german, romansh = Site("de").collections(), Site("rm").collections()
    for name in ("venues", "tags"):
        romansh[name] = german[name]
    for event, german_event in zip(romansh["events"], german["events"], strict=True):
        event |= {"venue": german_event["venue"], "tags": german_event["tags"]}
    romansh["events"][1] = german["events"][1] | changed
    return Site.telling("rm", romansh)


def snapshot_of(database, names):
    return [stored(database, name) for name in names]


def test_untranslated_records_stay_unchanged(import_language, database):
    import_language(Site("de"))
    before = snapshot_of(database, UNTRANSLATED)
    for options in (["--dry-run"], []):
        assert outcome(import_language(half_translated(), *options)) == (0, 5, 4, 0)
    assert snapshot_of(database, UNTRANSLATED) == before
    assert label(stored(database, "talk"), "rm") == "Referat"
    assert outcome(import_language(half_translated())) == (0, 0, 9, 0)


def test_untranslated_record_shows_changes_of_the_first_language(
    import_language, database, as_admin, anyone
):
    import_language(Site("de"))
    import_language(half_translated())
    hall = f"/venues/{IDS['hall'][0]}"
    as_admin.patch(hall, venue="Kulturhaus")
    import_language(half_translated())
    assert anyone.get(hall, translation_language="rm").json["venue"] == "Kulturhaus"
    assert stored(database, "hall")["variants"].keys() == {"de"}


def test_change_in_both_languages_is_no_translation_in_any_order(import_language, database):
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


def test_edited_translation_stays_while_the_site_is_unchanged(import_language, database, as_admin):
    import_language(Site("de"))
    import_language(half_translated(title="Martgà", description="<p>Curt</p>"))
    market = f"/events/{IDS['market'][0]}"
    romansh = {"translation_language": "rm"}
    as_admin.send("PATCH", market, query_string=romansh, json={"description": "<p>Noss</p>"})
    site = half_translated(title="Martgà", description="<p>Curt</p>")
    assert outcome(import_language(site)) == (0, 0, 9, 0)
    assert stored(database, "market")["variants"]["rm"]["description"] == "<p>Noss</p>"


def test_untranslated_texts_are_left_out_one_by_one(import_language, database):
    import_language(Site("de"))
    site = half_translated(title="Martgà", excerpt="Curt")
    assert outcome(import_language(site)) == (0, 6, 3, 0)
    texts = stored(database, "market")["variants"]["rm"]
    assert texts == {"title": "Martgà", "slug": "markt", "excerpt": "<p>Curt</p>"}
    assert outcome(import_language(site)) == (0, 0, 9, 0)


def test_translation_that_the_site_removed_is_removed(import_language, database):
    import_language(Site("de"))
    import_language(half_translated(title="Martgà"))
    assert outcome(import_language(half_translated())) == (0, 1, 8, 0)
    assert stored(database, "market")["variants"].keys() == {"de"}


def test_own_translations_stay(import_language, database, as_admin):
    import_language(Site("de"))
    as_admin.send(
        "PATCH",
        f"/venues/{IDS['hall'][0]}",
        query_string={"translation_language": "rm"},
        json={"venue": "Sala"},
    )
    import_language(half_translated())
    assert label(stored(database, "hall"), "rm") == "Sala"


def test_equal_names_of_two_records_are_translations(import_language, database):
    import_language(Site("de"))
    import_language(Site("rm", band={"organizer": "Kapelle"}))
    assert label(stored(database, "band"), "rm") == "Kapelle"
