"""Where letters are sent, authors are written to, and administrators try the mail."""

from dataclasses import replace
from datetime import timedelta

import pytest
from desking import Desk
from post_office import post_office
from serving import wait_for

from calendar_app.api.http.request.state import get_services
from calendar_app.app import create_app
from calendar_app.site.desk.sessions import COOKIE


@pytest.fixture
def mail(app, settings, database, clock):
    """Return a function that opens the desk of a user, and another to wait for letters."""
    assert app
    with post_office() as (address, letters):
        sending = {"smtp_url": f"smtp://{address}", "mail_from": "Tal <tal@example.org>"}
        mailing = create_app(replace(settings, site_name="Tal", **sending), database, clock)

        def enter(name):
            browser = Desk(mailing)
            user = database["users"].find_one({"name": name})
            sessions = get_services(mailing).accounts.sessions
            token = sessions.begin(user["_id"], timedelta(hours=1))
            browser.client.set_cookie(COOKIE, token, path="/desk")
            return browser

        def wait_for_letters(number):
            wait_for(lambda: len(letters.taken) >= number)
            return letters.taken

        yield enter, wait_for_letters


DECISIONS = {
    "ask": ("question", "eine Frage zu"),
    "refuse": ("reason", "noch nicht veröffentlicht"),
}


@pytest.fixture
def number(make_event, as_contributor, as_admin):
    """Return the event of a contributor, who has an address of e-mail."""
    as_admin.patch(f"/users/{as_contributor.id}", email="anna@example.org", display_name="Anna")
    return make_event(as_contributor, title="Chorabend", status="pending")["id"]


@pytest.mark.parametrize("action", DECISIONS)
def test_author_is_written_to(mail, number, action):
    enter, wait_for_letters = mail
    field, words = DECISIONS[action]
    answer = enter("editor").send(f"/queue/{number}", f"/{action}", **{field: "Wo denn?"})
    assert answer.status == 303
    (letter,) = wait_for_letters(1)
    text = letter.get_body(("plain",)).get_content()
    assert letter["To"] == "anna@example.org"
    for part in ("Anna", "Chorabend", words, "Wo denn?", f"/desk/queue/{number}"):
        assert part in text


def test_administrator_tries_the_mail(mail, as_admin):
    enter, wait_for_letters = mail
    browser = enter("admin")
    assert "E-Mail-Adresse" in browser.get("/settings/").text
    as_admin.patch(f"/users/{as_admin.id}", email="admin@example.org")
    assert browser.send("/settings/", "/letter").status == 303
    (letter,) = wait_for_letters(1)
    assert letter["To"] == "admin@example.org"
    assert "ist unterwegs" in browser.get("/settings/").text
