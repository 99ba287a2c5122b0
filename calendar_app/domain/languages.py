"""One record, all its languages: which text a reader of one language sees.

``variants`` maps a language to the texts that are written in it: ``{"de": {"title": "…"}}``.
A chain names languages, best first; the first is the one that was asked for.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

Variants = Mapping[str, Mapping[str, str]]
Chain = Sequence[str]


@dataclass(frozen=True, slots=True)
class Localized:
    """The texts that one reader sees, and which of them stand in another language."""

    texts: Mapping[str, str]
    fallback_fields: tuple[str, ...]

    def __getitem__(self, field: str) -> str:
        """Return the text of ``field``; where no language of the chain has one, it is empty."""
        return self.texts.get(field, "")


def localize(variants: Variants, fields: Iterable[str], chain: Chain) -> Localized:
    """Choose each field's text by the chain, one field at a time."""
    texts: dict[str, str] = {}
    elsewhere: list[str] = []
    candidates = [(tag, variants[tag]) for tag in chain if tag in variants]
    for field in fields:
        for language, there in candidates:
            if field in there:
                texts[field] = there[field]
                if language != chain[0]:
                    elsewhere.append(field)
                break
    return Localized(texts, tuple(elsewhere))
