"""Readers report mistakes in public events, without an account, and lose nothing they type."""

from dataclasses import replace

import pytest
from browsing import Browser
from keeping import kept
from sites import swiss_site

from calendar_app.app import create_app

CONCERT = {
    "title": "Hausmusik",
    "start_date": "2030-03-10 19:00",
    "end_date": "2030-03-10 21:00",
}
PAGE = "/event/hausmusik/"
FORM = f"{PAGE}report/"
TEXT = "It begins at eight."


@pytest.fixture(scope="session")
def settings(settings):
    return swiss_site(settings, mistake_reports=True)


@pytest.fixture
def browse(app):
    return Browser(app)


@kept
def concert(make_event):
    """Return the id of a public event."""
    return make_event(**CONCERT)["id"]


@pytest.fixture
def reports(database):
    """Return a function that gives the stored reports."""
    return lambda: list(database["mistake_reports"].find())


@pytest.fixture
def send(browse, clock):
    """Return a function that opens the form, waits, and sends it; keywords change it."""

    def post(path=FORM, seconds=60, **changes):
        stamp = stamp_of(browse(path))
        clock.advance(seconds=seconds)
        return post_form(browse, path, form=stamp, **changes)

    return post


def stamp_of(page):
    return page.tree.xpath('//input[@name="form"]/@value')[0]


def post_form(browse, path=FORM, **changes):
    data = {"text": TEXT, "subject": "", **changes}
    return browse(path, method="POST", data=data)


@pytest.fixture
def mailing(settings, database, clock):
    """Return a browser of the same site where it sends mail."""
    return Browser(create_app(replace(settings, smtp_url="smtp://localhost"), database, clock))


def test_page_of_an_event_leads_to_the_form(browse, make_event):
    make_event(**CONCERT)
    (address,) = browse(PAGE).tree.xpath("//a[contains(@href, '/report/')]/@href")
    assert address == FORM
    page = browse(address)
    assert page.status == 200
    assert "Hausmusik" in page.text
    assert page.headers["Cache-Control"] == "private, no-store"
    assert page.tree.xpath("//meta[@name='robots'][@content='noindex']")


def test_report_is_stored_once_and_thanked_for(send, browse, make_event, reports):
    number = make_event(**CONCERT)["id"]
    page = send(text=" It begins\r\nat eight. ")
    assert page.status == 303
    thanks = browse(page.headers["Location"])
    assert thanks.status == 200
    assert not thanks.tree.xpath("//main//form")
    (report,) = reports()
    assert (report["event"], report["text"]) == (number, "It begins\nat eight.")
    assert (report["email"], report["language"], report["state"]) == ("", "de", "open")


def test_form_sent_twice_is_one_report(browse, make_event, reports, clock):
    make_event(**CONCERT)
    stamp = stamp_of(browse(FORM))
    clock.advance(seconds=60)
    for _ in range(2):
        assert post_form(browse, form=stamp).status == 303
    assert len(reports()) == 1


def test_report_of_one_date_of_a_series_names_that_date(send, browse, as_editor, reports):
    first = as_editor.post("/events", **CONCERT, recurrence={"rrule": "FREQ=WEEKLY;COUNT=3"}).json
    dates = as_editor.get("/events", start_date="2030-01-01").json["events"]
    assert dates[0]["id"] == first["id"]
    assert browse(FORM).status == 301
    assert send(f"{PAGE}2030-03-17/report/").status == 303
    (report,) = reports()
    assert report["event"] == dates[1]["id"]


@pytest.mark.parametrize(
    "changes",
    [
        {"status": "draft"},
        {"status": "private"},
        {"status": "pending"},
        {"status": "publish", "date": "2031-01-01 00:00"},
        {"password": "geheim"},
    ],
    ids=["draft", "private", "pending", "future", "password"],
)
def test_event_that_not_everybody_reads_takes_no_report(
    browse, concert, as_editor, reports, changes
):
    stamp = stamp_of(browse(FORM))
    assert as_editor.put(f"/events/{concert}", **changes).status_code == 200
    missing = browse("/event/nothing/report/")
    for page in (browse(FORM), post_form(browse, form=stamp)):
        assert page.status == missing.status == 404
        assert "Hausmusik" not in page.text
    assert reports() == []


def test_unlocked_page_of_a_locked_event_offers_no_report(browse, make_event):
    make_event(**CONCERT, password="geheim")
    page = browse(PAGE, method="POST", data={"password": "geheim"})
    assert page.status == 200
    assert not page.tree.xpath("//a[contains(@href, '/report/')]")


