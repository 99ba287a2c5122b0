"""The overview begins with today and tomorrow, where each event is moved or called off at once."""

import pytest
from desking import form_of, values_of

# The calendar shows 15 January 2030.
TODAY = {"start_date": "2030-01-15 19:00:00", "end_date": "2030-01-15 21:00:00"}
TOMORROW = {"start_date": "2030-01-16 09:00:00", "end_date": "2030-01-16 10:00:00"}
EXHIBITION = {"start_date": "2030-01-10", "end_date": "2030-01-20", "all_day": True}
LATER = {"start_date": "2030-01-17 19:00:00", "end_date": "2030-01-17 21:00:00"}


def near_days(browser):
    """Return the titles of today and of tomorrow."""
    page = browser.get("/")
    return [
        [" ".join(each.text_content().split()) for each in day.xpath(".//*[@class='near-what']/a")]
        for day in page.tree.find_class("near-day")
    ]


def test_overview_begins_with_today_and_tomorrow(desk, make_event):
    make_event(title="Konzert", **TODAY)
    make_event(title="Markt", **TOMORROW)
    make_event(title="Entwurf", **TODAY, status="draft")
    make_event(title="Bilder", **EXHIBITION)
    make_event(title="Später", **LATER)
    browser = desk("editor")
    assert near_days(browser) == [["Konzert", "Entwurf", "Bilder"], ["Markt"]]
    sections = browser.get("/").tree.xpath("//main//section")
    assert "near-day" in sections[0].get("class")


def test_near_days_show_only_what_the_user_may_edit(desk, make_event, as_author, as_author2):
    make_event(as_author, title="Meine", **TODAY)
    make_event(as_author2, title="Fremde", **TODAY)
    assert near_days(desk("author")) == [["Meine"], []]


def test_event_is_called_off_from_the_overview_and_undone(desk, make_event, as_editor):
    event, browser = make_event(title="Konzert", **TODAY), desk("editor")
    answer = browser.send(
        "/", f"/events/{event['id']}/date", button="call-off", status_reason="Sturm"
    )
    assert answer.headers["Location"] == "/desk/"
    page = browser.get("/")
    notice = " ".join(page.tree.find_class("notice")[0].text_content().split())
    assert "Abgesagt: Konzert, Di., 15. Jan. 2030, 19:00" in notice
    stored = as_editor.get(f"/events/{event['id']}").json
    assert (stored["event_status"], stored["status_reason"]) == ("canceled", "Sturm")
    (undo,) = page.tree.xpath("//form[contains(@action, '/undo')]")
    assert browser.post("/undo", **values_of(undo)).headers["Location"] == "/desk/"
    assert as_editor.get(f"/events/{event['id']}").json["event_status"] == "scheduled"


def test_event_is_moved_from_the_overview(desk, make_event, as_editor):
    event, browser = make_event(title="Konzert", **TODAY), desk("editor")
    path = f"/events/{event['id']}/date"
    answer = browser.send("/", path, button="move", move_day="18.1.2030")
    assert answer.headers["Location"] == "/desk/"
    notice = " ".join(browser.get("/").tree.find_class("notice")[0].text_content().split())
    assert notice.startswith("Verschoben von Di., 15. Jan. auf Fr., 18. Jan. 2030, 19:00")
    assert "Konzert" in notice
    moved = as_editor.get(f"/events/{event['id']}").json
    assert (moved["start_date"], moved["end_date"]) == (
        "2030-01-18 19:00:00",
        "2030-01-18 21:00:00",
    )


def test_word_for_a_day_is_confirmed_before_the_event_moves(desk, make_event, as_editor):
    event, browser = make_event(title="Konzert", **TODAY), desk("editor")
    path = f"/events/{event['id']}/date"
    question = browser.send("/", path, button="move", move_day="Freitag")
    assert "„Freitag“ ist Freitag, 18. Januar 2030." in question.text
    assert as_editor.get(f"/events/{event['id']}").json["start_date"] == TODAY["start_date"]
    form = form_of(question)
    answer = browser.post(form.action, **values_of(form), button="move")
    assert answer.headers["Location"] == "/desk/"
    assert as_editor.get(f"/events/{event['id']}").json["start_date"] == "2030-01-18 19:00:00"


@pytest.mark.parametrize("button", ["call-off", "move", "leave-out"])
def test_event_of_somebody_else_is_not_changed_from_the_overview(
    desk, make_event, as_author2, as_editor, button
):
    event = make_event(as_author2, title="Fremde", **TODAY)
    browser = desk("author")
    fields = {"csrf_token": browser.token(), "back": "overview", "move_day": "18.1.2030"}
    answer = browser.post(f"/events/{event['id']}/date", button=button, **fields)
    assert answer.status in (403, 404)
    stored = as_editor.get(f"/events/{event['id']}").json
    assert (stored["start_date"], stored["event_status"]) == (TODAY["start_date"], "scheduled")
