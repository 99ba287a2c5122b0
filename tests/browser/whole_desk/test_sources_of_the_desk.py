"""Sources in a browser: a reading is followed to its end, and all works without scripts."""

import pytest
from calendars import calendar, vevent
from event_steps import Steps
from playwright.sync_api import expect


def upload(page, number, *titles):
    """Send a file with events to a source, and press the button that reads it."""
    page.goto(f"/desk/sources/{number}")
    events = [
        vevent(f"{place}@town", title=title, start=f"203005{place:02}T190000")
        for place, title in enumerate(titles, 1)
    ]
    content = calendar(*events).encode()
    file = {"name": "town.ics", "mimeType": "text/calendar", "buffer": content}
    page.locator("[name='file']").last.set_input_files(file)
    page.locator("main [value='read']").last.click()


@pytest.fixture
def town(source):
    """Return the id of a source of which no reading waits."""
    return source[0] + 1


def test_a_reading_is_followed_to_its_end(desk, town):
    page = desk.open()
    upload(page, town, *(f"Anlass {number}" for number in range(1, 8)))
    # The page shows the progress, and loads itself when the reading has ended.
    page.wait_for_selector(".readings tbody tr:first-child:has-text('7 neu')")
    expect(page.locator("progress")).to_have_count(0)


def test_source_with_its_first_reading_takes_five_steps(desk):
    page = desk.open()
    page.goto("/desk/sources/new")
    editor = Steps(page)
    editor.enter("#source-name", "Musikverein")
    editor.number += 1
    page.select_option("#source-every", "0")
    with page.expect_navigation():
        editor.click(".form-foot button >> visible=true")
    event = vevent("1@band", title="Ständchen", start="20300501T190000")
    file = {"name": "a.ics", "mimeType": "text/calendar", "buffer": calendar(event).encode()}
    editor.number += 1
    page.locator("[name='file']").last.set_input_files(file)
    editor.click("main [value='read'] >> visible=true >> nth=-1")
    page.wait_for_selector(".readings tbody tr:first-child:has-text('1 neu')")
    assert editor.number <= 5


def test_a_double_is_decided_and_a_source_set_up_without_scripts(desk, town):
    page = desk.open(java_script_enabled=False)
    page.goto("/desk/sources/new")
    page.fill("#source-name", "Pfarrei")
    page.select_option("#source-every", "0")
    with page.expect_navigation():
        page.click(".form-foot button")
    page.goto("/desk/sources/doubles/")
    title = page.locator(".doubles .side a").first
    path = title.get_attribute("href")
    page.check(".doubles tbody [name='id']")
    page.select_option("#action", "same")
    with page.expect_navigation():
        page.click(".several .button")
    assert page.locator(".doubles").count() == 0
    page.goto(path)
    assert page.locator(".origin").count() == 2
    assert town


def test_a_union_of_two_events_is_taken_back_by_its_notice(desk, town):
    assert town
    page = desk.open()
    page.goto("/desk/sources/doubles/")
    pairs = page.locator(".doubles tbody tr").count()
    page.check(".doubles tbody [name='id'] >> nth=0")
    page.select_option("#action", "same")
    with page.expect_navigation():
        page.click(".several .button")
    assert page.locator(".doubles tbody tr").count() == pairs - 1
    with page.expect_navigation():
        page.get_by_role("button", name="Rückgängig").click()
    expect(page.locator(".doubles tbody tr")).to_have_count(pairs)
