"""Twelve tasks of an editor; docs/explanation/desk.md has their steps beside those of 0.1.0.

A new event begins with its form open, a date of a series with its event; all else begins at the
overview.
"""

import re
from io import BytesIO
from pathlib import Path

import pytest
from event_steps import Steps, tasks
from PIL import Image
from playwright.sync_api import expect

DOCS = Path(__file__).parents[3] / "docs" / "explanation" / "desk.md"
PHOTO = Path(__file__).parents[3] / "calendar_app" / "cli" / "demo" / "pictures" / "festival.webp"
PHONE = {"viewport": {"width": 360, "height": 780}, "has_touch": True, "is_mobile": True}
MANY = 20
task, TASKS = tasks()


@pytest.fixture
def begin(desk):
    """Return a function that opens a page for an administrator who counts steps."""

    def open_page(path="/desk/", **options):
        page = desk.open(**options)
        page.goto(path)
        return Steps(page)

    return open_page


@pytest.fixture
def texts(as_admin):
    """Return a function that reads the texts of an event in all languages."""
    return lambda number: as_admin.get(f"/events/{number}", translation_language="all").json


def _follow(editor, selector):
    """Press a link or a button that leads to another page."""
    with editor.page.expect_navigation():
        editor.click(f"{selector} >> visible=true")


def _menu(editor, name):
    _follow(editor, f".desk-side a:has-text('{name}')")


@task("Publish a full event with a picture, in two languages", 13)
def test_full_event_is_published_with_a_picture_in_two_languages(begin, records):
    assert records
    editor, file = begin("/desk/events/new"), BytesIO()
    Image.new("RGB", (9, 9)).save(file, "PNG")
    poster = {"name": "plakat.png", "mimeType": "image/png", "buffer": file.getvalue()}
    editor.fill(title="Konzert")
    editor.click(".pane[data-language='de'] .rich-surface")
    editor.page.keyboard.type("Ein Abend mit Musik")
    editor.fill(**{"variants[rm][title]": "Concert"})
    editor.click(".pane[data-language='rm'] .rich-surface")
    editor.page.keyboard.type("Ina saira cun musica")
    editor.number += 2
    editor.fill(start_date="12.5.2031", start_time="19:30\u201321:00")
    editor.fill(venue_find="Mehrzweckhalle, Valdorta")
    editor.upload("image_file", poster)
    editor.fill(**{"image_alt[de]": "Ein Plakat", "cost": "20"})
    editor.save("Veröffentlichen")
    page = editor.page
    assert page.locator(".form-picture").get_attribute("alt") == "Ein Plakat"
    assert page.input_value("[name='variants[rm][title]']") == "Concert"
    assert (page.input_value("#event-start_time"), page.input_value("#event-end_time")) == (
        "19:30",
        "21:00",
    )
    assert "musica" in page.input_value("[name='variants[rm][description]']")
    return editor


@task("Publish a weekly market until a day, without two of its dates", 8)
def test_weekly_market_with_two_exceptions_is_published(begin):
    editor = begin("/desk/events/new")
    editor.fill(title="Markt", start_date="8.1.2031", start_time="8:00")
    editor.choose("repeat", "WEEKLY")
    editor.fill(repeat_until="31.12.2031")
    for date in ("2031-02-05", "2031-12-24"):
        editor.click(f"[data-date^='{date}'] .date-press")
        expect(editor.page.locator(f"[data-date^='{date}'] .date-back")).to_be_visible()
    editor.save("Veröffentlichen")
    editor.page.get_by_role("link", name="Zur Serie und ihren Terminen").click()
    editor.page.wait_for_selector("#dates-heading")
    exceptions = editor.page.locator("[name='repeat_except']").input_value()
    assert exceptions.split("\n") == ["05.02.2031 08:00", "24.12.2031 08:00"]
    return editor


@task("Call off one date of a series, with a reason", 3)
def test_one_date_of_a_series_is_called_off(begin, as_admin):
    first = as_admin.post(
        "/events",
        title="Chorprobe",
        start_date="2031-05-13 19:30:00",
        end_date="2031-05-13 21:00:00",
        recurrence={"rrule": "FREQ=WEEKLY;COUNT=5"},
    ).json
    editor = begin(f"/desk/events/{first['id']}")
    date = editor.page.locator(".one-date")
    date.locator("summary").click()
    date.locator("[name='status_reason']").fill("Leitung krank")
    date.locator("[value='call-off']").click()
    editor.number += 3
    editor.page.wait_for_selector(".notice-done")
    assert "abgesagt" in date.locator("h2").inner_text()
    editor.page.locator(".notice-done button").click()
    expect(editor.page.get_by_text("Wieder wie vorher: 1.")).to_be_visible()
    assert "abgesagt" not in date.locator("h2").inner_text()
    return editor


