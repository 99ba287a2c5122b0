"""Chromium reads which text a machine wrote, and leads to the original."""


def disclosed(page):
    """Return the AI disclosure of the heading of a page; empty without one."""
    return page.locator("h1").evaluate(
        "(each) => each.closest('[ai-disclosure]')?.getAttribute('ai-disclosure') ?? ''"
    )


def test_text_of_a_machine_is_marked_and_leads_to_the_original(desk, records):
    assert records
    page = desk.open(logs_in=False)
    page.goto("/fr/event/concert-de-chant/")
    assert page.locator("h1").inner_text() == "Concert de chant"
    assert disclosed(page) == "ai-autonomous"
    line = page.locator(".machine-note")
    assert line.is_visible()
    line.locator("a").click()
    page.wait_for_url("**/event/chorkonzert/")
    assert page.locator("h1").inner_text() == "Chorkonzert"
    assert disclosed(page) == ""
    assert page.locator(".machine-note").count() == 0
