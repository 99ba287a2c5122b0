"""An address that is wrong gets a page in the reader's language, with a way on."""

import pytest

pytestmark = pytest.mark.without_mongodb

TITLES = {
    "": "Diese Seite gibt es nicht",
    "/rm": "Questa pagina n\N{RIGHT SINGLE QUOTATION MARK}exista betg",
}
MISSING = [
    "/events/month/2030-13/",
    "/events/month/2030-00/",
    "/events/month/0000-01/",
    "/events/month/9999-12/",
    "/events/month/30-1/",
    "/events/month/%EF%BC%92%EF%BC%90%EF%BC%93%EF%BC%90-01/",
    "/events/week/2030-02-30/",
    "/events/2030-02-30/",
    "/events/0999-12-31/",
    "/events/list/page/²/",
    "/events/list/page/-1/",
    "/events/list/?page=2",
    "/events/list/?page=99999999999999999999",
    "/events/photo/?page=2",
    "/events/map/?page=2",
    "/events/list/nonsense/",
    "/events/photo/2030-01-01/",
    "/events/category/",
    "/events/category/unknown/",
    "/events/category/music/unknown/",
    "/events/tag/unknown/",
    "/events/tag/a/b/",
    "/category/unknown/",
    "/events/%00/",
    "/events/list/%00",
    "/event/a%00b/",
    "/events/..%2f..%2fetc/passwd",
    "/event/",
    "/event/concert/more/",
    "/venue/unknown",
    "/organizer/unknown/",
    "/embed/nonsense/",
    "/?p=0",
    "/?p=999999999999999999999999",
    "/?post_type=tribe_events&p=99",
    "/nowhere/?search=concert",
    "/wp-login.php",
    "/static/nothing.css",
    "/static/%2e%2e/settings.py",
    "/sitemap-events-0.xml",
    "/sitemap-events-99999999999999999999999.xml",
    "/sitemap-nothing-1.xml",
]
REFUSED = [
    ("page", "0"),
    ("page", "-1"),
    ("page", "second"),
    ("per_page", "0"),
    ("start_date", "junk"),
    ("start_date", "0000-00-00"),
    ("end_date", "9999-99-99"),
    ("categories", "unknown"),
    ("categories[]", "unknown"),
    ("categories[x][y]", "music"),
    ("tags", "unknown"),
    ("venue", "unknown"),
    ("venue", "9999"),
    ("order", "up"),
    ("orderby", "color"),
    ("search[]", "concert"),
    ("search[$ne]", "concert"),
    ("search", "word " * 1000),
    ("search", "w" * 1001),
    ("geoloc_lat", "999"),
    ("geoloc_lat", "46.8"),
    ("attendance_mode", "sometimes"),
    ("featured", "perhaps"),
    ("fallback", "nonsense"),
    ("translation_language", "xx"),
]


@pytest.fixture(autouse=True)
def _concert(make_event, make_category):
    category = make_category(name="Music", slug="music")
    below = make_category(name="Jazz", slug="jazz", parent=category["id"])
    make_event(
        title="Concert", slug="concert", categories=[below["id"]], start_date="2030-02-01 10:00"
    )


@pytest.mark.parametrize("language", ["", "/rm"])
@pytest.mark.parametrize("path", MISSING)
def test_missing_page_has_a_message_and_links(browse, path, language):
    page = browse(language + path)
    assert (page.status, page.answer.mimetype) == (404, "text/html")
    assert page.tree.get("lang") == (language.strip("/") or "de")
    assert page.tree.xpath("//h1")[0].text == TITLES[language]
    assert f"{language}/events/" in page.tree.xpath("//main//a/@href")
    assert len(page.tree.xpath('//nav[@class="languages"]//a')) == len(TITLES)


@pytest.mark.parametrize(
    "view", ["list/", "month/2030-02/", "week/", "2030-02-01/", "photo/", "map/"]
)
@pytest.mark.parametrize(("name", "value"), REFUSED)
def test_a_refused_filter_is_explained_on_its_page(browse, view, name, value):
    page = browse(f"/rm/events/{view}", query_string={name: value})
    assert (page.status, page.answer.mimetype) == (400, "text/html")
    assert page.tree.get("lang") == "rm"
    assert page.find("problem")
    assert page.tree.xpath("//form[@class='filter-form']")


@pytest.mark.parametrize(("name", "value"), REFUSED)
@pytest.mark.parametrize("path", ["/events/list/?ical=1", "/events/month/2030-02/?ical=1"])
def test_a_feed_of_a_page_refuses_the_same_in_the_same_language(browse, path, name, value):
    page = browse(f"{path}&{name}={value}")
    assert (page.status, page.answer.mimetype) == (400, "text/html")
    assert page.tree.get("lang") == "de"


@pytest.mark.parametrize("path", ["/event/concert/", "/?p=1", "/nowhere/", "/oembed", "/tag/x/"])
@pytest.mark.parametrize("wrong", ["fallback=nonsense", "translation_language=xx"])
def test_a_language_that_is_refused_still_gets_a_page(browse, path, wrong):
    page = browse(f"{path}{'&' if '?' in path else '?'}{wrong}")
    assert page.status in (301, 400, 404)
    assert page.answer.mimetype == "text/html"


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("/EVENTS/LIST/", "/events/list/"),
        ("/Event/Concert", "/event/concert/"),
        ("/RM/events/list/", "/rm/events/list/"),
        ("/RM/", "/rm/"),
        ("/rm/Events/?search=A", "/rm/events/?search=A"),
        ("//events/list/", "/events/list/"),
        ("//", "/"),
        ("//rm/events/", "/rm/events/"),
        ("/events//list//", "/events/list/"),
        ("/events/category/wrong/jazz/", "/events/category/music/jazz/"),
        ("/events/category/jazz/music/jazz/month/", "/events/category/music/jazz/month/"),
        ("/events/list/page/7/", "/events/list/?page=7"),
        ("/category/wrong/jazz/", "/events/category/music/jazz/"),
    ],
)
def test_nearly_right_address_redirects(browse, path, target):
    page = browse(
        "/",
        environ_overrides={"PATH_INFO": path.partition("?")[0]},
        query_string=path.partition("?")[2],
    )
    assert (page.status, page.headers["Location"]) == (301, target)


def test_doubled_slashes_never_lead_to_another_host(browse):
    page = browse("/", environ_overrides={"PATH_INFO": "//evil.example/events/"})
    assert page.status == 404


@pytest.mark.parametrize("path", ["/events", "/events/list", "/event/concert", "/rm"])
def test_addresses_work_without_their_last_slash(browse, path):
    page = browse(path)
    assert page.status == 200
    assert "Concert" in page.text


@pytest.mark.parametrize(
    "address",
    ["", "https://www.example.org/events/", "//[broken", "%00", "https://calendar.example/nowhere"],
)
def test_oembed_of_an_address_that_is_not_ours_is_missing(browse, address):
    assert browse("/oembed", query_string={"url": address}).status == 404


@pytest.mark.parametrize("path", ["/", "/event/konzert/", "/events/", "/event/konzert/9/"])
@pytest.mark.parametrize(
    "body", [("text/xml", "<a/>"), ("application/json", "{"), ("text/plain", "x" * 2_000_000)]
)
def test_body_that_cannot_be_read_is_refused_and_no_defect(browse, path, body):
    kind, data = body
    page = browse(path, method="POST", data=data, content_type=kind)
    assert page.status in (400, 404, 405, 413, 415)
    assert page.headers["Content-Type"].startswith("text/html")
