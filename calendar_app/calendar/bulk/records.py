"""Records of another site: what they say, and the note that one keeps of where it comes from.

``imported`` of a record is a list of ``{source, language, digest}``. A source names a record of
another site for good; the digest is that of what the site said last, so that what did not change
there is left alone, and with it what people have changed here since.

What came with a second language of a site has ``joined`` besides: true where its texts have joined
a record that was here, false where it became a record of its own. ``group`` is what the site's
translations of one record have in common, where it tells that.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from hashlib import sha256

from calendar_app.content.composing import named
from calendar_app.content.sanitizing import clean_name
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.slugs import slugify
from calendar_app.query.clauses import Clause, differs, equals, has_member, missing, one_of


class Outcome(Enum):
    """What became of a record."""

    CREATED = "created"
    UPDATED = "updated"
    UNCHANGED = "unchanged"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedRecord:
    """A record of another site: what names it for good, its id there, and what it says.

    ``changes`` are those that the editor takes, in one language; links are ids of this calendar.
    ``restored`` are those of its links that lead to what was here, was deleted, and is made anew.
    ``second`` says that the language is not the one in which the site was taken over at first,
    ``joins`` which record here the texts belong to, if it is not noted yet.
    """

    source: str
    id: int
    changes: Record
    restored: Record = field(default_factory=dict)
    joins: int = 0
    second: bool = False
    group: str = ""


@dataclass(frozen=True, slots=True)
class ImportResult:
    """The outcome of one record, why it was refused, and its slug where its site tells another."""

    outcome: Outcome
    reason: str = ""
    slug: str = ""


_PATH = re.compile(r"(?<=[^/]/)([^/?]+)/[^?]*(?=\?id=)")


def at_host(source: str) -> str:
    """Return ``tags/example.org?id=5`` for ``tags/example.org/de?id=5``.

    Sites whose languages have paths of their own show the same terms under several.
    """
    return _PATH.sub(r"\1", source, count=1)


def came_from(sources: Sequence[str]) -> Clause:
    """Match the records that came from one of ``sources``."""
    return one_of("imported.source", sources)


def came_first_in(language: str) -> Clause:
    """Match the records that an import has made, or filled, in its first language."""
    return has_member("imported", {**equals("language", language), **missing("joined")})


def came_in(language: str) -> Clause:
    """Match the records that came in a language."""
    return has_member("imported", equals("language", language))


def came_in_others(language: str) -> Clause:
    """Match the records that came in any language but this one."""
    return has_member("imported", differs("language", language))


def is_unchanged(record: ImportedRecord, before: Record, language: str) -> bool:
    """Return whether the site said the same last time."""
    note = _note(record, before, language)
    return note in before.get("imported", ())


def to_update(record: ImportedRecord, before: Record, language: str) -> Record:
    """Return what to write, with the note of where it comes from.

    Of a term that the calendar had already nothing but the note is written, and of what joins a
    record only the texts.
    """
    notes = before.get("imported", [])
    others = [n for n in notes if (n["source"], n["language"]) != (record.source, language)]
    note = _note(record, before, language)
    known = not before or record.joins or any(n["source"] == record.source for n in notes)
    said = _needed(_said(record, note), before) if known else {}
    return {**said, "imported": [*others, note]}


def lost_links(record: ImportedRecord, before: Record) -> Record:
    """Return the links that a record lost when what they led to was deleted."""
    links: Record = {}
    for name, restored in record.restored.items():
        if name == "parent":
            links |= {} if before[name] == restored else {name: restored}
        elif lost := [one for one in restored if one not in before[name]]:
            links[name] = _in_order([*before[name], *lost], record.changes[name])
    return links


def slug_of(record: ImportedRecord, language: str) -> str:
    return slugify(record.changes["variants"][language].get("slug") or "")


def slug_instead(imported: ImportedRecord, record: Record, language: str) -> str:
    """Return the slug that a record has where its site tells another one, else nothing."""
    present: str = record["variants"].get(language, {}).get("slug", "")
    return "" if slug_of(imported, language) in ("", present) else present


def name_of(kind: Kind, record: ImportedRecord, language: str) -> str:
    """Return the key under which a record of that name is found."""
    return named(language, clean_name(record.changes["variants"][language][kind.label] or ""))


def _in_order(ids: Sequence[int], told: Sequence[int]) -> list[int]:
    """Return ids as they are told, and those that are not told behind them."""
    places = {one: place for place, one in enumerate(told)}
    return sorted(ids, key=lambda one: places.get(one, len(places)))


def _note(record: ImportedRecord, before: Record, language: str) -> Record:
    origin = {"source": record.source, "language": language}
    note = {**origin, **_standing(record, before, origin)}
    said = json.dumps(_said(record, note), sort_keys=True, default=str)
    return {**note, "digest": sha256(said.encode()).hexdigest()}


def _standing(record: ImportedRecord, before: Record, origin: Record) -> Record:
    """Return what the note says besides; how a record came is settled the first time."""
    group = {"group": record.group} if record.group else {}
    for note in before.get("imported", ()):
        if origin.items() <= note.items():
            return group | ({"joined": note["joined"]} if "joined" in note else {})
    return group | ({"joined": bool(before)} if record.second else {})


def _said(record: ImportedRecord, note: Record) -> Record:
    """Return what counts of what the site says: what languages share is said in the first one."""
    texts = {"variants": record.changes["variants"]}
    return texts if note.get("joined") else record.changes


def _needed(changes: Record, before: Record) -> Record:
    """Leave out the texts to be taken away that are not there."""
    stored = before.get("variants", {})
    variants = {
        language: {
            name: text
            for name, text in texts.items()
            if text is not None or stored.get(language, {}).get(name)
        }
        for language, texts in changes["variants"].items()
    }
    return {**changes, "variants": variants}
