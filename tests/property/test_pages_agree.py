"""Pages show the lists of the interface, and their filter counts are list totals."""

import os
import re
from random import Random

import pytest
from browsing import Browser
from calling import BASE, SITE, Client
from clock import NOON

from calendar_app.app import create_app
from calendar_app.assembly.indexes import declared_indexes
from calendar_app.settings import Settings
from calendar_app.storage.mongo.connection import open_database
from calendar_app.storage.mongo.indexes import ensure_indexes
from calendar_app.storage.mongo.store import Store

COMBINATIONS = int(os.environ.get("PAGES_COMBINATIONS", "12"))
SEED = int(os.environ.get("PAGES_SEED", "1"))
FLAGS = {"featured": "true", "attendance_mode": "online,mixed"}
CHOICES = ("categories", "tags", *FLAGS)
WORDS = ("market", "jazz", "evening", "mart", "nothing")
# Each view with the filters of the days that it is about.
VIEWS = {
    "list": {},
    "photo": {},
    "map": {},
    "month/2030-03": {"overlaps_from": "2030-03-01", "overlaps_to": "2030-03-31 23:59:59"},
    "week/2030-03-04": {"overlaps_from": "2030-03-04", "overlaps_to": "2030-03-10 23:59:59"},
    "2030-03-07": {"overlaps_from": "2030-03-07", "overlaps_to": "2030-03-07 23:59:59"},
}
PAGED = ("list", "photo", "map")


@pytest.fixture(scope="module")
def database(mongod_uri, _user_documents):
    """Return a database with all indexes and users, and nothing else."""
    database = open_database(mongod_uri.replace("/calendar?", "/pages?"))
    settings = Settings.load(environment={}, languages=["de", "rm"], default_language="de")
    ensure_indexes(Store(database), declared_indexes(settings))
    for name, documents in _user_documents.items():
        database[name].insert_many(documents)
    yield database
    database.client.drop_database(database.name)
    database.client.close()


@pytest.fixture(scope="module")
def site(database, _clock):
    """Return a site with a calendar by chance, part of it locked, hidden or untranslated."""
    _clock.now = NOON
    settings = Settings.load(
        environment={},
        site_url=SITE,
        languages=["de", "rm"],
        default_language="de",
        timezone="Europe/Zurich",
    )
    site = Site(create_app(settings, database, _clock), database)
    site.fill(Random(SEED))  # noqa: S311 - repeatable, not secret
    return site


class Site:
    """A calendar, its pages, and its interface for strangers."""

    def __init__(self, app, database):
        users = {user["name"]: user["_id"] for user in database["users"].find()}
        self.browse = Browser(app)
        self._admin = Client(app, "admin", users["admin"])
        self._anyone = Client(app)
        self.ids = {}

    def post(self, kind, **body):
        answer = self._admin.post(f"/{kind}", **body)
        assert answer.status_code == 201, answer.json
        self.ids.setdefault(kind, []).append(answer.json["id"])
        return answer.json["id"]

    def fill(self, random):
        categories = [self.post("categories", name="Music")]
        for number in range(5):
            above = random.choice([0, *categories])
            categories.append(self.post("categories", name=f"Category {number}", parent=above))
        tags = [self.post("tags", name=f"Tag {number}") for number in range(6)]
        for number in range(4):
            self.post("venues", venue=f"Hall {number}", geo_lat=46.8 + number / 10, geo_lng=9.5)
            self.post("organizers", organizer=f"Choir {number}")
        for number in range(70):
            self.post("events", **self._event(random, number, categories, tags))

    def _event(self, random, number, categories, tags):
        day, hour = random.randint(1, 28), random.randint(0, 22)
        start = f"2030-{random.choice((2, 3, 3, 4)):02}-{day:02} {hour:02}:00:00"
        return {
            "title": f"{random.choice(('Market', 'Jazz', 'Evening'))} {number}",
            "start_date": start,
            "end_date": f"{start[:10]} {hour + 1:02}:00:00",
            "categories": random.sample(categories, random.randint(0, 3)),
            "tags": random.sample(tags, random.randint(0, 3)),
            "venue": random.sample(self.ids["venues"], random.randint(0, 2)),
            "organizer": random.sample(self.ids["organizers"], random.randint(0, 2)),
            "featured": random.random() < 0.3,
            "attendance_mode": random.choice(("offline", "offline", "online", "mixed")),
            "status": random.choice(("publish", "publish", "publish", "publish", "draft")),
            "translation_language": random.choice(("de", "rm")),
            **({"password": "sesame"} if random.random() < 0.1 else {}),
        }

    def events(self, language, filters):
        """Return the total of a list, and the events on it."""
        answer = self._anyone.send("GET", "/events", base=f"{language}{BASE}", query_string=filters)
        assert answer.status_code == 200, answer.json
        return answer.json["total"], answer.json["events"]

    def every_event(self, language, filters):
        """Return all events of a list, however many pages it has."""
        events, number = [], 1
        while True:
            total, page = self.events(language, filters | {"per_page": 50, "page": number})
            events += page
            if len(events) >= total:
                return events
            number += 1


