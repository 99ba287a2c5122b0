"""``import tec --language rm``: links, groups or likeness tell which records are translations."""

import pytest
from import_report import joined, outcome
from two_languages import IDS, LANGUAGES, SITE, WORDS, Site, label, polylang, snapshot, stored

pytestmark = pytest.mark.needs_mongodb


def wpml(name):
    return {
        "wpml_current_locale": "rm",
        "wpml_translations": [{"locale": "de_CH", "id": IDS[name][0], "post_title": "Titel"}],
    }


def test_translations_join_by_the_links_that_a_plug_in_tells(import_language, database):
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


def test_translations_join_by_the_group_that_they_have_in_common(import_language, database):
    def grouped(name):
        return {"translation_group": f"pll_{name}"}

    import_language(Site("de", grouped))
    assert joined(import_language(Site("rm", grouped))) == (9, 0, 0, 0)
    assert label(stored(database, "talk"), "rm") == "Referat"


def test_translations_join_by_likeness_where_no_links_are_told(import_language, database):
    import_language(Site("de"))
    result = import_language(Site("rm"))
    assert (joined(result), outcome(result)) == ((0, 0, 9, 0), (0, 9, 0, 0))
    for name, (german, romansh) in WORDS.items():
        record = stored(database, name)
        assert (label(record, "de"), label(record, "rm")) == (german, romansh)


def test_telephone_numbers_are_alike_however_they_are_written(import_language, database):
    import_language(Site("de", square={"phone": "081 920 00 00"}))
    import_language(Site("rm", square={"phone": "+41819200000"}))
    assert label(stored(database, "square"), "rm") == "Plazza"


def test_site_that_tells_both_languages_at_once_is_read_one_at_a_time(import_language, database):
    def told(language):
        return Site(language, lambda name: {"lang": language, **polylang(name)})

    both = {
        name: records + told("rm").collections()[name]
        for name, records in told("de").collections().items()
    }
    assert outcome(import_language(Site.telling("de", both))) == (9, 0, 0, 0)
    result = import_language(Site.telling("rm", both))
    assert (joined(result), outcome(result)) == ((9, 0, 0, 0), (0, 9, 0, 0))
    assert label(stored(database, "talk"), "rm") == "Referat"


def test_what_a_site_tells_in_a_language_that_this_calendar_lacks_is_passed_over(
    import_language, database
):
    def links(name):
        return {"translations": {**polylang(name)["translations"], "en": IDS[name][0] + 200}}

    def told(language):
        return Site(language, lambda name: {"lang": language, **links(name)})

    english = {
        "lang": "en",
        "id": IDS["talk"][0] + 200,
        "title": "Speech",
        "global_id": f"{SITE}?id={IDS['talk'][0] + 200}",
    }
    for language in LANGUAGES:
        collections = told(language).collections()
        collections["events"].append(told(language).event("talk", 19) | english)
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


def test_venues_that_the_languages_share_are_known_by_their_ids(import_language, database):
    import_language(Site("de"))
    told = Site("rm").collections()
    german = Site("de").collections()
    told["venues"] = german["venues"]
    for event, other in zip(told["events"], german["events"], strict=True):
        event["venue"] = other["venue"]
    assert joined(import_language(Site.telling("rm", told))) == (0, 0, 7, 0)
    assert label(stored(database, "talk"), "rm") == "Referat"


def test_venues_that_only_events_tell_of_join_too(import_language, database):
    german, romansh = (Site(language).collections() for language in LANGUAGES)
    german["venues"] = romansh["venues"] = []
    import_language(Site.telling("de", german))
    assert joined(import_language(Site.telling("rm", romansh))) == (0, 0, 9, 0)
    assert label(stored(database, "hall"), "rm") == "Sala"
