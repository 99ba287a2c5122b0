"""Texts of other programs as this calendar stores them: plain, HTML, or HTML escaped once more."""

import re
from collections.abc import Iterator

from calendar_app.domain.richtext import decoded, escape, has_elements, legible
from calendar_app.domain.texts.sanitizing import clean_html, web_url

# A closing bracket or a full stop behind an address belongs to the sentence around it.
_LINK = re.compile(r"(?:https?://|www\.)[^\s<>\"]*[^\s<>\".,;:!?)\]]", re.IGNORECASE)


def title_html(words: str) -> str:
    """Return a plain text as a title; programs escape it once too often."""
    return escape(" ".join(decoded(legible(words)).split()))


def description_html(words: str) -> str:
    """Return a description as clean HTML, whether it is HTML, escaped HTML, or plain text."""
    text = legible(words).strip()
    if not has_elements(text):
        text = decoded(text)
        if not has_elements(text):
            text = escape(text)
    return clean_html(text, trusted=False)


def links_in(words: str) -> Iterator[tuple[str, str]]:
    """Yield each web address in a text, as it was typed and as an absolute one."""
    for match in _LINK.finditer(words):
        typed_address = match[0]
        address = web_url(
            f"https://{typed_address}" if typed_address[:4].lower() == "www." else typed_address
        )
        if address:
            yield typed_address, address
