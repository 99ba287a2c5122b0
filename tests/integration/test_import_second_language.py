"""``import tec --language rm``: the second language of a site, whose records have their own ids."""

import json
import re

import pytest
from click.testing import CliRunner

from calendar_app.cli import main

pytestmark = pytest.mark.needs_mongodb

SITE = "site.example"
SUMMARY = re.compile(r"all: (\d+) created, (\d+) updated, (\d+) unchanged, (\d+) refused")
JOINED = re.compile(
    r"all joined: (\d+) by links, (\d+) by file, (\d+) by likeness, (\d+) left for a person"
)
# The records of the two languages, by the names of this test: ids in German and in Romansh.
IDS = {
    "music": (20, 120),
    "choir": (21, 121),
    "family": (30, 130),
    "hall": (40, 140),
    "square": (41, 141),
    "band": (50, 150),
    "concert": (60, 160),
    "market": (61, 161),
    "talk": (62, 162),
}
WORDS = {
    "music": ("Musik", "Musica"),
    "choir": ("Chor", "Chor rumantsch"),
    "family": ("Familie", "Famiglia"),
    "hall": ("Saal", "Sala"),
    "square": ("Dorfplatz", "Plazza"),
    "band": ("Kapelle", "Chapella"),
    "concert": ("Konzert", "Concert"),
    "market": ("Markt", "Martgà"),
    "talk": ("Vortrag", "Referat"),
}
LANGUAGES = ("de", "rm")
SHARED = ("start", "end", "cost", "featured", "venues", "categories", "author", "lineage", "status")


class Site:
    """What a site tells in one language; ``links`` makes what a plug-in tells of a record."""

    def __init__(self, language, links=None, **changed):
        self.language = language
        self.links = links or (lambda _: {})
        self.changed = changed
        self.at = LANGUAGES.index(language)

    @classmethod
    def telling(cls, language, collections):
        """Return a site that tells these collections."""
        site = cls(language)
        site.collections = lambda: collections
        return site

    def term(self, name, taxonomy):
        return self.record(
            name, "name", urls={"self": f"https://{SITE}/wp-json/v1/{taxonomy}/{IDS[name][0]}"}
        )

    def post(self, name, label, **fields):
        number = IDS[name][self.at]
        return self.record(
            name,
            label,
            **{"global_id": f"{SITE}?id={number}", "status": "publish", "author": "7", **fields},
        )

    def record(self, name, label, **fields):
        words = WORDS[name][self.at]
        return {
            "id": IDS[name][self.at],
            label: words,
            "slug": words.lower().replace(" ", "-"),
            "description": f"<p>{words}</p>",
            **fields,
            **self.links(name),
            **self.changed.get(name, {}),
        }

    def event(self, name, hour, **fields):
        times = {
            "start_date": f"2027-05-01 {hour:02}:00:00",
            "end_date": f"2027-05-01 {hour + 1:02}:00:00",
            "timezone": "Europe/Zurich",
            "all_day": False,
            "cost": "10",
        }
        nothing = {"image": False, "categories": [], "tags": [], "venue": [], "organizer": []}
        return self.post(name, "title", **times, **(nothing | fields))

    def collections(self):
        music = self.term("music", "categories")
        choir = self.term("choir", "categories") | {"parent": music["id"]}
        family = self.term("family", "tags")
        hall = self.post("hall", "venue", zip="7000", geo_lat=46.85, geo_lng=9.53)
        square = self.post("square", "venue", zip="7001", phone="+41 81 920 00 00")
        band = self.post("band", "organizer", email="band@example.org")
        picture = {"url": f"https://{SITE}/concert.jpg"}
        concert = {"venue": hall, "organizer": [band], "categories": [choir], "image": picture}
        return {
            "categories": [music, choir],
            "tags": [family],
            "venues": [hall, square],
            "organizers": [band],
            "events": [
                self.event("concert", 19, **concert),
                self.event("market", 19, venue=square, tags=[family]),
                self.event("talk", 19, venue=hall, categories=[music]),
            ],
        }


