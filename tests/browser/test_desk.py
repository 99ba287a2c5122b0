"""The desk in a browser: on a phone, by keyboard, without scripts, and nothing typed is lost."""

import re
from pathlib import Path

import pytest
from desking import PASSWORD
from playwright.sync_api import expect

PHOTO = Path(__file__).parents[2] / "calendar_app" / "cli" / "demo" / "pictures" / "festival.webp"


def test_refused_form_has_the_focus_on_its_summary(at_desk):
    page = at_desk("/desk/venues/new")
    page.fill("#geo_lat", "north")
    page.click("main .form-foot button")
    expect(page.get_by_role("alert")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_function("location.hash")


_FOCUS = """
async () => {
  document.querySelector('#website-de').focus();
  const reached = scrollY;
  for (let frame = 0; frame < 5; frame += 1) await new Promise(requestAnimationFrame);
  return [reached, scrollY];
}
"""


def test_form_is_at_a_focused_field_at_once(at_desk):
    # While the page glides there, a press on the bar at its foot is lost.
    page = at_desk("/desk/venues/new", viewport={"width": 1280, "height": 600})
    reached, later = page.evaluate(_FOCUS)
    assert reached == later > 0


def test_conflict_names_who_saved(at_desk):
    page, editor_page = at_desk(), at_desk(role="editor")
    page.goto("/desk/organizers/")
    address = page.locator("tbody a").first.get_attribute("href")
    for each, phone in ((page, "1"), (editor_page, "2")):
        each.goto(address)
        each.fill("#phone", phone)
    for each in (editor_page, page):
        with each.expect_navigation():
            each.click("main .form-foot button")
    expect(page.get_by_role("alert")).to_contain_text("editor hat dies um")
    assert page.input_value("#phone") == "1"


PHONE = {"viewport": {"width": 360, "height": 780}, "has_touch": True, "is_mobile": True}


@pytest.mark.parametrize("has_scripts", [True, False], ids=["scripts", "no-scripts"])
def test_menu_is_folded_on_a_phone_and_opens(at_desk, has_scripts):
    page = at_desk(role="editor", java_script_enabled=has_scripts, **PHONE)
    link = page.locator(".desk-menu a[href$='/desk/venues/']")
    expect(link).to_be_hidden()
    expect(page.locator(".desk-menu summary")).to_contain_text("Menü")
    page.tap(".desk-menu summary")
    expect(link).to_be_visible()
    assert link.bounding_box()["height"] >= 44
    # Today comes first, then what waits.
    headings = page.locator("main h2").all_text_contents()
    assert "Heute" in headings[0]
    assert "Eingang" in next(each for each in headings[1:] if "Morgen" not in each)


def test_keyboard_alone_logs_in_and_makes_a_venue(visit, desk_user):
    desk_user("editor", "editor")
    page = visit("/desk/venues/new", locale="de")
    page.focus("#name")
    page.keyboard.type("editor")
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url("**/desk/venues/new")
    page.focus("#venue-de")
    page.keyboard.type("Tastaturhalle")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/desk/venues/\d+$"))
    expect(page.locator("main")).to_contain_text("Tastaturhalle ist gespeichert.")


def test_writing_works_without_scripts(at_desk):
    page = at_desk("/desk/tags/new", java_script_enabled=False)
    page.fill("#name-de", "Ohne Skripte")
    page.click("main .form-foot button")
    expect(page.locator("main")).to_contain_text("Ohne Skripte ist gespeichert.")


def test_text_typed_in_an_ended_session_is_not_lost(at_desk):
    page = at_desk("/desk/organizers/new")
    page.fill("#organizer-de", "Verein Beständig")
    page.locator(".rich-source").first.click()
    page.fill("#description-de", "Eine lange Beschreibung\nmit zwei Zeilen")
    page.context.clear_cookies(name="desk_session")
    page.click("main .form-foot button")
    expect(page.locator("main")).to_contain_text("Ihre Sitzung ist zu Ende.")
    page.fill("#name", "administrator")
    page.fill("#password", PASSWORD)
    page.click("main button")
    page.click("main form:not(:has(#password)) button")
    expect(page.locator("main")).to_contain_text("Verein Beständig ist gespeichert.")
    assert "mit zwei Zeilen" in page.input_value("#description-de")


def test_pages_have_no_script_or_style_that_the_policy_forbids(at_desk):
    page = at_desk()
    refusals = []
    page.on("console", lambda message: refusals.append(message.text))
    for path in ("/desk/", "/desk/me/", "/desk/venues/new"):
        page.goto(page.url.split("/desk/")[0] + path)
    assert [text for text in refusals if "Content Security Policy" in text] == []