def test_former_address_leads_to_the_event(browse, make_event, as_editor):
    number = make_event(**CONCERT)["id"]
    as_editor.put(f"/events/{number}", slug="konzert")
    page = browse(FORM)
    assert page.status == 301
    assert page.headers["Location"].endswith("/event/konzert/")


def test_form_of_any_script_is_answered_at_its_own_address(browse, make_event):
    event = make_event(**CONCERT | {"title": "Концерт 🎷"})
    assert browse(f"{event['url']}report/").status == 200


def test_nothing_is_there_while_the_setting_is_off(settings, database, clock, make_event):
    make_event(**CONCERT)
    browse = Browser(create_app(replace(settings, mistake_reports=False), database, clock))
    assert not browse(PAGE).tree.xpath("//a[contains(@href, '/report/')]")
    assert browse(FORM).status == 404
    assert post_form(browse).status == 404


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"text": "  "}, "text"),
        ({"text": "x" * 2001}, "text"),
        ({"email": "ursina"}, "email"),
        ({"email": f"{'u' * 250}@example.org"}, "email"),
    ],
)
@pytest.mark.usefixtures("concert")
def test_what_is_wrong_stands_beside_its_field(mailing, reports, changes, name):
    page = post_form(mailing, form=stamp_of(mailing(FORM)), **changes)
    assert page.status == 400
    assert page.tree.xpath(f'//*[@name="{name}"][@aria-invalid="true"]')
    assert page.tree.xpath(f'//a[@href="#{name}"]')
    (text,) = page.tree.xpath("//textarea[@name='text']")
    assert text.text.removeprefix("\n") == changes.get("text", TEXT).strip()
    assert reports() == []


def test_longest_report_is_taken_whatever_ends_its_lines(send, make_event, reports):
    make_event(**CONCERT)
    assert send(text="ab\r\n" * 666 + "ab").status == 303
    assert len(reports()[0]["text"]) == 2000


@pytest.mark.usefixtures("concert")
def test_address_is_asked_and_kept_only_where_mail_is_set(browse, send, mailing, clock, reports):
    assert not browse(FORM).tree.xpath("//input[@name='email']")
    send(email="ursina@example.org")
    stamp = stamp_of(mailing(FORM))
    clock.advance(seconds=60)
    assert post_form(mailing, form=stamp, email="ursina@example.org").status == 303
    assert [each["email"] for each in reports()] == ["", "ursina@example.org"]


def test_robots_store_nothing(send, browse, make_event, reports):
    make_event(**CONCERT)
    assert send(subject="Buy this").status == 303
    hasty = send(seconds=0)
    assert hasty.status == 400
    assert TEXT in hasty.text
    assert post_form(browse, form="forged").status == 400
    assert send(seconds=25 * 3600).status == 400
    assert reports() == []


def test_form_in_another_language_keeps_what_was_typed(browse, make_event, reports):
    make_event(**CONCERT)
    stamp = stamp_of(browse(FORM))
    page = post_form(browse, f"/rm{FORM}", form=stamp, page_language="rm")
    assert page.status == 200
    assert page.tree.get("lang") == "rm"
    assert TEXT in page.text
    assert stamp_of(page) == stamp
    assert reports() == []


def test_an_address_may_report_so_often(settings, database, clock, make_event, reports):
    make_event(**CONCERT)
    browse = Browser(create_app(replace(settings, submission_rate="2/hour"), database, clock))
    stamps = [stamp_of(browse(FORM)) for _ in range(3)]
    clock.advance(seconds=60)
    pages = [post_form(browse, form=stamp) for stamp in stamps]
    assert [page.status for page in pages] == [303, 303, 429]
    assert int(pages[2].headers["Retry-After"]) > 0
    assert TEXT in pages[2].text
    assert len(reports()) == 2
    counted = {each["_id"] for each in database["attempts"].find()}
    assert counted == {"report:127.0.0.1", "reports"}


@pytest.mark.parametrize("path", ["/event/%00/report/", "/event/a%2Fb/report/", f"{FORM}?done=x"])
def test_odd_addresses_are_no_defect(browse, make_event, path):
    make_event(**CONCERT)
    assert browse(path).status in (200, 301, 404)
    assert browse(path, method="POST", data={"text": ["a", "b"]}).status in (400, 404)


def test_reports_are_forgotten_after_the_days_of_contributions(send, make_event, reports):
    make_event(**CONCERT)
    send()
    (report,) = reports()
    assert (report["expires"] - report["sent"]).days == 90
