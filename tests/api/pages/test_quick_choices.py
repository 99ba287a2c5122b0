"""Readers choose with one press, and are led on where nothing is found."""

import pytest
from keeping import kept

from calendar_app.storage.mongo.transactions import round_trips

# Today is Tuesday, 15 January 2030.
WEEKEND = {
    "Market": ("2030-01-19 08:00", "2030-01-19 12:00"),
    "Ball": ("2030-01-20 20:00", "2030-01-21 02:00"),
    "Exhibition": ("2030-01-10 00:00", "2030-02-10 23:59:59"),
}
ON_OTHER_DAYS = {
    "Lecture": ("2030-01-15 20:00", "2030-01-15 22:00"),
    "Choir": ("2030-01-18 19:00", "2030-01-18 21:00"),
    "Walk": ("2030-01-26 09:00", "2030-01-26 12:00"),
}


@kept
def calendar(make_event):
    for title, (start, end) in {**WEEKEND, **ON_OTHER_DAYS}.items():
        make_event(title=title, start_date=start, end_date=end)


def choices(page):
    """Return the addresses of the quick choices by their texts."""
    links = page.tree.xpath("//nav[@class='quick']//li/a")
    return {" ".join(each.text_content().split()): each.get("href") for each in links}


def wider_lists(page):
    links = page.tree.xpath("//ul[contains(@class, 'wider')]//a")
    return {" ".join(each.text_content().split()): each.get("href") for each in links}


@pytest.mark.usefixtures("calendar")
def test_weekend_has_all_that_is_on_then(browse):
    page = browse(choices(browse("/events/list/"))["Dieses Wochenende"])
    assert set(page.titles) == set(WEEKEND)
    assert page.tree.xpath("//*[@class='day-number']/text()") == ["19", "20"]


@pytest.mark.usefixtures("calendar")
def test_choices_keep_the_other_filters(browse):
    listed = choices(browse("/events/list/?search=ball"))
    assert browse(listed["Dieses Wochenende"]).titles == ["Ball"]
    assert "search=ball" in listed["Heute"]


@pytest.mark.usefixtures("calendar")
def test_a_choice_that_is_made_is_taken_back_by_its_link_or_its_chip(browse):
    chosen = browse(choices(browse("/events/list/"))["Dieses Wochenende"])
    assert choices(chosen)["Entfernen: Dieses Wochenende"] == "/events/list/"
    (chip, _all) = chosen.tree.xpath("//div[@class='chips']//a")
    days = "19.\N{EN DASH}20. Januar 2030"
    assert " ".join(chip.text_content().split()) == f"Entfernen: Datum {days}"
    assert chip.get("href") == "/events/list/"


def test_today_is_a_page_by_the_hour_and_leads_back(browse):
    assert choices(browse("/events/list/"))["Heute"] == "/events/today/"
    assert choices(browse("/events/today/"))["Entfernen: Heute"] == "/events/list/"


@pytest.mark.parametrize(
    ("now", "days"),
    [({"days": 4}, ("2030-01-19", "2030-01-20")), ({"days": 5}, ("2030-01-20", "2030-01-20"))],
    ids=["on Saturday", "on Sunday"],
)
def test_weekend_is_what_is_left_of_it(browse, clock, now, days):
    clock.advance(**now)
    address = choices(browse("/events/list/"))["Dieses Wochenende"]
    assert address == "/events/list/?overlaps_from={}&overlaps_to={}".format(*days)


def test_free_entry_is_offered_where_something_is_free(browse, make_event):
    make_event(title="Concert", cost="20")
    assert "Eintritt frei" not in choices(browse("/events/list/"))
    make_event(title="Parade", cost="Free")
    address = choices(browse("/events/list/"))["Eintritt frei"]
    assert browse(address).titles == ["Parade"]


def test_what_is_for_children_is_known_by_the_name_of_its_category(
    browse, make_event, make_category
):
    family = make_category(name="Rund um die Familie", slug="rund-um-die-familie")
    make_event(title="Puppets", categories=[family["id"]])
    make_event(title="Debate")
    address = choices(browse("/events/list/"))["Für Kinder"]
    assert browse(address).titles == ["Puppets"]


def test_what_is_for_children_is_what_the_settings_name(
    browse_with, make_event, make_category, make_tag
):
    make_event(title="Puppets", categories=[make_category(name="Kinder", slug="kinder")["id"]])
    make_event(title="Juggling", tags=[make_tag(name="U12", slug="u12")["id"]])
    browse = browse_with(children="tag/u12")
    assert browse(choices(browse("/events/list/"))["Für Kinder"]).titles == ["Juggling"]


def test_no_choice_for_children_without_such_a_category(browse, make_event):
    make_event(title="Debate")
    assert "Für Kinder" not in choices(browse("/events/list/"))


