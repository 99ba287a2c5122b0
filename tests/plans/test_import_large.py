"""Large sites are imported a few pages and a bounded transaction at a time."""

import json
from contextlib import closing

import pytest

from calendar_app.assembly.services import build_services, site_of
from calendar_app.cli.indexing import make_indexes
from calendar_app.domain.cost import Currency
from calendar_app.domain.moments import system_clock
from calendar_app.sources.importing import ImportOrigin, Imports
from calendar_app.sources.imports.tec.importer import Importer, ImportOptions
from calendar_app.sources.imports.tec.pages import RecordedPages
from calendar_app.storage.mongo.connection import open_database
from calendar_app.storage.mongo.store import Store

SITE = "site.example"
BASE = f"https://{SITE}/wp-json/tribe/events/v1"
LONG = "All are welcome in the garden. " * 4_000
EVENTS, A_PAGE = 120, 4


def post(number, **fields):
    return {
        "id": number,
        "global_id": f"{SITE}?id={number}",
        "status": "publish",
        "date_utc": "2026-06-01 10:00:00",
        "modified_utc": "2026-06-01 10:00:00",
        **fields,
    }


def category(number):
    return {
        "id": number,
        "name": f"Kategorie {number}",
        "slug": f"kategorie-{number}",
        "urls": {"self": f"{BASE}/categories/{number}"},
    }


def event(number):
    """Return an event; some repeat slugs, contain unlisted venues, or are malformed."""
    start = "2027-05-01 19:00:00" if number % 7 else "some day"
    return post(
        number,
        title=f"Konzert &amp; Tanz {number // 2}",
        slug=f"konzert-{number % 3}" if number % 5 else "",
        description=f"<p>{LONG} <b>{number}</b></p>\n" if number % 2 else "<p>Im Hof.</p>",
        excerpt="Alle\n\nsind da",
        start_date=start,
        end_date="2027-05-01 21:00:00" if number % 13 else "2027-05-01 18:00:00",
        timezone="Europe/Zurich",
        cost="10 - 20",
        lang="rm" if number % 11 == 0 else "de",
        venue=post(1000 + number % 4, venue=f"Halle {number % 4}", slug="halle"),
        categories=[category(20 + number % 2)],
    )


def wordy(number):
    words = " ".join(f"w{number}x{each}" for each in range(1000))
    right = {"start_date": "2027-05-01 19:00:00", "end_date": "2027-05-01 21:00:00"}
    return event(number) | right | {"lang": "de", "excerpt": words}


def recorded(path, events=None):
    if events is None:
        events = [event(number) for number in range(1, EVENTS + 1)]
        events += [{"title": "Ohne Nummer"}, event(3)]
    pages = [{"path": "/categories?page=1", "body": {"categories": [category(20)]}}]
    for first in range(0, len(events), A_PAGE):
        page = {"events": events[first : first + A_PAGE]}
        pages.append({"path": f"/events?page={first}", "body": page})
    path.write_text("\n".join(map(json.dumps, pages)))
    return RecordedPages(path)


@pytest.fixture
def import_events(bare_uri, settings, tmp_path):
    """Return a function that imports events into an empty calendar and returns the report."""

    def run(events):
        database = open_database(bare_uri)
        with closing(database.client):
            database.client.drop_database(database.name)
            store = Store(database)
            make_indexes(store, settings)
            pages = recorded(tmp_path / "site", events)
            origin = ImportOrigin(kind="tec", name="site", language="de", of_language=True)
            return list(importer(store).run(pages, origin, progress, list).lines())

    def importer(store):
        options = ImportOptions(
            language="de",
            chains=settings.chains(),
            site=site_of(settings),
            currency=Currency("CHF", "CHF", "prefix"),
        )
        imports = Imports(build_services(settings, store, system_clock).sources.parts)
        return Importer(imports, options)

    return run


def progress(*_):
    pass


def test_long_texts_fit_into_transactions_with_a_word_index(import_events):
    report = import_events([wordy(number) for number in range(1, 61)])
    assert "events: 60 created, 0 updated, 0 unchanged, 0 refused" in report


def test_a_site_is_read_some_pages_at_a_time(tmp_path):
    pages = recorded(tmp_path / "site")
    sizes = [len(part) for part in pages.parts("events")]
    assert len(sizes) > 2
    assert max(sizes) < sum(sizes) / 2


def test_pages_are_read_lazily(tmp_path):
    pages = recorded(tmp_path / "site")
    with (tmp_path / "site").open("a") as file:
        file.write("\n{ damaged")
    assert len(next(pages.parts("events"))) > 1
    assert next(pages.records("events"))["id"] == 1
