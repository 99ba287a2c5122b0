"""Notes beside the texts of a record in all languages, and the statements that forms send.

A text shows who wrote it, whether it was checked, and what has changed in its source. Beside
writing texts, people say that one is still right or checked, or take over a proposal.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from json import loads
from typing import Any, Self

from flask import request

from calendar_app.api.http.request import current
from calendar_app.domain.differences import Stretch, difference, html_difference
from calendar_app.domain.glossary import GlossaryTerms
from calendar_app.domain.kind import Kind, Markup, Record
from calendar_app.domain.ledger import HUMAN, LEDGER, is_waiting
from calendar_app.domain.texts.composing import has_own_texts
from calendar_app.domain.translations import (
    CURRENT,
    MISSING,
    compared_fields,
    outdated_fields,
    source_language,
)
from calendar_app.errors import Message
from calendar_app.site.desk.rendering import language, notify, short_moment
from calendar_app.site.desk.source_names import source_name
from calendar_app.site.desk.translation_aid import form_aid
from calendar_app.site.html import wording
from calendar_app.sources.source import source_named

# The control of a text in a language.
Controls = Callable[[str, str], str]
HTML = (Markup.HTML, Markup.INLINE)
_PROPOSED, _PARTS = "proposed[", ("origin", "by", "proposal")
_LONGEST_NAME = 200


@dataclass(frozen=True, slots=True)
class TextNote:
    """The standing of one text; ``key`` names it for origins and checks.

    ``by`` names the person or machine that wrote it, ``checker`` the person who checked it. It
    ``misses`` terms of the glossary that it says otherwise.
    """

    key: str
    source: str
    is_outdated: bool = False
    changes: Sequence[Stretch] = ()
    origin: str = HUMAN
    by: str = ""
    at: str = ""
    checker: str = ""
    checked_at: str = ""
    is_waiting: bool = False
    misses: GlossaryTerms = ()


@dataclass(frozen=True, slots=True)
class TextStatements:
    """Statements on texts, by keys like ``rm.title``; ``proposed`` has the proposals taken over."""

    right: Sequence[str] = ()
    checked: Sequence[str] = ()
    proposed: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def sent(cls) -> Self:
        """Return the origins and checks in the submitted form."""
        sent = request.form
        proposed = {
            name.removeprefix(_PROPOSED).removesuffix("]").replace("][", "."): text
            for name, text in sent.items()
            if name.startswith(_PROPOSED) and text
        }
        return cls(sent.getlist("right"), sent.getlist("checked"), proposed)

    def body(self, kind: Kind, changed_tags: Mapping[str, Collection[str]]) -> Record:
        """Return it in the parameters of the interface; ``changed_tags`` are fields by language."""
        compared = {*compared_fields(kind)}
        right = _by_language(self.right, compared, lambda _: CURRENT)
        checked = _by_language(self.checked, compared, lambda _: True)
        origins = _by_language(self.proposed, compared, lambda key: origin_from(self.proposed[key]))
        parts = {
            "translation_status": _among(right, changed_tags, are_written=False),
            "translation_reviewed": _among(checked, changed_tags, are_written=False),
            "translation_origin": _among(origins, changed_tags, are_written=True),
        }
        return {name: part for name, part in parts.items() if part}


NO_STATEMENTS = TextStatements()


def _by_language(
    keys: Iterable[str], parts: Collection[str], value_of: Callable[[str], Any]
) -> dict[str, dict[str, Any]]:
    values: dict[str, dict[str, Any]] = {}
    for key in keys:
        tag, _, name = key.partition(".")
        value = value_of(key)
        if tag in current.context().settings.languages and name in parts and value:
            values.setdefault(tag, {})[name] = value
    return values


def _among(
    values_by_language: Mapping[str, Mapping[str, Any]],
    changed_tags: Mapping[str, Collection[str]],
    *,
    are_written: bool,
) -> Record:
    """Return the origins of the written texts, or of the others."""
    chosen = {
        tag: {
            n: value for n, value in own.items() if (n in changed_tags.get(tag, ())) is are_written
        }
        for tag, own in values_by_language.items()
    }
    return {tag: own for tag, own in chosen.items() if own}


def origin_from(text: str) -> Record | None:
    """Return where a proposal came from; none where a script sent something else."""
    try:
        sent = loads(text)
    except (ValueError, RecursionError):
        return None
    parts = sent if isinstance(sent, dict) else {}
    origin = {name: parts[name] for name in _PARTS if isinstance(parts.get(name), str)}
    is_short = len(origin.get("by", "")) <= _LONGEST_NAME
    return origin if is_short and origin.get("origin") in ("machine", "memory") else None


def said_of_texts(
    kind: Kind, record: Record | None, languages: Sequence[str], control_of: Controls
) -> Mapping[str, Any]:
    """Return the facts that form templates need on a record's texts; none for a new one."""
    parts: dict[str, Any] = {
        "proposes": form_aid().proposes,
        "proposed_kind": kind.name,
        "standings": {},
        "text_notes": {},
    }
    if record is None:
        return parts | {"sources": dict.fromkeys(languages[1:], languages[0])}
    sources = {tag: source_language(record, tag) or tag for tag in languages}
    standings = {tag: record.get("standing", {}).get(tag, MISSING) for tag in languages}
    has_texts = not record.get("series") or has_own_texts(record)
    notes = dict(_notes(kind, record, sources, control_of)) if has_texts else {}
    return parts | {"sources": sources, "standings": standings, "text_notes": notes}