@pytest.fixture
def run(database, mongod_uri, tmp_path):
    """Return what imports the recording of a site."""
    environment = {
        "CALENDAR_MONGODB_URI": mongod_uri,
        "CALENDAR_LANGUAGES": "de,rm",
        "CALENDAR_DEFAULT_LANGUAGE": "de",
        "CALENDAR_TIMEZONE": "Europe/Zurich",
    }
    del database

    def run_import(site, *options):
        told = site.collections()
        source = tmp_path / "site.jsonl"
        pages = [{"path": f"/{name}?page=1", "body": {name: told[name]}} for name in told]
        source.write_text("\n".join(map(json.dumps, pages)))
        command = ["import", "tec", str(source), "--language", site.language, *map(str, options)]
        return CliRunner().invoke(main, command, env=environment)

    return run_import


def outcome(result):
    """Return how many were created, updated, unchanged and refused."""
    assert (result.exit_code, result.stderr) == (0, "")
    return tuple(map(int, SUMMARY.fullmatch(result.stdout.splitlines()[-1]).groups()))


def joined(result):
    """Return how many were joined by links, by file and by likeness, and how many were left."""
    assert (result.exit_code, result.stderr) == (0, "")
    (found,) = filter(None, map(JOINED.fullmatch, result.stdout.splitlines()))
    return tuple(map(int, found.groups()))


def left(result):
    return [line for line in result.stdout.splitlines() if line.startswith("Left ")]


def stored(database, name):
    """Return the record that came with the first language."""
    number = IDS[name][0]
    for collection in ("events", "venues", "organizers", "categories", "tags"):
        if found := database[collection].find_one({"_id": number}):
            return found
    raise AssertionError(name)


def label(record, language):
    texts = record["variants"].get(language, {})
    labels = ("title", "venue", "organizer", "name")
    return next((texts[name] for name in labels if name in texts), None)


def snapshot(database):
    names = ("events", "venues", "organizers", "categories", "tags")
    return {name: list(database[name].find().sort("_id")) for name in names}


def write_matches(tmp_path, *lines):
    path = tmp_path / "matches.csv"
    path.write_text("\n".join(lines))
    return path


def polylang(name):
    return {"translations": dict(zip(LANGUAGES, IDS[name], strict=True))}


def wpml(name):
    return {
        "wpml_current_locale": "rm",
        "wpml_translations": [{"locale": "de_CH", "id": IDS[name][0], "post_title": "Titel"}],
    }


def test_translations_join_by_the_links_that_a_plug_in_tells(run, database):
    run(Site("de"))
    for links in (polylang, wpml):
        result = run(Site("rm", links), "--dry-run")
        assert (joined(result), outcome(result)) == ((9, 0, 0, 0), (0, 9, 0, 0))
    assert joined(run(Site("rm", polylang))) == (9, 0, 0, 0)
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


def test_translations_join_by_the_group_that_they_have_in_common(run, database):
    def grouped(name):
        return {"translation_group": f"pll_{name}"}

    run(Site("de", grouped))
    assert joined(run(Site("rm", grouped))) == (9, 0, 0, 0)
    assert label(stored(database, "talk"), "rm") == "Referat"


def test_translations_join_by_likeness_where_no_links_are_told(run, database):
    run(Site("de"))
    result = run(Site("rm"))
    assert (joined(result), outcome(result)) == ((0, 0, 9, 0), (0, 9, 0, 0))
    for name, (german, romansh) in WORDS.items():
        record = stored(database, name)
        assert (label(record, "de"), label(record, "rm")) == (german, romansh)


def test_what_joins_brings_its_texts_and_nothing_that_languages_share(run, database):
    run(Site("de"))
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
    run(Site("rm", polylang, concert=concert))
    after = stored(database, "concert")
    for name in SHARED:
        assert after[name] == before[name]
    assert after["variants"]["de"] == before["variants"]["de"]
    texts = after["variants"]["rm"]
    assert (texts["title"], texts["slug"]) == ("Concert", "concert")
    assert "Curt" in texts["excerpt"]
    assert texts["website"] == "https://rm.example/"


