"""Enter presses the first button of a form: no key press changes the status of a record."""

import pytest
from desking import form_of

PRESSES_OF_STATUS = {"publish", "pending", "call-off", "leave-out", "put-back"}
SUBMITS = ".//button[not(@type='button')] | .//input[@type='submit']"
ONE_LINE = (
    ".//input[not(@type) or @type='text' or @type='url' or @type='checkbox' or @type='radio']"
)


def first_button(form):
    return form.xpath(SUBMITS)[0]


@pytest.fixture
def pages(as_admin, make_event):
    """Return the addresses of all pages with forms about events, venues and organizers."""
    event = make_event(title="Concert", status="draft")
    series = make_event(
        title="Market", start_date="tomorrow 08:00", recurrence={"rrule": "FREQ=WEEKLY;COUNT=4"}
    )
    venue = as_admin.post("/venues", venue="Aula").json
    return (
        "/events/new",
        f"/events/{event['id']}",
        f"/events/{series['id']}",
        f"/series/{series['series']['id']}",
        f"/events/{event['id']}/translate/rm",
        "/events/",
        "/venues/",
        "/venues/new",
        f"/venues/{venue['id']}",
        "/organizers/new",
    )


@pytest.mark.parametrize("user", ["editor", "author", "contributor"])
def test_first_button_of_no_form_changes_a_status(desk, pages, user):
    browser, forms = desk(user), 0
    for path in pages:
        page = browser.get(path)
        if page.status != 200:
            continue
        for form in page.tree.xpath("//main//form"):
            # A form without fields is its button alone, which has to be chosen first.
            if form.xpath(ONE_LINE):
                forms += 1
                button = first_button(form)
                assert button.get("value") not in PRESSES_OF_STATUS, (path, form.action)
    assert forms > 3


def test_enter_in_a_new_event_saves_a_draft(desk):
    browser = desk("editor")
    button = first_button(form_of(browser.get("/events/new")))
    answer = browser.send(
        "/events/new",
        title="Concert",
        start_date="1.5.2030",
        start_time="20:00",
        button=button.get("value"),
    )
    page = browser.get(answer.headers["Location"].partition("?")[0].removeprefix("/desk"))
    assert page.tree.xpath("//p[@class='foot-state']")[0].text_content().split()[0] == "Entwurf"


def test_enter_in_a_stored_event_saves_it_as_its_visible_button_does(desk, make_event):
    event = make_event(title="Concert", status="draft")
    form = form_of(desk("editor").get(f"/events/{event['id']}"))
    visible = form.xpath(".//div[@class='form-foot']//button[@class='button']")
    assert first_button(form).get("value") == visible[0].get("value") == "save"


def test_enter_among_the_chosen_rows_of_a_table_applies_nothing(desk, make_event):
    make_event(title="Concert")
    form = form_of(desk("editor").get("/events/"), "/several")
    assert first_button(form).get("disabled") is not None