def _notes(
    kind: Kind, record: Record, sources: Mapping[str, str], control_of: Controls
) -> Iterator[tuple[str, TextNote]]:
    ledger = record.get(LEDGER, {})
    names = _names(entry for entries in ledger.values() for entry in entries.values())
    misses = current.context().services.translation.missed(kind, record, sources)
    for tag, source in sources.items():
        outdated = outdated_fields(kind, record, tag) if tag != source else []
        earlier = {}
        if outdated:
            earlier = current.context().services.history.source_texts(kind, record, tag)
        now = record["variants"].get(source, {})
        for name in compared_fields(kind):
            entry = ledger.get(tag, {}).get(name)
            missed = misses.get((tag, name), ())
            if entry is None and name not in outdated and not missed:
                continue
            changes = _changes(kind, name, earlier.get(name), now.get(name, ""))
            note = TextNote(
                f"{tag}.{name}",
                source,
                name in outdated,
                changes,
                **_who(entry, names),
                misses=missed,
            )
            yield control_of(name, tag), note


def _names(entries: Iterable[Record]) -> Mapping[Any, str]:
    """Return the names of the people and sources that wrote or checked texts."""
    people = {person for e in entries for person in (e.get("by"), e.get("reviewed", {}).get("by"))}
    ids = [person for person in people if isinstance(person, int)]
    labels = {person: number for person in people if (number := source_named(person))}
    services = current.context().services
    names: dict[Any, str] = services.profiles.shown_names(ids) if ids else {}
    sources = services.sources.provenance.names(labels.values()) if labels else {}
    return names | {label: source_name(sources, number) for label, number in labels.items()}


def _who(entry: Record | None, names: Mapping[Any, str]) -> dict[str, Any]:
    """Return the parts of a note that tell who wrote a text, and who checked it."""
    if entry is None:
        return {}
    check = entry.get("reviewed", {})
    return {
        "origin": entry["origin"],
        "by": _name(entry.get("by"), names),
        "at": _when(entry.get("at")),
        "checker": _name(check.get("by"), names),
        "checked_at": _when(check.get("at")),
        "is_waiting": is_waiting(entry),
    }


def _name(person: Any, names: Mapping[Any, str]) -> str:
    return names.get(person) or (person if isinstance(person, str) else "")


def _when(moment: datetime | None) -> str:
    return short_moment(moment) if moment else ""


def _changes(kind: Kind, name: str, before: Any, now: Any) -> Sequence[Stretch]:
    """Return the changes of a source text, as far as history has them."""
    if not isinstance(before, str) or not isinstance(now, str):
        return ()
    return html_difference(before, now) if kind.texts.get(name) in HTML else difference(before, now)


# The glossary

_MOST_NOTICES = 3


def notify_missed_terms(kind: Kind, before: Record | None, record: Record) -> None:
    """Say which texts that were just saved say a term of the glossary otherwise."""
    were = before["variants"] if before else {}
    changed_tags = [tag for tag, texts in record["variants"].items() if texts != were.get(tag)]
    misses = current.context().services.translation.missed(kind, record, changed_tags)
    missed = {(tag, term): None for (tag, _), terms in misses.items() for term in terms}
    for tag, term in [*missed][:_MOST_NOTICES]:
        name = wording.language_name(tag, language())
        notify(
            Message(
                "{language}: the glossary says “{translation}” for “{term}”. It is saved as it is.",
                language=name,
                translation=term.translation,
                term=term.term,
            ),
            "warning",
        )
