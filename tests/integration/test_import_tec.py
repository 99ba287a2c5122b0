"""``import tec``: from a file and from a live site, again and again, on a real MongoDB."""

import json
import re
import threading
from contextlib import contextmanager
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import pytest
from click.testing import CliRunner

from calendar_app.cli import main

pytestmark = pytest.mark.needs_mongodb

SITE = "site.example"
BASE = f"https://{SITE}/wp-json/tribe/events/v1"
PER_PAGE = 2
SUMMARY = re.compile(r"all: (\d+) created, (\d+) updated, (\d+) unchanged, (\d+) refused")


def term(number, name, taxonomy="categories", **fields):
    return {
        "id": number,
        "name": name,
        "slug": name.lower(),
        "description": "",
        "urls": {"self": f"{BASE}/{taxonomy}/{number}"},
        **fields,
    }


def post(number, **fields):
    return {
        "id": number,
        "global_id": f"{SITE}?id={number}",
        "global_id_lineage": [f"{SITE}?id={number}"],
        "author": "7",
        "status": "publish",
        "date_utc": "2026-06-01 10:00:00",
        "modified_utc": "2026-06-01 10:00:00",
        **fields,
    }


def event(number, title, **fields):
    slug = title.lower().replace(" ", "-")
    return post(
        number,
        **{
            "title": title,
            "slug": slug,
            "url": f"https://{SITE}/event/{slug}/",
            "website": f"https://{SITE}/event/{slug}/",
            "description": "<p>All are welcome.</p>",
            "excerpt": "",
            "image": False,
            "all_day": False,
            "start_date": "2027-05-01 19:00:00",
            "end_date": "2027-05-01 21:00:00",
            "timezone": "Europe/Zurich",
            "cost": "",
            "cost_details": {"values": []},
            "categories": [],
            "tags": [],
            "venue": [],
            "organizer": [],
            **fields,
        },
    )


CHOIR, CLASSIC, MUSIC = (
    term(22, "Choir", parent=21),
    term(21, "Classic", parent=20),
    term(20, "Music"),
)
FAMILY = term(30, "Family", "tags")
HALL = post(40, venue="Hall &amp; Garden", slug="hall", city="Dorta", geo_lat=46.5, geo_lng=9.25)
BAND = post(50, organizer="Band", slug="band", email="band@example.org")


def calendar(**changed):
    """Return what a small site has; its categories are listed children first."""
    site = {
        "categories": [CHOIR, CLASSIC, MUSIC],
        "tags": [FAMILY],
        "venues": [HALL],
        "organizers": [BAND],
        "events": [
            event(60, "Concert", venue=HALL, organizer=[BAND], categories=[CHOIR], tags=[FAMILY]),
            event(61, "Market", categories=[MUSIC]),
            event(62, "Talk"),
        ],
    }
    return {**site, **changed}


