"""What all answers of WordPress share: the contexts they are for, texts, times, and short links."""

from calendar_app.api.presentation.records import NEVER
from calendar_app.api.presentation.shapes import JSONObject
from calendar_app.domain.richtext import decoded

VIEW, EMBED, EDIT = "view", "embed", "edit"
CONTEXTS = (VIEW, EMBED, EDIT)
# The mark of texts that a machine wrote, which WordPress lacks.
DISCLOSURE = "ai_disclosure"
CURIES = [{"name": "wp", "href": "https://api.w.org/{rel}", "templated": True}]


def time_of(text: str) -> str | None:
    """Return a time in WordPress' notation, ``2030-03-10T19:00:00``, or ``None``."""
    return None if text == NEVER else text.replace(" ", "T")


def text_of(text: str, *, is_edited: bool) -> JSONObject:
    """Return a text as an object: ``rendered`` as HTML, and ``raw`` for editors."""
    return {"rendered": text, **({"raw": decoded(text)} if is_edited else {})}


def disclosed(fields: JSONObject) -> JSONObject:
    """Return the mark of presented fields, where a machine wrote some of their texts."""
    return {name: value for name, value in fields.items() if name == DISCLOSURE}
