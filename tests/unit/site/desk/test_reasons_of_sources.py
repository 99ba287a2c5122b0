"""The desk gives its reasons for failed readings and left-out parts in its own language."""

import pytest

from calendar_app.errors import Message
from calendar_app.site.desk.sources.words import reason_in_words
from calendar_app.site.html.texts import CatalogTexts
from calendar_app.sources.readers.service import TOO_COSTLY, TOO_LARGE, TOO_LONG

GERMAN = CatalogTexts(("desk", "messages"), ("de",))


@pytest.mark.parametrize("message", [TOO_LONG, TOO_COSTLY, TOO_LARGE])
def test_bound_that_a_reading_has_passed_keeps_its_number(message):
    words = reason_in_words(message.pattern.format(number=300), GERMAN)
    assert words.startswith("Die Quelle zu lesen")
    assert "300" in words


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        ("It is empty.", "Es ist leer."),
        ("It has more than 50000 events.", "Es sind mehr als 50000 Veranstaltungen."),
        (
            "https://x.ch/{: It is answered with 404: there is nothing at this address.",
            "https://x.ch/{: Die Antwort hat den Status 404: unter dieser Adresse gibt es nichts.",
        ),
        (
            'It is no calendar, but a page of the web "Wir: {alle}".',
            'Statt der erwarteten Daten (Kalender) kam eine Webseite "Wir: {alle}".',
        ),
        (
            "URL, which is not a web address: bei: uns, which is so",
            "URL, das keine Webadresse ist: bei: uns, which is so",
        ),
        (
            "start cannot be read: 31.2.2030. There is no such day.",
            "start lässt sich nicht lesen: 31.2.2030. Diesen Tag gibt es nicht.",
        ),
        (
            "DTSTART cannot be read: 31. a: a",
            "DTSTART lässt sich nicht lesen: 31. a: a",
        ),
        ("Nothing is taken of venue, title.", "Nicht übernommen: venue, title."),
    ],
)
def test_reason_is_in_the_language_of_the_desk(reason, words):
    assert reason_in_words(reason, GERMAN) == words


@pytest.mark.parametrize(
    "reason",
    [
        "",
        "a: " * 600,
        ". a: " * 200,
        "It is empty {now}.",
        "{",
        "Somebody: something",
        "{0} {reason}",
        "42",
    ],
)
def test_any_other_reason_stays_as_it_is(reason):
    assert reason_in_words(reason, GERMAN) == reason


def test_message_keeps_what_fills_it():
    reason = Message("{name} cannot be read: {content}", name="RRULE", content="{x}: }")
    assert reason_in_words(str(reason), GERMAN) == "RRULE lässt sich nicht lesen: {x}: }"
