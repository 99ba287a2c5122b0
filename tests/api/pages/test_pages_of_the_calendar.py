"""A reader finds the events of the calendar in every view."""

import json
from gzip import decompress

import brotli
import pytest
from calling import SITE

VIEWS = ("list/", "month/", "week/", "today/", "photo/", "map/")


@pytest.mark.parametrize("view", ["", *VIEWS])
@pytest.mark.parametrize("language", ["", "/rm"])
def test_every_view_opens_in_every_language(browse, make_event, view, language):
    make_event(title="Concert", start_date="2030-01-15 19:00", end_date="2030-01-15 22:00")
    page = browse(f"{language}/events/{view}")
    assert (page.status, page.answer.mimetype) == (200, "text/html")
    assert page.tree.get("lang") == (language.strip("/") or "de")
    assert "Concert" in page.text


def test_browsers_get_the_calendar_at_the_root_and_programs_the_index(browse, make_event):
    make_event(title="Concert")
    assert "Concert" in browse("/").text
    answer = browse("/", headers={"Accept": "application/json"}).answer
    assert answer.json["namespaces"] == ["calendar/events/v1", "wp/v2"]
    assert "Accept" in browse("/").headers["Vary"]


def test_list_shows_the_events_of_the_same_question_to_the_interface(browse, anyone, make_event):
    for day in range(1, 20):
        make_event(title=f"Event {day}", start_date=f"2030-02-{day:02} 10:00")
    query = {"start_date": "2030-02-05", "search": "event", "per_page": 4, "page": 2}
    listed_events = anyone.get("/events", **query).json["events"]
    page = browse("/events/list/?start_date=2030-02-05&search=event&per_page=4&page=2")
    assert page.titles == [event["title"] for event in listed_events]


def test_a_refused_filter_is_explained_in_the_language_of_the_reader(browse):
    page = browse("/events/list/?page=0&start_date=junk")
    assert page.status == 400
    assert "Diese Filter passen so nicht" in page.text
    assert page.tree.xpath('//input[@name="start_date"][@aria-invalid="true"]')


def test_a_refused_date_is_explained_beside_its_own_field(browse):
    tree = browse("/events/list/?start_date=2030-02-01&end_date=junk").tree
    explained = tree.xpath('//*[@class="field-problem"]/..//input')
    assert [(field.name, field.value) for field in explained] == [("end_date", "junk")]
    summary = tree.xpath('//*[@class="problem"]//li')[0].text_content()
    assert summary == "Bis: Der Text ist kein Datum. Geschrieben wird es wie 2030-01-31 19:30."


def test_a_refused_filter_leaves_the_others_as_they_are(browse, make_event, make_category):
    music, market = (make_category(name=name, slug=name.lower()) for name in ("Music", "Market"))
    make_event(title="Concert", categories=[music["id"]])
    make_event(title="Stalls", categories=[market["id"]])
    tree = browse("/events/list/?categories=music&start_date=junk").tree
    boxes = tree.xpath('//input[@name="categories[]"]')
    assert {box.get("value"): "checked" in box.attrib for box in boxes} == {
        "music": True,
        "market": False,
    }


def test_page_beyond_the_last_is_not_found(browse, make_event):
    make_event(title="Concert")
    assert browse("/events/list/?page=2").status == 404


@pytest.mark.parametrize(
    "path",
    [
        "/events/month/2030-13/",
        "/events/2030-02-30/",
        "/events/week/next/",
        "/events/category/unknown/",
        "/event/unknown/",
        "/venue/unknown/",
        "/nowhere/",
        "/?p=999",
    ],
)
def test_404_page_is_in_the_language_of_the_reader(browse, path):
    page = browse(path)
    assert (page.status, page.answer.mimetype) == (404, "text/html")
    assert "Diese Seite gibt es nicht" in page.text


def test_programs_still_get_their_errors_as_json(browse):
    answer = browse("/calendar/events/v1/nowhere").answer
    assert (answer.status_code, answer.mimetype) == (404, "application/json")


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("/EVENTS/List", "/events/list/"),
        ("/events//month/?search=a", "/events/month/?search=a"),
        ("/rm//Event/Concert", "/rm/event/concert/"),
    ],
)
def test_capitals_and_doubled_slashes_lead_to_the_page(browse, path, target):
    page = browse(path)
    assert (page.status, page.headers["Location"]) == (301, target)


def test_an_empty_day_names_the_next_event(browse, make_event):
    make_event(title="Concert", start_date="2030-03-10 19:00")
    page = browse("/events/2030-02-01/")
    assert "findet nichts statt" in page.text
    assert page.titles == ["Concert"]


