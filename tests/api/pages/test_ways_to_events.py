"""Events of today that are over stand back; readers find the way, and send events of their own."""

import pytest
from keeping import kept

POINT = {"geo_lat": 46.85, "geo_lng": 9.53}


def marked(page):
    """Return the titles of the events that are marked as over."""
    items = page.tree.xpath("//li[@class='is-over']//*[contains(@class, 'event-title')]")
    return [each.text_content().strip() for each in items]


# It is noon in UTC, one o'clock in Zurich.
@kept
def today(make_event):
    make_event(title="Market", start_date="2030-01-15 08:00", end_date="2030-01-15 12:00")
    make_event(title="Lunch", start_date="2030-01-15 12:00", end_date="2030-01-15 13:30")
    make_event(title="Concert", start_date="2030-01-15 20:00", end_date="2030-01-15 22:00")


@pytest.mark.usefixtures("today")
@pytest.mark.parametrize("view", ["list", "today", "photo", "map"])
def test_what_is_over_today_is_marked_in_words_too(browse, view):
    page = browse(f"/events/{view}/")
    assert marked(page) == ["Market"]
    assert [each.text_content() for each in page.find("over-note")] == ["Vorbei"]


@pytest.mark.usefixtures("today")
@pytest.mark.parametrize("view", ["month", "week"])
def test_what_is_over_stands_back_in_tables_too(browse, view):
    cells = browse(f"/events/{view}/").tree.xpath("//table//*[@class='is-over']")
    assert [" ".join(each.text_content().split()) for each in cells] == ["08:00 Market Vorbei"]


@pytest.mark.usefixtures("today")
def test_kept_pages_change_as_soon_as_an_event_is_over(browse, clock):
    before = browse("/events/list/")
    clock.advance(minutes=29)
    assert marked(browse("/events/list/")) == ["Market"]
    clock.advance(minutes=1)
    after = browse("/events/list/", headers={"If-None-Match": before.headers["ETag"]})
    assert after.status == 200
    assert marked(after) == ["Market", "Lunch"]


@pytest.mark.usefixtures("today")
def test_earlier_days_are_not_marked(browse, clock):
    clock.advance(days=1)
    assert marked(browse("/events/2030-01-15/")) == []


def test_event_that_began_yesterday_is_over_today(browse, make_event):
    make_event(title="Ball", start_date="2030-01-14 20:00", end_date="2030-01-15 07:00")
    assert marked(browse("/events/today/")) == ["Ball"]


@pytest.fixture
def concert(make_event, make_venue):
    venue = make_venue(venue="Halle", slug="halle", **POINT)
    return make_event(title="Concert", slug="concert", venue=venue["id"])


@pytest.mark.usefixtures("concert")
@pytest.mark.parametrize("path", ["/event/concert/", "/venue/halle/"])
def test_way_there_is_a_link_of_the_settings(browse, browse_with, path):
    usual = "https://www.openstreetmap.org/directions?to=46.85,9.53"
    assert browse(path).tree.xpath("//a[text()='Weg dorthin']/@href") == [usual]
    browse_other_map = browse_with(directions="https://maps.example/{longitude}/{latitude}")
    links = browse_other_map(path).tree.xpath("//a[text()='Weg dorthin']/@href")
    assert links == ["https://maps.example/9.53/46.85"]
    assert browse_with(directions="")(path).tree.xpath("//a[text()='Weg dorthin']") == []


@pytest.mark.usefixtures("concert")
@pytest.mark.parametrize("path", ["/event/concert/", "/venue/halle/"])
def test_tiles_of_another_host_wait_for_a_press(browse_with, path):
    far = browse_with(map_tiles="https://tiles.example/{z}/{x}/{y}.png")(path)
    own = browse_with(map_tiles="/tiles/{z}/{x}/{y}.png")(path)
    (closed,), (opened,) = (each.tree.xpath("//details[@data-files]") for each in (far, own))
    assert ("open" in closed.attrib, "open" in opened.attrib) == (False, True)
    assert far.tree.xpath("//script[contains(@src, 'leaflet')]") == []


@pytest.mark.usefixtures("concert")
@pytest.mark.parametrize(
    "path", ["/events/list/", "/events/month/", "/events/2031-05-05/", "/venue/halle/"]
)
def test_an_event_can_be_sent_where_people_look_for_it(browse, browse_with, path):
    send = "//main//a[@href='/events/submit/']"
    assert browse(path).tree.xpath(send) == []
    assert browse_with(submissions=True)(path).tree.xpath(send)


def test_event_is_shared_by_letter_without_scripts(browse, concert):
    (letter,) = browse("/event/concert/").tree.xpath("//a[starts-with(@href, 'mailto:')]/@href")
    assert "subject=Concert" in letter
    assert concert["url"].rpartition("/event")[2].strip("/") in letter
