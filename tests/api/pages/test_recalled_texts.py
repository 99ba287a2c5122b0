"""Texts that the translation memory filled in carry a mark until somebody has checked them."""

from dataclasses import replace

import pytest

EVENING = {"start_date": "2030-03-10 19:00:00", "end_date": "2030-03-10 22:00:00"}


@pytest.fixture
def settings(settings):
    return replace(settings, memory_fills=True)


def test_readers_see_that_a_filled_in_text_is_not_checked(as_admin, anyone, browse):
    texts = {"de": {"title": "Konzert"}, "rm": {"title": "Concert"}}
    as_admin.post("/events", start_date="2020-01-01", end_date="2020-01-01", variants=texts)
    event = as_admin.post("/events", **EVENING, title="Konzert").json
    read = anyone.get(f"/events/{event['id']}", translation_language="rm").json
    assert read["title"] == "Concert"
    assert read["translations"]["rm"]["reviewed"] is False
    pages = [read["url"], "/rm/events/list/", "/rm/events/month/2030-03/"]
    for page in map(browse, pages):
        assert page.status == 200
        assert page.tree.xpath("//*[@data-origin='memory'][contains(., 'Concert')]")
        assert page.tree.xpath("//p[@class='machine-note']")
    as_admin.post(f"/events/{event['id']}?translation_language=rm", translation_reviewed=True)
    for page in map(browse, pages):
        assert not page.tree.xpath("//*[@data-origin] | //p[@class='machine-note']")