def test_hierarchy_stays_as_the_first_language_told_it(run, database):
    run(Site("de"))
    run(Site("rm", polylang, choir={"parent": 0}))
    assert stored(database, "choir")["parent"] == IDS["music"][0]


def test_repeating_changes_nothing_and_needs_no_links_and_no_file(run, database, tmp_path):
    run(Site("de"))
    run(Site("rm", polylang, market={"translations": {}, "start_date": "2027-05-01 12:00:00"}))
    run(Site("rm", polylang), "--match", write_matches(tmp_path, "161,61,event"))
    before = snapshot(database)
    for links in (polylang, None):
        result = run(Site("rm", links))
        assert (joined(result), outcome(result)) == ((0, 0, 0, 0), (0, 0, 9, 0))
    assert outcome(run(Site("de"))) == (0, 0, 9, 0)
    assert snapshot(database) == before


def test_text_that_changed_on_the_site_is_updated_and_shared_fields_count_for_nothing(
    run, database
):
    run(Site("de"))
    run(Site("rm"))
    changed = {"talk": {"title": "Discurs"}, "market": {"cost": "77"}}
    assert outcome(run(Site("rm", **changed))) == (0, 1, 8, 0)
    assert label(stored(database, "talk"), "rm") == "Discurs"
    assert stored(database, "market")["cost"]["values"] == ["10"]


def test_first_language_goes_on_making_records_after_the_second_has_come(run, database):
    run(Site("de"))
    run(Site("rm"))
    told = Site("de").collections()
    told["events"].append(Site("de").event("talk", 8) | {"id": 70, "global_id": f"{SITE}?id=70"})
    assert outcome(run(Site.telling("de", told))) == (1, 0, 9, 0)
    assert database["events"].find_one({"_id": 70})


def test_file_joins_what_links_and_likeness_do_not(run, database, tmp_path):
    run(Site("de"))
    late = {"talk": {"start_date": "2027-05-01 06:00:00"}}
    lines = ["rm;de;kind", "162;62;event", "120;20;Category"]
    result = run(Site("rm", **late), "--match", write_matches(tmp_path, *lines))
    assert (joined(result), outcome(result)) == ((0, 2, 7, 0), (0, 9, 0, 0))
    assert label(stored(database, "talk"), "rm") == "Referat"
    assert label(stored(database, "music"), "rm") == "Musica"


def test_line_without_a_kind_is_not_about_terms(run, database, tmp_path):
    run(Site("de"))
    path = write_matches(tmp_path, "162,62", "120,21")
    assert joined(run(Site("rm"), "--match", path)) == (0, 1, 8, 0)
    assert label(stored(database, "music"), "rm") == "Musica"


def test_links_come_before_the_file(run, database, tmp_path):
    run(Site("de"))
    path = write_matches(tmp_path, "161,62,event", "162,61,event")
    assert joined(run(Site("rm", polylang), "--match", path)) == (9, 0, 0, 0)
    assert label(stored(database, "market"), "rm") == "Martgà"


def test_what_fits_none_is_left_and_named_and_nothing_is_made_of_it(run, database):
    run(Site("de"))
    result = run(Site("rm", talk={"start_date": "2027-05-01 06:00:00"}))
    # Its category is told by that event alone, so nothing tells that one either.
    assert joined(result) == (0, 0, 7, 2)
    assert [line.split(":")[0] for line in left(result)] == [
        'Left category 120 "Musica"',
        'Left event 162 "Referat"',
    ]
    assert label(stored(database, "talk"), "rm") is None
    assert database["events"].count_documents({}) == 3
    assert joined(run(Site("rm", talk={"start_date": "2027-05-01 06:00:00"}))) == (0, 0, 0, 2)


def test_what_fits_several_is_left(run, database):
    same = {"zip": "7000", "phone": "", "geo_lat": 46.85, "geo_lng": 9.53}
    run(Site("de", square=same))
    result = run(Site("rm", square=same))
    # Two venues at one place, and so all three events.
    lines = left(result)
    assert ["40, 41" in line for line in lines if "venue" in line] == [True, True]
    assert [line.split()[1] for line in lines].count("event") == 3
    assert all(label(record, "rm") is None for record in database["venues"].find())


