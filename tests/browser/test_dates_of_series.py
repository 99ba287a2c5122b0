"""The dates of an endless series by keyboard: few stops, a word for a day, an undo."""

import pytest
from playwright.sync_api import expect

MOST_STOPS = 60


@pytest.fixture
def endless(at_desk):
    """Return a function that publishes a weekly event without end, and shows its form."""

    def publish(**options):
        page = at_desk("/desk/events/new", role="editor", **options)
        page.fill("[name='title']", "Wochenmarkt")
        page.fill("[name='start_date']", "8.1.2027")
        page.fill("[name='start_time']", "08:00")
        page.select_option("[name='repeat']", "WEEKLY")
        page.locator(".form-foot [value='publish']").click()
        page.wait_for_selector(".notice-done")
        return page

    return publish


def stops(page):
    """Return how many presses of the tab key lead from the content through the page."""
    page.focus("#content")
    number = 0
    while True:
        page.keyboard.press("Tab")
        if page.evaluate("!document.activeElement.closest('main')"):
            return number
        number += 1
        assert number < 500


def to_series(page):
    page.get_by_role("link", name="Zur Serie und ihren Terminen").click()
    page.wait_for_selector("#dates-heading")


@pytest.mark.parametrize("width", [360, 1280])
def test_endless_series_has_few_tab_stops(endless, findings, width):
    page = endless(viewport={"width": width, "height": 900})
    assert stops(page) <= MOST_STOPS
    assert findings(page) == []
    to_series(page)
    assert stops(page) <= MOST_STOPS
    assert findings(page) == []
    page.locator("[name='event']").first.check()
    assert findings(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_preview_of_an_endless_series_is_one_stop(at_desk):
    page = at_desk("/desk/events/new", role="editor")
    page.fill("[name='start_date']", "8.1.2027")
    page.fill("[name='start_time']", "08:00")
    page.select_option("[name='repeat']", "WEEKLY")
    expect(page.locator("[data-date]")).to_have_count(120)
    assert stops(page) <= MOST_STOPS
    page.locator(".reading-dates").focus()
    page.keyboard.press("Tab")
    for _ in range(2):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("[name='repeat_except']")).to_have_value("22.01.2027 08:00")


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_date_moves_by_a_word_that_is_shown_as_a_day_first(endless, findings, scripts):
    page = endless(java_script_enabled=scripts)
    to_series(page)
    page.locator("[name='event']").first.focus()
    page.keyboard.press("Space")
    page.fill("[name='move_day']", "Samstag")
    page.press("[name='move_day']", "Enter")
    expect(page.get_by_text("„Samstag“ ist Samstag, 9. Januar 2027.")).to_be_visible()
    if scripts:
        assert findings(page) == []
    page.locator("main button[value='move']").press("Enter")
    notice = page.locator(".notice-done")
    expect(notice).to_contain_text("Verschoben von Fr., 8. Jan. auf Sa., 9. Jan. 2027, 08:00.")
    expect(page.locator(".date-choice").first).to_contain_text("verschoben")
    notice.get_by_role("button", name="Rückgängig").press("Enter")
    expect(page.locator(".date-choice").first).to_contain_text("Fr., 8. Jan. 2027, 08:00")


def test_event_of_today_is_called_off_from_the_overview_and_back(at_desk, findings):
    page = at_desk("/desk/", role="editor", viewport={"width": 360, "height": 740})
    assert findings(page) == []
    event = page.locator(".near-event").first
    event.locator("summary").press("Enter")
    assert findings(page) == []
    event.locator("[name='status_reason']").fill("Sturm")
    event.locator("[value='call-off']").press("Enter")
    expect(page.locator(".notice-done")).to_contain_text("Abgesagt:")
    expect(page.locator(".near-event").first).to_contain_text("abgesagt")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.locator(".notice-done button").press("Enter")
    expect(page.locator(".near-event").first).not_to_contain_text("abgesagt")
