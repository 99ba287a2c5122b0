"""An editor's day at the desk; docs/explanation/desk.md compares these numbers of steps."""

import re
from functools import wraps
from pathlib import Path

import pytest
from desking import PASSWORD
from event_steps import Steps
from playwright.sync_api import expect

TABLE = Path(__file__).parents[2] / "docs" / "explanation" / "desk.md"
TASKS = {}

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de"
    "0000000c4944415408d763f8cfc0000003010100c9fe92ef0000000049454e44ae426082"
)


def task(name, steps):
    """Return a decorator of tests of a task; they return the editor, whose steps are compared."""

    def decorate(test):
        TASKS[name] = steps

        @wraps(test)
        def run(*arguments, **fixtures):
            assert test(*arguments, **fixtures).number == steps

        return run

    return decorate


@pytest.fixture
def day(at_desk):
    """Return a function that opens a page of the desk for an editor who counts steps."""
    return lambda path="/desk/events/new": Steps(at_desk(path, role="editor"))


def number_of(page):
    """Return the id of the event that is open."""
    return int(re.search(r"/events/(\d+)", page.url)[1])


def publish(day, **texts):
    """Publish an event and return its editor, with no step counted."""
    editor = day()
    editor.fill(**{"title": "Abend", "start_date": "12.5.2027", "start_time": "19:30", **texts})
    editor.save("Veröffentlichen")
    editor.number = 0
    return editor


def publish_series(day):
    editor = day()
    editor.fill(title="Chorprobe", start_date="13.5.2027", start_time="19:30")
    editor.choose("repeat", "WEEKLY")
    editor.fill(repeat_count="5")
    editor.save("Veröffentlichen")
    editor.number = 0
    return editor


@task("Log in for the first time, by an invitation", 4)
def test_first_login_is_by_an_invitation(visit, users):
    users("add", "gianna", "--role", "editor")
    link = re.search(r"http\S+", users("invite", "gianna"))[0]
    newcomer = Steps(visit(link[link.index("/desk") :], locale="de"))
    newcomer.number = 1
    newcomer.enter("#password", PASSWORD)
    newcomer.enter("#again", PASSWORD)
    newcomer.press("Speichern und anmelden")
    expect(newcomer.page.locator(".desk-header > .desk-user")).to_contain_text("gianna")
    return newcomer


@task("Publish an event at a known place: title, day, start, end, place", 6)
def test_event_at_a_known_place_is_published(day):
    editor = day()
    place = editor.page.locator("#known-venue option").first.get_attribute("value")
    editor.fill(title="Lesung", start_date="12. Mai 2027", start_time="19.30", end_time="21 Uhr")
    editor.fill(venue_find=place)
    editor.save("Veröffentlichen")
    assert place in editor.page.inner_text("#where")
    return editor


@task("Publish an event at a new place: title, day, start, place, town", 7)
def test_event_at_a_new_place_is_published(day):
    editor = day()
    editor.fill(title="Scheunenfest", start_date="14.6.2027", start_time="17:00")
    editor.click("#where summary")
    editor.fill(**{"venue_new[venue]": "Alte Scheune", "venue_new[city]": "Valdorta"})
    editor.save("Veröffentlichen")
    assert "Alte Scheune, Valdorta" in editor.page.inner_text("#where")
    return editor


@task("Publish a weekly market until a day, without two of its dates", 8)
def test_weekly_market_with_two_exceptions_is_published(day):
    editor = day()
    editor.fill(title="Markt", start_date="6.1.2027", start_time="8:00")
    editor.choose("repeat", "WEEKLY")
    editor.fill(repeat_until="31.12.2027")
    for date in ("2027-02-03", "2027-12-29"):
        editor.click(f"[data-date^='{date}'] .date-press")
        expect(editor.page.locator(f"[data-date^='{date}'] .date-back")).to_be_visible()
    editor.save("Veröffentlichen")
    exceptions = editor.page.locator("[name='repeat_except']").input_value()
    assert exceptions.split("\n") == ["03.02.2027 08:00", "29.12.2027 08:00"]
    return editor