def test_a_category_has_its_path_and_other_paths_lead_there(browse, make_event, make_category):
    music = make_category(name="Music", slug="music")
    jazz = make_category(name="Jazz", slug="jazz", parent=music["id"])
    make_event(title="Concert", categories=[jazz["id"]])
    make_event(title="Market")
    assert browse("/events/category/music/jazz/").titles == ["Concert"]
    assert browse("/events/category/music/").titles == ["Concert"]
    for path in ("/events/category/jazz/", "/category/music/jazz/"):
        moved = browse(path)
        assert moved.status == 301
        assert moved.headers["Location"].endswith("/events/category/music/jazz/")
    feed = browse("/events/category/jazz/?ical=1").headers["Location"]
    assert feed.endswith("/events/category/music/jazz/?ical=1")


def test_the_address_that_the_interface_names_is_the_page_of_a_term(
    browse, make_event, make_category, make_tag
):
    music = make_category(name="Music", slug="music")
    jazz = make_category(name="Jazz", slug="jazz", parent=music["id"])
    loud = make_tag(name="Loud", slug="loud")
    make_event(title="Concert", categories=[jazz["id"]], tags=[loud["id"]])
    make_event(title="Market")
    for term, own in ((jazz, "category/music/jazz"), (loud, "tag/loud")):
        page = browse(term["url"])
        assert (page.status, page.titles) == (200, ["Concert"])
        assert page.link("canonical") == [f"{SITE}/events/{own}/list/"]


def test_pages_forbid_all_that_they_do_not_need(browse):
    headers = browse("/events/").headers
    assert "unsafe-inline" not in headers["Content-Security-Policy"]
    assert "default-src 'self'" in headers["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert "Referrer-Policy" in headers
    assert "Permissions-Policy" in headers
    assert "Set-Cookie" not in headers


def test_a_page_that_has_not_changed_is_not_sent_again(browse, make_event):
    make_event(title="Concert")
    tag = browse("/events/").headers["ETag"]
    assert browse("/events/", headers={"If-None-Match": tag}).status == 304


def test_numbers_beside_categories_are_the_totals_of_their_lists(
    browse, anyone, make_event, make_category
):
    music = make_category(name="Music", slug="music")
    jazz = make_category(name="Jazz", slug="jazz", parent=music["id"])
    make_event(title="A", categories=[music["id"], jazz["id"]], featured=True)
    make_event(title="B", categories=[jazz["id"]])
    make_event(title="C")
    page = browse("/events/list/")
    for box in page.tree.xpath('//input[@name="categories[]"]'):
        number = box.getparent().xpath('.//*[@class="number"]')[0].text_content()
        total = anyone.get("/events", categories=box.get("value")).json["total"]
        assert int(number) == total


def test_the_head_names_the_other_languages_and_the_feeds(browse, make_event):
    make_event(title="Concert")
    page = browse("/rm/events/month/2030-02/")
    assert page.link("canonical") == [f"{SITE}/rm/events/month/2030-02/"]
    assert page.link("alternate", hreflang="de") == [f"{SITE}/events/month/2030-02/"]
    assert page.link("alternate", hreflang="x-default") == [f"{SITE}/events/month/2030-02/"]
    assert page.link("alternate", type="text/calendar")


def test_static_files_are_kept_for_ever_and_sent_compressed(browse):
    (address,) = browse("/events/").link("stylesheet")
    page = browse(address, headers={"Accept-Encoding": "br, gzip"})
    assert (page.status, page.headers["Content-Encoding"]) == (200, "br")
    assert "immutable" in page.headers["Cache-Control"]


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("/events/?page=0", "Seite: Nötig ist eine ganze Zahl über 0."),
        ("/rm/events/?page=0", "Pagina: i dovra in dumber entir sur 0."),
        ("/rm/events/?start_date=junk", "Il text n\N{RIGHT SINGLE QUOTATION MARK}è betg ina data."),
        ("/events/?categories=nope", "Nicht vorhanden: Kategorie «nope»."),
        ("/rm/events/?categories=nope", "Betg chattà: categoria «nope»."),
    ],
)
def test_a_refusal_names_the_field_as_the_page_does(browse, address, reason):
    page = browse(address)
    assert page.status == 400
    assert reason in page.text


def test_category_in_the_path_is_a_filter(browse, make_event, make_category):
    music, market = (make_category(name=name, slug=name.lower()) for name in ("Music", "Market"))
    make_event(title="Concert", categories=[music["id"]])
    make_event(title="Stalls", categories=[market["id"]])
    page = browse("/events/category/music/list/?categories=market&search=concert")
    assert page.titles == ["Concert"]
    assert "market" not in "".join(page.tree.xpath("//*[@class='chips']//a/@href"))
    assert len(page.tree.xpath("//*[@class='chips']//li")) == 2


