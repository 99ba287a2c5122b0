"""A page without text and picture leaves no column blank."""

import dataclasses

import pytest

from calendar_app.app import create_app


@pytest.fixture
def site(serve, settings, database, clock):
    return serve(create_app(dataclasses.replace(settings, site_url=""), database, clock))


@pytest.mark.parametrize(("text", "is_wide"), [("", True), ("Musik im Park.", False)])
def test_facts_take_the_width_that_no_text_needs(visit, make_event, text, is_wide):
    event = make_event(title="Konzert", description=text, venue={"venue": "Park", "city": "Chur"})
    page = visit(f"/event/{event['slug']}/", viewport={"width": 1280, "height": 900})
    facts, whole = (page.locator(each).bounding_box() for each in (".facts", ".record-body"))
    assert (facts["width"] == whole["width"]) is is_wide
    assert facts["y"] == whole["y"]