def test_two_that_are_like_one_are_both_left(run, database):
    run(Site("de"))
    told = Site("rm").collections()
    (band,) = told["organizers"]
    told["organizers"].append({**band, "id": 151, "global_id": f"{SITE}?id=151"})
    result = run(Site.telling("rm", told))
    assert ["50" in line for line in left(result) if "organizer" in line] == [True, True]
    assert label(stored(database, "band"), "rm") is None


def test_records_that_contradict_each_other_are_not_alike(run, database):
    run(Site("de", square={"phone": "081 920 00 00"}))
    result = run(Site("rm", square={"zip": "9999"}))
    assert any("venue 141" in line for line in left(result))
    assert label(stored(database, "square"), "rm") is None


def test_telephone_numbers_are_alike_however_they_are_written(run, database):
    run(Site("de", square={"phone": "081 920 00 00"}))
    run(Site("rm", square={"phone": "+41819200000"}))
    assert label(stored(database, "square"), "rm") == "Plazza"


def test_picture_that_differs_keeps_events_apart(run, database):
    run(Site("de"))
    run(Site("rm", concert={"image": {"url": f"https://{SITE}/other.jpg"}}))
    assert label(stored(database, "concert"), "rm") is None


def test_link_to_a_record_that_is_not_here_is_left_and_nothing_is_guessed(run, database):
    run(Site("de"))
    result = run(Site("rm", talk={"translations": {"de": 999, "rm": 162}}))
    (line,) = (line for line in left(result) if "event" in line)
    assert "162" in line
    assert label(stored(database, "talk"), "rm") is None


def test_two_that_link_to_one_are_left(run, database):
    run(Site("de"))
    result = run(Site("rm", polylang, talk={"translations": {"de": 61}}))
    assert len([line for line in left(result) if "event" in line]) == 2
    assert label(stored(database, "market"), "rm") is None


def test_record_with_a_text_of_another_one_is_not_joined_again(run, database):
    run(Site("de"))
    run(Site("rm", polylang))
    told = Site("rm", polylang).collections()
    second = {**told["events"][2], "id": 170, "global_id": f"{SITE}?id=170", "title": "Second"}
    told["events"].append(second)
    (line,) = left(run(Site.telling("rm", told)))
    assert "170" in line
    assert label(stored(database, "talk"), "rm") == "Referat"


def test_record_in_the_trash_is_not_joined(run, database):
    run(Site("de"))
    database["events"].update_one({"_id": 62}, {"$set": {"status": "trash"}})
    (line,) = (line for line in left(run(Site("rm", polylang))) if "event" in line)
    assert "trash" in line
    (line,) = (line for line in left(run(Site("rm"))) if "event" in line)
    assert "162" in line


def test_text_that_somebody_wrote_here_is_not_replaced_by_likeness_alone(run, database):
    run(Site("de"))
    database["events"].update_one({"_id": 62}, {"$set": {"variants.rm": {"title": "Noss"}}})
    (line,) = (line for line in left(run(Site("rm"))) if "event" in line)
    assert "162" in line
    assert label(stored(database, "talk"), "rm") == "Noss"
    run(Site("rm", polylang))
    assert label(stored(database, "talk"), "rm") == "Referat"


def test_create_missing_makes_records_of_what_is_left(run, database):
    run(Site("de"))
    late = {"start_date": "2027-05-01 06:00:00", "end_date": "2027-05-01 07:00:00"}
    result = run(Site("rm", talk=late), "--create-missing")
    assert (joined(result), outcome(result), left(result)) == ((0, 0, 7, 0), (2, 7, 0, 0), [])
    made = database["events"].find_one({"_id": 162})
    assert made["variants"].keys() == {"rm"}
    assert made["venues"] == [IDS["hall"][0]]
    assert made["categories"] == [120]
    moved = {"start_date": "2027-05-01 05:00:00"}
    assert outcome(run(Site("rm", talk=late | moved))) == (0, 1, 8, 0)
    assert database["events"].find_one({"_id": 162})["start_local"].hour == 5


