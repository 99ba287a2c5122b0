"""Letters reach a real server on loopback, or are given up with a line in the log."""

import socket

import pytest
from post_office import only, post_office
from structlog.testing import capture_logs

from calendar_app.changes.mail import Letter, Mailer
from calendar_app.errors import ConfigurationError
from calendar_app.settings import Settings

SENDER = "Valley Calendar <calendar@example.org>"
LETTER = Letter("anna@example.org", "Einladung für Sie", "Grüezi\n\nhttps://example.org/x?y=z\n")


@pytest.fixture
def office():
    with post_office() as (address, letters):
        yield address, letters


def test_letter_arrives_with_its_text_and_its_headers(office):
    address, letters = office

    assert Mailer(f"smtp://{address}", SENDER).send(LETTER)

    (letter,) = letters.taken
    assert letter["To"] == "anna@example.org"
    assert letter["From"] == SENDER
    assert letter["Subject"] == "Einladung für Sie"
    assert letter["Date"]
    assert letter["Message-ID"].endswith("@example.org>")
    assert letter["Auto-Submitted"] == "auto-generated"
    assert letter.get_content_type() == "multipart/alternative"
    assert letter.get_body(("plain",)).get_content().strip() == LETTER.text.strip()
    assert "<p" in letter.get_body(("html",)).get_content()


def test_name_and_password_of_the_address_log_in():
    with post_office(**only("anna@example.org", "pass:word/")) as (address, letters):
        with_password = Mailer(f"smtp://anna%40example.org:pass%3Aword%2F@{address}", SENDER)
        stranger = Mailer(f"smtp://anna%40example.org:guess@{address}", SENDER)

        assert with_password.send(LETTER)
        assert not stranger.send(LETTER)
        assert len(letters.taken) == 1


def test_letter_of_the_background_arrives_in_time(office):
    address, letters = office
    mailer = Mailer(f"smtp://{address}", SENDER)

    mailer.send_later(LETTER)
    mailer.flush()

    assert len(letters.taken) == 1


def test_refused_letter_is_logged_without_its_text(office):
    address, letters = office
    letters.refuses = True

    with capture_logs() as lines:
        assert not Mailer(f"smtp://{address}", SENDER).send(LETTER)

    (line,) = lines
    assert (line["event"], line["sent"]) == ("mail", False)
    assert "example.org/x" not in repr(line)


def test_a_server_that_is_away_raises_nothing():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]

    assert not Mailer(f"smtp://127.0.0.1:{port}", SENDER).send(LETTER)


@pytest.mark.parametrize("to", ["a@b\nBcc: c@d", "@", "a@"])
def test_address_cannot_add_headers(office, to):
    address, letters = office
    Mailer(f"smtp://{address}", SENDER).send(Letter(to, "x", "y"))

    assert not any("Bcc" in letter for letter in letters.taken)


def test_without_a_server_nothing_is_sent():
    mailer = Mailer("", "")

    assert not mailer.enabled
    assert not mailer.send(LETTER)
    mailer.send_later(LETTER)


@pytest.mark.parametrize(
    "url", ["mail.example.org", "http://mail.example.org", "smtp://", "smtp:x"]
)
def test_setting_that_names_no_mail_server_is_refused(url):
    with pytest.raises(ConfigurationError, match="smtp_url"):
        Settings.load(
            environment={}, smtp_url=url, mail_from=SENDER, site_url="https://example.org"
        )


@pytest.mark.parametrize("missing", ["mail_from", "site_url"])
def test_mail_needs_a_sender_and_an_address_of_the_site(missing):
    settings = {
        "smtp_url": "smtp://mail.example.org",
        "mail_from": SENDER,
        "site_url": "https://example.org",
    }
    with pytest.raises(ConfigurationError, match=missing):
        Settings.load(environment={}, **(settings | {missing: ""}))
