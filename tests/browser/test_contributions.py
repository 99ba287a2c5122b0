"""A stranger sends an event, is asked back, mends it; an editor publishes it."""

import os
import subprocess
import sys
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from desking import PASSWORD
from playwright.sync_api import expect
from serving import CONFIG, serving

LOOKS = {
    "light-320": {"color_scheme": "light", "viewport": {"width": 320, "height": 900}},
    "dark-1280": {"color_scheme": "dark", "viewport": {"width": 1280, "height": 900}},
}
PICTURE = Path(__file__).parents[2] / "calendar_app" / "cli" / "demo" / "pictures" / "festival.webp"
DAY = date.today() + timedelta(days=40)  # noqa: DTZ011  # any day to come


@pytest.fixture(scope="session")
def open_site(tmp_path_factory):
    """Return the address of a service that takes contributions, and the secret of its operator."""
    data = tmp_path_factory.mktemp("contributions")
    with serving(data, "--demo", CALENDAR_SUBMISSIONS="true") as service:
        parts = urlsplit(service.events)
        _set_password(data, "admin")
        secret = next(line for line in service.output if "curl -u" in line).split("'")[1]
        yield f"{parts.scheme}://{parts.netloc}", tuple(secret.split(":", 1))


def _set_password(data, name):
    """Give a user the password for the desk."""
    command = [sys.executable, "-m", "calendar_app", "--config", str(CONFIG), "users", "password"]
    environment = os.environ | {"CALENDAR_DATA": str(data)}
    subprocess.run([*command, name, "--desk", PASSWORD], env=environment, check=True)


@pytest.fixture
def window(open_site, chromium):
    """Return a function that opens a path of that service in a window of its own."""
    contexts = []

    def open_page(path, **options):
        context = chromium.new_context(base_url=open_site[0], locale="de-CH", **options)
        contexts.append(context)
        page = context.new_page()
        page.goto(path)
        return page

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture
def decide(open_site):
    """Return a function that decides as the operator, by the interface."""
    site, credentials = open_site

    def post(number, decision, **words):
        base = f"{site}/calendar/events/v1/submissions"
        with closing(httpx.Client(auth=credentials)) as client:
            answer = client.post(f"{base}/{number}/{decision}", json=words)
            assert answer.status_code == 200, answer.text
            return answer.json()

    return post


@pytest.fixture
def newest(open_site):
    """Return a function that finds the newest contribution of a title."""
    site, credentials = open_site

    def find(title):
        address = f"{site}/calendar/events/v1/submissions?per_page=50"
        waiting = httpx.get(address, auth=credentials).json()["submissions"]
        return max(each["id"] for each in waiting if each["event"]["title"] == title)

    return find


def _fill(page, title):
    page.fill("[name^='title[']:visible", title)
    page.fill("[name^='description[']:visible", "Ein Abend mit Liedern.\n\nEintritt frei.")
    page.fill("#start_day", DAY.isoformat())
    page.fill("#start_time", "19:30")
    page.fill("#venue", "Alte Säge, Valdorta")
    page.set_input_files("#image", PICTURE)
    page.fill("[name^='alt_text[']:visible", "Rote Wimpel")
    page.check("[name=consent]")
    page.wait_for_timeout(3200)  # as nobody is faster


