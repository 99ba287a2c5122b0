"""The desk says in its own language why a source was not read."""

import pytest

from calendar_app.site.desk.sources.words import reason_in_words
from calendar_app.site.html.texts import CatalogTexts
from calendar_app.sources.readers.service import BEYOND_BOUNDS

GERMAN = CatalogTexts(("desk", "messages"), ("de",))


@pytest.mark.parametrize("message", BEYOND_BOUNDS)
def test_bound_that_a_reading_has_passed_keeps_its_number(message):
    words = reason_in_words(message.pattern.format(number=300), GERMAN)
    assert words.startswith("Die Quelle zu lesen")
    assert "300" in words


@pytest.mark.parametrize(
    "reason", ["", "It is empty {now}.", "The source took more than ten s to read."]
)
def test_any_other_reason_stays_as_it_is(reason):
    assert reason_in_words(reason, GERMAN) == reason
