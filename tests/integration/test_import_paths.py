"""``import tec``: sites that share a host have paths of their own, and ids of their own below."""

from import_report import joined, missing, outcome, unresolved
from two_languages import IDS, SITE, Site, label, stored

TERMS = ("music", "choir", "family")
COLLECTIONS = {"music": "categories", "choir": "categories", "family": "tags"}


def below(path, site, **numbers):
    """Return a site with its terms below a path; ``numbers`` are changed ids."""
    for name, collection in COLLECTIONS.items():
        number = numbers.get(name, IDS[name][site.at])
        address = f"https://{SITE}{path}/wp-json/tribe/events/v1/{collection}/{number}"
        site.changed[name] = {**site.changed.get(name, {}), "id": number, "urls": {"self": address}}
    return site


def names(database):
    return {
        name: (label(stored(database, name), "de"), label(stored(database, name), "rm"))
        for name in TERMS
    }


def test_terms_of_two_sites_under_one_host_are_kept_apart(import_language, database):
    import_language(below("/de", Site("de")))
    crossed = {"music": IDS["choir"][0], "choir": IDS["music"][0]}
    result = import_language(below("/rm", Site("rm"), **crossed))
    assert (joined(result), unresolved(result)) == ((0, 0, 9, 0), [])
    assert names(database) == {
        "music": ("Musik", "Musica"),
        "choir": ("Chor", "Chor rumantsch"),
        "family": ("Familie", "Famiglia"),
    }


def test_terms_of_a_parent_site_are_not_reported_missing(import_language, database):
    import_language(below("", Site("de")))
    posts = ("hall", "square", "band", "concert", "market", "talk")
    ids = {name: {"global_id": f"{SITE}/b?id={IDS[name][0]}"} for name in posts}
    tag = {"name": "Alle", "slug": "alle"}
    child_site = below("/b", Site("de", **ids, family=tag), music=1020, choir=1021, family=1030)
    result = import_language(child_site)
    assert stored(database, "family")["from_sources"][0]["uid"] == f"tags/{SITE}?id=30"
    assert missing(result) == []


def test_terms_shared_by_both_languages_join_themselves(import_language, database):
    import_language(below("", Site("de")))
    shared = {name: {"name": "Musik", "slug": "musik"} for name in ("music",)}
    site = below("/rm", Site("rm", **shared), **{name: IDS[name][0] for name in TERMS})
    site.changed["choir"]["slug"] = "chor"
    result = import_language(site)
    assert unresolved(result) == []
    assert names(database)["music"] == ("Musik", None)
    assert names(database)["choir"] == ("Chor", "Chor rumantsch")
    assert outcome(import_language(site)) == (0, 0, 9, 0)


def test_languages_in_the_paths_of_a_calendar_app_site_are_joined(import_language, database):
    def calendar(language, path):
        site = below(path, Site(language), **{name: IDS[name][0] for name in TERMS})
        for name in TERMS:
            site.changed[name] |= {"fallback_fields": [], "language": language}
        return site

    import_language(calendar("de", ""))
    result = import_language(calendar("rm", "/rm"))
    assert outcome(result) == (0, 9, 0, 0)
    assert names(database)["choir"] == ("Chor", "Chor rumantsch")
