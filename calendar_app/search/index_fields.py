"""Denormalised fields for indexes: the display title in each language, and its languages."""

from collections.abc import Mapping, Sequence

from calendar_app.domain.kind import Kind, Record
from calendar_app.query.texts import DISPLAY_TITLE, HAS_TITLE, TITLE_LANGUAGES, language_set

Chains = Mapping[str, Sequence[str]]


def index_fields(kind: Kind, record: Record, chains: Chains) -> Record:
    """Return the index fields of a record's titles.

    ``chains`` has for each language those that its readers are shown, best first.
    """
    titles = {
        language: texts[kind.label]
        for language, texts in record.get("variants", {}).items()
        if kind.label in texts
    }
    display_titles = {
        language: next((titles[tag] for tag in chain if tag in titles), "")
        for language, chain in chains.items()
    }
    return {
        DISPLAY_TITLE: display_titles,
        TITLE_LANGUAGES: language_set(titles),
        HAS_TITLE: {language: language in titles for language in chains},
    }
