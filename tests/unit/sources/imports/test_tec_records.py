"""Records of The Events Calendar, converted field by field."""

from datetime import UTC, datetime

import pytest

from calendar_app.domain.cost import Currency
from calendar_app.domain.kinds import CATEGORY, EVENT, ORGANIZER, VENUE
from calendar_app.domain.moments import Moment
from calendar_app.sources.imports.tec.records import changes_of, source_of
from calendar_app.sources.imports.tec.values import UnreadableRecord

FRANC = Currency("CHF", "CHF", "prefix")


def event(**fields):
    return {
        "id": 12,
        "global_id": "site.example?id=12",
        "global_id_lineage": ["site.example?id=12", "older.example?id=3"],
        "author": "7",
        "status": "publish",
        "date": "2026-06-01 12:00:00",
        "date_utc": "2026-06-01 10:00:00",
        "modified_utc": "2026-06-02 10:00:00",
        "url": "https://site.example/event/fete/",
        "title": "Fête &#8211; d&#8217;été",
        "description": "<p>Bring your <b>own</b> glass.</p>",
        "excerpt": "",
        "slug": "fete",
        "image": False,
        "all_day": False,
        "start_date": "2027-05-01 19:00:00",
        "end_date": "2027-05-01 21:00:00",
        "utc_start_date": "2027-05-01 17:00:00",
        "utc_end_date": "2027-05-01 19:00:00",
        "timezone": "Europe/Zurich",
        "cost": "",
        "cost_details": {},
        "website": "https://site.example/event/fete/",
        "show_map": True,
        "show_map_link": False,
        "hide_from_listings": False,
        "sticky": True,
        "featured": False,
        **fields,
    }


def changes_of_event(**fields):
    return changes_of(EVENT, event(**fields), "de", FRANC)


def texts(**fields):
    return changes_of_event(**fields)["variants"]["de"]


def test_event_keeps_author_dates_status_flags_and_lineage():
    changes = changes_of_event()
    assert changes["author"] == 7
    assert changes["status"] == "publish"
    assert changes["published"] == datetime(2026, 6, 1, 10)  # noqa: DTZ001  UTC, naive as stored
    assert changes["modified"] == datetime(2026, 6, 2, 10)  # noqa: DTZ001  UTC, naive as stored
    assert changes["lineage"] == ["site.example?id=12", "older.example?id=3"]
    flags = ("all_day", "show_map", "show_map_link", "hidden", "sticky", "featured")
    assert [changes[name] for name in flags] == [False, True, False, False, True, False]
    assert texts()["slug"] == "fete"


def test_draft_without_a_date_is_imported_without_one():
    assert "published" not in changes_of_event(status="draft", date_utc="0000-00-00 00:00:00")


@pytest.mark.parametrize("name", ["date_utc", "modified_utc"])
@pytest.mark.parametrize("date", ["9999-12-31 23:30:00", "0001-01-01 00:10:00"])
def test_date_outside_the_calendar_of_a_zone_is_refused(name, date):
    with pytest.raises(UnreadableRecord, match=name):
        changes_of_event(**{name: date})


@pytest.mark.parametrize(
    ("url", "website"),
    [
        ("https://site.example/event/fete/", None),
        ("", ""),
        ("https://other.example/?a=1&amp;b=2", "https://other.example/?a=1&b=2"),
        ("other.example/fest", "http://other.example/fest"),
        ("https://other.example/ä", "https://other.example/%C3%A4"),
        (
            "https://www.müstair.ch/märkt?wo=zürich",
            "https://www.xn--mstair-3ya.ch/m%C3%A4rkt?wo=z%C3%BCrich",
        ),
        ("fußweg.example", "http://xn--fuweg-mqa.example"),
        ("http://mü\nstair.ch/", ""),
        ("http://[::1", ""),
        ("javascript:alert(1)", ""),
    ],
)
def test_website_is_an_address_and_not_the_page_of_the_event(url, website):
    assert texts(website=url)["website"] == website


def test_instant_decides_an_ambiguous_wall_clock_time():
    twice = {
        "start_date": "2027-10-31 02:30:00",
        "utc_start_date": "2027-10-31 01:30:00",
    }
    start = changes_of_event(**twice)["start"]
    assert start == Moment(datetime(2027, 10, 31, 1, 30), UTC)  # noqa: DTZ001  as moments are


def test_wall_clock_wins_over_a_contradicting_instant():
    start = changes_of_event(utc_start_date="2027-05-01 23:00:00")["start"]
    assert start == Moment(datetime(2027, 5, 1, 19))  # noqa: DTZ001  as moments are


@pytest.mark.parametrize(
    ("text", "details", "cost"),
    [
        ("", {"values": []}, None),
        (
            "$10 &#8211; $20",
            {"currency_symbol": "", "currency_position": "", "values": ["10", "15", "20"]},
            ("$10 \u2013 $20", ["10", "15", "20"], "", ""),
        ),
        (
            "20€",
            {"currency_symbol": "€", "currency_position": "postfix", "values": ["20"]},
            ("20€", ["20"], "€", "postfix"),
        ),
        ("Free", {"values": ["free"]}, ("Free", ["free"], "", "")),
        ("CHF 10", None, ("CHF10", ["10"], "CHF", "prefix")),
    ],
)
def test_cost_keeps_text_and_currency_of_the_site(text, details, cost):
    stored = changes_of_event(cost=text, cost_details=details)["cost"]
    names = ("text", "values", "symbol", "position")
    assert (stored and tuple(stored[name] for name in names)) == cost


