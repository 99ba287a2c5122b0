"""The first page of the desk: all that waits for a user."""

from datetime import datetime

import pytest

from calendar_app.calendar.import_runs import ImportRun, ImportRuns
from calendar_app.storage.mongo.store import Store

SOON = {"start_date": "2030-01-17 19:00:00", "end_date": "2030-01-17 21:00:00"}
LATER = {"start_date": "2030-02-01 19:00:00", "end_date": "2030-02-01 21:00:00"}


def _card(page, heading):
    cards = page.tree.xpath("//section[contains(@class, 'card')]")
    return next(card.text_content() for card in cards if heading in card.text_content())


def test_editor_sees_what_waits_to_be_checked(desk, make_event, as_contributor):
    make_event(as_contributor, title="Chorabend", status="pending")
    make_event(title="Fertig")
    card = _card(desk("editor").get("/"), "Eingang")
    assert "Chorabend" in card
    assert "Fertig" not in card


def test_contributor_sees_no_events_of_others_to_check(desk, make_event, as_author):
    make_event(as_author, title="Chorabend", status="pending")
    assert "Chorabend" not in desk("contributor").get("/").text


def test_drafts_are_those_of_the_user(desk, make_event, as_author, as_author2):
    make_event(as_author, title="Meiner", status="draft")
    make_event(as_author2, title="Fremder", status="draft")
    card = _card(desk("author").get("/"), "Ihre Entwürfe")
    assert "Meiner" in card
    assert "Fremder" not in card


def test_incomplete_events_of_the_next_week_say_what_they_lack(
    desk, make_event, make_venue, make_category, upload
):
    venue, category = make_venue()["id"], make_category()["id"]
    complete = {"venue": venue, "categories": [category], "image": upload()["id"]}
    make_event(title="Vollständig", **SOON, **complete)
    make_event(title="Ohne Bild und Ort", **SOON, categories=[category])
    make_event(title="Später", **LATER)
    card = _card(desk("editor").get("/"), "Nächste Woche unvollständig")
    assert "Ohne Bild und Ort" in card
    assert "Ohne Kategorie" not in card
    assert "Vollständig" not in card
    assert "Später" not in card


def test_numbers_of_the_next_month_lead_to_the_events(desk, make_event, make_venue):
    make_event(title="Irgendwo", **LATER)
    make_event(title="Hier", **LATER, venue=make_venue()["id"])
    browser = desk("editor")
    amounts = [each.text_content() for each in browser.get("/").tree.xpath("//dl/dd")]
    assert amounts == ["2", "1", "2", "0", "2"]  # picture, place, category, de, rm
    page = browser.get("/missing/place")
    assert "Irgendwo" in page.text
    assert "Hier" not in page.text


def test_incomplete_events_are_listed_page_by_page(desk, make_event):
    for number in range(52):
        make_event(title=f"Unvollständig {number}", **SOON)
    browser = desk("editor")
    link = '//a[contains(@href, "/desk/missing/")]/@href'
    assert "/desk/missing/" in browser.get("/").tree.xpath(link)
    for path in ("/missing/", "/missing/place"):
        pages = [browser.get(f"{path}{page}").tree for page in ("", "?page=2")]
        assert [len(page.xpath('//ul[@class="plain lines"]/li')) for page in pages] == [50, 2]
        assert pages[0].xpath('//a[@rel="next"]/@href') == ["?page=2"]


def test_hostile_titles_are_shown_as_text(desk, make_event):
    make_event(title="<img src=x onerror=alert(1)>Markt &lt;b&gt;", status="draft", **SOON)
    assert not desk("admin").get("/").tree.xpath("//main//img | //main//b")


@pytest.fixture
def run_import(database):
    """Return a function that notes the end of an import."""

    def note(*problems, source="calendar.example/feed.ics"):
        runs = ImportRuns(Store(database), lambda: datetime(2030, 1, 15, 10))  # noqa: DTZ001
        runs.note(ImportRun(source, len(problems), problems))

    return note


def test_failed_imports_are_shown_until_one_succeeds(desk, run_import):
    browser = desk("editor")
    run_import("event 7: It ends before it starts.")
    card = _card(browser.get("/"), "Fehlgeschlagene Importe")
    assert "calendar.example/feed.ics" in card
    assert "event 7: It ends before it starts." in card
    assert "1 Eintrag wurde abgelehnt" in card
    run_import()
    assert "Fehlgeschlagene Importe" not in browser.get("/").text


def test_authors_learn_nothing_of_imports(desk, run_import):
    run_import("event 7: It ends before it starts.")
    assert "calendar.example" not in desk("author").get("/").text