def filters_by_chance(random, ids):
    """Return filters as an address has them."""
    choices = [
        {"search": random.choice(WORDS)},
        {"categories": ",".join(map(str, random.sample(ids["categories"], random.randint(1, 2))))},
        {"tags": ",".join(map(str, random.sample(ids["tags"], random.randint(1, 2))))},
        {"venue": random.choice(ids["venues"])},
        {"organizer": random.choice(ids["organizers"])},
        {"fallback": "none"},
        *({name: value} for name, value in FLAGS.items()),
        {"start_date": "2030-03-05"},
        {"end_date": "2030-03-20"},
        {"geoloc_lat": "46.8", "geoloc_lng": "9.5", "geoloc_radius": random.choice((5, 30))},
    ]
    chosen = random.sample(choices, random.choice((0, 1, 1, 2, 3)))
    return {name: str(value) for filters in chosen for name, value in filters.items()}


def combinations(random, ids, number):
    """Yield so many pages: their language, view and filters, and their path."""
    for _ in range(number):
        language, view = random.choice(("", "/rm")), random.choice(tuple(VIEWS))
        filters = filters_by_chance(random, ids)
        path, fixed = f"{language}/events/{view}/", {}
        if random.random() < 0.3:
            tag = random.randrange(len(ids["tags"]))
            path, fixed = f"{language}/events/tag/tag-{tag}/{view}/", {"tags": ids["tags"][tag]}
        yield language, view, filters | fixed, path, filters


def numbers_beside_filters(page):
    """Yield each choice of the form: the filter, its value, and the number beside it."""
    for box in page.tree.xpath("//form[@class='filter-form']//input[@type='checkbox']"):
        for number in box.getparent().xpath(".//*[@class='number']"):
            digits = re.sub(r"\D", "", number.text_content())
            yield box.get("name").removesuffix("[]"), box.get("value"), int(digits)


def addresses(page, view):
    """Return the addresses of the events that a page shows, in its order."""
    inside = "//*[@id='results']//*[not(ancestor-or-self::*[@class='nothing'])]"
    line = "//a[contains(@class, 'line')]/@href"
    links = {
        "month/2030-03": f"{inside}[@class='days' or @class='lasting']{line}",
        "week/2030-03-04": f"{inside}{line}",
    }
    titles = f"{inside}[contains(@class, 'event-title')]/a/@href"
    return list(dict.fromkeys(page.tree.xpath(links.get(view, titles))))


@pytest.fixture(scope="module")
def pages(site):
    """Return pages by chance: language, view, filters, and the page itself."""
    random = Random(SEED)  # noqa: S311 - repeatable, not secret
    drawn = combinations(random, site.ids, COMBINATIONS)
    return [
        (language, view, filters, site.browse(path, query_string=query))
        for language, view, filters, path, query in drawn
    ]


def test_filter_counts_are_the_totals_of_their_lists(site, pages):
    compared, wrong = 0, []
    for language, view, filters, page in pages:
        assert page.status == 200, (language, view, filters, page.text)
        question = filters | VIEWS[view]
        for name, value, number in numbers_beside_filters(page):
            total, _ = site.events(language, question | {name: value, "per_page": 1})
            compared += 1
            if number != total:
                wrong.append((language, view, filters, name, value, number, total))
    assert wrong == []
    assert compared > 3 * COMBINATIONS


def test_each_page_shows_the_events_of_the_same_question_to_the_interface(site, pages):
    seen_events = 0
    for language, view, filters, page in pages:
        question = filters | VIEWS[view]
        if view in PAGED:
            _, events = site.events(language, question)
        else:
            events = site.every_event(language, question)
        expected = [event["url"].removeprefix(SITE) for event in events]
        order = list if view in ("list", "photo") else sorted
        assert order(addresses(page, view)) == order(expected), (language, view, filters)
        seen_events += len(expected)
    assert seen_events > COMBINATIONS


def test_pages_of_a_list_hold_every_event_once(site):
    total, _ = site.events("/rm", {})
    address, listed = "/rm/events/list/", []
    while address:
        page = site.browse(address)
        listed += addresses(page, "list")
        address = next(iter(page.tree.xpath("//nav[@class='paging']//a[@rel='next']/@href")), "")
    assert len(listed) == len(set(listed)) == total > 20
