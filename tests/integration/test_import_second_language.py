"""``import tec --language rm``: the texts of a second language join the records of the first."""

from import_report import joined, outcome
from two_languages import IDS, SITE, Site, label, polylang, snapshot, stored, write_matches

SHARED = ("start", "end", "cost", "featured", "venues", "categories", "author", "lineage", "status")


def test_joined_translation_changes_texts_alone(import_language, database):
    import_language(Site("de"))
    before = stored(database, "concert")
    concert = {
        "start_date": "2027-05-02 08:00:00",
        "end_date": "2027-05-02 09:00:00",
        "cost": "99",
        "featured": True,
        "venue": [],
        "categories": [],
        "excerpt": "<p>Curt</p>",
        "website": "https://rm.example/",
        "author": "8",
    }
    import_language(Site("rm", polylang, concert=concert))
    after = stored(database, "concert")
    for name in SHARED:
        assert after[name] == before[name]
    assert after["variants"]["de"] == before["variants"]["de"]
    texts = after["variants"]["rm"]
    assert (texts["title"], texts["slug"]) == ("Concert", "concert")
    assert "Curt" in texts["excerpt"]
    assert texts["website"] == "https://rm.example/"


def test_hierarchy_of_the_first_language_stays(import_language, database):
    import_language(Site("de"))
    import_language(Site("rm", polylang, choir={"parent": 0}))
    assert stored(database, "choir")["parent"] == IDS["music"][0]


def test_repeated_import_needs_no_links_and_no_file(import_language, database, tmp_path):
    import_language(Site("de"))
    import_language(
        Site("rm", polylang, market={"translations": {}, "start_date": "2027-05-01 12:00:00"})
    )
    import_language(Site("rm", polylang), "--match", write_matches(tmp_path, "161,61,event"))
    before = snapshot(database)
    for links in (polylang, None):
        result = import_language(Site("rm", links))
        assert (joined(result), outcome(result)) == ((0, 0, 0, 0), (0, 0, 9, 0))
    assert outcome(import_language(Site("de"))) == (0, 0, 9, 0)
    assert snapshot(database) == before


def test_changed_translation_is_updated_without_shared_fields(import_language, database):
    import_language(Site("de"))
    import_language(Site("rm"))
    changed = {"talk": {"title": "Discurs"}, "market": {"cost": "77"}}
    assert outcome(import_language(Site("rm", **changed))) == (0, 1, 8, 0)
    assert label(stored(database, "talk"), "rm") == "Discurs"
    assert stored(database, "market")["cost"]["values"] == ["10"]


def test_first_language_still_creates_records_after_the_second(import_language, database):
    import_language(Site("de"))
    import_language(Site("rm"))
    collections = Site("de").collections()
    collections["events"].append(
        Site("de").event("talk", 8) | {"id": 70, "global_id": f"{SITE}?id=70"}
    )
    assert outcome(import_language(Site.telling("de", collections))) == (1, 0, 9, 0)
    assert database["events"].find_one({"_id": 70})


def test_any_language_can_be_the_first(import_language, database):
    result = import_language(Site("rm"))
    assert outcome(result) == (9, 0, 0, 0)
    assert "joined" not in result.stdout
    assert joined(import_language(Site("de"))) == (0, 0, 9, 0)
    assert database["events"].find_one({"_id": 162})["variants"].keys() == {"de", "rm"}


def test_dry_run_reports_joins_and_writes_nothing(import_language, database):
    import_language(Site("de"))
    before = snapshot(database)
    late = {"talk": {"start_date": "2027-05-01 06:00:00"}}
    dry_run = import_language(Site("rm", **late), "--dry-run")
    assert snapshot(database) == before
    result = import_language(Site("rm", **late))
    assert dry_run.stdout.splitlines()[1:] == result.stdout.splitlines()


def test_fallback_texts_are_no_translations(import_language, database):
    import_language(Site("de"))
    ids = {name: {"id": IDS[name][0], "global_id": f"{SITE}?id={IDS[name][0]}"} for name in IDS}
    site = Site(
        "rm",
        talk={**ids["talk"], "fallback_fields": ["title", "description", "slug"]},
        market={**ids["market"], "fallback_fields": ["description"]},
        hall={**ids["hall"], "city": "Dorta", "fallback_fields": ["venue", "description", "slug"]},
        band={**ids["band"], "fallback_fields": []},
    )
    result = import_language(site)
    assert "Passed over, as they are in other languages: 2" in result.stdout.splitlines()
    assert "rm" not in stored(database, "talk")["variants"]
    assert stored(database, "market")["variants"]["rm"] == {"title": "Martgà", "slug": "martga"}
    assert "rm" not in stored(database, "hall")["variants"]
    assert label(stored(database, "band"), "rm") == "Chapella"

    market = stored(database, "market")
    assert outcome(import_language(site))[:2] == (0, 0)
    assert stored(database, "market") == market