@task("Publish an event with a photo, on a phone", 7)
def test_event_with_a_photo_is_published_on_a_phone(begin):
    editor = begin(**PHONE)
    page = editor.page

    def touch(selector, text=""):
        editor.number += 1
        page.locator(selector).locator("visible=true").first.tap()
        page.keyboard.type(text)

    touch("a[href$='/desk/events/new']")
    page.wait_for_selector("#event-form")
    page.wait_for_load_state()
    touch("#event-title", "Waldfest")
    touch("[name='start_date']", "12.6.2031")
    touch("[name='start_time']", "14:00")
    page.set_input_files("[name='image_file']", PHOTO)
    editor.number += 2  # the field, and the photo in what the phone offers
    touch("button[name='button'][value='publish']")
    expect(page.locator(".notice-done")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    return editor


@task("Publish a contribution", 2)
def test_contribution_is_published_from_the_inbox(begin, anyone, sent):
    editor = begin()
    _follow(editor, "text='Zum Eingang'")
    _follow(editor, f"form[action$='/queue/{sent}/publish'] button")
    expect(editor.page.locator(".notice-done")).to_contain_text("ist veröffentlicht")
    assert anyone.get(f"/events/{sent}").status_code == 200
    return editor


@task("Ask a sender back", 4)
def test_sender_is_asked_back(begin, as_admin, sent):
    editor = begin()
    _follow(editor, "text='Zum Eingang'")
    _follow(editor, f"a[href*='/queue/{sent}#talk']")
    editor.enter("[name='question']", "Wann endet es?")
    _follow(editor, "form[action$='/ask'] button")
    assert as_admin.get(f"/submissions/{sent}").json["question"] == "Wann endet es?"
    return editor


@pytest.fixture
def soon(make_event):
    """Return the id of an event of the next days that is written in German alone."""
    times = {"start_date": "2030-01-20 19:00:00", "end_date": "2030-01-20 21:00:00"}
    return make_event(title="Lesung", **times)["id"]


@task("Translate a title", 4)
def test_title_is_translated(begin, soon, texts):
    editor = begin()
    _follow(editor, "text='Zu übersetzen: Rätoromanisch'")
    _follow(editor, "text='Mit dem nächsten beginnen'")
    editor.enter("#title", "Prelecziun")
    _follow(editor, "[name='press'][value='next']")
    assert texts(soon)["variants"]["rm"]["title"] == "Prelecziun"
    return editor


@task("Check the text of a machine", 5)
def test_text_of_a_machine_is_checked(begin, as_admin, soon, texts):
    machine = {"fr": {"title": {"origin": "machine", "by": "LibreTranslate"}}}
    texts_by_language = {"fr": {"title": "Lecture"}}
    as_admin.post(f"/events/{soon}", variants=texts_by_language, translation_origin=machine)
    assert not texts(soon)["translations"]["fr"]["reviewed"]
    editor = begin()
    _menu(editor, "Veranstaltungen")
    _follow(editor, "text='Lesung'")
    editor.click(".language-tab[data-language='fr'] >> visible=true")
    editor.click(".still-right:has-text('Geprüft') input >> visible=true")
    editor.save("Speichern")
    assert texts(soon)["translations"]["fr"]["reviewed"]
    return editor


@task("Change twenty events, and take it back", 6)
def test_twenty_events_are_changed_and_changed_back(begin, as_admin, make_event):
    for _ in range(MANY):
        make_event()
    numbers = {
        status: lambda status=status: as_admin.get("/events", status=status).json["total"]
        for status in ("draft", "publish")
    }
    editor = begin()
    _menu(editor, "Veranstaltungen")
    editor.click(".select-page")
    editor.click(".several [name='all']")
    editor.number += 1
    editor.page.locator(".several [name='action']").select_option("draft")
    _follow(editor, ".several .button")
    assert numbers["draft"]() == MANY
    _follow(editor, ".notice-done button")
    assert numbers["publish"]() == MANY
    return editor


@task("Invite somebody, and copy the link", 6)
def test_somebody_is_invited(begin, desk):
    editor = begin()
    editor.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    _menu(editor, "Konten")
    _follow(editor, "text='Jemanden einladen'")
    editor.enter("[name='name']", "ladina")
    editor.click("[name='role'][value='editor']")
    _follow(editor, "main .desk-actions .button")
    editor.press("Kopieren")
    expect(editor.page.get_by_role("button", name="Kopiert")).to_be_visible()
    assert "/desk/welcome?token=" in editor.page.evaluate("navigator.clipboard.readText()")
    assert desk.services.accounts.id_of("ladina")
    return editor


@task("Change the text at the foot of all pages", 3)
def test_text_at_the_foot_is_changed(begin):
    editor = begin()
    _menu(editor, "Einstellungen")
    editor.enter("#footer_text-de", "Ein Angebot der Gemeinde")
    _follow(editor, "main .button[form]")
    editor.page.goto("/events/")
    expect(editor.page.locator("footer")).to_contain_text("Ein Angebot der Gemeinde")
    return editor


@task("Find last year's event, and announce it again", 8)
def test_event_of_last_year_is_announced_anew(begin, as_admin, make_event):
    times = {"start_date": "2029-06-17 14:00:00", "end_date": "2029-06-17 18:00:00"}
    make_event(title="Dorffest", **times)
    editor = begin()
    _menu(editor, "Veranstaltungen")
    editor.enter("#search", "Dorffest")
    _follow(editor, "form[role='search'] button")
    _follow(editor, "text='Jederzeit suchen'")
    _follow(editor, "main td >> text='Dorffest'")
    _follow(editor, "text='Kopieren'")
    editor.fill(start_date="16.6.2030")
    editor.save("Veröffentlichen")
    (event,) = as_admin.get("/events", search="Dorffest").json["events"]
    assert (event["start_date"], event["end_date"]) == (
        "2030-06-16 14:00:00",
        "2030-06-16 18:00:00",
    )
    return editor


def test_documented_table_has_the_twelve_tasks():
    _, _, table = DOCS.read_text(encoding="utf-8").partition("| Task | 0.1.0 | Now |")
    rows = re.findall(r"^\| ([^|]+) \| [^|]+ \| (\d+) \|", table.partition("\n\n")[0], re.MULTILINE)
    assert rows == [(name, str(steps)) for name, steps in TASKS.items()]
    assert len(rows) == 12
