"""Where mail is set, the sender is written to."""

from dataclasses import replace

import pytest
from browsing import Browser
from calling import Client
from post_office import post_office
from serving import wait_for

from calendar_app.app import create_app

from .conftest import CONTRIBUTION

# The database of `app` has users.
pytestmark = [pytest.mark.without_mongodb, pytest.mark.usefixtures("app")]


@pytest.fixture
def mail(settings, database, clock):
    """Return callers by name of a site that sends mail, and a function that waits for letters."""
    with post_office() as (address, letters):
        mailing = replace(
            settings,
            smtp_url=f"smtp://{address}",
            mail_from="Tal <tal@example.org>",
            site_name="Tal",
        )
        app = create_app(mailing, database, clock)

        def wait_for_letters(number):
            wait_for(lambda: len(letters.taken) >= number)
            return letters.taken

        yield Client(app), Client(app, "editor", 2), wait_for_letters


def test_form_asks_for_the_address_to_which_letters_go(settings, database, clock):
    app = create_app(replace(settings, smtp_url="smtp://localhost"), database, clock)
    browse = Browser(app)
    stamp = browse("/events/submit/").tree.xpath('//input[@name="form"]/@value')[0]
    clock.advance(seconds=60)
    sent = {"form": stamp, "languages[]": "de", "contact_email": "ursina"}
    page = browse("/events/submit/", method="POST", data=sent)
    for name in ("contact_name", "contact_email"):
        assert page.tree.xpath(f'//input[@name="{name}"][@required or @aria-required]')
        assert page.tree.xpath(f'//*[@id="problem-{name}"]')


def test_sender_gets_the_link_and_nothing_that_was_sent(mail):
    anyone, _, wait_for_letters = mail
    sent = anyone.post("/submissions", **CONTRIBUTION).json
    (letter,) = wait_for_letters(1)
    assert letter["To"] == "ursina@example.org"
    assert letter["Subject"] == "Tal: Ihre Veranstaltung ist angekommen"
    text = letter.get_body(("plain",)).get_content()
    assert sent["url"] in text
    for words in ("Hausmusik", "Ursina", "Mühle", "Flöte"):
        assert words not in text


@pytest.mark.parametrize(
    ("decision", "words", "subject"),
    [
        ("ask", {"question": "Wann endet es?"}, "eine Frage zu Ihrer Veranstaltung"),
        ("publish", {}, "Ihre Veranstaltung ist veröffentlicht"),
        ("refuse", {"reason": "Zu weit weg"}, "Ihre Veranstaltung wird nicht veröffentlicht"),
    ],
)
def test_sender_is_told_what_was_asked_or_decided(mail, decision, words, subject):
    anyone, editor, wait_for_letters = mail
    number = anyone.post("/submissions", **CONTRIBUTION).json["id"]
    assert editor.post(f"/submissions/{number}/{decision}", **words).status_code == 200
    letter = wait_for_letters(2)[1]
    assert letter["Subject"] == f"Tal: {subject}"
    text = letter.get_body(("plain",)).get_content()
    for part in ("Ursina Caflisch", "Hausmusik", *words.values()):
        assert part in text
    if decision == "publish":
        assert "https://calendar.example/event/hausmusik/" in text


def test_without_an_address_nobody_is_written_to(mail):
    anyone, editor, wait_for_letters = mail
    without = {**CONTRIBUTION, "contact_email": ""}
    number = anyone.post("/submissions", **without).json["id"]
    assert editor.post(f"/submissions/{number}/publish").status_code == 200
    anyone.post("/submissions", **CONTRIBUTION)
    assert [letter["To"] for letter in wait_for_letters(1)] == ["ursina@example.org"]


def test_letter_names_the_title_as_it_was_written(mail):
    anyone, as_editor, wait_for_letters = mail
    sent = anyone.post("/submissions", **CONTRIBUTION | {"title": "Write &amp;amp; for &amp;"}).json
    as_editor.post(f"/submissions/{sent['id']}/ask", question="Wann?")
    assert "Write &amp; for &»" in wait_for_letters(2)[1].get_body(("plain",)).get_content()
