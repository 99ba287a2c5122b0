"""The form of events for everybody: without scripts, small, by keyboard, and safe."""

import pytest
from playwright.sync_api import expect

EVIL = "\"'><script>window.ran=1</script><img src=x onerror=window.ran=1><b onclick=ran=1>x</b>"
_MISSING_PICTURE = """
() => new Promise((done) => Object.assign(new Image(), { onerror: done, src: 'x' }))
"""
PATHS = ("/desk/events/new", "/desk/events/new?translation_language=rm")


@pytest.fixture
def editor(at_desk):
    return lambda path="/desk/events/new", **options: at_desk(path, role="editor", **options)


def publish_series(page):
    page.fill("[name='title']", "Chorprobe")
    page.fill("[name='start_date']", "12.5.2027")
    page.fill("[name='start_time']", "19:30")
    page.select_option("[name='repeat']", "WEEKLY")
    page.fill("[name='repeat_count']", "5")
    page.get_by_role("button", name="Veröffentlichen").first.click()
    page.wait_for_selector(".notice-done")


def test_every_state_of_the_form_is_accessible_and_fits_a_small_screen(editor, findings):
    page = editor(viewport={"width": 320, "height": 800})
    for path in PATHS:
        page.goto(path)
        _require_good(page, findings)
    page.goto(PATHS[0])
    page.get_by_role("button", name="Veröffentlichen").first.click()
    expect(page.locator("#event-title")).to_be_focused()
    _require_good(page, findings)
    publish_series(page)
    page.evaluate("for (const each of document.querySelectorAll('main details')) each.open = true")
    _require_good(page, findings)
    page.get_by_role("link", name="Zur Serie und ihren Terminen").click()
    page.wait_for_selector("#dates-heading")
    _require_good(page, findings)


