"""Each date of a series has a page, which names the rule and the other dates."""

import pytest

pytestmark = pytest.mark.without_mongodb

MARKET = {
    "title": "Market",
    "slug": "market",
    "start_date": "2030-03-06 10:00:00",
    "end_date": "2030-03-06 12:00:00",
    "recurrence": {"rrule": "FREQ=WEEKLY;COUNT=10"},
}


@pytest.fixture
def market(as_admin):
    """Return the first event of a weekly market in German, with Romansh texts."""
    texts = {"rm": {"title": "Martgà", "slug": "martga"}}
    answer = as_admin.post("/events", **MARKET, variants=texts)
    assert answer.status_code == 201, answer.json
    return answer.json


@pytest.mark.usefixtures("market")
def test_each_date_of_a_series_has_a_page(browse):
    page = browse("/event/market/2030-03-13/")
    assert page.status == 200
    assert "13. März 2030" in page.text
    assert page.link("canonical")[0].endswith("/event/market/2030-03-13/")
    assert page.link("alternate", hreflang="rm")[0].endswith("/rm/event/martga/2030-03-13/")
    assert browse("/event/market/2030-03-14/").status == 404


@pytest.mark.usefixtures("market")
@pytest.mark.parametrize(("path", "date"), [("market", "6. März"), ("rm/martga", "6 da mars")])
def test_the_address_of_a_series_is_the_page_of_its_next_date(browse, path, date):
    language, _, slug = path.rpartition("/")
    address = f"{f'/{language}' if language else ''}/event/{slug}/"
    page = browse(address)
    assert page.status == 200
    assert date in page.text
    assert page.link("canonical")[0].endswith(f"{address}2030-03-06/")


@pytest.mark.usefixtures("market")
def test_the_slug_of_a_series_in_another_language_leads_to_its_own(browse):
    page = browse("/rm/event/market/")
    assert (page.status, page.headers["Location"]) == (301, "/rm/event/martga/")


@pytest.mark.usefixtures("market")
def test_a_date_under_the_slug_that_the_interface_shows_leads_to_its_page(browse):
    page = browse("/event/market-2030-03-13/")
    assert (page.status, page.headers["Location"]) == (301, "/event/market/2030-03-13/")


@pytest.mark.usefixtures("market")
def test_a_date_under_the_slug_of_another_language_leads_to_its_own_for_good(browse):
    page = browse("/rm/event/market/2030-03-13/")
    assert (page.status, page.headers["Location"]) == (301, "/rm/event/martga/2030-03-13/")


@pytest.mark.parametrize(
    ("path", "words"),
    [("/event/market/2030-03-13/", "Mittwoch"), ("/rm/event/martga/2030-03-13/", "mesemna")],
)
def test_the_page_says_the_rule_and_the_next_dates(browse, market, path, words):
    page = browse(path)
    assert words in page.text
    series_id = market["series"]["id"]
    dates = page.tree.xpath('//*[contains(@class, "series-dates")]//a/@href')
    assert len(dates) == 6
    assert path not in dates
    assert page.tree.xpath(f'//a[contains(@href, "/events/list/?series={series_id}")]')
    assert page.tree.xpath(f'//a[contains(@href, "events.ics?series={series_id}")]')


def test_a_canceled_date_is_marked_among_the_others(browse, as_admin, market):
    as_admin.patch(f"/events/{market['id']}", event_status="canceled")
    page = browse("/event/market/2030-03-13/")
    marked = page.tree.xpath(
        '//*[contains(@class, "series-dates")]//*[contains(@class, "event-off")]'
    )
    assert [each.text_content().strip().endswith("Abgesagt") for each in marked] == [True]


@pytest.mark.usefixtures("market")
def test_a_list_shows_each_series_once(browse, make_event):
    make_event(title="Concert", start_date="2030-03-20 19:00", end_date="2030-03-20 22:00")
    page = browse("/events/list/?first_in_series=true")
    assert page.titles == ["Market", "Concert"]
    assert page.tree.xpath('//input[@name="first_in_series"][@checked]')
    chips = [each.text_content() for each in page.tree.xpath('//a[@class="chip"]')]
    assert [" ".join(chip.split()) for chip in chips] == ["Entfernen: Jede Serie einmal"]


@pytest.mark.usefixtures("market")
def test_recurring_events_are_marked_and_counted(browse, make_event):
    make_event(title="Concert", start_date="2030-03-07 19:00", end_date="2030-03-07 22:00")
    page = browse("/events/list/?recurring=true&per_page=50")
    assert page.titles == ["Market"] * 10
    box = page.tree.xpath('//input[@name="recurring"]/ancestor::label')[0]
    assert " ".join(box.text_content().split()).endswith(" 10")
    assert browse("/events/list/?recurring=false").titles == ["Concert"]


def test_the_chip_of_a_series_has_its_title_unless_it_is_hidden(browse, as_admin, market):
    series_id = market["series"]["id"]
    address = f"/events/list/?series={series_id}"
    assert "Market" in browse(address).find("chip")[0].text_content()
    as_admin.patch(f"/series/{series_id}", status="draft", slug="market")
    assert "Market" not in browse(address).text
