"""The table of events by author: of anybody for those who may edit what others wrote."""

import pytest

PATH = "/events/"


@pytest.fixture
def events(make_event, as_author, as_editor):
    """Make an event by an author, and one by an editor."""
    make_event(by=as_author, title="Lesung", status="publish")
    make_event(by=as_editor, title="Konzert", status="publish")


def listed(page):
    """Return the titles of the table, by the alphabet."""
    return sorted(name for name in ("Lesung", "Konzert") if page.tree.xpath(f"//td//a[.='{name}']"))


def offered(page):
    """Return the choices of the chip: the values in the address by their names."""
    buttons = page.tree.xpath("//button[@name='author']")
    return {button.text_content().strip(): button.get("value") for button in buttons}


@pytest.mark.usefixtures("events")
def test_editor_chooses_any_author(desk, as_author):
    browser = desk("editor")
    page = browser.get(PATH)
    assert listed(page) == ["Konzert", "Lesung"]
    assert offered(page)["author"] == str(as_author.id)
    page = browser.get(PATH, query_string={"author": as_author.id})
    assert listed(page) == ["Lesung"]


@pytest.mark.usefixtures("events")
def test_author_is_offered_nobody_else(desk, as_editor):
    browser = desk("author")
    assert not {"editor", "admin"} & offered(browser.get(PATH)).keys()
    page = browser.get(PATH, query_string={"author": as_editor.id})
    assert page.tree.xpath("//*[@id='filter-problems']")
    assert listed(browser.get(PATH, query_string={"author": "me"})) == ["Lesung"]


@pytest.mark.usefixtures("events")
@pytest.mark.parametrize(("author", "is_refused"), [("999", False), ("nobody", True)])
def test_unknown_author_has_no_events(desk, author, is_refused):
    page = desk("editor").get(PATH, query_string={"author": author})
    assert listed(page) == []
    assert bool(page.tree.xpath("//*[@id='filter-problems']")) is is_refused
