"""Other sites show the calendar in a frame, if the operator lets them."""

import dataclasses

import pytest
from calling import SITE

pytestmark = pytest.mark.without_mongodb


@pytest.fixture
def settings(settings):
    return dataclasses.replace(settings, embed_origins=("https://www.example.org",))


def test_a_frame_has_the_events_without_header_and_footer(browse, make_event):
    make_event(title="Concert")
    page = browse("/embed/month/2030-01/")
    assert page.status == 200
    assert page.tree.xpath("//header[@class='site-header'] | //footer") == []


def test_links_to_events_open_outside_of_the_frame(browse, make_event):
    make_event(title="Concert")
    (link,) = browse("/embed/").find("event-title")
    assert link.get("target") == "_blank"


def test_only_sites_that_are_named_may_frame_it(browse):
    policy = browse("/embed/").headers["Content-Security-Policy"]
    assert "frame-ancestors 'self' https://www.example.org" in policy
    assert "frame-ancestors 'none'" in browse("/events/").headers["Content-Security-Policy"]


@pytest.mark.parametrize(
    ("address", "target"),
    [
        ("/embed/events/", "/embed/"),
        ("/embed/events/list/?categories=music", "/embed/list/?categories=music"),
        ("/rm/embed/events/month/2030-01/", "/rm/embed/month/2030-01/"),
        ("/Embed/Events/photo", "/embed/photo/"),
    ],
)
def test_address_of_a_page_behind_embed_leads_to_its_frame(browse, address, target):
    page = browse(address)
    assert page.status == 301
    assert page.headers["Location"].removeprefix(SITE) == target


@pytest.mark.parametrize(
    ("path", "frame"),
    [
        ("/events/list/?search=concert&page=1", "/embed/list/?search=concert"),
        ("/rm/events/month/2030-01/", "/rm/embed/month/"),
        ("/events/2030-01-01/", "/embed/today/"),
    ],
)
def test_page_names_the_address_of_its_frame(browse, make_event, path, frame):
    make_event(title="Concert")
    (field,) = browse(path).tree.xpath("//input[@id='frame-address']")
    assert field.get("value") == f"{SITE}{frame}"
    assert browse(frame).status == 200


def test_the_script_for_other_sites_keeps_its_address(browse):
    page = browse("/embed.js")
    assert page.status == 200
    assert b'define("calendar-frame"' in page.answer.data
    assert b'define("calendar-events"' in page.answer.data


def test_oembed_tells_how_to_show_the_calendar(browse):
    record = browse(f"/oembed?url={SITE}/rm/events/month/&maxwidth=500").answer.json
    assert record["type"] == "rich"
    assert f'src="{SITE}/rm/embed/month/"' in record["html"]
    assert record["width"] == 500


def test_oembed_knows_nothing_of_other_sites(browse):
    assert browse("/oembed?url=https://www.example.org/").status == 404


def test_the_sitemap_names_each_public_page(browse, make_event):
    event = make_event(title="Concert", slug="concert")
    make_event(title="Draft", status="draft")
    index = browse("/sitemap.xml")
    assert f"{SITE}/sitemap-events-1.xml".encode() in index.answer.data
    part = browse("/sitemap-events-1.xml").answer.data.decode()
    assert part.count("<url>") == 1
    assert f"<loc>{event['url']}</loc>" in part
