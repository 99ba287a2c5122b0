"""robots.txt, sitemap and favicon at the root of a site."""

import pytest
from browsing import BROWSER, Page
from calling import SITE
from lxml import etree

pytestmark = pytest.mark.without_mongodb

NAMES = {
    "s": "http://www.sitemaps.org/schemas/sitemap/0.9",
    "x": "http://www.w3.org/1999/xhtml",
}


def find(page, path):
    return etree.fromstring(page.answer.data).xpath(path, namespaces=NAMES)


@pytest.fixture
def concert(make_event):
    return make_event(
        title="Konzert",
        variants={
            "de": {"title": "Konzert", "slug": "konzert"},
            "rm": {"title": "Concert", "slug": "concert"},
        },
    )


def test_the_sitemap_names_each_page_in_the_languages_of_its_record(browse, concert, make_event):
    make_event(title="Only German", slug="only-german")
    page = browse("/sitemap-events-1.xml")
    assert page.answer.mimetype == "application/xml"
    assert set(find(page, "//s:loc/text()")) == {
        f"{SITE}/event/konzert/",
        f"{SITE}/rm/event/concert/",
        f"{SITE}/event/only-german/",
    }
    links = "//s:url[s:loc='{}']/x:link[@rel='alternate']"
    for address in (f"{SITE}/event/konzert/", f"{SITE}/rm/event/concert/"):
        alternates = find(page, links.format(address))
        assert {(each.get("hreflang"), each.get("href")) for each in alternates} == {
            ("de", f"{SITE}/event/konzert/"),
            ("rm", f"{SITE}/rm/event/concert/"),
        }
    assert concert["url"] == f"{SITE}/event/konzert/"


def test_the_sitemap_tells_when_a_record_was_changed(browse, as_admin, clock, concert):
    def changed():
        return set(find(browse("/sitemap-events-1.xml"), "//s:lastmod/text()"))

    assert changed() == {"2030-01-15T12:00:00+00:00"}
    clock.advance(hours=3)
    as_admin.post(f"/events/{concert['id']}", cost="CHF 10")
    assert changed() == {"2030-01-15T15:00:00+00:00"}


def test_the_index_names_the_parts_that_have_records(browse, make_event, make_venue):
    make_event(title="Concert")
    assert find(browse("/sitemap.xml"), "//s:loc/text()") == [f"{SITE}/sitemap-events-1.xml"]
    make_venue(venue="Hall")
    locations = find(browse("/sitemap.xml"), "//s:loc/text()")
    assert f"{SITE}/sitemap-venues-1.xml" in locations
    for location in locations:
        assert browse(location).status == 200


@pytest.mark.parametrize("changes", [{"status": "draft"}, {"status": "private"}])
def test_unpublished_event_is_not_in_the_sitemap(browse, make_event, changes):
    make_event(title="Hidden", **changes)
    assert find(browse("/sitemap.xml"), "//s:loc") == []
    assert browse("/sitemap-events-1.xml").status == 404


def test_robots_are_led_to_the_sitemap_and_kept_off_frames(browse):
    page = browse("/robots.txt")
    assert page.answer.mimetype == "text/plain"
    lines = page.answer.get_data(as_text=True).splitlines()
    assert f"Sitemap: {SITE}/sitemap.xml" in lines
    assert {"Disallow: /embed/", "Disallow: /rm/embed/"} < set(lines)
    assert "Disallow: /" not in lines


def test_the_site_can_be_pinned_to_a_start_screen(browse):
    page = browse("/site.webmanifest")
    assert page.answer.mimetype == "application/manifest+json"
    manifest = page.answer.json
    assert manifest["name"]
    assert browse(manifest["start_url"]).status == 200
    for icon in manifest["icons"]:
        answer = browse(icon["src"]).answer
        assert (answer.status_code, answer.mimetype) == (200, icon["type"])


def test_the_icon_has_its_usual_address(browse):
    answer = browse("/favicon.ico").answer
    assert (answer.status_code, answer.mimetype) == (200, "image/png")


def test_a_filtered_page_is_not_indexed(browse, make_event):
    make_event(title="Concert")
    robots = "//meta[@name='robots']/@content"
    assert browse("/events/list/?search=concert").tree.xpath(robots) == ["noindex"]
    assert browse("/embed/").tree.xpath(robots) == ["noindex"]
    assert browse("/events/list/").tree.xpath(robots) == []


def test_draft_page_is_shown_to_its_author_and_not_indexed(browse, as_author, make_event):
    event = make_event(by=as_author, title="Draft", status="draft")
    path = f"/?post_type=event&p={event['id']}"
    page = Page(as_author.send("GET", path, base="", headers=BROWSER))
    assert (page.status, page.tree.xpath("//h1")[0].text_content()) == (200, "Draft")
    assert page.tree.xpath("//meta[@name='robots']/@content") == ["noindex"]
    assert "no-store" in page.headers["Cache-Control"]
    assert browse(path).status == 404


@pytest.mark.parametrize("view", ["list/", "month/2030-03/", "photo/"])
def test_meta_description_lists_the_events(browse, make_event, view):
    make_event(title="Choir & more")
    description = "//meta[@name='description']/@content"
    assert "Choir & more" in browse(f"/events/{view}").tree.xpath(description)[0]
    assert browse("/rm/events/2031-01-01/").tree.xpath(description) != [""]


@pytest.mark.usefixtures("concert")
def test_titles_are_suggested_in_the_language_of_the_page(app, make_event):
    make_event(title="Concertino")
    make_event(title="Hidden concert", status="draft")
    answer = app.test_client().get("/rm/events/suggestions?search=conc")
    assert answer.mimetype == "application/json"
    assert sorted(answer.json) == ["Concert", "Concertino"]


def test_titles_of_the_same_name_are_suggested_once(app, make_event):
    for _ in range(2):
        make_event(title="Tom & Jerry")
    assert app.test_client().get("/events/suggestions?search=tom").json == ["Tom & Jerry"]


@pytest.mark.parametrize("search", ["", "-", "-opera", '"', "%20"])
def test_nothing_is_suggested_where_no_word_is_named(app, make_event, search):
    make_event(title="Concertino")
    assert app.test_client().get(f"/events/suggestions?search={search}").json == []


def test_suggestions_for_too_many_words_are_refused(app):
    words = "+".join(map(str, range(51)))
    assert app.test_client().get(f"/events/suggestions?search={words}").status_code == 400
