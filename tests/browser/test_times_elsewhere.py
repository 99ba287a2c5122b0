"""Readers in another zone see the time of an event on their own clock, in the page's language."""

import re

import httpx
import pytest

_DIGITS = r"\d{1,2}\.\d{1,2}\.\d{4}, \d\d:\d\d"


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("", r"Ihre Zeit: \d\d\.\d\d\.\d{4}, \d\d:\d\d.*"),
        # Browsers know no Romansh, and would take the German word for hours.
        ("rm/", rf"Voss.ura: {_DIGITS} . {_DIGITS}"),
    ],
)
def test_own_time_is_in_the_language_of_the_page(site, visit, language, words):
    listed = httpx.get(f"{site}/calendar/events/v1/events").json()["events"]
    event = next(event for event in listed if not event["all_day"])
    path = event["url"].removeprefix(f"{site}/")
    page = visit(f"/{language}{path}", timezone_id="America/New_York")
    own_time = page.locator(".own-zone").first.inner_text()
    assert re.fullmatch(words, own_time), own_time
