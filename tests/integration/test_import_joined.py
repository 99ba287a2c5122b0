"""``import tec --language rm``: links, groups or likeness tell which records are translations."""

from import_report import joined, outcome
from two_languages import IDS, LANGUAGES, SITE, WORDS, Site, label, polylang, snapshot, stored


def wpml(name):
    return {
        "wpml_current_locale": "rm",
        "wpml_translations": [{"locale": "de_CH", "id": IDS[name][0], "post_title": "Titel"}],
    }


def test_translations_join_by_links_of_plug_ins(import_language, database):
    import_language(Site("de"))
    for links in (polylang, wpml):
        result = import_language(Site("rm", links), "--dry-run")
        assert (joined(result), outcome(result)) == ((9, 0, 0, 0), (0, 9, 0, 0))
    assert joined(import_language(Site("rm", polylang))) == (9, 0, 0, 0)
    for name, (german, romansh) in WORDS.items():
        record = stored(database, name)
        assert (label(record, "de"), label(record, "rm")) == (german, romansh)
    assert {name: len(records) for name, records in snapshot(database).items()} == {
        "events": 3,
        "venues": 2,
        "organizers": 1,
        "categories": 2,
        "tags": 1,
    }


def test_translations_join_by_their_group(import_language, database):
    def grouped(name):
        return {"translation_group": f"pll_{name}"}

    import_language(Site("de", grouped))
    assert joined(import_language(Site("rm", grouped))) == (9, 0, 0, 0)
    assert label(stored(database, "talk"), "rm") == "Referat"


def test_translations_without_links_join_by_likeness(import_language, database):
    import_language(Site("de"))
    result = import_language(Site("rm"))
    assert (joined(result), outcome(result)) == ((0, 0, 9, 0), (0, 9, 0, 0))
    for name, (german, romansh) in WORDS.items():
        record = stored(database, name)
        assert (label(record, "de"), label(record, "rm")) == (german, romansh)


def test_telephone_numbers_match_in_any_notation(import_language, database):
    import_language(Site("de", square={"phone": "081 920 00 00"}))
    import_language(Site("rm", square={"phone": "+41819200000"}))
    assert label(stored(database, "square"), "rm") == "Plazza"


def test_site_with_both_languages_in_one_list_is_imported_one_at_a_time(import_language, database):
    def site(language):
        return Site(language, lambda name: {"lang": language, **polylang(name)})

    both = {
        name: records + site("rm").collections()[name]
        for name, records in site("de").collections().items()
    }
    assert outcome(import_language(Site.telling("de", both))) == (9, 0, 0, 0)
    result = import_language(Site.telling("rm", both))
    assert (joined(result), outcome(result)) == ((9, 0, 0, 0), (0, 9, 0, 0))
    assert label(stored(database, "talk"), "rm") == "Referat"


def test_records_in_unknown_languages_are_passed_over(import_language, database):
    def links(name):
        return {"translations": {**polylang(name)["translations"], "en": IDS[name][0] + 200}}

    def site(language):
        return Site(language, lambda name: {"lang": language, **links(name)})

    english = {
        "lang": "en",
        "id": IDS["talk"][0] + 200,
        "title": "Speech",
        "global_id": f"{SITE}?id={IDS['talk'][0] + 200}",
    }
    for language in LANGUAGES:
        collections = site(language).collections()
        collections["events"].append(site(language).event("talk", 19) | english)
        result = import_language(Site.telling(language, collections))
        assert "Passed over, as they are in other languages: 1" in result.stdout.splitlines()
    assert joined(result) == (9, 0, 0, 0)
    assert database["events"].count_documents({}) == 3
    assert label(stored(database, "talk"), "rm") == "Referat"


def test_language_with_a_host_of_its_own_joins_too(import_language, database):
    import_language(Site("de"))
    hosts = {name: {"global_id": f"rm.example?id={IDS[name][1]}"} for name in ("concert", "hall")}
    assert joined(import_language(Site("rm", polylang, **hosts))) == (9, 0, 0, 0)
    assert label(stored(database, "concert"), "rm") == "Concert"


def test_venues_shared_by_languages_are_recognized_by_id(import_language, database):
    import_language(Site("de"))
    romansh = Site("rm").collections()
    german = Site("de").collections()
    romansh["venues"] = german["venues"]
    for event, german_event in zip(romansh["events"], german["events"], strict=True):
        event["venue"] = german_event["venue"]
    assert joined(import_language(Site.telling("rm", romansh))) == (0, 0, 7, 0)
    assert label(stored(database, "talk"), "rm") == "Referat"


def test_venues_that_only_events_contain_join_too(import_language, database):
    german, romansh = (Site(language).collections() for language in LANGUAGES)
    german["venues"] = romansh["venues"] = []
    import_language(Site.telling("de", german))
    assert joined(import_language(Site.telling("rm", romansh))) == (0, 0, 9, 0)
    assert label(stored(database, "hall"), "rm") == "Sala"
