"""What is noted with a record for indexes, which cannot read its texts themselves."""

from collections.abc import Mapping, Sequence

from calendar_app.domain.kind import Kind, Record
from calendar_app.query.texts import (
    CALLED,
    NAMED,
    WRITTEN,
    noted_languages,
)

Chains = Mapping[str, Sequence[str]]


def noted(kind: Kind, record: Record, chains: Chains) -> Record:
    """Return what an event is called for readers of each language, and its languages.

    ``chains`` has for each language those that its readers are shown, best first.
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
    return {
        CALLED: called,
        WRITTEN: noted_languages(named),
        NAMED: {language: language in named for language in chains},
    }
