"""Whether a translation is out of date: by content, never by time.

One language of a record is its source, the one that it was first written in. A translation keeps
fingerprints of the source texts that it was made from, one a group of fields: the name, the prose,
the single lines. Where the source reads otherwise now, the translation is outdated; white space,
markup, addresses and shared fields such as prices do not count. Where the source is taken away,
the translation goes on as one of the record's present source, and stands as it stood.
See ``docs/reference/interface.md``, section "Languages".
"""

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any

from calendar_app.domain.kind import Kind, Markup, Record
from calendar_app.domain.richtext import plain

CURRENT, OUTDATED, MISSING = "current", "outdated", "missing"
STANDINGS = (CURRENT, OUTDATED, MISSING)
_GROUPED = (Markup.NAME, Markup.TERM, Markup.HTML, Markup.LINE, Markup.NOTE)
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

    ``written`` maps each language to the fields that read otherwise now. A first write in a
    language is made from the whole source, a later one from the groups that it touches.
    """
    variants = record["variants"]
    origin = _origin(record, written)
    sources = {
        tag: _present(kind, record, tag, origin)
        for tag in record.get("sources", {})
        if tag in variants
    }
    for language in written.keys() & variants.keys():
        made = sources.get(language, {"language": origin})
        if language in (origin, made["language"]):
            continue  # It was made from none.
        now = fingerprints(kind, variants[made["language"]])
        touched = {kind.texts[name].name.lower() for name in written[language] if name != "slug"}
        groups = touched if language in sources else now.keys()
        kept = {name: value for name, value in made.items() if name not in groups}
        sources[language] = kept | {group: now[group] for group in groups & now.keys()}
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


def _origin(record: Record, written: Iterable[str]) -> str | None:
    """Return the language that the others are translated from: the first one written.

    Where it is gone, one that was current takes its place.
    """
    variants, standing = record["variants"], record.get("standing", {})
    if record.get("origin") in variants:
        return str(record["origin"])
    others = sorted(variants, key=lambda tag: (standing.get(tag) != CURRENT, tag))
    return next((tag for tag in (*written, *others) if tag in variants), None)


def _present(kind: Kind, record: Record, tag: str, origin: str | None) -> dict[str, Any]:
    """Return what a translation was made from; ``origin`` takes the place of what is gone."""
    source: dict[str, Any] = record["sources"][tag]
    if source["language"] in record["variants"]:
        return dict(source)
    current = record["standing"].get(tag) == CURRENT
    now = fingerprints(kind, record["variants"].get(origin, {})) if current else {}
    return {"language": origin, **now}


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
    if source is None:
        return CURRENT
    now = fingerprints(kind, variants[source["language"]])
    return CURRENT if source == {"language": source["language"], **now} else OUTDATED
