"""Fills new records with translations that the calendar says the same way everywhere.

What is filled in comes from the memory, and waits for a check. See the setting ``memory_fills``.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from calendar_app.domain.custom_fields import NAME, PARTS, VALUE
from calendar_app.domain.kind import Kind, Markup, Record
from calendar_app.domain.ledger import MEMORY, Origin
from calendar_app.parts.memory.remembering.proposing import Recall, Recalled, RecallQuery

_HTML = (Markup.HTML, Markup.INLINE)
# Of a text its field, and of a further detail its key and part.
_Place = tuple[str, ...]


class Filling:
    """Fills new records in the languages of a site."""

    def __init__(self, recall: Recall, languages: Sequence[str]) -> None:
        self._recall = recall
        self._languages = languages

    def __call__(self, kind: Kind, changes: Record, language: str) -> Record:
        """Return the changes of a new record, completed by remembered texts."""
        sent: Mapping[str, Record] = changes.get("variants", {})
        queries = dict(_queries(kind, sent.get(language, {})))
        if kind.reused_by_name or not queries:
            return changes  # The names of places and people are their own.
        variants, origins = dict(sent), dict(changes.get("origins", {}))
        for target in self._languages:
            target_texts = sent.get(target, {})
            lacking = {
                place: each for place, each in queries.items() if place[0] not in target_texts
            }
            if target == language or not lacking:
                continue
            recalled = self._recall.undisputed([*lacking.values()], language, target)
            pairs = zip(lacking, recalled, strict=True)
            texts, text_origins = _texts({place: each for place, each in pairs if each})
            if texts:
                variants[target] = {**target_texts, **texts}
                origins[target] = {**origins.get(target, {}), **text_origins}
        return {**changes, "variants": variants} | ({"origins": origins} if origins else {})


def _queries(kind: Kind, texts: Mapping[str, Any]) -> Iterator[tuple[_Place, RecallQuery]]:
    """Yield the texts of the source with their places."""
    for name, text in texts.items():
        markup = kind.texts.get(name)
        if name == NAME:
            for key, parts in (text or {}).items():
                for part in PARTS:
                    if parts.get(part):
                        place = (name, key, part)
                        yield (
                            place,
                            RecallQuery(parts[part], part == VALUE, kind.name, ".".join(place)),
                        )
        elif markup and markup is not Markup.URL and isinstance(text, str) and text:
            yield (name,), RecallQuery(text, markup in _HTML, kind.name, name)


def _texts(recalled_texts: Mapping[_Place, Recalled]) -> tuple[Record, Mapping[str, Origin]]:
    """Return the remembered texts of a language, and their origins."""
    texts: Record = {}
    sources: dict[str, str] = {}
    for place, recalled in recalled_texts.items():
        field, *rest = place
        if not rest:
            texts[field] = recalled.text
        elif (field, rest[0], VALUE) in recalled_texts:  # A label alone says nothing.
            texts.setdefault(field, {}).setdefault(rest[0], {})[rest[1]] = recalled.text
        if field in texts:
            sources.setdefault(field, recalled.origin)
    origins = {
        field: Origin(MEMORY, by, texts[field], reviewed=False) for field, by in sources.items()
    }
    return texts, origins