def _send(page):
    with page.expect_navigation():
        page.click(".form-end button")


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_stranger_sends_mends_and_sees_it_published(window, newest, decide, scripts):
    title = f"Chorkonzert {scripts}"
    page = window("/events/", java_script_enabled=scripts)
    page.click("footer a[href$='/events/submit/']")
    _fill(page, title)
    _send(page)
    expect(page.locator("h1")).to_have_text("Ihre Veranstaltung wartet auf die Veröffentlichung")
    number = newest(title)
    decide(number, "ask", question="Wann endet es?")
    page.reload()
    expect(page.locator(".said")).to_have_text("Wann endet es?")
    page.fill("#end_time", "21:00")
    _send(page)
    expect(page.locator(".done")).to_contain_text("gespeichert")
    assert decide(number, "publish")["event"]["end_date"] == f"{DAY} 21:00:00"
    page.reload()
    expect(page.locator("h1")).to_have_text("Ihre Veranstaltung ist veröffentlicht")
    with page.expect_navigation():
        page.click(".sent-event .button")
    expect(page.locator("h1")).to_have_text(title)
    expect(page.get_by_alt_text("Rote Wimpel").first).to_be_visible()


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_sender_answers_in_words_and_it_comes_back(window, newest, decide, findings, scripts):
    title = f"Lesung {scripts}"
    page = window("/events/submit/", java_script_enabled=scripts, **LOOKS["light-320"])
    _fill(page, title)
    _send(page)
    decide(newest(title), "ask", question="Wann endet es?")
    page.reload()
    page.fill("#answer", "Um zehn Uhr.")
    with page.expect_navigation():
        page.click(".answer button")
    expect(page.locator(".done")).to_contain_text("Ihre Antwort ist angekommen")
    expect(page.locator(".said")).to_have_text(["Wann endet es?", "Um zehn Uhr."])
    if scripts:
        assert findings(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_sender_withdraws_after_a_question(window, scripts):
    page = window("/events/submit/", java_script_enabled=scripts)
    _fill(page, f"Irrtum {scripts}")
    _send(page)
    confirm = page.locator("[name=withdraw]")
    expect(confirm).to_be_hidden()
    page.locator(".mend").last.locator("summary").click()
    expect(confirm).to_be_visible()
    with page.expect_navigation():
        confirm.click()
    expect(page.locator("h1")).to_have_text("Ihre Veranstaltung ist zurückgezogen")
    expect(page.locator("form[method=post]")).to_have_count(0)


def test_large_picture_is_told_of_before_it_is_sent(window):
    page = window("/events/submit/")
    large = {"name": "gross.jpg", "mimeType": "image/jpeg", "buffer": b"x" * (10 * 1024 * 1024 + 1)}
    page.set_input_files("#image", large)
    expect(page.locator("#image + .field-problem")).to_contain_text("10 MB")
    expect(page.locator("#image")).to_have_value("")


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_each_chosen_language_shows_its_fields(window, scripts):
    page = window("/events/submit/", java_script_enabled=scripts)
    expect(page.locator("#title-de")).to_be_visible()
    expect(page.locator("#title-rm")).to_be_hidden()
    page.check("[name='languages[]'][value=rm]")
    expect(page.locator("#title-rm")).to_be_visible()
    page.uncheck("[name='languages[]'][value=de]")
    expect(page.locator("#title-de")).to_be_hidden()


def test_wrong_fields_are_named_the_first_has_the_focus_and_nothing_is_lost(window):
    page = window("/events/submit/")
    page.fill("#description-de", "Das bleibt stehen")
    page.fill("#website", "nirgends")
    _send(page)
    assert page.locator("[aria-invalid=true]").count() >= 4
    expect(page.locator("#title-de")).to_be_focused()
    assert page.input_value("#description-de") == "Das bleibt stehen"
    assert page.input_value("#website") == "nirgends"
    assert page.title().startswith("Problem: ")


def test_trap_is_out_of_sight_and_out_of_reach(window):
    page = window("/events/submit/")
    trap = page.locator("[name=subject]")
    assert trap.bounding_box()["x"] < 0
    assert trap.get_attribute("tabindex") == "-1"
    page.focus("[name=consent]")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.type") == "submit"


def test_times_hide_where_the_whole_day_is_meant(window):
    page = window("/events/submit/", java_script_enabled=False)
    page.check("[name=all_day]")
    expect(page.locator("#start_time")).to_be_hidden()
    expect(page.locator("#start_day")).to_be_visible()


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
@pytest.mark.parametrize("language", ["", "/rm"])
def test_axe_finds_nothing_on_the_pages_of_the_sender(window, findings, look, language):
    page = window(f"{language}/events/submit/", **look)
    width = look["viewport"]["width"]

    def check():
        assert findings(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width

    check()
    _send(page)
    check()
    _fill(page, "Lesung")
    _send(page)
    check()
    page.locator(".mend").first.locator("summary").click()
    page.locator(".mend").last.locator("summary").click()
    check()


def test_desk_shows_the_queue_without_findings(window, findings, newest, open_site):
    page = window("/events/submit/")
    _fill(page, "Theater")
    _send(page)
    number = newest("Theater")
    for look in LOOKS.values():
        desk = window("/desk/login", **look)
        desk.fill("[name=name]", "admin")
        desk.fill("[name=password]", PASSWORD)
        with desk.expect_navigation():
            desk.click("main button")
        for path in ("/desk/queue/", f"/desk/queue/{number}"):
            desk.goto(path)
            assert findings(desk) == []
            width = look["viewport"]["width"]
            assert desk.evaluate("document.documentElement.scrollWidth") <= width
    with desk.expect_navigation():
        desk.click("form[action$='/publish'] button")
    expect(desk.locator(".notice")).to_be_visible()
    assert httpx.get(f"{open_site[0]}/calendar/events/v1/events/{number}").status_code == 200


@pytest.mark.parametrize("has_scripts", [True, False])
def test_text_survives_the_switch_of_languages(window, has_scripts):
    page = window("/events/submit/", java_script_enabled=has_scripts, **LOOKS["light-320"])
    page.fill("[name='title[de]']", "Hausmusik")
    page.locator(".languages summary").press("Enter")
    page.locator(".languages button[lang='rm']").press("Enter")
    page.wait_for_url("**/rm/events/submit/")
    assert page.input_value("[name='title[de]']") == "Hausmusik"
    # The key sends the event; it does not change the language again.
    page.press("[name='title[de]']", "Enter")
    page.wait_for_selector("[aria-invalid='true']")
    assert urlsplit(page.url).path == "/rm/events/submit/"


def test_form_asks_before_it_is_left_with_something_unsaved(window):
    page, dialogs = window("/events/submit/"), []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.type), dialog.accept()))
    page.goto("/events/list/")
    assert dialogs == []
    page.goto("/events/submit/")
    page.locator("[name='title[de]']").press_sequentially("Hausmusik")
    page.goto("/events/list/")
    assert dialogs == ["beforeunload"]


