"""An editor's day at the desk; docs/explanation/desk.md compares these numbers of steps."""

import re

import pytest
from event_steps import Steps

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de"
    "0000000c4944415408d763f8cfc0000003010100c9fe92ef0000000049454e44ae426082"
)


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


def test_event_at_a_known_place_takes_six_steps(day):
    editor = day()
    place = editor.page.locator("#known-venue option").first.get_attribute("value")
    editor.fill(title="Lesung", start_date="12. Mai 2027", start_time="19.30", end_time="21 Uhr")
    editor.fill(venue_find=place)
    editor.save("Veröffentlichen")
    assert place in editor.page.inner_text("#where")
    assert editor.number == 6


def test_event_at_a_new_place_takes_seven_steps(day):
    editor = day()
    editor.fill(title="Scheunenfest", start_date="14.6.2027", start_time="17:00")
    editor.click("#where summary")
    editor.fill(**{"venue_new[venue]": "Alte Scheune", "venue_new[city]": "Valdorta"})
    editor.save("Veröffentlichen")
    assert "Alte Scheune, Valdorta" in editor.page.inner_text("#where")
    assert editor.number == 7


def test_weekly_series_takes_six_steps(day):
    editor = day()
    editor.fill(title="Yoga", start_date="11.5.2027", start_time="18:00")
    editor.choose("repeat", "WEEKLY")
    editor.fill(repeat_until="1.7.2027")
    editor.page.wait_for_selector("#reading .reading-text")
    assert "Jeden Dienstag" in editor.page.inner_text("#reading").replace("jeden", "Jeden")
    editor.save("Veröffentlichen")
    assert editor.number == 6


def test_picture_with_a_text_for_those_who_do_not_see_it_takes_four_steps(day):
    editor = publish(day)
    editor.upload("image_file", {"name": "plakat.png", "mimeType": "image/png", "buffer": PNG})
    editor.click("#picture details:has([name^=image_alt]) summary")
    editor.fill(**{"image_alt[de]": "Ein Plakat"})
    editor.save("Speichern")
    assert editor.page.locator(".form-picture").get_attribute("alt") == "Ein Plakat"
    assert editor.number == 4


def test_draft_is_published_with_one_press(day):
    editor = day()
    editor.fill(title="Entwurf", start_date="12.5.2027")
    editor.save("Als Entwurf speichern")
    editor.number = 0
    editor.save("Veröffentlichen")
    assert editor.number == 1


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
    assert editor.number == 5


def test_copy_on_another_day_takes_four_steps(day):
    editor = publish(day, title="Markt")
    editor.press("Kopieren", "link")
    editor.page.wait_for_selector("h1:has-text('Neue')")
    editor.fill(start_date="19.5.2027", end_date="")
    editor.save("Veröffentlichen")
    assert editor.page.input_value("[name='title']") == "Markt"
    assert editor.number == 4


def test_event_is_moved_with_three_steps(day):
    editor = publish(day)
    editor.fill(start_time="20:00", end_time="22:00")
    editor.save("Speichern")
    assert editor.page.input_value("[name='start_time']") == "20:00"
    assert editor.number == 3


def test_event_is_called_off_with_three_steps(day):
    editor = publish(day)
    editor.choose("event_status", "canceled")
    editor.fill(status_reason="Sturm")
    editor.save("Speichern")
    assert editor.number == 3


def test_title_of_a_whole_series_is_changed_with_three_steps(day):
    editor = publish_series(day)
    editor.click("[name='scope'][value='all']")
    editor.fill(title="Singprobe")
    editor.save("Speichern")
    assert editor.number == 3


def test_one_date_of_a_series_is_called_off_with_four_steps(day):
    editor = publish_series(day)
    editor.press("Zur Serie und ihren Terminen", "link")
    editor.page.wait_for_selector("#dates-heading")
    editor.page.locator(".date-line summary").nth(1).click()
    editor.page.locator(".date-line [name='status_reason']").nth(1).fill("Leitung krank")
    editor.number += 2
    editor.page.locator(".date-line button").nth(1).click()
    editor.number += 1
    editor.page.wait_for_selector(".notice-done")
    assert "abgesagt" in editor.page.locator(".date-line").nth(1).inner_text()
    assert editor.number == 4


def test_event_goes_to_the_trash_and_back_with_two_presses(day):
    editor = publish(day)
    editor.save("In den Papierkorb")
    editor.save("Zurückholen")
    assert editor.number == 2
