"""Editors, and keepers of a source, answer the mistakes that readers report."""

from dataclasses import replace
from datetime import timedelta

import pytest
from browsing import Browser
from desking import Desk, form_of
from post_office import post_office
from sites import swiss_site

from calendar_app.api.http.request.state import get_services
from calendar_app.api.resources.submissions.handling import send_letters_due
from calendar_app.app import create_app
from calendar_app.site.desk.sessions import COOKIE

CONTRIBUTOR = 4
CONCERT = {
    "title": "Hausmusik",
    "start_date": "2030-03-10 19:00:00",
    "end_date": "2030-03-10 21:00:00",
}
PATH = "/queue/mistakes/"
READER = "ursina@example.org"


@pytest.fixture(scope="session")
def settings(settings):
    return swiss_site(settings, mistake_reports=True)


@pytest.fixture
def report(app, clock):
    """Return a function that reports a mistake on the page of an event, as readers do."""

    def post(slug="hausmusik", text="It begins at eight.", app=app, **changes):
        browse, path = Browser(app), f"/event/{slug}/report/"
        stamp = browse(path).tree.xpath('//input[@name="form"]/@value')[0]
        clock.advance(seconds=60)
        data = {"text": text, "form": stamp, **changes}
        assert browse(path, method="POST", data=data).status == 303

    return post


@pytest.fixture
def from_source(as_admin):
    """Return a function that makes a public event of a source with this keeper."""

    def push(keeper, **changes):
        source = {"name": "Club", "kind": "push", "status": "publish", "keepers": [keeper]}
        number = as_admin.post("/sources", **source).json["id"]
        answer = as_admin.put(f"/events/by-source/{number}/1", **CONCERT, **changes)
        assert answer.status_code == 201, answer.json
        return answer.json["id"]

    return push


def _titles(page):
    return [each.text_content() for each in page.tree.xpath("//li//h2")]


def _numbers(page):
    tabs = page.tree.xpath("//nav[contains(@class, 'tabs')]//span/text()")
    return [*tabs, *page.tree.xpath("//nav//li//span[@class='count']/text()")[:1]]


def _answer(browser, state, **fields):
    form = form_of(browser.get(PATH), "1")
    return browser.post(form.action, csrf_token=browser.token(), answer=state, **fields)


def test_editor_finds_what_was_reported_in_the_inbox(desk, report, make_event):
    number = make_event(**CONCERT)["id"]
    report()
    browser = desk()
    page = browser.get("/queue/")
    assert page.tree.xpath(f"//nav//a[@href='/desk{PATH}']")
    page = browser.get(PATH)
    assert _titles(page) == ["Hausmusik"]
    assert "It begins at eight." in page.text
    assert page.tree.xpath(f"//main//a[@href='/desk/events/{number}']")
    assert _numbers(page) == ["0", "0", "1", "1"]


@pytest.mark.parametrize("state", ["corrected", "no_mistake"])
def test_answer_takes_it_out_of_the_inbox_and_is_undone(desk, report, make_event, database, state):
    make_event(**CONCERT)
    report()
    browser = desk()
    assert _answer(browser, state).status == 303
    assert database["mistake_reports"].find_one()["state"] == state
    page = browser.get(PATH)
    assert _numbers(page) == ["0", "0", "0"]
    undo = form_of(page, "/reopen")
    assert browser.post(undo.action, csrf_token=browser.token()).status == 303
    assert _titles(browser.get(PATH)) == ["Hausmusik"]
    assert database["mistake_reports"].find_one()["state"] == "open"


def test_the_second_of_two_answers_changes_nothing(desk, report, make_event, database):
    make_event(**CONCERT)
    report()
    one, other = desk(), desk("admin")
    path = form_of(other.get(PATH), "1").action
    _answer(one, "corrected")
    answer = other.post(path, csrf_token=other.token(), answer="no_mistake")
    assert answer.status == 303
    assert other.get(PATH).tree.xpath("//*[contains(@class, 'problem')]")
    assert database["mistake_reports"].find_one()["state"] == "corrected"


@pytest.mark.parametrize("fields", [{"answer": "perhaps"}, {}], ids=["unknown", "none"])
def test_unknown_answer_is_refused(desk, report, make_event, database, fields):
    make_event(**CONCERT)
    report()
    browser = desk()
    assert browser.post(f"{PATH}1", csrf_token=browser.token(), **fields).status == 400
    assert database["mistake_reports"].find_one()["state"] == "open"


def test_keeper_finds_and_answers_those_of_own_sources_alone(
    desk, report, from_source, make_event, database
):
    from_source(CONTRIBUTOR)
    make_event(**CONCERT | {"title": "Chorabend"})
    report()
    report("chorabend")
    keeper = desk("contributor")
    page = keeper.get(PATH)
    assert _titles(page) == ["Hausmusik"]
    assert _numbers(page) == ["0", "0", "1", "1"]
    own, other = sorted(each["_id"] for each in database["mistake_reports"].find())
    token = keeper.token()
    assert keeper.post(f"{PATH}{other}", csrf_token=token, answer="corrected").status == 403
    assert keeper.post(f"{PATH}{other}/reopen", csrf_token=token).status == 403
    assert keeper.post(f"{PATH}999", csrf_token=token, answer="corrected").status == 403
    assert keeper.post(f"{PATH}{own}", csrf_token=token, answer="corrected").status == 303
    states = {each["_id"]: each["state"] for each in database["mistake_reports"].find()}
    assert states == {own: "corrected", other: "open"}


