"""Forms put an error beside its field, without names of the interface."""

import re

import pytest
from babel.messages.pofile import read_po

from calendar_app.domain.addresses import whole_address
from calendar_app.domain.texts.messages import LOCALE
from calendar_app.errors import Message
from calendar_app.site.pages.refusals import SENTENCES, in_words, placed

ADDRESS = Message(
    "{name} must be an absolute address such as https://example.org/.", name="website"
)


def catalog(language, name):
    with (LOCALE / language / "LC_MESSAGES" / f"{name}.po").open("rb") as file:
        return {entry.id: entry.string for entry in read_po(file) if entry.id}


@pytest.mark.parametrize("language", ["de", "fr", "it", "rm"])
def test_sentences_replace_messages_that_exist_and_are_translated(language):
    assert SENTENCES.keys() <= catalog(language, "messages").keys()
    own = catalog(language, "pages")
    assert all(own[str(sentence)] for sentence in SENTENCES.values())


def test_sentences_name_no_parameter():
    parameters = re.compile(
        r"\{name\}|\{part\}|[a-z]+_[a-z]+|\b(?:rdate|exdate|rrule|UNTIL|COUNT)\b"
    )
    assert [each for each in SENTENCES.values() if parameters.search(each)] == []


@pytest.mark.parametrize(
    ("reason", "sentence"),
    [
        (ADDRESS, "Write the whole address: https://example.org"),
        (Message("end_date is before start_date."), "The end is before the start"),
        (
            Message("{name} must lie between {low} and {high}.", name="x", low=-90, high=90),
            "-90 to",
        ),
        (Message("There is no such day."), "There is no such day."),
    ],
)
def test_reason_is_said_in_words(reason, sentence):
    assert sentence in in_words(reason)


@pytest.mark.parametrize(
    ("reason", "field"),
    [
        (
            Message("variants: {language}: {reason}", language="rm", reason=ADDRESS),
            "variants[rm][website]",
        ),
        (Message("{place}: {reason}", place="venue.geo_lat", reason=ADDRESS), "venue[geo_lat]"),
        (ADDRESS, "sent"),
    ],
)
def test_reason_stands_at_the_field_that_it_is_about(reason, field):
    assert placed("sent", reason) == (field, ADDRESS)


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("dorta.ch", "https://dorta.ch/"),
        (" www.dorta.ch/konzert ", "https://www.dorta.ch/konzert"),
        ("köniz.ch", "https://xn--kniz-5qa.ch/"),
        *((text, text) for text in ("", "17", "3.50", "https://dorta.ch", "info@dorta.ch", "kein")),
    ],
)
def test_address_is_completed_as_people_say_it(typed, address):
    assert whole_address(typed) == address
