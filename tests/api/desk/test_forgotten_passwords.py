"""A letter resets a forgotten password; strangers learn nothing."""

import re

import pytest
from calling import SITE
from desking import Desk
from post_office import post_office

from calendar_app.api.http.request.state import get_services
from calendar_app.changes.mail import Mailer


@pytest.fixture
def letters(app):
    services = get_services(app)
    with post_office() as (address, office_letters):
        mailer = Mailer(f"smtp://{address}", "Calendar <calendar@example.org>")
        object.__setattr__(services, "mailer", mailer)
        yield office_letters
        object.__setattr__(services, "mailer", Mailer("", ""))


@pytest.fixture
def ask(app, letters):
    """Return a function that asks for a letter, and returns the answer and the letters."""

    def send(name):
        answer = Desk(app).send("/forgot", name=name)
        get_services(app).mailer.flush()
        return answer, letters.taken

    return send


@pytest.fixture
def with_email(as_admin, as_author):
    as_admin.patch(f"/users/{as_author.id}", email="Anna@example.org")
    return as_author


@pytest.mark.parametrize("name", ["author", "AUTHOR", "anna@example.org", " Anna@Example.org "])
def test_letter_with_a_link_goes_to_the_user(ask, with_email, stranger, name):
    del with_email
    answer, sent_letters = ask(name)

    assert answer.status == 200
    (letter,) = sent_letters
    assert letter["To"] == "Anna@example.org"
    link = re.search(
        rf"{SITE}(/desk/welcome\?token=\S+)", letter.get_body(("plain",)).get_content()
    )[1]
    stranger.get(link)
    assert (
        stranger.send("/welcome", password="neues Passwort", again="neues Passwort").status == 303
    )


def test_answer_is_the_same_for_names_that_nobody_has(ask, with_email):
    del with_email

    def visible(page):
        return page.text

    of_user, _ = ask("author")
    of_nobody, sent_letters = ask("nobody")
    assert visible(of_user) == visible(of_nobody)
    assert of_user.status == of_nobody.status
    assert len(sent_letters) == 1


def test_user_without_email_or_who_is_blocked_gets_no_letter(ask, as_admin, with_email):
    as_admin.patch(f"/users/{with_email.id}", blocked=True)

    for name in ("author", "editor", ""):
        _, sent_letters = ask(name)
    assert sent_letters == []


def test_second_letter_waits_for_some_minutes(ask, with_email, clock):
    del with_email
    for _ in range(3):
        _, sent_letters = ask("author")
    assert len(sent_letters) == 1

    clock.advance(minutes=6)
    _, sent_letters = ask("author")
    assert len(sent_letters) == 2


def test_too_many_letters_from_one_address_are_refused(ask):
    statuses = [ask("nobody")[0].status for _ in range(31)]

    assert statuses[:30] == [200] * 30
    assert statuses[30] == 429


def test_without_a_mail_server_there_is_no_such_page(stranger):
    assert stranger.get("/forgot").status == 404
    assert not stranger.get("/login").tree.xpath('//a[@href="/desk/forgot"]')


def test_login_leads_to_the_page(stranger, letters):
    del letters
    assert stranger.get("/login").tree.xpath('//a[@href="/desk/forgot"]')


def test_mail_server_that_is_away_changes_nothing_of_the_answer(ask, letters, with_email):
    del with_email
    letters.refuses = True

    answer, sent_letters = ask("author")
    assert (answer.status, sent_letters) == (200, [])


def test_invitation_says_whether_the_letter_was_taken(as_admin, letters):
    def invite(name):
        body = {"name": name, "role": "author", "email": "new@example.org"}
        return as_admin.post("/users", **body).json["invitation"]["mailed"]

    assert invite("first") is True
    assert letters.taken[0]["To"] == "new@example.org"
    letters.refuses = True
    assert invite("second") is False
