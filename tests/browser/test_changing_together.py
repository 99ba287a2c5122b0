"""A typo in twenty events is mended in eight steps, and taken back in one."""

import pytest
from playwright.sync_api import expect

TYPO, RIGHT = "Probekonzrt", "Probekonzert"
_MOST_STEPS = 8


class Steps:
    """Counts key presses and clicks."""

    def __init__(self, page):
        self.page, self.number = page, 0

    def press(self, selector):
        self.number += 1
        self.page.click(selector)

    def write(self, selector, text):
        self.number += 1
        self.page.fill(selector, text)

    def enter(self, selector):
        self.number += 1
        with self.page.expect_navigation():
            self.page.press(selector, "Enter")


@pytest.fixture
def concerts(at_desk):
    """Return a function that opens the desk in a window with concerts, each with the typo."""

    def open_desk(number, year, width=1280):
        page = at_desk("/desk/events/new", viewport={"width": width, "height": 900})
        token = page.input_value("[name='csrf_token'] >> nth=0")
        for count in range(number):
            sent = {
                "csrf_token": token,
                "title": f"{TYPO} {count + 1}",
                "start_date": f"{count + 1}.3.{year}",
                "start_time": "19:00",
                "button": "publish",
            }
            answer = page.request.post("/desk/events/new", form=sent, max_redirects=0)
            assert answer.status == 303, answer.text()
        page.goto("/desk/events/")
        return page

    return open_desk


def test_typo_in_twenty_events_takes_eight_steps(concerts):
    page = concerts(20, 2031)
    steps = Steps(page)
    steps.write("#search", TYPO)
    steps.enter("#search")
    steps.press(".select-page")
    steps.press(".several-all input")
    steps.press(".several-together")
    expect(page.locator("#joint-sought")).to_have_value(TYPO)
    steps.write("#joint-replacement", RIGHT)
    steps.enter("#joint-replacement")
    expect(page.locator(".together-rows > li")).to_have_count(20)
    steps.press("main .form-foot .button")
    expect(page.locator(".notice").first).to_contain_text("20")
    assert steps.number <= _MOST_STEPS
    page.goto(f"/desk/events/?search={RIGHT}&per_page=50")
    expect(page.locator("main tbody tr")).to_have_count(20)


def test_undo_brings_the_typo_back(concerts):
    page = concerts(3, 2032)
    page.goto(f"/desk/events/?search={TYPO}&start_date=2032-01-01&end_date=2032-12-31")
    page.click(".select-page")
    page.click(".several-together")
    page.fill("#joint-days", "7")
    page.click("main .form-foot .button")
    page.click("main .form-foot .button")
    page.click(".notice button")
    expect(page.locator(".notice").first).to_contain_text("3")
    expect(page.locator("main tbody tr").first).to_contain_text("1. März 2032")


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_and_no_page_is_too_wide(concerts, findings, width, scheme):
    year = 2033 + width
    page = concerts(2, year, width)
    page.emulate_media(color_scheme=scheme)
    page.goto(f"/desk/events/?search={TYPO}&start_date={year}-01-01&end_date={year}-12-31")
    for box in page.locator("main tbody input[name='id']").all():
        box.check()
    for press, name in ((".several-together", "form"), ("main .form-foot .button", "preview")):
        page.click(press)
        if name == "form":
            page.fill("#joint-sought", TYPO)
            page.fill("#joint-hours", "1")
        assert findings(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
