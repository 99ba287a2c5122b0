"""A program that follows the links from page to page finds a whole site, each record once."""

import os
import re
import subprocess
import sys
from itertools import count
from pathlib import Path
from threading import Thread

import httpx
import pytest
import requests

ROOT = Path(__file__).parents[2]
SERVE = ["--config", "config/de-rm.toml", "serve", "--demo", "--bind", "127.0.0.1:0"]
IN_PLACE_OF_WORDPRESS = {
    "CALENDAR_API_PREFIX": "/wp-json",
    "CALENDAR_NAMESPACE": "tribe/events/v1",
    "CALENDAR_TRANSLATION_PARAMETER": "wpml_language",
}
BASE = "/wp-json/tribe/events/v1"
# The demo calendar has events on days before and after today.
ALWAYS = {"start_date": "2000-01-01", "end_date": "2100-01-01"}
# Lists that leave something out unless they are told not to.
WHOLE = {
    "events": ALWAYS,
    "venues": {},
    "organizers": {},
    "categories": {"hide_empty": "false"},
    "tags": {"hide_empty": "false"},
}
# The same records in the routes of WordPress, by the names there.
WORDPRESS = {
    "tribe_events": "events",
    "tribe_venue": "venues",
    "tribe_organizer": "organizers",
    "tribe_events_cat": "categories",
    "tags": "tags",
}
LANGUAGES = ["de", "rm"]
SIZES = [5, 50]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Lend a client of a service that stands where a WordPress site stood."""
    data = tmp_path_factory.mktemp("walk") / "data"
    with subprocess.Popen(
        [sys.executable, "-m", "calendar_app", *SERVE, "--workers", "1"],
        env=os.environ | IN_PLACE_OF_WORDPRESS | {"CALENDAR_DATA": str(data)},
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    ) as service:
        try:
            greeting = next(line for line in service.stdout if "Events:" in line)
            # The service would wait for who reads its log.
            Thread(target=service.stdout.read).start()
            with httpx.Client(
                base_url=re.search(r"http://[^/]+", greeting)[0], timeout=20
            ) as client:
                yield client
        finally:
            service.terminate()


def pages(site, collection, **parameters):
    """Yield the pages of a list by the link of each to the next one."""
    page = site.get(f"{BASE}/{collection}", params=parameters).raise_for_status().json()
    yield page
    while link := page.get("next_rest_url"):
        page = site.get(link).raise_for_status().json()
        yield page


def walked(site, collection, **parameters):
    """Return the records of all pages in the order in which they come."""
    return [record for page in pages(site, collection, **parameters) for record in page[collection]]


def ids(records):
    return [record["id"] for record in records]


@pytest.fixture(scope="module")
def by_id(site):
    """Return every record that can be read by its id, by collection and id."""

    def readable(collection):
        numbers = ids(walked(site, collection, **WHOLE[collection]))
        answers = {n: site.get(f"{BASE}/{collection}/{n}") for n in range(1, max(numbers) + 5)}
        return {number: answer.json() for number, answer in answers.items() if answer.is_success}

    return {collection: readable(collection) for collection in WHOLE}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("collection", WHOLE)
def test_a_walk_finds_every_record_once(site, by_id, collection, size, language):
    parameters = WHOLE[collection] | {"per_page": size, "wpml_language": language}
    found_ids = ids(walked(site, collection, **parameters))
    assert sorted(found_ids) == sorted(by_id[collection])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES)
def test_a_walk_through_a_category_finds_its_events_once(site, by_id, size, language):
    for category in by_id["categories"]:
        within = _with_descendants(category, by_id["categories"])
        expected = {
            number
            for number, event in by_id["events"].items()
            if within & set(ids(event["categories"]))
        }
        parameters = ALWAYS | {"per_page": size, "categories": category, "wpml_language": language}
        assert sorted(ids(walked(site, "events", **parameters))) == sorted(expected)


def _with_descendants(category, categories):
    parents = {number: term["parent"] for number, term in categories.items()}
    within = {category}
    while more := {child for child, parent in parents.items() if parent in within} - within:
        within |= more
    return within


@pytest.mark.parametrize("size", SIZES)
def test_walk_in_one_language_skips_untranslated_events(site, by_id, size):
    translated_ids = {
        number
        for number, event in by_id["events"].items()
        if event["translations"]["rm"]["status"] != "missing"
    }
    parameters = ALWAYS | {"per_page": size, "wpml_language": "rm", "fallback": "none"}
    assert 0 < len(translated_ids) < len(by_id["events"])
    assert sorted(ids(walked(site, "events", **parameters))) == sorted(translated_ids)


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_pages_are_in_the_language_of_the_first(site, language):
    events = walked(site, "events", **ALWAYS, per_page=5, wpml_language=language)
    assert {event["language"] for event in events} == {language}


def test_pages_agree_about_the_totals_and_lie_in_order(site, by_id):
    sequence = list(pages(site, "events", **ALWAYS, per_page=5))
    assert {page["total"] for page in sequence} == {len(by_id["events"])}
    assert {page["total_pages"] for page in sequence} == {len(sequence)}
    starts = [event["start_date"] for page in sequence for event in page["events"]]
    assert starts == sorted(starts)


def test_the_links_back_lead_through_the_same_pages(site):
    forth = list(pages(site, "events", **ALWAYS, per_page=5))
    assert "previous_rest_url" not in forth[0]
    back = [forth[-1]]
    while link := back[-1].get("previous_rest_url"):
        back.append(site.get(link).raise_for_status().json())
    forward_ids = [ids(page["events"]) for page in forth]
    assert [ids(page["events"]) for page in reversed(back)] == forward_ids


def until_refused(address):
    """Return all records as many programs do: page by page, until there is none."""
    records = []
    for page in count(1):
        answer = requests.get(address, params={"per_page": 20, "page": page}, timeout=20)
        if answer.status_code == 400:
            assert answer.json()["code"] == "rest_post_invalid_page_number"
            return records
        answer.raise_for_status()
        if not answer.json():
            return records
        records += answer.json()
    raise AssertionError("unreachable")


def by_total_pages(address):
    """Return all records as others do: as many pages as the first one tells."""
    first = requests.get(address, params={"per_page": 100}, timeout=20)
    records = first.json()
    for page in range(2, int(first.headers["X-WP-TotalPages"]) + 1):
        query = {"per_page": 100, "page": page}
        records += requests.get(address, params=query, timeout=20).json()
    assert len(records) == int(first.headers["X-WP-Total"])
    return records


def by_links(address):
    """Return all records as others do: by the links to the next page."""
    answer = requests.get(address, params={"per_page": 20}, timeout=20)
    records = answer.json()
    while "next" in answer.links:
        answer = requests.get(answer.links["next"]["url"], timeout=20)
        records += answer.json()
    return records


@pytest.mark.parametrize("walk", [until_refused, by_total_pages, by_links])
@pytest.mark.parametrize("name", WORDPRESS)
def test_programs_for_wordpress_find_the_same_records_there(site, by_id, name, walk):
    found_ids = ids(walk(f"{site.base_url}/wp-json/wp/v2/{name}"))
    listed = {number for number, record in by_id[WORDPRESS[name]].items() if _is_public(record)}
    assert sorted(found_ids) == sorted(listed)


def _is_public(record):
    return record.get("status", "publish") == "publish" and not record.get("hide_from_listings")