def test_second_language_stays_one_after_records_were_made_of_it(run, database):
    run(Site("de"))
    late = {"talk": {"start_date": "2027-05-01 06:00:00"}}
    run(Site("rm", **late), "--create-missing")
    told = Site("rm", **late).collections()
    told["events"].append(Site("rm").event("talk", 8) | {"id": 180, "global_id": f"{SITE}?id=180"})
    (line,) = left(run(Site.telling("rm", told)))
    assert "180" in line
    assert database["events"].find_one({"_id": 180}) is None


def test_language_that_comes_first_makes_records_whichever_it_is(run, database):
    result = run(Site("rm"))
    assert outcome(result) == (9, 0, 0, 0)
    assert "joined" not in result.stdout
    assert joined(run(Site("de"))) == (0, 0, 9, 0)
    assert database["events"].find_one({"_id": 162})["variants"].keys() == {"de", "rm"}


def test_dry_run_tells_the_same_and_joins_nothing(run, database):
    run(Site("de"))
    before = snapshot(database)
    late = {"talk": {"start_date": "2027-05-01 06:00:00"}}
    rehearsed = run(Site("rm", **late), "--dry-run")
    assert snapshot(database) == before
    done = run(Site("rm", **late))
    assert rehearsed.stdout.splitlines()[1:] == done.stdout.splitlines()


def test_site_that_tells_both_languages_at_once_is_read_one_at_a_time(run, database):
    def told(language):
        return Site(language, lambda name: {"lang": language, **polylang(name)})

    both = {
        name: records + told("rm").collections()[name]
        for name, records in told("de").collections().items()
    }
    assert outcome(run(Site.telling("de", both))) == (9, 0, 0, 0)
    result = run(Site.telling("rm", both))
    assert (joined(result), outcome(result)) == ((9, 0, 0, 0), (0, 9, 0, 0))
    assert label(stored(database, "talk"), "rm") == "Referat"


def test_language_with_a_host_of_its_own_joins_too(run, database):
    run(Site("de"))
    hosts = {name: {"global_id": f"rm.example?id={IDS[name][1]}"} for name in ("concert", "hall")}
    assert joined(run(Site("rm", polylang, **hosts))) == (9, 0, 0, 0)
    assert label(stored(database, "concert"), "rm") == "Concert"


def test_venues_that_the_languages_share_are_known_by_their_ids(run, database):
    run(Site("de"))
    told = Site("rm").collections()
    german = Site("de").collections()
    told["venues"] = german["venues"]
    for event, other in zip(told["events"], german["events"], strict=True):
        event["venue"] = other["venue"]
    assert joined(run(Site.telling("rm", told))) == (0, 0, 7, 0)
    assert label(stored(database, "talk"), "rm") == "Referat"


def test_venues_that_only_events_tell_of_join_too(run, database):
    german, romansh = (Site(language).collections() for language in LANGUAGES)
    german["venues"] = romansh["venues"] = []
    run(Site.telling("de", german))
    assert joined(run(Site.telling("rm", romansh))) == (0, 0, 9, 0)
    assert label(stored(database, "hall"), "rm") == "Sala"


def test_what_cannot_be_read_is_refused_and_not_left(run):
    run(Site("de"))
    result = run(Site("rm", talk={"start_date": "soon"}))
    assert outcome(result)[3] == 1
    assert not any("event" in line for line in left(result))


@pytest.mark.parametrize("lines", [["162"], ["162,62", "x,y"], ["162,62,poster"], ["1,2", "1,3"]])
def test_file_that_cannot_be_understood_ends_with_one_line(run, database, tmp_path, lines):
    run(Site("de"))
    before = snapshot(database)
    result = run(Site("rm"), "--match", write_matches(tmp_path, *lines))
    assert result.exit_code != 0
    assert len(result.stderr.splitlines()) == 1
    assert snapshot(database) == before


def test_file_that_is_not_there_ends_with_one_line(run, tmp_path):
    result = run(Site("rm"), "--match", tmp_path / "nowhere.csv")
    assert result.exit_code != 0
    assert len(result.stderr.splitlines()) == 1
