"""Addresses of The Events Calendar's pages lead to the pages that show the same."""

import pytest
from calling import SITE

PAST = "/events/list/?ends_before=yesterday&order=desc"


@pytest.mark.parametrize(
    ("address", "page"),
    [
        ("/events/?eventDisplay=list", "/events/list/"),
        ("/events/?eventDisplay=month", "/events/month/"),
        ("/events/list/?eventDisplay=photo", "/events/photo/"),
        ("/events/?tribe_event_display=week", "/events/week/"),
        ("/events/list/?eventDisplay=past", PAST),
        ("/events/?tribe_event_display=past", PAST),
        ("/events/past/", PAST),
        ("/events/upcoming/", "/events/list/"),
        ("/events/summary/", "/events/list/"),
        ("/events/month/?tribe-bar-date=2030-03", "/events/month/2030-03/"),
        ("/events/month/?tribe-bar-date=2030-03-10", "/events/month/2030-03/"),
        ("/events/week/?tribe-bar-date=2030-03-10", "/events/week/2030-03-10/"),
        ("/events/?eventDisplay=day&eventDate=2030-03-10", "/events/2030-03-10/"),
        ("/events/list/?tribe-bar-date=2030-03-10", "/events/list/?start_date=2030-03-10"),
        ("/events/list/?tribe-bar-search=org%26el", "/events/list/?search=org%26el"),
        ("/events/list/?tribe_paged=2&tribe-bar-search=x", "/events/list/?page=2&search=x"),
        ("/events/list/page/2/?tribe-bar-search=x", "/events/list/?search=x&page=2"),
        (
            "/events/map/?tribe-bar-geoloc-lat=46.8&tribe-bar-geoloc-lng=9.5&tribe-bar-location=x",
            "/events/map/?geoloc_lat=46.8&geoloc_lng=9.5",
        ),
        ("/events/?outlook-ical=1", "/events/list/?ical=1"),
        ("/events/category/music/?tribe-bar-search=x", "/events/category/music/list/?search=x"),
        ("/events/?tribe_events_cat=music", "/events/category/music/list/"),
        ("/?post_type=tribe_events", "/events/list/"),
        ("/?post_type=tribe_events&eventDisplay=month", "/events/month/"),
        ("/?post_type=tribe_events&ical=1", "/events/list/?ical=1"),
        ("/?tribe_events=market", "/event/market/"),
        ("/?post_type=tribe_events&tribe_events=market&ical=1", "/event/market/?ical=1"),
        ("/?tribe_venue=hall", "/venue/hall/"),
        ("/?tribe_organizer=choir", "/organizer/choir/"),
        (
            "/events/?categories[]=a&categories[]=b&eventDisplay=list",
            "/events/list/?categories=a%2Cb",
        ),
        ("/events/feed/?paged=2", "/events/list/?feed=rss2"),
        ("/?tribe_events=..%2F..%2Fdesk", "/event/desk/"),
        ("/events/?tribe_events_cat=..%2F..%2Fdesk", "/events/category/desk/list/"),
        ("/events/?tribe_events_cat=music%2Fjazz", "/events/category/jazz/list/"),
        (
            "/events/?eventDisplay=past&tribe-bar-date=2030-01-10",
            "/events/list/?ends_before=2030-01-10&order=desc",
        ),
        ("/events/?tribe_event_display=past&eventDisplay=month", "/events/month/"),
        ("/events/past/page/2/", f"{PAST}&page=2"),
        ("/events/category/music/past/page/2/", f"/events/category/music{PAST[7:]}&page=2"),
        ("/events/featured/", "/events/list/?featured=true"),
        ("/events/list/featured/page/2/", "/events/list/?featured=true&page=2"),
        ("/events/month/featured/", "/events/month/?featured=true"),
        ("/events/category/music/featured/", "/events/category/music/list/?featured=true"),
        ("/events/category/music/day/2030-03-10/", "/events/category/music/2030-03-10/"),
        ("/events/ical/", "/events/list/?ical=1"),
        ("/events/2030-03-10/ical/", "/events/2030-03-10/?ical=1"),
        ("/events/tag/open/featured/ical/", "/events/tag/open/list/?ical=1&featured=true"),
        ("/events/feed/rss2/", "/events/list/?feed=rss2"),
        ("/events/category/music/feed/atom/", "/events/category/music/list/?feed=atom"),
        ("/events/rdf/", "/events/list/?feed=rss2"),
        ("/?tribe_events=market&eventDisplay=all&ical=1", "/event/market/all/?ical=1"),
        ("/?tribe_events=market&eventDate=2030-03-10", "/event/market/2030-03-10/"),
        ("/event/market/?outlook-ical=1", "/event/market/?ical=1"),
        ("/event/market/2030-03-10/?outlook-ical=1", "/event/market/2030-03-10/?ical=1"),
        ("/event/market/ical/?recurrence=flat", "/event/market/?ical=1&recurrence=flat"),
        ("/venue/hall/?outlook-ical=1", "/venue/hall/?ical=1"),
        ("/series/market/?outlook-ical=1", "/series/market/?ical=1"),
        ("/rm/organizer/choir/ical/", "/rm/organizer/choir/?ical=1"),
        ("/rm/events/?eventDisplay=past", f"/rm{PAST}"),
        ("/rm/?tribe_events=market", "/rm/event/market/"),
    ],
)
def test_address_of_another_calendar_leads_to_the_same_page_here(browse, address, page):
    answer = browse(address)
    assert (answer.status, answer.headers["Location"].removeprefix(SITE)) == (301, page)


