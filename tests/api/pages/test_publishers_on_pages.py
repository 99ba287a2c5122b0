"""Pages tell who publishes an event, and find the events of a publisher."""

import pytest

TOWN = {"name": "Gemeinde Samedan", "url": "https://samedan.example.org/"}
CONCERT = {
    "title": "Konzert",
    "slug": "konzert",
    "start_date": "2030-03-01 19:00:00",
    "end_date": "2030-03-01 21:00:00",
}
SPRING = "start_date=2030-02-01&end_date=2030-04-30"


@pytest.fixture
def town(as_editor):
    """Return a source of a town with a concert and a weekly choir."""
    source = as_editor.post(
        "/sources",
        name="Rathaus",
        kind="push",
        status="publish",
        license="CC BY 4.0",
        publisher=TOWN,
        attribution="Foto: Gemeinde",
    ).json["id"]
    as_editor.put(f"/events/by-source/{source}/1", **CONCERT)
    choir = {"title": "Chor", "slug": "chor", "recurrence": {"rrule": "FREQ=WEEKLY;COUNT=3"}}
    as_editor.put(f"/events/by-source/{source}/2", **CONCERT | choir)
    return source


def provenance(page):
    return [
        " ".join(each.text_content().split()) for each in page.tree.xpath("//p[@class='rights']")
    ]


def choices(page):
    options = page.tree.xpath("//select[@name='publisher']/option")
    return {each.get("value"): " ".join(each.text.split()) for each in options}


@pytest.mark.usefixtures("town")
def test_event_page_names_and_links_its_publisher(browse):
    page = browse("/event/konzert/")
    (line,) = provenance(page)
    assert line.endswith("Gemeinde Samedan · Foto: Gemeinde · CC BY 4.0")
    links = page.tree.xpath("//p[@class='rights']/a/@href")
    assert links == [TOWN["url"], "https://creativecommons.org/licenses/by/4.0/"]
    assert len(provenance(browse("/event/chor/"))) == 1


def test_event_page_follows_a_publisher_that_changes(browse, as_editor, town):
    tag = browse("/event/konzert/").answer.headers["ETag"]
    as_editor.put(f"/sources/{town}", publisher={"name": "Samedan & Celerina"})
    page = browse("/event/konzert/")
    assert "Samedan & Celerina" in provenance(page)[0]
    assert page.answer.headers["ETag"] != tag
    as_editor.put(f"/sources/{town}", show_provenance=False)
    assert provenance(browse("/event/konzert/")) == []


def test_lists_offer_publishers_with_the_number_of_their_events(
    browse, as_editor, make_event, town
):
    make_event(**CONCERT | {"title": "Unser", "slug": "unser"})
    page = browse(f"/events/list/?{SPRING}")
    assert choices(page)["gemeinde-samedan"] == "Gemeinde Samedan (4)"
    once = browse(f"/events/list/?{SPRING}&first_in_series=true")
    assert choices(once)["gemeinde-samedan"] == "Gemeinde Samedan (2)"
    chosen = browse(f"/events/list/?{SPRING}&publisher=gemeinde-samedan")
    chips = [each.text_content() for each in chosen.tree.xpath("//div[@class='chips']//a")]
    assert any("Gemeinde Samedan" in each for each in chips)
    assert "Unser" not in chosen.text
    as_editor.put(f"/sources/{town}", show_provenance=False)
    assert choices(browse(f"/events/list/?{SPRING}")) == {}


@pytest.mark.usefixtures("town")
def test_news_readers_see_who_publishes_an_event(anyone):
    text = anyone.send("GET", "/events/feed/", base="", follow_redirects=True).text
    assert "<dc:publisher>Gemeinde Samedan</dc:publisher>" in text
    assert "<dc:rights>Von: Gemeinde Samedan · Foto: Gemeinde · CC BY 4.0</dc:rights>" in text
