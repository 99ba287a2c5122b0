"""The desk speaks as people do, and calls each field by one name."""

import re
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from calendar_app.domain.kinds import EVENT, MEDIA
from calendar_app.domain.texts.messages import best_catalog
from calendar_app.site.desk.changes import label_of
from calendar_app.site.desk.event_form.fields import FIELDS, NEW
from calendar_app.site.desk.records.kinds import SHEETS
from calendar_app.site.desk.translating.rows import LABELS as TRANSLATED

CATALOGS = Path(__file__).parents[4] / "calendar_app" / "locale"
# What programs talk about, and people at the desk do not.
PROGRAM_WORDS = re.compile(
    r"\b(parameter|schema|rules?|rrule|icalendar|json|slugs?|excerpt|query|boolean|null"
    r"|parametern?|schemata|regeln?|rekurrenz|exzerpt"
    r"|paramètres?|schéma|règles?|récurrence"
    r"|parametr[oi]|schemi?|regol[ae]|ricorrenza"
    r"|parameters|reglas?)\b",
    re.IGNORECASE,
)
# A source has rules as mail programs have them, which people call so too.
RULES_OF_SOURCES = {
    "%(num)d rule",
    "Add a rule",
    "Rule %(number)s",
    "Rule %(number)s decided.",
    "Rule {number}: nothing here is called «{text}».",
    "Rules",
    "The first rule that matches an event applies. A preview shows which one.",
}
# Examples of what calendar programs write, and names of gaps.
_NOT_SAID = re.compile(r"FREQ=\S+|\{\w+\}|%\(\w+\)\w")
# The name of a record, in its own form and of an event; its map, and that of its events.
_TWO_THINGS = {"venue", "organizer", "title", "show_map"}


def labels():
    """Yield each field with the label that some page gives it."""
    for fields in ({name: each.label for name, each in FIELDS.items()}, *NEW.values(), TRANSLATED):
        yield from fields.items()
    for sheet in SHEETS.values():
        yield from {**sheet.texts, **sheet.shared}.items()


def test_each_field_has_one_label():
    by_name = {}
    for name, label in labels():
        by_name.setdefault(name, set()).add(str(label))
    several = {name: names for name, names in by_name.items() if len(names) > 1}
    assert {name: each for name, each in several.items() if name not in _TWO_THINGS} == {}


@pytest.mark.parametrize("name", ["address", "city", "alt_text", "excerpt", "cost", "country"])
def test_history_names_fields_as_forms_do(name):
    kind = MEDIA if name == "alt_text" else EVENT
    assert str(label_of(kind, name)) in {str(label) for field, label in labels() if field == name}


def singular(message):
    return message if isinstance(message, str) else message[0]


@pytest.mark.parametrize("language", ["de", "fr", "it", "rm"])
def test_no_sentence_speaks_of_what_programs_have(language):
    with (CATALOGS / language / "LC_MESSAGES" / "desk.po").open("rb") as stored:
        messages = [m for m in read_po(stored) if singular(m.id) not in RULES_OF_SOURCES]
    sentences = [str(text) for message in messages for text in (message.id, message.string)]
    wrong = [text for text in sentences if PROGRAM_WORDS.search(_NOT_SAID.sub("", text))]
    assert wrong == []


def test_what_must_be_filled_in_is_called_so():
    assert best_catalog(("de",), "desk").gettext("required") == "Pflichtfeld"
