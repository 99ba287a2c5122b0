"""What forms say of the texts of a record: how each stands, and what has changed in its source."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from calendar_app.content.composing import has_own_texts
from calendar_app.domain.differences import Stretch, difference, html_difference
from calendar_app.domain.kind import Kind, Markup, Record
from calendar_app.domain.translations import MISSING, outdated_fields, source_language
from calendar_app.http.request import current

# The control of a text in a language.
Controls = Callable[[str, str], str]
_HTML = (Markup.HTML, Markup.INLINE)


@dataclass(frozen=True, slots=True)
class TextNote:
    """What is known of one text; ``key`` names it when it is said to be right still."""

    key: str
    source: str
    is_outdated: bool
    changes: Sequence[Stretch] = ()


def said_of_texts(
    kind: Kind, record: Record | None, languages: Sequence[str], control_of: Controls
) -> Mapping[str, Any]:
    """Return what the templates of forms know of the texts of a record, none for a new one."""
    known: dict[str, Any] = {"proposed_kind": kind.name, "standings": {}, "text_notes": {}}
    if record is None:
        return known | {"sources": dict.fromkeys(languages[1:], languages[0])}
    sources = {tag: source_language(record, tag) or tag for tag in languages}
    standings = {tag: record.get("standing", {}).get(tag, MISSING) for tag in languages}
    notes = dict(_notes(kind, record, sources, control_of)) if _has_texts(record) else {}
    return known | {"sources": sources, "standings": standings, "text_notes": notes}


def _has_texts(record: Record) -> bool:
    """Return whether the texts are its own, and not those of the series that it is a date of."""
    return not record.get("series") or has_own_texts(record)


def _notes(
    kind: Kind, record: Record, sources: Mapping[str, str], control_of: Controls
) -> Iterator[tuple[str, TextNote]]:
    for tag, source in sources.items():
        outdated = outdated_fields(kind, record, tag) if tag != source else []
        if not outdated:
            continue
        earlier = current.context().services.history.source_texts(kind, record, tag)
        now = record["variants"].get(source, {})
        for name in outdated:
            changes = _changes(kind, name, earlier.get(name), now.get(name, ""))
            yield control_of(name, tag), TextNote(f"{tag}.{name}", source, True, changes)


def _changes(kind: Kind, name: str, before: Any, now: Any) -> Sequence[Stretch]:
    """Return how a source text became what it is, as far as history tells."""
    if not isinstance(before, str) or not isinstance(now, str):
        return ()
    return (
        html_difference(before, now) if kind.texts.get(name) in _HTML else difference(before, now)
    )
