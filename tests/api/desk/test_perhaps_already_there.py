"""A new event may be there already: the form says so while title, day and place are typed."""

import pytest
from desking import form_of, values_of

CONCERT = {"start_date": "2030-03-10 19:00:00", "end_date": "2030-03-10 21:00:00"}


def shown(browser, **typed):
    """Return the similar events that the form shows while somebody types."""
    sent = values_of(form_of(browser.get("/events/new")))
    page = browser.post("/events/reading", **{**sent, **typed})
    links = page.tree.xpath("//*[@data-part='similar']//a")
    return [link.text for link in links]


@pytest.mark.parametrize(
    ("typed", "titles"),
    [
        ({"title": "Orgelkonzert Bach", "start_date": "10.3.2030"}, ["Orgelkonzert"]),
        ({"title": "Orgelkonzert Bach", "start_date": "11.3.2030"}, ["Orgelkonzert"]),
        ({"title": "Orgelkonzert Bach", "start_date": "20.3.2030"}, []),
        ({"title": "Vortrag", "start_date": "10.3.2030"}, []),
        ({"title": "Orgelkonzert"}, []),
        ({"start_date": "10.3.2030"}, []),
    ],
)
def test_form_shows_what_is_perhaps_already_there(desk, make_event, typed, titles):
    make_event(title="Orgelkonzert", **CONCERT)
    assert shown(desk("editor"), **typed) == titles


def test_event_at_the_place_is_perhaps_already_there(desk, make_event, make_venue):
    venue = make_venue()["id"]
    make_event(title="Orgelkonzert", **CONCERT, venue=venue)
    typed = {"title": "Bach und Buxtehude", "start_date": "10.3.2030", "venue": str(venue)}
    assert shown(desk("editor"), **typed) == ["Orgelkonzert"]


def test_drafts_of_others_are_shown_to_editors_alone(desk, make_event, as_author2):
    make_event(as_author2, title="Orgelkonzert", **CONCERT, status="draft")
    typed = {"title": "Orgelkonzert", "start_date": "10.3.2030"}
    assert shown(desk("editor"), **typed) == ["Orgelkonzert"]
    assert shown(desk("author"), **typed) == []


def test_form_says_so_without_scripts_and_not_of_a_stored_event(desk, make_event):
    event, browser = make_event(title="Orgelkonzert", **CONCERT), desk("editor")
    typed = {"title": "Orgelkonzert", "start_date": "10.3.2030", "button": "check"}
    page = browser.send("/events/new", **typed)
    assert [link.text for link in page.tree.xpath("//*[@id='similar']//a")] == ["Orgelkonzert"]
    assert not browser.get(f"/events/{event['id']}").tree.xpath("//*[@id='similar']")
