"""Whether a translation is out of date: by content, never by time.

One language of a record is its source, the one that it was first written in. A translation keeps
fingerprints of the source texts that it was made from, one a group of fields: the name, the prose,
the single lines. Where the source reads otherwise now, the translation is outdated; white space,
markup, addresses and shared fields such as prices do not count.
See ``docs/reference/interface.md``, section "Languages".
"""

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any

from calendar_app.domain.kind import Kind, Markup, Record
from calendar_app.domain.richtext import plain

CURRENT, OUTDATED, MISSING = "current", "outdated", "missing"
STANDINGS = (CURRENT, OUTDATED, MISSING)
_GROUPED = (Markup.NAME, Markup.HTML, Markup.LINE)
_LENGTH = 16  # hexadecimal digits of a fingerprint

Texts = Mapping[str, str]


def fingerprints(kind: Kind, texts: Texts) -> dict[str, str]:
    """Return the fingerprint of each group of fields that has any text."""
    found = {}
    for markup in _GROUPED:
        words = [
            f"{name}:{' '.join(plain(texts[name]).split())}"
            for name, kept in kind.texts.items()
            if kept is markup and texts.get(name)
        ]
        if words:
            found[markup.name.lower()] = sha256("\n".join(words).encode()).hexdigest()[:_LENGTH]
    return found


def translated(kind: Kind, record: Record, written: Mapping[str, Iterable[str]]) -> Record:
    """Return ``origin``, ``sources`` and ``standing`` of ``record`` after a write.

    ``written`` maps each language to the fields that were written in it. A first write in a
    language is made from the whole source, a later one from the groups that it touches.
    """
    variants = record["variants"]
    origin = _origin(record, written)
    sources = {tag: dict(s) for tag, s in record.get("sources", {}).items() if tag in variants}
    for language in written.keys() & variants.keys():
        made = sources.get(language, {"language": origin})
        now = fingerprints(kind, variants.get(made["language"], {}))
        touched = {kind.texts[f].name.lower() for f in written[language] if f in kind.texts}
        groups = touched if language in sources else now.keys()
        sources[language] = made | {group: now[group] for group in groups if group in now}
    return _settled(kind, record, origin, sources)


def confirmed(kind: Kind, record: Record, language: str, source: str | None) -> Record:
    """Return the same after somebody said that ``language`` is right, made from ``source``.

    A source that is not told stays what it was.
    """
    variants, sources, origin = record["variants"], dict(record["sources"]), record["origin"]
    made_from = source or sources.get(language, {}).get("language", origin)
    if language == origin and made_from in variants:
        origin = made_from
    now = fingerprints(kind, variants.get(made_from, {}))
    return _settled(kind, record, origin, sources | {language: {"language": made_from, **now}})


def _origin(record: Record, written: Mapping[str, Iterable[str]]) -> str | None:
    """Return the language that the others are translated from: the first one written."""
    variants = record["variants"]
    if record.get("origin") in variants:
        return str(record["origin"])
    return next((tag for tag in (*written, *variants) if tag in variants), None)


def _settled(
    kind: Kind, record: Record, origin: str | None, sources: Mapping[str, Mapping[str, Any]]
) -> Record:
    """Return what is stored of the languages; the origin was made from none."""
    kept = {
        tag: source for tag, source in sources.items() if tag not in (origin, source["language"])
    }
    variants = record["variants"]
    standing = {tag: _standing(kind, variants, kept.get(tag)) for tag in variants}
    return {"origin": origin, "sources": kept, "standing": standing}


def _standing(kind: Kind, variants: Mapping[str, Texts], source: Mapping[str, Any] | None) -> str:
    """Return whether a translation still says what its source says."""
    if source is None or source["language"] not in variants:
        return CURRENT
    now = fingerprints(kind, variants[source["language"]])
    made_from = {name: value for name, value in source.items() if name != "language"}
    return CURRENT if now.items() <= made_from.items() else OUTDATED