def test_currency_code_follows_from_the_symbol():
    details = {"currency_symbol": "€", "currency_position": "prefix", "values": ["20"]}
    assert changes_of_event(cost="€20", cost_details=details)["cost"]["code"] == "EUR"


def test_lone_surrogates_and_control_characters_are_dropped():
    changes = changes_of_event(slug="a\ud800b", global_id_lineage=["a\x00?id=1"])
    assert changes["variants"]["de"]["slug"] == "ab"
    assert changes["lineage"] == ["a?id=1"]


def test_image_is_an_address():
    image = {"id": 4, "url": "https://site.example/wp-content/fête.jpg", "sizes": {}}
    assert changes_of_event(image=image)["image"] == "https://site.example/wp-content/f%C3%AAte.jpg"
    assert changes_of_event()["image"] is None


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"title": " "}, "title"),
        ({"title": "<b></b>"}, "title"),
        ({"author": 10**20}, "author"),
        ({"start_date": "soon"}, "start_date"),
        ({"timezone": "Mars/Olympus"}, "time zone"),
        ({"status": "trash"}, "trash"),
        ({"status": "tribe-ignored"}, "tribe-ignored"),
        ({"title": ["a", "b"]}, "title"),
        ({"all_day": None, "description": ""}, "password"),
    ],
)
def test_unreadable_record_has_a_reason(fields, reason):
    with pytest.raises(ValueError, match=reason):
        changes_of_event(**fields)


def venue(**fields):
    raw = {"id": 5, "status": "publish", "venue": "Hall", "show_map": True, **fields}
    return changes_of(VENUE, raw, "de", FRANC)


def test_venue_has_coordinates_or_none():
    assert venue(geo_lat=46.5, geo_lng="9.25")["geo"] == (46.5, 9.25)
    assert venue(geo_lat=46.5)["geo"] is None
    assert venue(geo_lat=460.5, geo_lng=9)["geo"] is None


def test_derived_state_or_province_is_not_imported():
    assert venue(province="GR", stateprovince="GR")["variants"]["de"]["stateprovince"] is None
    assert (
        venue(province="GR", stateprovince="Bünden")["variants"]["de"]["stateprovince"] == "Bünden"
    )


def test_missing_coordinates_are_not_changed():
    assert "geo" not in venue()


@pytest.mark.parametrize(
    ("text", "flag"),
    [("0", False), ("false", False), ("No", False), ("", False), ("1", True), ("yes", True)],
)
def test_flags_may_be_texts(text, flag):
    assert changes_of_event(featured=text)["featured"] is flag
    assert venue(show_map=text)["show_map"] is flag


def test_missing_fields_of_an_event_are_not_changed():
    names = ("ticketed", "featured", "cost", "image", "timezone")
    raw = {name: value for name, value in event().items() if name not in names}
    changes = changes_of(EVENT, raw, "de", FRANC)
    assert not changes.keys() & set(names)
    texts = ("description", "excerpt", "website", "slug")
    raw = {name: value for name, value in raw.items() if name not in texts}
    assert not changes_of(EVENT, raw, "de", FRANC)["variants"]["de"].keys() & set(texts)


def test_number_zero_is_a_text():
    assert changes_of_event(cost=0)["cost"]["values"] == ["0"]
    assert venue(zip=0)["zip"] == "0"


def test_missing_fields_of_venues_and_organizers_are_emptied():
    assert venue()["phone"] == ""
    assert venue()["variants"]["de"]["city"] is None
    organizer = changes_of(
        ORGANIZER, {"id": 6, "status": "publish", "organizer": "Band"}, "de", FRANC
    )
    assert organizer["email"] == ""


def test_source_ignores_port_and_scheme():
    urls = {"self": "http://site.example:8080/wp-json/tribe/events/v1/categories/3"}
    assert source_of("categories", {"id": 3, "urls": urls}) == "categories/site.example?id=3"
    assert source_of("events", event()) == "events/site.example?id=12"


@pytest.mark.parametrize(
    ("path", "site"),
    [
        ("/wp-json/tribe/events/v1", "site.example"),
        ("/de/wp-json/tribe/events/v1", "site.example/de"),
        ("/a/b/index.php/wp-json/tribe/events/v1", "site.example/a/b"),
        ("/calendar/events/v1", "site.example"),
    ],
)
def test_source_of_a_term_has_the_path_of_its_site(path, site):
    urls = {"self": f"https://site.example{path}/tags/3"}
    assert source_of("tags", {"id": 3, "urls": urls}) == f"tags/{site}?id=3"


@pytest.mark.parametrize("raw", [None, [], {}, {"id": 0}, {"id": "x"}, {"id": True}])
def test_record_without_an_id_has_no_source(raw):
    with pytest.raises(UnreadableRecord):
        source_of("categories", raw)


def test_term_needs_a_name():
    assert changes_of(CATEGORY, {"name": "A &amp; B"}, "rm", FRANC)["variants"].keys() == {"rm"}
    with pytest.raises(UnreadableRecord, match="name"):
        changes_of(CATEGORY, {"name": ""}, "rm", FRANC)
