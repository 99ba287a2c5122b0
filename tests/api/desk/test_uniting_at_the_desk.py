"""Venues and organizers that are one are united at the desk, and apart again."""

import pytest
from desking import form_of


def links(page):
    return [each.removeprefix("/desk") for each in page.tree.xpath("//main//a/@href")]


@pytest.fixture
def halls(as_admin, make_event):
    """Return the ids of a hall with one event, and of a hall with the address in its name."""
    named = [{"venue": "Kulturhalle", "city": "Samedan"}, {"venue": "Kulturhalle, Via Maistra 1"}]
    ids = [as_admin.post("/venues", **each).json["id"] for each in named]
    make_event(venue=ids[0])
    return ids


def test_both_are_shown_side_by_side_and_become_one(desk, as_admin, halls):
    browser, (kept, removed) = desk("editor"), halls
    page = browser.get(f"/venues/{removed}/unite?with={kept}")
    text = page.text
    assert "Samedan" in text
    assert "Via Maistra 1" in text
    (chosen,) = page.tree.xpath('//input[@name="keep"][@checked]/@value')
    assert chosen == str(kept)
    answer = browser.send(f"/venues/{removed}/unite?with={kept}")
    assert answer.headers["Location"].endswith(f"/desk/venues/{kept}")
    assert as_admin.get(f"/venues/{removed}").status_code == 301
    browser.send(f"/venues/{kept}", f"/venues/{kept}/separate")
    assert as_admin.get(f"/venues/{removed}").json["venue"] == "Kulturhalle, Via Maistra 1"


def test_other_record_is_looked_up_by_name(desk, halls):
    browser, (kept, removed) = desk("editor"), halls
    assert f"/venues/{kept}/unite" in links(browser.get(f"/venues/{kept}"))
    offered = [each for each in links(browser.get(f"/venues/{kept}/unite")) if "with=" in each]
    assert offered == [f"/venues/{kept}/unite?with={removed}"]
    assert "Nichts passt" in browser.get(f"/venues/{kept}/unite?search=nowhere").text


def choose(browser, ids):
    values = dict(form_of(browser.get("/venues/"), "/several").form_values())
    return browser.post("/venues/several", **{**values, "action": "unite", "id": ids})


def test_two_chosen_rows_lead_to_the_comparison(desk, halls):
    browser, (kept, removed) = desk("editor"), halls
    answer = choose(browser, [kept, removed])
    assert answer.headers["Location"].endswith(f"/desk/venues/{kept}/unite?with={removed}")
    alone = choose(browser, [kept])
    assert alone.headers["Location"].endswith("/desk/venues/")


def test_records_that_are_perhaps_one_are_listed(desk, halls):
    browser, (kept, removed) = desk("editor"), halls
    assert f"/venues/{kept}/unite?with={removed}" in links(browser.get("/venues/alike"))
    assert not [each for each in links(browser.get("/organizers/alike")) if "with=" in each]


def test_refusals_are_told_beside_the_comparison(desk, as_admin, halls):
    browser, (kept, removed) = desk("editor"), halls
    form = dict(form_of(browser.get(f"/venues/{kept}/unite?with={removed}")).form_values())
    as_admin.delete(f"/venues/{removed}")
    answer = browser.post(f"/venues/{kept}/unite", **form)
    assert answer.status == 303
    assert browser.get(f"/venues/{kept}").tree.xpath("//*[contains(@class, 'notice')]")


def test_authors_unite_their_own_records_alone(desk, as_author, halls):
    own = [as_author.post("/venues", venue=f"Own {each}").json["id"] for each in (1, 2)]
    browser = desk("author")
    assert browser.get(f"/venues/{own[0]}/unite?with={halls[0]}").status == 403
    page = browser.get(f"/venues/{own[0]}/unite?with={own[1]}")
    assert form_of(page) is not None