def test_near_me_is_one_chip_that_takes_all_of_it_off(browse, make_event):
    make_event(title="Concert")
    page = browse("/events/list/?geoloc_lat=46.85&geoloc_lng=9.53&orderby=distance&search=x")
    chips = page.tree.xpath("//div[@class='chips']//a[contains(., 'Nähe')]/@href")
    assert chips == [choices(page)["Entfernen: In meiner Nähe"]]
    assert chips == ["/events/list/?search=x"]


@pytest.mark.parametrize(
    ("path", "text"), [("month/2030-03/", "Dieser Monat"), ("week/2030-03-04/", "Diese Woche")]
)
def test_other_months_and_weeks_lead_back_to_the_present_one(browse, path, text):
    view = path.partition("/")[0]
    leading_back = f"//*[@class='period-nav']/a[.='{text}']/@href"
    assert browse(f"/events/{path}").tree.xpath(leading_back) == [f"/events/{view}/"]
    assert browse(f"/events/{view}/").tree.xpath(leading_back) == []


def test_chip_of_a_day_is_written_as_people_write_it(browse):
    (chip, _all) = browse("/events/list/?start_date=2030-02-01").find("chip")
    assert "Von 1. Februar 2030" in " ".join(chip.text_content().split())


# Where nothing is found.


def test_lists_without_one_filter_each_are_named_with_their_numbers(
    browse, make_event, make_category, make_venue
):
    music = make_category(name="Musik", slug="musik")
    hall = make_venue(venue="Halle")["id"]
    make_event(title="Concert", categories=[music["id"]], cost="20", venue=hall)
    make_event(title="Parade", cost="Free", venue=hall)
    page = browse(f"/events/list/?free=true&categories=musik&venue={hall}")
    lists = wider_lists(page)
    assert [text.rpartition(" ")[0] for text in lists] == [
        "In anderen Kategorien 1",
        "Auch was etwas kostet 1",
    ]
    assert [browse(address).titles for address in lists.values()] == [["Parade"], ["Concert"]]


def test_without_any_filter_where_no_single_one_helps(browse, make_event):
    make_event(title="Concert", cost="20")
    page = browse("/events/list/?free=true&search=nowhere")
    assert wider_lists(page) == {"Ganz ohne Filter 1 Veranstaltung": "/events/list/"}


def test_one_filter_alone_is_named_where_it_does_not_help_to_leave_one_out(
    browse, make_event, make_venue
):
    hall = make_venue(venue="Halle")["id"]
    make_event(title="Concert", cost="20")
    make_event(title="Parade", cost="Free")
    make_event(title="Market", cost="5", venue=hall)
    page = browse(f"/events/list/?search=concert&free=true&venue={hall}")
    lists = wider_lists(page)
    titles = {text: browse(address).titles for text, address in lists.items()}
    assert titles == {
        "Alles mit «concert» 1 Veranstaltung": ["Concert"],
        "Alles mit freiem Eintritt 1 Veranstaltung": ["Parade"],
        "Alles an diesem Ort 1 Veranstaltung": ["Market"],
        "Ganz ohne Filter 3 Veranstaltungen": ["Concert", "Parade", "Market"],
    }


@pytest.mark.usefixtures("calendar")
def test_other_days_are_named_where_the_chosen_ones_have_nothing(browse):
    page = browse("/events/list/?start_date=2031-05-01&end_date=2031-05-02&search=ball")
    assert wider_lists(page) == {"An anderen Tagen 1 Veranstaltung": "/events/list/?search=ball"}


def test_an_empty_day_behind_the_last_event_leads_to_all_that_comes(browse):
    page = browse("/events/2031-01-01/")
    assert page.tree.xpath("//div[@class='nothing']//a[@class='button-quiet']/@href") == [
        "/events/"
    ]


def test_an_empty_page_of_a_category_leads_to_the_whole_day(browse, make_event, make_category):
    make_category(name="Musik", slug="musik")
    make_event(title="Walk", start_date="2030-01-20 09:00", end_date="2030-01-20 12:00")
    page = browse("/events/category/musik/2030-01-20/")
    assert wider_lists(page) == {"Im ganzen Kalender 1 Veranstaltung": "/events/2030-01-20/"}


def test_untranslated_events_are_named_too(browse, make_event):
    make_event(title="Concert")
    page = browse("/rm/events/list/?fallback=none")
    assert wider_lists(page) == {"Era en autras linguas 1 occurrenza": "/rm/events/list/"}


@pytest.mark.parametrize(
    "path",
    [
        "/events/list/?search=nowhere&free=true&featured=true&start_date=2030-03-01",
        "/events/2031-01-01/?search=nowhere&free=true&featured=true",
    ],
)
def test_wider_lists_are_counted_in_one_query(browse_with, make_event, path):
    make_event(title="Concert")
    browse = browse_with(cache_answers=False)
    counts = []
    for address in (path.partition("?")[0] + "?search=nowhere", path):
        browse(address)
        browse(address)
        counts.append(round_trips())
    assert counts[0] == counts[1]
