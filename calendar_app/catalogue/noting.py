"""What is noted with a record for indexes, which cannot read its texts themselves."""

from collections.abc import Mapping, Sequence

from calendar_app.domain.kind import Kind, Record
from calendar_app.query.texts import CALLED, FOLDED, SHARED, WRITTEN, noted_languages
from calendar_app.query.vocabulary import RULES

Chains = Mapping[str, Sequence[str]]


def noted(kind: Kind, record: Record, chains: Chains) -> Record:
    """Return what the record is called for readers of each language, and which languages it has.

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
    languages = record.get(FOLDED, {}).keys() - {SHARED, RULES}
    return {CALLED: called, WRITTEN: noted_languages(languages)}


def read_for(kind: Kind, chains: Chains) -> list[str]:
    """Return the fields of a stored record that ``noted`` reads."""
    languages = {language for chain in chains.values() for language in chain}
    return [FOLDED, *(f"variants.{language}.{kind.label}" for language in sorted(languages))]