def test_refusals_go_when_they_are_mended(window):
    page = window("/events/submit/", viewport={"width": 360, "height": 800})
    page.fill("#website", "kein")
    page.locator("#submission [type='submit']").click()
    lines = page.locator(".problem li")
    expect(lines.filter(has_text="Website")).to_have_count(1)
    page.fill("#website", "https://example.org")
    expect(page.locator("#problem-website")).to_have_count(0)
    expect(lines.filter(has_text="Website")).to_have_count(0)
    assert page.locator("#website").get_attribute("aria-invalid") is None
    page.check("[name='consent']")
    expect(page.locator("#problem-consent")).to_have_count(0)
    page.fill("#title-de", "Fest")
    page.fill("#start_day", DAY.isoformat())
    page.fill("#start_time", "19:30")
    expect(page.locator(".field-problem[id]")).to_have_count(0)
    expect(lines).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.fixture
def categories(open_site):
    """Make many categories; return their names."""
    site, credentials = open_site
    names = [f"Sparte {number:03}" for number in range(80)]
    with closing(httpx.Client(auth=credentials)) as client:
        for name in (*names, "Öffentliches Fest"):
            client.post(f"{site}/calendar/events/v1/categories", json={"name": name})
    return [*names, "Öffentliches Fest"]


@pytest.mark.usefixtures("categories")
@pytest.mark.parametrize("look", LOOKS)
def test_category_is_found_by_typing(window, findings, look):
    page = window("/events/submit/", **LOOKS[look])
    shown, field = page.locator("#categories li:visible"), page.locator("#narrow-categories")
    expect(page.get_by_label("Sparte 079")).to_have_count(1)
    field.fill("offentlich")
    expect(shown).to_have_text(["Öffentliches Fest"])
    field.press("Enter")
    expect(page.get_by_label("Öffentliches Fest")).to_be_checked()
    expect(field).to_have_value("")
    expect(page.locator(".narrowing .hint")).to_have_text("Gewählt: Öffentliches Fest")
    field.fill("gibt es nicht")
    expect(shown).to_have_text(["Öffentliches Fest"])
    expect(page.locator(".narrowing .hint")).to_have_text("Keine Kategorie heisst so.")
    field.press("Escape")
    assert shown.count() > 80
    page.get_by_label("Öffentliches Fest").uncheck()
    expect(page.locator(".narrowing .hint")).to_be_hidden()
    assert findings(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]


@pytest.mark.usefixtures("categories")
def test_all_categories_are_there_without_scripts(window):
    page = window("/events/submit/", java_script_enabled=False)
    expect(page.locator("#narrow-categories")).to_be_hidden()
    page.check("text=Sparte 079")
