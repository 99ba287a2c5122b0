"""People who search a page see the most relevant events first."""

import pytest


@pytest.fixture(autouse=True)
def _concerts(make_event):
    for day, title in (("01", "Abendmusik"), ("02", "Das Konzert"), ("03", "Konzert")):
        dates = {"start_date": f"2030-03-{day} 19:00", "end_date": f"2030-03-{day} 20:00"}
        make_event(title=title, description="Ein Konzert", **dates)


BY_DATE = ["Abendmusik", "Das Konzert", "Konzert"]


@pytest.mark.parametrize("view", ["list", "photo"])
def test_search_lists_the_most_relevant_events_first(browse, view):
    page = browse(f"/events/{view}/?search=konzert")
    assert page.titles == BY_DATE[::-1]


@pytest.mark.parametrize(
    "query",
    [
        "search=konzert&orderby=start_date",
        "search=konzert&order=asc",
        "orderby=relevance",  # a search whose words were taken away
        "",
    ],
)
def test_list_is_by_date_where_the_address_says_so_or_nobody_searches(browse, query):
    page = browse(f"/events/list/?{query}")
    assert page.titles == BY_DATE
    assert page.find("day-head")


def test_search_leads_to_the_same_events_by_date_and_back(browse):
    page = browse("/events/list/?search=konzert")
    (by_date,) = page.tree.xpath("//a[contains(., 'Nach Datum')]/@href")
    assert browse(by_date).titles == BY_DATE
    (by_relevance,) = browse(by_date).tree.xpath("//a[contains(., 'Nach Datum')]/@href")
    assert browse(by_relevance).titles == BY_DATE[::-1]


def test_row_says_the_year_of_an_event_that_is_not_in_this_one(browse, make_event, clock):
    times = {"start_date": "2031-03-04 19:00", "end_date": "2031-03-04 20:00"}
    make_event(title="Konzertabend", **times)

    def dates():
        page = browse("/events/list/?search=konzertabend")
        return page.tree.xpath("//*[@class='event-date']/text()")

    assert dates() == ["4. März 2031"]
    clock.advance(days=365)
    assert dates() == ["4. März"]


@pytest.mark.parametrize("view", ["month/2030-03", "print"])
@pytest.mark.parametrize("order", ["", "&orderby=relevance"])
def test_tables_and_programs_stay_in_the_order_of_time(browse, view, order):
    text = browse(f"/events/{view}/?search=konzert{order}").tree.text_content()
    places = [text.index(title) for title in BY_DATE[:2]]
    assert places == sorted(places)


def test_refused_search_still_has_filters(browse):
    page = browse(f"/events/list/?search={'x' * 1001}")
    assert page.tree.xpath("//form")


def test_suggestions_begin_with_titles_that_begin_so(app):
    assert app.test_client().get("/events/suggestions?search=konz").json == BY_DATE[::-1]
