"""Programmes and posters for paper."""

from urllib.parse import urlsplit

import pytest
import segno
from calling import SITE

from calendar_app.storage.mongo.transactions import round_trips

EVENING = {"start_date": "2030-02-01 19:00", "end_date": "2030-02-01 21:00"}


def codes(page):
    """Return the drawings of the QR codes of a page."""
    return page.tree.xpath("//*[name()='svg'][@class='qr']/*[name()='path'][last()]/@d")


def code_of(address):
    code = segno.make(address, micro=False, error="m", mask=3)
    return code.svg_inline(border=2, omitsize=True).partition(' d="')[2].partition('"')[0]


@pytest.mark.parametrize(("path", "language"), [("", ""), ("/rm", "rm/")])
def test_code_of_each_event_leads_to_its_page(browse, make_event, path, language):
    event = make_event(title="Concert", **EVENING)
    address = f"{SITE}/{language}?p={event['id']}"
    page = browse(f"{path}/events/print/")
    assert codes(page) == [code_of(address)]
    moved = browse(address)
    assert moved.status == 301
    assert moved.headers["Location"] == urlsplit(event["url"]).path.replace(
        "/event", f"{path}/event"
    )


def test_programme_has_what_is_chosen_by_day(browse, make_event):
    make_event(title="Concert", cost="Free", **EVENING)
    make_event(title="Parade", cost="20", **EVENING)
    page = browse("/events/print/?free=true")
    assert page.tree.xpath("//article//h3/a/text()") == ["Concert"]
    assert page.tree.xpath("//section[@class='programme-day']/h2/text()") == [
        "Freitag, 1. Februar 2030"
    ]
    assert "Eintritt frei" in page.find("entry-where")[0].text_content()


def test_programme_offers_months_and_keeps_the_filters(browse, make_event):
    make_event(title="Concert", **EVENING)
    links = browse("/events/print/?search=concert").tree.xpath("//nav[@class='quick']//a")
    by_text = {link.text_content().strip(): link.get("href") for link in links}
    assert list(by_text)[:3] == ["Januar 2030", "Februar 2030", "Dieses Wochenende"]
    month = browse(by_text["Februar 2030"])
    assert month.tree.xpath("//article//h3/a/text()") == ["Concert"]
    assert "search=concert" in by_text["Februar 2030"]


def test_programme_takes_as_many_queries_for_many_events_as_for_one(browse_with, make_event):
    browse, counts = browse_with(cache_answers=False), []
    for number in (1, 6):
        for _ in range(number):
            make_event(title="Concert", **EVENING)
        browse("/events/print/")
        browse("/events/print/")
        counts.append(round_trips())
    assert counts[0] == counts[1]


def test_programme_is_bounded_and_says_so(browse, make_event):
    make_event(title="Market", recurrence={"rrule": "FREQ=DAILY;COUNT=205"}, **EVENING)
    page = browse("/events/print/")
    assert len(codes(page)) == 200
    assert "die ersten 200 von 205 Veranstaltungen" in page.text


def test_list_leads_to_the_programme_of_what_it_shows(browse, make_event, make_venue):
    venue = make_venue(venue="Halle", slug="halle")
    make_event(title="Concert", venue=venue["id"])
    for path in ("/events/list/?search=concert", "/venue/halle/"):
        (link,) = browse(path).tree.xpath("//a[contains(@href, '/print/')]/@href")
        assert browse(link).tree.xpath("//article//h3/a/text()") == ["Concert"]


@pytest.mark.usefixtures("database")
def test_nothing_is_offered_to_print_where_nothing_is_found(browse):
    assert browse("/events/list/?search=nowhere").find("also") == []


def test_pages_for_paper_are_not_listed_by_search_engines(browse, make_event):
    event = make_event(title="Concert")
    for path in ("/events/print/", f"{event['url']}poster/"):
        assert browse(path).tree.xpath("//meta[@name='robots']/@content") == ["noindex"]


def test_no_other_site_frames_the_programme(browse):
    assert browse("/embed/print/").status == 404


def test_poster_has_title_time_place_and_code(browse, make_event, make_venue):
    venue = make_venue(venue="Halle", city="Dorta")["id"]
    event = make_event(title="Concert", venue=venue, cost="Free", **EVENING)
    page = browse(f"{event['url']}poster/")
    for text in ("Concert", "Freitag, 1. Februar 2030, 19:00", "Halle", "Dorta", "Eintritt frei"):
        assert text in page.text
    assert codes(page) == [code_of(f"{SITE}/?p={event['id']}")]


def test_poster_of_a_series_is_that_of_its_next_date(browse, make_event):
    make_event(title="Market", slug="market", recurrence={"rrule": "FREQ=DAILY;COUNT=3"}, **EVENING)
    moved = browse("/event/market/poster/")
    assert moved.headers["Location"].endswith("/event/market/2030-02-01/poster/")
    assert browse(moved.headers["Location"]).status == 200


def test_former_slug_of_a_poster_leads_to_the_event(browse, as_admin, make_event):
    event = make_event(title="Concert", slug="concert")
    as_admin.patch(f"/events/{event['id']}", slug="recital")
    assert browse("/event/concert/poster/").headers["Location"].endswith("/event/recital/")


def test_poster_of_a_locked_event_stays_locked(browse, make_event):
    event = make_event(title="Concert", password="sesame", cost="Free")
    page = browse(f"{event['url']}poster/")
    assert page.status == 403
    assert codes(page) == []


def test_draft_has_no_poster_for_strangers(browse, make_event):
    event = make_event(title="Concert", status="draft", slug="concert")
    assert browse("/event/concert/poster/").status == 404
    assert f"p={event['id']}" not in browse("/events/print/").text