def pages(site):
    """Yield path and body of each page, as a site tells them."""
    for name, records in site.items():
        count = max(1, -(-len(records) // PER_PAGE))
        for page in range(1, count + 1):
            part = records[(page - 1) * PER_PAGE : page * PER_PAGE]
            body = {name: part, "total": len(records), "total_pages": count}
            yield f"/{name}?per_page={PER_PAGE}&page={page}", body


@pytest.fixture
def run(database, mongod_uri, tmp_path):
    """Return what imports a site, from a recording of it or from an address."""
    environment = {
        "CALENDAR_MONGODB_URI": mongod_uri,
        "CALENDAR_LANGUAGES": "de,rm",
        "CALENDAR_DEFAULT_LANGUAGE": "de",
        "CALENDAR_TIMEZONE": "Europe/Zurich",
    }
    del database

    def run_import(site, *options):
        source = site
        if not isinstance(site, str):
            source = tmp_path / "site.jsonl"
            recorded = [json.dumps({"path": path, "body": body}) for path, body in pages(site)]
            source.write_text("\n".join(recorded))
        return CliRunner().invoke(main, ["import", "tec", str(source), *options], env=environment)

    return run_import


def outcome(result):
    """Return how many were created, updated, unchanged and refused."""
    assert (result.exit_code, result.stderr) == (0, "")
    return tuple(map(int, SUMMARY.fullmatch(result.stdout.splitlines()[-1]).groups()))


def stored(database, collection, number):
    return database[collection].find_one({"_id": number})


def test_site_is_taken_over_with_its_ids_and_links(run, database):
    assert outcome(run(calendar())) == (9, 0, 0, 0)
    concert = stored(database, "events", 60)
    assert concert["variants"]["de"]["title"] == "Concert"
    assert (concert["categories"], concert["tags"]) == ([22], [30])
    assert (concert["venues"], concert["organizers"]) == ([40], [50])
    assert concert["location"]["coordinates"] == [9.25, 46.5]
    assert concert["author"] == 7
    assert concert["lineage"] == [f"{SITE}?id=60"]
    assert concert["published"] == datetime(2026, 6, 1, 10)  # noqa: DTZ001  UTC, as stored
    assert stored(database, "venues", 40)["variants"]["de"]["venue"] == "Hall & Garden"
    assert stored(database, "organizers", 50)["email"] == "band@example.org"


def test_hierarchy_is_kept_though_children_are_listed_first(run, database):
    run(calendar())
    choir = stored(database, "categories", 22)
    assert (choir["parent"], choir["ancestors"]) == (21, [20, 21])


def test_terms_count_their_published_events(run, database):
    draft = event(63, "Draft", status="draft", tags=[FAMILY])
    run(calendar(events=[*calendar()["events"], draft]))
    assert stored(database, "categories", 22)["count"] == 1
    assert stored(database, "tags", 30)["count"] == 1


def test_repeated_import_changes_nothing(run, database):
    run(calendar())
    before = list(database["events"].find().sort("_id"))
    assert outcome(run(calendar())) == (0, 0, 9, 0)
    assert list(database["events"].find().sort("_id")) == before


def test_only_what_changed_is_updated(run, database):
    run(calendar())
    moved = event(62, "Talk", start_date="2027-05-01 20:00:00", website="https://talk.example/")
    assert outcome(run(calendar(events=[moved]))) == (0, 1, 6, 0)
    talk = stored(database, "events", 62)
    assert talk["start_local"].hour == 20
    assert talk["variants"]["de"]["website"] == "https://talk.example/"
    assert talk["variants"]["de"]["slug"] == "talk"


def test_venue_that_moved_takes_its_events_along(run, database):
    run(calendar())
    run(calendar(venues=[{**HALL, "geo_lat": 47.0}]))
    assert stored(database, "events", 60)["location"]["coordinates"] == [9.25, 47.0]


def test_what_people_changed_here_stays_while_the_site_says_the_same(run, database):
    run(calendar())
    database["events"].update_one({"_id": 62}, {"$set": {"featured": True}})
    database["events"].update_one({"_id": 61}, {"$set": {"status": "trash"}})
    assert outcome(run(calendar())) == (0, 0, 9, 0)
    assert stored(database, "events", 62)["featured"]
    assert stored(database, "events", 61)["status"] == "trash"


def test_what_becomes_of_an_event_is_taken_over_where_the_site_tells_it(run, database):
    told = {"event_status": "canceled", "status_reason": "Storm", "is_virtual": True}
    run(calendar(events=[event(62, "Talk", **told), event(61, "Market")]))
    talk = stored(database, "events", 62)
    assert (talk["event_status"], talk["attendance_mode"]) == ("canceled", "online")
    assert talk["variants"]["de"]["status_reason"] == "Storm"

    again = {"event_status": "scheduled", "status_reason": "", "is_virtual": False}
    assert outcome(run({"events": [event(62, "Talk", **again)]})) == (0, 1, 0, 0)
    assert not {"event_status", "attendance_mode"} & stored(database, "events", 62).keys()


def test_what_is_canceled_here_stays_so_where_the_site_tells_nothing(run, database):
    run(calendar())
    database["events"].update_one({"_id": 62}, {"$set": {"event_status": "canceled"}})
    assert outcome(run({"events": [event(62, "Talk", cost="20")]})) == (0, 1, 0, 0)
    assert stored(database, "events", 62)["event_status"] == "canceled"


def test_ids_that_are_taken_are_replaced_and_remembered(run, database):
    database["venues"].insert_one({"_id": 60, "variants": {}, "status": "publish"})
    run(calendar())
    (concert,) = database["events"].find({"variants.de.title": "Concert"})
    assert concert["_id"] not in (60, 61, 62)
    assert concert["venues"] == [40]
    assert outcome(run(calendar())) == (0, 0, 9, 0)


def test_new_records_get_ids_behind_those_of_the_site(run, database):
    far = 10_000_000
    run(calendar(events=[event(far, "Far")]))
    assert database["sequences"].find_one({"_id": "records"})["value"] >= far


def test_equal_slugs_of_two_sites_are_told_apart(run, database):
    run(calendar())
    other = event(62, "Talk", global_id="other.example?id=62")
    assert outcome(run({"events": [other]})) == (1, 0, 0, 0)
    slugs = {talk["variants"]["de"]["slug"] for talk in database["events"].find()}
    assert {"talk", "talk-2"} <= slugs


def test_equal_slugs_on_one_page_are_told_apart(run, database):
    twice = [event(number, "Talk", slug="talk") for number in (80, 81)]
    assert outcome(run({"events": twice})) == (2, 0, 0, 0)
    slugs = [stored(database, "events", number)["variants"]["de"]["slug"] for number in (80, 81)]
    assert slugs == ["talk", "talk-2"]


def test_record_that_is_listed_twice_is_made_once(run, database):
    listed = [event(60, "Concert"), event(61, "Market"), event(60, "Concert")]
    assert outcome(run({"events": listed})) == (2, 0, 0, 0)
    assert database["events"].count_documents({}) == 2


def test_id_that_nobody_could_count_on_from_is_replaced(run, database):
    run({"events": [event(2**50, "Far")]})
    (far,) = database["events"].find()
    assert far["_id"] < 2**48


def test_term_that_the_calendar_has_already_is_used_again(run, database):
    run(calendar())
    same = term(77, "Music", urls={"self": "https://other.example/categories/77"}, parent=0)
    talk = event(70, "Other talk", global_id="other.example?id=70", categories=[same])
    run({"categories": [same], "events": [talk]})
    assert database["categories"].count_documents({"variants.de.name": "Music"}) == 1
    assert stored(database, "events", 70)["categories"] == [20]
    assert outcome(run({"categories": [same], "events": [talk]})) == (0, 0, 2, 0)


def test_second_language_joins_the_same_records(run, database):
    run(calendar())
    site = calendar(events=[event(60, "Concerta", venue=HALL, organizer=[BAND])], tags=[])
    assert outcome(run(site, "--language", "rm")) == (0, 6, 0, 0)
    variants = stored(database, "events", 60)["variants"]
    assert (variants["de"]["title"], variants["rm"]["title"]) == ("Concert", "Concerta")
    assert outcome(run(site, "--language", "rm")) == (0, 0, 6, 0)


def test_language_that_the_site_lacks_is_refused(run):
    result = run(calendar(), "--language", "en")
    assert result.exit_code != 0
    assert "en" in result.stderr


def test_refused_records_are_named_with_the_reason_and_the_others_are_taken(run, database):
    bad = [
        event(70, "Backwards", end_date="2027-04-01 10:00:00"),
        event(71, "Nowhere", timezone="Mars/Olympus"),
        event(72, "Secret", all_day=None),
        {"title": "Nameless"},
    ]
    result = run({"events": [*bad, event(73, "Good")]})
    assert outcome(result) == (1, 0, 0, 4)
    refused = [line for line in result.stdout.splitlines() if line.startswith("Refused")]
    told = {"Backwards": "end_date", "Nowhere": "zone", "Secret": "password", "Nameless": "id"}
    assert len(refused) == len(told)
    for title, reason in told.items():
        (line,) = (line for line in refused if title in line)
        assert reason in line
    assert stored(database, "events", 73)


def test_records_that_only_events_tell_of_are_taken_too(run, database):
    private = post(41, venue="Back room", slug="back-room", status="draft")
    site = {"events": [event(60, "Concert", venue=private, organizer=[BAND], tags=[FAMILY])]}
    assert outcome(run(site)) == (4, 0, 0, 0)
    assert stored(database, "events", 60)["venues"] == [41]
    assert stored(database, "venues", 41)["status"] == "draft"


def test_dry_run_tells_the_same_and_writes_nothing(run, database):
    result = run(calendar(), "--dry-run")
    assert outcome(result) == (9, 0, 0, 0)
    assert "Nothing was written" in result.stdout
    assert all(database[name].count_documents({}) == 0 for name in database.list_collection_names())
    run(calendar())
    changed = calendar(events=[event(60, "Concert"), event(64, "New")])
    before = list(database["events"].find().sort("_id"))
    assert outcome(run(changed, "--dry-run")) == (1, 1, 6, 0)
    assert list(database["events"].find().sort("_id")) == before


def test_file_that_is_none_ends_with_one_line(run, tmp_path):
    result = run(str(tmp_path / "nowhere.jsonl"))
    assert result.exit_code != 0
    assert len(result.stderr.splitlines()) == 1


class Replay(BaseHTTPRequestHandler):
    """Answers as a site does: with its pages, or not at all while it is tired."""

    def do_GET(self):
        asked = urlsplit(self.path)
        name = asked.path.rpartition("/")[2]
        page = parse_qs(asked.query)["page"][0]
        found = self.server.bodies.get((name, page))
        self.server.asked.append(asked)
        if self.server.tired:
            self._answer(*self.server.tired.pop())
        elif found is None:
            self._answer(404, {"code": "rest_no_route"})
        else:
            self._answer(200, found)

    def _answer(self, status, body):
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())

    def log_message(self, *_):
        pass


@contextmanager
def live(site, *tired):
    """Serve a site on loopback; its first answers are ``tired``, pairs of status and body."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Replay) as server:
        server.asked = []
        server.tired = list(tired)
        server.bodies = {
            (urlsplit(path).path[1:], parse_qs(urlsplit(path).query)["page"][0]): body
            for path, body in pages(site)
        }
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def address(server):
    return f"http://127.0.0.1:{server.server_port}/wp-json/tribe/events/v1/"


def test_live_site_is_walked_page_by_page(run, database):
    with live(calendar()) as server:
        assert outcome(run(address(server))) == (9, 0, 0, 0)
    assert stored(database, "events", 62)["variants"]["de"]["title"] == "Talk"
    queries = {asked.path.rpartition("/")[2]: parse_qs(asked.query) for asked in server.asked}
    assert queries["categories"]["hide_empty"] == ["0"]
    assert queries["events"]["per_page"] == ["50"]
    assert queries["events"]["start_date"] < ["1900"] < ["2100"] < queries["events"]["end_date"]


def test_query_in_the_address_goes_with_each_request(run):
    with live(calendar()) as server:
        assert outcome(run(f"{address(server)}?lang=rm")) == (9, 0, 0, 0)
    assert all(parse_qs(asked.query)["lang"] == ["rm"] for asked in server.asked)


def test_live_site_and_its_recording_are_the_same(run):
    run(calendar())
    with live(calendar()) as server:
        assert outcome(run(address(server))) == (0, 0, 9, 0)


def test_site_that_is_tired_at_first_is_asked_again(run):
    with live(calendar(), (429, {}), (503, {})) as server:
        assert outcome(run(address(server))) == (9, 0, 0, 0)


def test_site_without_a_calendar_ends_with_one_line_and_writes_nothing(run, database):
    with live({"categories": []}) as server:
        result = run(address(server))
    assert result.exit_code != 0
    (line,) = result.stderr.splitlines()
    assert "404" in line
    assert database["categories"].count_documents({}) == 0


@pytest.mark.parametrize("body", [[], {"categories": 5}, {"categories": [], "total_pages": "x"}])
def test_answer_that_is_no_page_ends_with_one_line(run, body):
    with live(calendar(), (200, body)) as server:
        result = run(address(server))
    assert result.exit_code != 0
    assert len(result.stderr.splitlines()) == 1