@task("Publish a full event with a picture, in two languages", 14)
def test_full_event_is_published_with_a_picture_in_two_languages(day):
    editor = day()
    place = editor.page.locator("#known-venue option").first.get_attribute("value")
    editor.fill(title="Konzert")
    editor.click(".pane[data-language='de'] .rich-surface")
    editor.page.keyboard.type("Ein Abend mit Musik")
    editor.fill(**{"variants[rm][title]": "Concert"})
    editor.click(".pane[data-language='rm'] .rich-surface")
    editor.page.keyboard.type("Ina saira cun musica")
    editor.number += 2
    editor.fill(start_date="12.5.2027", start_time="19:30", end_time="21:00", venue_find=place)
    editor.upload("image_file", {"name": "plakat.png", "mimeType": "image/png", "buffer": PNG})
    editor.fill(**{"image_alt[de]": "Ein Plakat", "cost": "20"})
    editor.save("Veröffentlichen")
    page = editor.page
    assert page.locator(".form-picture").get_attribute("alt") == "Ein Plakat"
    assert page.input_value("[name='variants[rm][title]']") == "Concert"
    assert "musica" in page.input_value("[name='variants[rm][description]']")
    return editor


@task("Write a text with a word in bold, by keyboard", 5)
def test_text_with_markup_is_written_with_the_keyboard(day):
    editor = publish(day)
    editor.click(".rich-surface")
    editor.page.keyboard.type("Ein ")
    editor.page.keyboard.press("Control+b")
    editor.page.keyboard.type("grosser")
    editor.page.keyboard.press("Control+b")
    editor.page.keyboard.type(" Abend")
    editor.number += 3
    editor.save("Speichern")
    text = editor.page.input_value("[name='description']")
    assert re.search(r"<p>Ein(?: |&nbsp;)<(b|strong)>grosser</\1>(?: |&nbsp;)Abend</p>", text), text
    return editor


@task("Copy an event to another day", 4)
def test_event_is_copied_to_another_day(day):
    editor = publish(day, title="Markt")
    editor.press("Kopieren", "link")
    editor.page.wait_for_selector("h1:has-text('Neue')")
    editor.fill(start_date="19.5.2027", end_date="")
    editor.save("Veröffentlichen")
    assert editor.page.input_value("[name='title']") == "Markt"
    return editor


@task("Move an event to another time", 3)
def test_event_is_moved(day):
    editor = publish(day)
    editor.fill(start_time="20:00", end_time="22:00")
    editor.save("Speichern")
    assert editor.page.input_value("[name='start_time']") == "20:00"
    return editor


@task("Call an event off, with a reason", 3)
def test_event_is_called_off(day):
    editor = publish(day)
    editor.choose("event_status", "canceled")
    editor.fill(status_reason="Sturm")
    editor.save("Speichern")
    return editor


@task("Change the title of a whole series", 3)
def test_title_of_a_whole_series_is_changed(day):
    editor = publish_series(day)
    editor.click("[name='scope'][value='all']")
    editor.fill(title="Singprobe")
    editor.save("Speichern")
    return editor


@task("Move an event to the trash, and take it back", 2)
def test_event_goes_to_the_trash_and_back(day):
    editor = publish(day)
    editor.save("In den Papierkorb")
    editor.save("Zurückholen")
    return editor


@task("Call off one date of a series, with a reason", 3)
def test_one_date_of_a_series_is_called_off(day):
    editor = publish_series(day)
    date = editor.page.locator(".series-dates .date").nth(1)
    date.locator("summary").click()
    date.locator("[name='status_reason']").fill("Leitung krank")
    date.locator("[value='call-off']").click()
    editor.number += 3
    editor.page.wait_for_selector(".notice-done")
    assert "abgesagt" in editor.page.locator(".series-dates .date").nth(1).inner_text()
    editor.page.locator(".notice-done button").click()
    expect(editor.page.get_by_text("Wieder wie vorher: 1.")).to_be_visible()
    assert "abgesagt" not in editor.page.locator(".series-dates").inner_text()
    return editor


def test_day_has_the_twelve_tasks_of_the_documented_table():
    _, _, table = TABLE.read_text(encoding="utf-8").partition("| Task | Desk |")
    rows = re.findall(r"^\| ([^|]+) \| (\d+) \|", table.partition("\n\n")[0], re.MULTILINE)
    assert rows == [(name, str(steps)) for name, steps in TASKS.items()]
    assert len(rows) == 12