@pytest.mark.parametrize("path", ["/events/list/?search=past", "/venue/hall/?paged=2"])
def test_other_addresses_are_left_alone(browse, make_venue, path):
    make_venue(venue="Hall", slug="hall")
    assert browse(path).status == 200


@pytest.mark.parametrize("text", ["2030-13-01", "tomorrow", "2030", "", "0000-00-00"])
def test_what_is_no_date_chooses_none(browse, text):
    answer = browse(f"/events/month/?tribe-bar-date={text}")
    assert answer.headers["Location"].removeprefix(SITE) == "/events/month/"


@pytest.mark.parametrize("path", ["/series/{}/", "/event/{}/all/"])
def test_series_leads_to_its_dates(browse, make_event, path):
    event = make_event(title="Market", slug="market", recurrence={"rrule": "FREQ=DAILY;COUNT=3"})
    page = browse(path.format("market"))
    assert (page.status, page.headers["Location"].removeprefix(SITE)) == (
        *(301, f"/events/list/?series={event['series']['id']}"),
    )
    assert len(browse(page.headers["Location"].removeprefix(SITE)).titles) == 3


@pytest.mark.parametrize(
    ("behind", "query"),
    [("all/page/2/", "&page=2"), ("all/?ical=1", "&ical=1"), ("all/?feed=rss2", "&feed=rss2")],
)
def test_dates_of_a_series_keep_their_page_and_their_feed(browse, make_event, behind, query):
    event = make_event(title="Market", slug="market", recurrence={"rrule": "FREQ=DAILY;COUNT=3"})
    page = browse(f"/event/market/{behind}")
    assert page.headers["Location"].removeprefix(SITE) == (
        f"/events/list/?series={event['series']['id']}{query}"
    )


@pytest.mark.parametrize("kind", ["venue", "organizer"])
def test_later_events_of_a_place_or_a_host_keep_their_page(browse, request, kind):
    record = request.getfixturevalue(f"make_{kind}")(slug="hall")
    page = browse(f"/{kind}/hall/page/2/")
    assert (page.status, page.headers["Location"].removeprefix(SITE)) == (
        *(301, f"/events/list/?{kind}={record['id']}&page=2"),
    )
    assert browse(f"/{kind}/other/page/2/").status == 404


@pytest.mark.parametrize("path", ["/series/{}/", "/event/{}/all/"])
@pytest.mark.parametrize("status", ["publish", "draft"])
def test_series_that_is_none_or_hidden_is_not_there(browse, make_event, path, status):
    rule = {"recurrence": {"rrule": "FREQ=DAILY;COUNT=3"}} if status == "draft" else {}
    make_event(title="Market", slug="market", status=status, **rule)
    assert browse(path.format("market")).status == 404


def test_past_events_stand_with_the_latest_first(browse, make_event, clock):
    for day in ("10", "11"):
        times = {"start_date": f"2030-01-{day} 19:00", "end_date": f"2030-01-{day} 21:00"}
        make_event(title=f"On {day}", **times)
    make_event(title="Tonight", start_date="2030-01-15 20:00", end_date="2030-01-15 22:00")
    assert clock
    assert browse(PAST).titles == ["On 11", "On 10"]


def test_page_of_a_list_is_kept_where_its_category_has_another_path(browse, make_category):
    above = make_category(name="Culture", slug="culture")["id"]
    make_category(name="Music", slug="music", parent=above)
    page = browse("/events/category/music/list/page/2/")
    assert page.headers["Location"].removeprefix(SITE) == (
        "/events/category/culture/music/list/?page=2"
    )


@pytest.mark.parametrize("word", ["featured", "past", "ical", "feed"])
def test_category_that_is_called_like_an_ending_keeps_its_page(browse, make_category, word):
    above = make_category(name="Culture", slug="culture")["id"]
    make_category(name="Other", slug=word, parent=above)
    assert browse(f"/events/category/culture/{word}/").status == 200


@pytest.mark.parametrize("slug", ["ical", "page"])
def test_event_that_is_called_like_an_ending_keeps_its_page(browse, make_event, slug):
    make_event(slug=slug)
    assert browse(f"/event/{slug}/").status == 200
