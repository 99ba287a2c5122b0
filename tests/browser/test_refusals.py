"""Errors of a form stand at their fields, and go as soon as the field is changed."""

import pytest
from playwright.sync_api import expect

WIDTHS = [1280, 360]


def line_of(page, label):
    return page.locator(".problem li").filter(has=page.locator(f"a:text-matches('^{label}$')"))


def require_gone(page, control, label):
    """Check that a refusal is told at a field, and nowhere any more once the field is changed."""
    field = page.locator(control)
    message = page.locator(f"[id='{_message_of(field)}']")
    expect(message).to_be_visible()
    expect(line_of(page, label)).to_have_count(1)
    assert field.get_attribute("aria-invalid") == "true"
    yield field
    expect(message).to_have_count(0)
    expect(line_of(page, label)).to_have_count(0)
    assert field.get_attribute("aria-invalid") is None


def _message_of(field):
    described = (field.get_attribute("aria-describedby") or "").split()
    return next(each for each in described if "problem" in each)


def mend(page, control, label, text):
    for field in require_gone(page, control, label):
        field.fill(text)


def send(page, name):
    page.locator(".form-foot").get_by_role("button", name=name, exact=True).click()
    page.wait_for_selector(".problem li")


@pytest.mark.parametrize("width", WIDTHS)
def test_refusals_of_an_event_go_when_they_are_mended(at_desk, width):
    page = at_desk("/desk/events/new", role="editor", viewport={"width": width, "height": 900})
    page.fill("[name='start_date']", "31.2.2031")
    page.fill("[name='start_time']", "abends")
    page.locator("#more-texts > summary").click()
    page.fill("[name='website']", "kein")
    send(page, "Veröffentlichen")
    summary = page.locator("#problems")
    expect(summary.locator("h2")).to_contain_text("4")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    line_of(page, "Website").locator("a").click()
    expect(page.locator("#event-website")).to_be_focused()
    mend(page, "#event-website", "Website", "https://example.org")
    expect(summary.locator("h2")).to_contain_text("3")
    mend(page, "#event-title", "Titel", "Fest")
    mend(page, "#event-start_time", "Beginn, von", "19:30")
    expect(summary.locator("h2")).to_contain_text("1")
    mend(page, "#event-start_date", "Beginn", "12.2.2031")
    expect(summary).to_have_count(0)


@pytest.mark.parametrize("width", WIDTHS)
def test_refusals_of_a_place_go_when_they_are_mended(at_desk, width):
    page = at_desk("/desk/venues/new", role="editor", viewport={"width": width, "height": 900})
    page.fill("[name='geo_lat']", "north")
    page.fill("[name='geo_lng']", "9.5")
    page.fill("#website-de", "kein")
    send(page, "Speichern")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    mend(page, "#geo_lat", "Geografische Breite", "46.8")
    mend(page, "#website-de", "Website", "https://example.org")
    mend(page, "#venue-de", "Name", "Halle")
    expect(page.locator(".problem")).to_have_count(0)


def test_refusals_of_a_translation_go_when_they_are_mended(at_desk):
    page = at_desk("/desk/venues/new", role="editor")
    page.fill("#venue-de", "Mehrzweckhalle")
    page.fill("#website-de", "https://example.org")
    page.locator(".form-foot button").first.click()
    page.wait_for_selector(".notice-done")
    number = page.url.rpartition("/")[2]
    page.goto(f"/desk/venues/{number}/translate/rm")
    page.fill("[name='venue']", "Sala")
    page.fill("[name='website']", "nagin")
    send(page, "Speichern")
    mend(page, "#website", "Website", "https://example.org/rm")
    expect(page.locator(".problem")).to_have_count(0)


def test_past_day_is_asked_about_until_it_is_confirmed(at_desk):
    page = at_desk("/desk/events/new", role="editor")
    page.fill("[name='title']", "Fest")
    page.fill("[name='start_date']", "12.2.2020 19:30")
    send(page, "Veröffentlichen")
    for _ in require_gone(page, "#event-start_date", "Beginn"):
        page.check("#confirm-past")
    expect(page.locator(".problem")).to_have_count(0)
