"""One record, all its languages: which text a reader of one language sees.

``variants`` maps a language to the texts that are written in it: ``{"de": {"title": "…"}}``.
A chain names languages, best first; the first is the one that was asked for.
"""

from collections.abc import Iterable, Mapping, Sequence

Variants = Mapping[str, Mapping[str, str]]
Chain = Sequence[str]
# Implementations support this length (RFC 5646 section 4.4.1); lookup is quadratic.
_LONGEST_TAG = 35


class Localized(dict[str, str]):
    """The texts that one reader sees, and which of them stand in another language."""

    __slots__ = ("fallback_fields",)

    def __init__(self, texts: Mapping[str, str], fallback_fields: tuple[str, ...]) -> None:
        super().__init__(texts)
        self.fallback_fields = fallback_fields

    def __missing__(self, _field: str) -> str:
        """Return an empty text where no language of the chain has one."""
        return ""


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


def look_up(tag: str, languages: Sequence[str]) -> str | None:
    """Return the language of the site that matches a tag most exactly."""
    tag = tag.strip()
    if len(tag) > _LONGEST_TAG:
        return None
    by_tag = {folded_tag(language): language for language in languages}
    subtags = folded_tag(tag).split("-")
    while subtags:
        language = by_tag.get("-".join(subtags))
        if language:
            return language
        subtags.pop()
        # A single letter only introduces what follows it.
        while subtags and len(subtags[-1]) == 1:
            subtags.pop()
    return None


def folded_tag(tag: str) -> str:
    return tag.strip().lower().replace("_", "-")