def _require_good(page, findings):
    assert findings(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 320, page.url


def test_form_works_without_scripts(editor):
    page = editor(java_script_enabled=False)
    assert page.locator("textarea[name='description']").is_visible()
    page.fill("[name='description']", "Nur Text")
    page.get_by_role("button", name="Termine zeigen").click()
    publish_series(page)
    assert page.input_value("[name='description']") == "<p>Nur Text</p>"
    assert page.locator("[name='repeat_days']").count() == 0


def test_event_is_written_with_the_keyboard_alone(editor):
    page = editor()
    page.focus("[name='title']")
    keyboard = page.keyboard
    keyboard.type("Abend")
    while page.evaluate("document.activeElement.name") != "start_date":
        keyboard.press("Tab")
    keyboard.type("12.5.2027 19:30")
    while page.evaluate("document.activeElement.value") != "publish":
        keyboard.press("Tab")
    keyboard.press("Enter")
    page.wait_for_selector(".notice-done")
    assert page.input_value("[name='title']") == "Abend"


def test_text_that_looks_as_before_stays_as_it_was_written(editor):
    page = editor()
    page.click(".rich-source")
    page.fill("[name='description']", "<p>Eins<br />\nzwei</p>")
    publish_series(page)
    page.reload()
    before = page.input_value("[name='description']")
    page.click(".rich-surface")
    for _ in range(2):
        page.keyboard.press("Control+a")
        page.keyboard.press("Control+b")
    # A further key is seen, so the two before have been too.
    page.press("[name='title']", "x")
    expect(page.locator(".draft-state")).not_to_be_empty()
    page.press("[name='title']", "Backspace")
    expect(page.locator(".draft-state")).to_be_empty()
    assert page.input_value("[name='description']") == before


def test_enter_in_a_field_saves(editor):
    page = editor()
    publish_series(page)
    page.fill("[name='title']", "Singen")
    page.press("[name='title']", "Enter")
    page.wait_for_selector("h1:has-text('Singen')")


@pytest.mark.parametrize("button", ["Veröffentlichen", "Vorschau"])
def test_markup_in_any_field_runs_nowhere(editor, button):
    page = editor()
    page.click(".rich-source")
    for control in page.locator("#event-form :is(input[type='text'], textarea)").all():
        control.evaluate("(each, text) => { each.value = text; }", EVIL)
    page.fill("[name='start_date']", "12.5.2027 19:30")
    page.fill("[name='title']", f"Fest {EVIL}")
    page.evaluate("document.querySelector('#event-form').noValidate = true")
    with page.context.expect_page() if button == "Vorschau" else page.expect_navigation() as answer:
        page.get_by_role("button", name=button).first.click()
    result = answer.value if button == "Vorschau" else page
    result.wait_for_load_state()
    _require_nothing_ran(result)
    page.reload()
    _require_nothing_ran(page)


def _require_nothing_ran(page):
    # A picture that is missing like those of the markup, and asked for after them.
    page.evaluate(_MISSING_PICTURE)
    assert page.evaluate("window.ran") is None


def test_stored_markup_runs_nowhere(editor):
    page = editor()
    page.fill("[name='title']", f"Fest {EVIL}")
    page.fill("[name='start_date']", "12.5.2027 19:30")
    page.fill("[name='cost']", f"20 {EVIL}")
    page.click(".rich-source")
    page.fill("[name='description']", f"<p>Text</p>{EVIL}")
    page.click("#where summary")
    page.fill("[name='venue_new[venue]']", f"Halle {EVIL}")
    page.get_by_role("button", name="Veröffentlichen").first.click()
    page.wait_for_selector(".notice-done")
    with page.expect_response("**/suggestions?*"):
        page.fill("[name='venue_find']", "Halle")
    _require_nothing_ran(page)


def test_reading_that_comes_late_does_not_replace_a_newer_one(editor):
    page, held = editor(), []
    page.route("**/reading?*", lambda route: route.continue_() if held else held.append(route))
    with page.expect_request("**/reading?*"):
        page.fill("[name='start_date']", "12.5.2027")
    page.fill("[name='start_date']", "13.6.2027")
    expect(page.locator("#when")).to_contain_text("13. Juni 2027")
    held[0].continue_()
    if late := held[0].request.response():
        late.finished()
    page.evaluate("new Promise(requestAnimationFrame)")
    assert "13. Juni 2027" in page.inner_text("#when")


def write_market(page):
    """Fill in a weekly event of five dates, and wait until all of them can be pressed."""
    page.fill("[name='start_date']", "6.1.2027")
    page.fill("[name='start_time']", "8:00")
    page.select_option("[name='repeat']", "WEEKLY")
    page.fill("[name='repeat_count']", "5")
    expect(page.locator("#reading [data-date]")).to_have_count(5)


def test_dates_that_are_pressed_quickly_are_all_left_out(editor):
    page, held = editor(), []
    write_market(page)

    def hold_first_press(route):
        is_press = "leave-out" in (route.request.post_data or "")
        return held.append(route) if is_press and not held else route.continue_()

    page.route("**/reading?*", hold_first_press)
    for date in ("2027-01-13", "2027-01-20"):
        page.locator(f"[data-date^='{date}'] .date-press").click()
    held[0].continue_()
    left_out = page.locator("[name='repeat_except']")
    expect(left_out).to_have_value("13.01.2027 08:00\n20.01.2027 08:00")
    expect(page.locator("#reading .date-back")).to_have_count(2)


def _leave_out_a_date(page):
    page.click("[data-date^='2027-01-13'] .date-press")


def _add_a_date(page):
    page.fill("[name='repeat_count']", "6")


@pytest.mark.parametrize(("change", "dates"), [(_leave_out_a_date, 5), (_add_a_date, 6)])
def test_reason_outlasts_a_preview_that_comes_late(editor, change, dates):
    page, held = editor(), []
    write_market(page)
    page.route(
        "**/reading?*", lambda r: held.append(r) if _is_preview(r.request) else r.continue_()
    )
    with page.expect_request(_is_preview):
        change(page)
    row = page.locator("[data-date^='2027-01-20']")
    row.locator("summary").click()
    reason = row.locator("[name^='off_reason']")
    reason.fill("Sturm")
    held[0].continue_()
    held[0].request.response().finished()
    expect(page.locator("#reading [data-date]")).to_have_count(dates)
    page.evaluate("new Promise(requestAnimationFrame)")
    expect(reason).to_be_focused()
    page.keyboard.press("Enter")
    expect(row.locator(".date-said")).to_contain_text("Sturm")


def test_reason_typed_while_a_press_is_answered_waits_for_its_own_press(editor):
    page, held = editor(), []
    write_market(page)
    page.route(
        "**/reading?*", lambda r: r.continue_() if _is_preview(r.request) else held.append(r)
    )
    _leave_out_a_date(page)
    row = page.locator("[data-date^='2027-01-20']")
    row.locator("summary").click()
    reason = row.locator("[name^='off_reason']")
    reason.fill("Sturm")
    with page.expect_response(lambda answer: _is_preview(answer.request)) as preview:
        held[0].continue_()
    preview.value.finished()
    page.evaluate("new Promise(requestAnimationFrame)")
    expect(reason).to_be_focused()
    expect(reason).to_have_value("Sturm")
    assert page.input_value("[name='repeat_off']") == ""


def _is_preview(request):
    return "/reading?" in request.url and 'name="button"' not in request.post_data


def test_pressed_dates_survive_a_reload_and_come_back(editor):
    page = editor()
    write_market(page)
    page.focus("[data-date^='2027-01-13'] .date-press")
    page.keyboard.press("Enter")
    expect(page.locator("[data-date^='2027-01-13'] .date-back")).to_be_focused()
    row = page.locator("[data-date^='2027-01-20']")
    row.locator("summary").click()
    row.locator("[name^='off_reason']").fill("Sturm")
    page.keyboard.press("Enter")
    expect(row.locator(".date-said")).to_contain_text("Sturm")
    page.reload()
    expect(page.locator("[name='repeat_off']")).to_have_value("20.01.2027 08:00: Sturm")
    for date in ("2027-01-13", "2027-01-20"):
        page.locator(f"[data-date^='{date}'] .date-back").click()
        expect(page.locator(f"[data-date^='{date}'] .date-press")).to_be_focused()
    assert page.input_value("[name='repeat_except']") == ""
    assert page.input_value("[name='repeat_off']") == ""


_PASTE = """
() => {
  const canvas = document.createElement('canvas');
  return new Promise((done) => canvas.toBlob((blob) => {
    const data = new DataTransfer();
    data.items.add(new File([blob], 'plakat.png', { type: 'image/png' }));
    const options = { clipboardData: data, bubbles: true, cancelable: true };
    document.body.dispatchEvent(new ClipboardEvent('paste', options));
    done();
  }));
}
"""


def test_pasted_picture_is_shown_as_it_will_be_cut_and_saved(editor):
    page = editor()
    page.fill("[name='title']", "Lesung")
    page.fill("[name='start_date']", "12.5.2027 19:30")
    page.evaluate(_PASTE)
    page.wait_for_selector(".form-cut")
    assert page.input_value("[name='image_file']").endswith("plakat.png")
    page.get_by_role("button", name="Veröffentlichen").first.click()
    page.wait_for_selector(".notice-done")
    assert page.input_value("[name='image']").isdecimal()


def test_what_every_event_needs_is_seen_without_scrolling(editor):
    page = editor(viewport={"width": 1280, "height": 900})
    bar = page.locator(".form-foot").bounding_box()["y"]
    for name in ("[name='title']", ".rich-surface", "[name='start_date']", "[name='end_time']"):
        _require_above(page.locator(name).first, bar)
    for name in ("[name='venue_find']", ".drop"):
        _require_above(page.locator(name).first, bar)
    assert bar < 900


def _require_above(part, bar):
    box = part.bounding_box()
    assert box["y"] + box["height"] <= bar, box
