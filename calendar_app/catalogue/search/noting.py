"""What is noted with a record for indexes, which cannot read its texts themselves."""

from collections.abc import Mapping, Sequence

from calendar_app.domain.kind import Kind, Record
from calendar_app.query.texts import (
    CALLED,
    FOLDED,
    NAMED,
    SHARED,
    UNNAMED,
    WRITTEN,
    noted_languages,
    unnamed,
)
from calendar_app.query.vocabulary import RULES

Chains = Mapping[str, Sequence[str]]


def noted(kind: Kind, record: Record, chains: Chains) -> Record:
    """Return what an event is called for readers of each language, and its languages.

    ``chains`` has for each language those that its readers are shown, best first. ``UNNAMED`` is
    there only for languages with texts but no name.
    """
    named = {
        language: texts[kind.label]
        for language, texts in record.get("variants", {}).items()
        if kind.label in texts
    }
    called = {
        language: next((named[tag] for tag in chain if tag in named), "")
        for language, chain in chains.items()
    }
    languages = record.get(FOLDED, {}).keys() - {SHARED, RULES}
    nameless = sorted((languages & chains.keys()) - named.keys())
    return {
        CALLED: called,
        WRITTEN: noted_languages(languages),
        NAMED: {language: language in named for language in chains},
        **({UNNAMED: [*map(unnamed, nameless)]} if nameless else {}),
    }
