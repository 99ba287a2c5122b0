"""An editor's day at the desk; docs/explanation/desk.md compares these numbers of steps."""

import re
from pathlib import Path

import pytest
from desking import PASSWORD
from event_steps import Steps, tasks
from playwright.sync_api import expect

TABLE = Path(__file__).parents[2] / "docs" / "explanation" / "desk.md"
task, TASKS = tasks()


@pytest.fixture
def day(at_desk):
    """Return a function that opens a page of the desk for an editor who counts steps."""
    return lambda path="/desk/events/new": Steps(at_desk(path, role="editor"))


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


@task("Copy an event to another day", 3)
def test_event_is_copied_to_another_day(day):
    editor = publish(day, title="Markt")
    editor.press("Kopieren", "link")
    editor.page.wait_for_selector("h1:has-text('Neue')")
    editor.fill(start_date="19.5.2027")
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


def test_day_has_the_tasks_of_the_documented_table():
    _, _, table = TABLE.read_text(encoding="utf-8").partition("| Task | Desk |")
    rows = re.findall(r"^\| ([^|]+) \| (\d+) \|", table.partition("\n\n")[0], re.MULTILINE)
    assert rows == [(name, str(steps)) for name, steps in TASKS.items()]
    assert len(rows) == 9
