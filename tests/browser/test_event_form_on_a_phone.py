"""The form of events on a phone: nothing that has the focus is covered, and no field zooms."""

import pytest
from playwright.sync_api import expect

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
LARGEST_BAR = 64  # px
# Smaller texts make browsers of phones zoom when a field gets the focus.
SMALLEST_TEXT = 16  # px
_OPEN_ALL = "for (const each of document.querySelectorAll('main details')) each.open = true"
# How many pixels of what has the focus the bar covers; of several lines those of the first one.
_COVERED = """() => {
  const own = document.activeElement, bar = document.querySelector('.form-foot');
  if (own === document.body) return null;
  const box = own.getBoundingClientRect(), foot = bar.getBoundingClientRect();
  const name = `${own.tagName} ${own.id || own.name || own.textContent.trim().slice(0, 30)}`;
  const isOut = box.width === 0 || bar.contains(own) || box.right < 0;
  const hasLines = own.isContentEditable || own.tagName === 'TEXTAREA';
  const bottom = hasLines ? box.top + 40 : box.bottom;
  const covered = Math.min(bottom, foot.bottom) - Math.max(box.top, foot.top);
  return {name, covered: isOut ? 0 : Math.max(0, Math.round(covered))};
}"""
_SMALL_TEXTS = """(least) => [...document.querySelectorAll(
    'main :is(input:not([type=checkbox], [type=radio], [type=hidden], [type=file]), select,'
    + ' textarea, [contenteditable=true])')]
  .filter((each) => each.checkVisibility())
  .map((each) => [each.id || each.name || each.className,
    parseFloat(getComputedStyle(each).fontSize)])
  .filter(([, size]) => size < least)"""


@pytest.fixture
def editor(at_desk):
    return lambda path="/desk/events/new": at_desk(path, role="editor", **PHONE)


def covered_controls(page, key="Tab"):
    """Go through the page by keyboard; return the covered controls, and the number of all."""
    covered, names = [], []
    for _ in range(200):
        page.keyboard.press(key)
        state = page.evaluate(_COVERED)
        if state is None:
            break
        names.append(state["name"])
        if state["covered"]:
            covered.append(state)
    return covered, len(names)


def bar_height(page):
    return page.locator(".form-foot").bounding_box()["height"]


def publish(page):
    page.fill("[name='title']", "Chorprobe")
    page.fill("[name='start_date']", "12.5.2027")
    page.fill("[name='start_time']", "19:30")
    page.get_by_role("button", name="Veröffentlichen").first.click()
    page.wait_for_selector(".notice-done")


@pytest.mark.parametrize("key", ["Tab", "Shift+Tab"])
def test_bar_covers_nothing_that_has_the_focus(editor, key):
    page = editor()
    page.evaluate(_OPEN_ALL)
    covered, number = covered_controls(page, key)
    assert covered == []
    assert number > 30


def test_bar_covers_nothing_in_the_form_of_an_event_that_is_there(editor):
    page = editor()
    publish(page)
    page.evaluate(_OPEN_ALL)
    covered, number = covered_controls(page)
    assert covered == []
    assert number > 30


def test_bar_stays_low_in_all_its_states(editor):
    page = editor()
    heights = {"new": bar_height(page)}
    page.fill("[name='title']", "Chorprobe")
    expect(page.locator(".draft-state")).not_to_be_empty()
    heights["typed"] = bar_height(page)
    publish(page)
    heights["saved"] = bar_height(page)
    for language in ("en", "fr", "it", "rm"):
        page.set_extra_http_headers({"Accept-Language": language})
        page.goto("/desk/events/new")
        page.fill("[name='title']", "Chorprobe")
        expect(page.locator(".draft-state")).not_to_be_empty()
        heights[language] = bar_height(page)
    assert max(heights.values()) <= LARGEST_BAR, heights
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]


def test_no_field_makes_a_phone_zoom(editor):
    page = editor()
    page.evaluate(_OPEN_ALL)
    assert page.evaluate(_SMALL_TEXTS, SMALLEST_TEXT) == []
    publish(page)
    page.evaluate(_OPEN_ALL)
    assert page.evaluate(_SMALL_TEXTS, SMALLEST_TEXT) == []
