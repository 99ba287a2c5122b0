"""Whether a translation is out of date: by content, never by time.

One language of a record is its source, the one that it was first written in. A translation keeps
fingerprints of the source texts that it was made from, one a field. Where the source of a text that
it has reads otherwise now, the translation is outdated; white space, markup, addresses and shared
fields such as prices do not count. A language without a name is missing, whatever else is written.
Where the source is taken away, the translation goes on as one of the record's present source, and
stands as it stood.
See ``docs/reference/languages.md``.
"""

from collections.abc import Collection, Iterable, Mapping
from hashlib import sha256
from typing import Any

from calendar_app.domain.custom_fields import Fields, comparable
from calendar_app.domain.kind import Kind, Markup, Record
from calendar_app.domain.richtext import plain

CURRENT, OUTDATED, MISSING = "current", "outdated", "missing"
STANDINGS = (CURRENT, OUTDATED, MISSING)
_COMPARED = frozenset(Markup) - {Markup.URL}
_LENGTH = 16  # hexadecimal digits of a fingerprint

Texts = Mapping[str, str]
# The language that a translation was made from, and fingerprints of the "texts" there by field.
TranslatedSource = Mapping[str, Any]


def fingerprints(kind: Kind, texts: Texts) -> dict[str, str]:
    """Return the fingerprint of each field that has any text."""
    return {name: _fingerprint(texts[name]) for name in compared_fields(kind) if texts.get(name)}


def compared_fields(kind: Kind) -> list[str]:
    """Return the fields of which words are written in each language: all but addresses."""
    return [name for name, markup in kind.texts.items() if markup in _COMPARED]


def words_of(text: str | Fields) -> str:
    """Return the words of a text, or of custom fields, without markup."""
    return " ".join((plain(text) if isinstance(text, str) else comparable(text)).split())


def _fingerprint(text: str | Fields) -> str:
    return sha256(words_of(text).encode()).hexdigest()[:_LENGTH]


def translated(kind: Kind, record: Record, changed_fields: Mapping[str, Iterable[str]]) -> Record:
    """Return ``origin``, ``sources`` and ``standing`` of ``record`` after a write.

    ``changed_fields`` maps each language to the fields that read otherwise now. A first write in a
    language is made from the whole source, a later one from the groups that it touches.
    """
    variants = record["variants"]
    origin = _origin(record, changed_fields)
    sources = {
        tag: _present(kind, record, tag, origin)
        for tag in record.get("sources", {})
        if tag in variants
    }
    for language in changed_fields.keys() & variants.keys():
        source = sources.get(language, {"language": origin})
        if language in (origin, source["language"]):
            continue  # It was made from none.
        now = fingerprints(kind, variants[source["language"]])
        fields = set(changed_fields[language]) if language in sources else now.keys()
        digests = {name: value for name, value in _texts(source).items() if name not in fields}
        digests |= {name: now[name] for name in fields & now.keys()}
        sources[language] = {"language": source["language"], "texts": digests}
    return _settled(kind, record, origin, sources)


def confirmed(
    kind: Kind,
    record: Record,
    language: str,
    source: str | None,
    fields: Collection[str] | None = None,
) -> Record:
    """Return the same after somebody said that ``language`` is right, made from ``source``.

    A source that is not told stays what it was. With ``fields`` only these were looked at.
    """
    variants, sources, origin = record["variants"], dict(record["sources"]), record["origin"]
    before: TranslatedSource = sources.get(language, {"language": origin})
    made_from = source or before["language"]
    if language == origin and made_from in variants:
        origin = made_from
    digests = fingerprints(kind, variants.get(made_from, {}))
    if fields is not None and made_from == before["language"]:
        unchanged = {name: digest for name, digest in _texts(before).items() if name not in fields}
        digests = unchanged | {name: digests[name] for name in fields if name in digests}
    sources[language] = {"language": made_from, "texts": digests}
    return _settled(kind, record, origin, sources)


def source_language(record: Record, language: str) -> str | None:
    """Return the language from which one is translated; none where it is the first one."""
    made_from = record.get("sources", {}).get(language, {}).get("language", record.get("origin"))
    return None if made_from == language else made_from


def outdated_fields(kind: Kind, record: Record, language: str) -> list[str]:
    """Return the fields of a translation with a changed source."""
    variants = record["variants"]
    source = record.get("sources", {}).get(language) if language in variants else None
    return _outdated(kind, variants, language, source)


def restated(kind: Kind, record: Record) -> Record:
    """Return the same for the sources that ``record`` has, as of an earlier state of it."""
    variants = record["variants"]
    sources = {
        tag: source
        for tag, source in (record.get("sources") or {}).items()
        if tag in variants and source["language"] in variants
    }
    origin = record.get("origin")
    return _settled(kind, record, origin if origin in variants else None, sources)


def _origin(record: Record, changed: Iterable[str]) -> str | None:
    """Return the language that the others are translated from: the first one written.

    Where it is gone, one that was current takes its place.
    """
    variants, standing = record["variants"], record.get("standing", {})
    if record.get("origin") in variants:
        return str(record["origin"])
    candidates = sorted(variants, key=lambda tag: (standing.get(tag) != CURRENT, tag))
    return next((tag for tag in (*changed, *candidates) if tag in variants), None)


def _present(kind: Kind, record: Record, tag: str, origin: str | None) -> TranslatedSource:
    """Return the source of a translation; ``origin`` takes the place of a removed language."""
    source: TranslatedSource = record["sources"][tag]
    if source["language"] in record["variants"]:
        return source
    current = record["standing"].get(tag) == CURRENT
    texts = record["variants"].get(origin, {}) if current else {}
    return {"language": origin, "texts": fingerprints(kind, texts)}


def _texts(source: TranslatedSource) -> Mapping[str, str]:
    digests: Mapping[str, str] = source.get("texts", {})
    return digests


def _settled(
    kind: Kind, record: Record, origin: str | None, sources: Mapping[str, TranslatedSource]
) -> Record:
    """Return the stored state of the languages; the origin has no source."""
    current = {
        tag: source for tag, source in sources.items() if tag not in (origin, source["language"])
    }
    variants = record["variants"]
    standing = {
        tag: _standing(kind, variants, tag, current.get(tag))
        for tag, texts in variants.items()
        if has_name(kind, texts)
    }
    return {"origin": origin, "sources": current, "standing": standing}


def has_name(kind: Kind, texts: Texts) -> bool:
    """Say whether texts name a record in their language; any text does where none is its name."""
    return bool(texts.get(kind.label)) or kind.label not in kind.texts


def _standing(
    kind: Kind, variants: Mapping[str, Texts], tag: str, source: TranslatedSource | None
) -> str:
    """Return whether the sources of a translation are unchanged."""
    return OUTDATED if _outdated(kind, variants, tag, source) else CURRENT


def _outdated(
    kind: Kind, variants: Mapping[str, Texts], tag: str, source: TranslatedSource | None
) -> list[str]:
    if source is None:
        return []
    now, then = fingerprints(kind, variants[source["language"]]), _texts(source)
    has_text = [name for name in compared_fields(kind) if variants[tag].get(name)]
    return [name for name in has_text if now.get(name) != then.get(name)]
