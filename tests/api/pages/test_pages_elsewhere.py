"""A site may keep its own pages: the service then names those, and shows none."""

import dataclasses

import pytest

pytestmark = pytest.mark.without_mongodb


@pytest.fixture
def settings(settings):
    return dataclasses.replace(
        settings,
        pages=False,
        page_template="https://www.example.org/{language}/agenda/{type}/{slug}",
    )


def test_records_name_the_pages_of_the_other_site(anyone, make_event):
    event = make_event(title="Concert", slug="concert")
    assert event["url"] == "https://www.example.org/de/agenda/event/concert"
    current_event = anyone.get(f"/events/{event['id']}", translation_language="rm").json
    assert current_event["url"] == "https://www.example.org/rm/agenda/event/concert"


def test_the_address_of_the_page_is_no_website_of_the_event(as_admin, make_event):
    event = make_event(title="Concert", slug="concert")
    answer = as_admin.post(f"/events/{event['id']}", website=event["website"], title="Concert 2")
    assert answer.json["website"] == event["website"]


def test_the_page_of_a_template_is_no_website_of_a_copy(as_admin, make_event):
    event = make_event(title="Concert", slug="concert")
    copy = as_admin.post("/events", **event | {"slug": "copy"}).json
    assert copy["website"] == copy["url"] == "https://www.example.org/de/agenda/event/copy"


def test_the_page_of_a_template_is_no_website_in_another_language(as_admin, make_event):
    path = f"/events/{make_event(title='Concert', variants={'rm': {'title': 'Concert rm'}})['id']}"
    record = as_admin.get(path).json
    answer = as_admin.send("PUT", f"{path}?translation_language=rm", json=record)
    assert answer.status_code == 200, answer.json
    texts = as_admin.get(path, translation_language="all").json["variants"]
    assert "website" not in texts["rm"]


@pytest.mark.parametrize("path", ["/events/", "/event/concert/", "/sitemap.xml", "/embed.js"])
def test_no_page_is_shown(browse, make_event, path):
    make_event(title="Concert", slug="concert")
    page = browse(path)
    assert (page.status, page.answer.mimetype) == (404, "application/json")


def test_browsers_get_the_index_at_the_root(browse):
    assert browse("/").answer.mimetype == "application/json"