def test_list_and_its_styles_are_small_on_the_wire(browse, make_event, make_tag):
    for number in range(12):
        event = make_event(title=f"Event {number}", venue={"venue": f"Hall {number}"})
        make_tag(name=f"Tag {event['id']}")
    accepting = {"Accept-Encoding": "br"}
    page = browse("/events/list/")
    styles = page.link("stylesheet")
    sent = [browse(path, accepting).answer.data for path in ("/events/list/", *styles)]
    assert len(page.titles) == 12
    assert sum(map(len, sent)) <= 20_000


@pytest.mark.parametrize(("encoding", "decode"), [("br", brotli.decompress), ("gzip", decompress)])
def test_page_is_compressed_according_to_accept_encoding(browse, make_event, encoding, decode):
    make_event(title="Dorfmarkt")
    plain = browse("/events/list/")
    compressed = browse("/events/list/", {"Accept-Encoding": f"{encoding};q=0.5"})
    assert compressed.headers["Content-Encoding"] == encoding
    assert decode(compressed.answer.data) == plain.answer.data
    assert "Content-Encoding" not in plain.headers
    assert all("Accept-Encoding" in page.headers["Vary"] for page in (plain, compressed))
    refused = browse("/events/list/", {"Accept-Encoding": f"{encoding};q=0"})
    assert refused.answer.data == plain.answer.data
    again = {"Accept-Encoding": encoding, "If-None-Match": compressed.headers["ETag"]}
    assert browse("/events/list/", again).status == 304
    assert compressed.headers["ETag"] != plain.headers["ETag"]


def test_pages_by_date_have_one_address(browse, make_event):
    make_event(start_date="2027-03-05 10:00:00", end_date="2027-03-05 11:00:00")
    month = browse("/events/month/2027-03/?page=2")
    assert month.link("canonical") == [f"{SITE}/events/month/2027-03/"]
    assert month.link("alternate", hreflang="rm") == [f"{SITE}/rm/events/month/2027-03/"]


@pytest.mark.parametrize("query", ["ical=1", "post_type=event&ical=1"])
def test_the_root_gives_the_feed_to_every_client(browse, make_event, query):
    make_event(title="Dorfmarkt")
    page = browse(f"/?{query}", {"Accept": "*/*"})
    assert page.answer.mimetype == "text/calendar"
    assert b":Dorfmarkt" in page.answer.data


def test_an_address_by_id_gives_the_feed_of_its_event(browse, make_event):
    event = make_event(title="Dorfmarkt")
    page = browse(f"/?post_type=event&p={event['id']}&ical=1", {"Accept": "*/*"})
    assert page.answer.mimetype == "text/calendar"
    assert b":Dorfmarkt" in page.answer.data


@pytest.mark.parametrize(("kind", "name"), [("venue", "venue"), ("organizer", "organizer")])
def test_selected_venue_or_organizer_is_shown_by_name(browse, make_event, kind, name):
    event = make_event(title="Dorfmarkt", **{kind: {name: "Haus & Hof"}})
    linked = event[kind][0] if kind == "organizer" else event[kind]
    page = browse(f"/events/list/?{kind}={linked['id']}")
    chip, _ = page.find("chip")
    assert "Haus & Hof" in chip.text_content()
    assert chip.get("href") == "/events/list/"


@pytest.mark.parametrize(
    "view", ["list", "photo", "month/2030-03", "week/2030-03-10", "2030-03-10"]
)
def test_hours_on_other_clocks_name_their_zone(browse, make_event, view):
    times = {"start_date": "2030-03-10 19:00", "end_date": "2030-03-10 21:00"}
    make_event(title="Here", timezone="Europe/Berlin", **times)
    make_event(title="Elsewhere", timezone="America/New_York", **times)
    text = browse(f"/events/{view}/").text
    hours = "19:00" if view.startswith(("month", "week")) else "19:00\N{EN DASH}21:00"
    assert f"{hours} EDT" in text.replace("\N{NO-BREAK SPACE}", " ")
    assert "CET" not in text


PARTIES = (("Later", 12), ("Sooner", 11))


@pytest.mark.parametrize("view", ["list", "photo"])
def test_search_engines_read_the_list_in_its_order(browse, make_event, view):
    events = [
        make_event(title=title, start_date=f"2030-03-{day}", end_date=f"2030-03-{day}")
        for title, day in PARTIES
    ]
    (script,) = browse(f"/events/{view}/").tree.xpath("//script[@type='application/ld+json']")
    listed = json.loads(script.text)
    assert listed["@type"] == "ItemList"
    assert [(each["position"], each["url"]) for each in listed["itemListElement"]] == [
        (1, events[1]["url"]),
        (2, events[0]["url"]),
    ]


def test_list_that_filters_narrow_is_none_for_search_engines(browse, make_event):
    make_event(title="Concert")
    page = browse("/events/list/?search=concert")
    assert page.tree.xpath("//script[@type='application/ld+json']") == []
