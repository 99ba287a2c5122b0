"""List boxes of the desk: names are found while typing, and chosen by keyboard, mouse or finger."""

import pytest
from playwright.sync_api import expect

VENUE = "#event-venue_find"
# What stands before the names of categories below others.
DASH = "\u2013 "


@pytest.fixture
def form(at_desk):
    """Return a function that opens the form of a new event, where two halls are known."""

    def open_form(width=1280):
        page = at_desk("/desk/events/new", viewport={"width": width, "height": 900})
        page.goto("/desk/venues/?search=Probesaal")
        if page.locator("main tbody tr").count():
            page.goto("/desk/events/new")
            return page
        page.goto("/desk/venues/new")
        token = page.input_value("[name='csrf_token'] >> nth=0")
        for name, street in (("Probesaal 1", "Hauptstrasse 3"), ("Alter Probesaal", "")):
            texts = {"venue": name, "address": street, "city": "Chur"}
            sent = {f"variants[de][{field}]": text for field, text in texts.items()}
            sent["csrf_token"] = token
            answer = page.request.post("/desk/venues/new", form=sent, max_redirects=0)
            assert answer.status == 303, answer.text()
        page.goto("/desk/events/new")
        return page

    return open_form


def options(page):
    return page.locator("#where [role='option']")


def test_place_is_chosen_by_keyboard_alone(form):
    page = form()
    page.focus(VENUE)
    page.keyboard.type("probes")
    expect(options(page).first).to_contain_text("Probesaal 1")
    expect(options(page).first).to_contain_text("Hauptstrasse 3, Chur")
    expect(page.locator(VENUE)).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("ArrowDown")
    chosen = page.locator(VENUE).get_attribute("aria-activedescendant")
    expect(page.locator(f"#{chosen}")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Enter")
    expect(page.locator("#where .chosen li")).to_contain_text("Probesaal 1")
    expect(page.locator(VENUE)).to_have_value("")
    expect(page.locator(VENUE)).to_be_focused()
    expect(options(page).first).to_be_hidden()


def test_escape_closes_the_list_and_keeps_what_was_typed(form):
    page = form()
    page.focus(VENUE)
    page.keyboard.type("probes")
    expect(options(page).first).to_be_visible()
    page.keyboard.press("Escape")
    expect(options(page).first).to_be_hidden()
    expect(page.locator(VENUE)).to_have_value("probes")
    page.keyboard.press("ArrowUp")
    expect(options(page).last).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Alt+ArrowUp")
    expect(options(page).first).to_be_hidden()


def test_press_chooses_and_leaving_the_field_closes(form):
    page = form()
    page.locator(VENUE).press_sequentially("alter probes")
    options(page).first.click()
    expect(page.locator("#where .chosen li")).to_contain_text("Alter Probesaal")
    page.locator(VENUE).press_sequentially("probes")
    expect(options(page).first).to_be_visible()
    page.keyboard.press("Tab")
    expect(options(page).first).to_be_hidden()


def test_tag_is_found_behind_a_comma_and_category_ticks_its_box(form):
    page = form()
    page.click("#terms summary")
    tag = page.locator("#known-tags option").first.get_attribute("value")
    field = page.locator("#event-tags_find")
    field.press_sequentially(f"ganz neu, {tag[:4]}")
    page.locator("#tags [role='option']", has_text=tag).first.click()
    expect(page.locator("#tags .chosen li")).to_contain_text(tag)
    expect(field).to_have_value("ganz neu, ")
    category = page.locator("#categories .tree span").first.inner_text()
    page.locator("#event-categories_find").press_sequentially(category[:5])
    page.locator("#categories [role='option']", has_text=category).first.click()
    expect(page.locator("#categories .tree input").first).to_be_checked()


def test_long_choice_is_found_by_typing(form):
    page = form()
    page.goto("/desk/events/")
    page.locator("main tbody input[name='id']").first.check()
    page.click(".several-together")
    field = page.locator("input#joint-add_categories")
    names = page.locator("select[name='add_categories'] option")
    first, last = (names.nth(place).inner_text() for place in (1, -1))
    field.click()
    expect(page.locator(".combo-list [role='option']").first).to_be_visible()
    field.fill(last.strip(DASH)[:6])
    page.keyboard.press("Enter")
    expect(field).to_have_value(last.strip())
    chosen = page.locator("select[name='add_categories']")
    assert chosen.input_value() == names.nth(-1).get_attribute("value")
    field.fill(first.strip(DASH))
    page.keyboard.press("Tab")
    expect(field).to_have_value(first.strip())
    field.fill("")
    page.keyboard.press("Tab")
    expect(field).to_have_value("\u2013")
    assert chosen.input_value() == ""


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_an_open_list(form, findings, width, scheme):
    page = form(width)
    page.emulate_media(color_scheme=scheme)
    page.focus(VENUE)
    page.keyboard.type("probes")
    expect(options(page).first).to_be_visible()
    page.keyboard.press("ArrowDown")
    assert findings(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