def test_others_open_no_reports(desk, report, make_event):
    make_event(**CONCERT)
    report()
    for name in ("author", "contributor", "contributor2"):
        page = desk(name).get(PATH)
        assert page.status == 403
        assert "It begins" not in page.text


def test_report_of_a_deleted_event_is_still_answered(desk, report, make_event, as_admin):
    number = make_event(**CONCERT)["id"]
    report()
    as_admin.delete(f"/events/{number}", force=True)
    as_admin.delete(f"/events/{number}", force=True)
    browser = desk()
    assert "It begins at eight." in browser.get(PATH).text
    assert _answer(browser, "corrected").status == 303


def test_markup_in_a_report_is_shown_as_it_was_typed(desk, report, make_event):
    make_event(**CONCERT)
    report(text="<img src=x onerror=alert(1)>")
    page = desk().get(PATH)
    assert not page.tree.xpath("//blockquote//img")
    assert "<img src=x" in page.text


def test_reports_that_wait_are_shown_although_no_more_are_taken(
    settings, database, clock, report, make_event
):
    make_event(**CONCERT)
    report()
    closed = create_app(replace(settings, mistake_reports=False), database, clock)
    caller = get_services(closed).accounts.caller(2)
    assert get_services(closed).mistakes.waiting(caller) == 1


# Letters


@pytest.fixture
def mailing(settings, database, clock, desk):
    """Return a site that sends mail, an editor at its desk, and the letters it has sent."""
    desk()
    with post_office() as (address, letters):
        mail = {"smtp_url": f"smtp://{address}", "mail_from": "Tal <tal@example.org>"}
        app = create_app(replace(settings, **mail, site_name="Tal"), database, clock)
        browser, services = Desk(app), get_services(app)
        token = services.accounts.sessions.begin(2, timedelta(hours=12))
        browser.client.set_cookie(COOKIE, token, path="/desk")

        def due():
            send_letters_due(services.mistakes, services.mailer)
            return letters.taken

        yield app, browser, due


def _stored_email(database):
    return database["mistake_reports"].find_one()["email"]


def test_reader_is_told_after_two_minutes_and_forgotten(
    mailing, report, make_event, database, clock
):
    app, browser, due = mailing
    make_event(**CONCERT)
    report(app=app, email=READER)
    assert READER not in browser.get(PATH).text
    assert _answer(browser, "no_mistake", words="Danke, Ursina").status == 303
    assert due() == []
    assert _stored_email(database) == READER
    clock.advance(minutes=3)
    (letter,) = due()
    assert letter["To"] == READER
    text = letter.get_body(("plain",)).get_content()
    assert "Hausmusik" in text
    assert "https://calendar.example/event/hausmusik/" in text
    assert "Danke, Ursina" in text
    assert READER not in str(database["mistake_reports"].find_one())
    assert len(due()) == 1


def test_answer_that_is_undone_is_never_sent(mailing, report, make_event, database, clock):
    app, browser, due = mailing
    make_event(**CONCERT)
    report(app=app, email=READER)
    _answer(browser, "corrected")
    undo = form_of(browser.get(PATH), "/reopen")
    browser.post(undo.action, csrf_token=browser.token())
    clock.advance(minutes=3)
    assert due() == []
    assert _stored_email(database) == READER


def test_without_an_address_no_letter_is_asked_for_or_sent(mailing, report, make_event, clock):
    app, browser, due = mailing
    make_event(**CONCERT)
    report(app=app)
    assert not browser.get(PATH).tree.xpath("//textarea")
    _answer(browser, "corrected")
    clock.advance(minutes=3)
    assert due() == []


def test_no_letter_is_promised_or_sent_about_an_event_that_is_hidden_meanwhile(  # noqa: PLR0913, PLR0917
    mailing, report, make_event, as_editor, clock, database
):
    app, browser, due = mailing
    number = make_event(**CONCERT)["id"]
    report(app=app, email=READER)
    as_editor.put(f"/events/{number}", status="draft", title="Geheim")
    assert browser.get("/desk/queue/mistakes/").tree.xpath("//textarea") == []
    _answer(browser, "corrected")
    clock.advance(minutes=3)
    assert due() == []
    assert _stored_email(database) == ""


def test_undone_answer_about_a_hidden_event_keeps_the_address(
    mailing, report, make_event, as_editor, database
):
    app, browser, _ = mailing
    number = make_event(**CONCERT)["id"]
    report(app=app, email=READER)
    as_editor.put(f"/events/{number}", status="draft")
    _answer(browser, "corrected")
    undo = form_of(browser.get(PATH), "/reopen")
    browser.post(undo.action, csrf_token=browser.token())
    assert _stored_email(database) == READER


def test_words_that_are_too_long_stay_in_their_field_with_the_reason(
    mailing, report, make_event, database
):
    app, browser, _ = mailing
    make_event(**CONCERT)
    report(app=app, email=READER)
    page = _answer(browser, "corrected", words="x" * 2001)
    assert page.status == 400
    (field,) = page.tree.xpath("//textarea")
    assert field.text.startswith("xxx")
    (reason,) = page.tree.xpath(f"//*[@id='{field.get('aria-describedby')}']")
    assert "2000" in reason.text
    assert "2000" not in browser.get("/desk/queue/mistakes/").text
    assert database["mistake_reports"].find_one()["state"] == "open"
