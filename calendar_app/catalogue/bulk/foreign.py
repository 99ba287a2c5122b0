"""Records of another site: what they say, and the note that one keeps of where it comes from.

``imported`` of a record is a list of ``{source, language, digest}``. A source names a record of
another site for good; the digest is that of what the site said last, so that what did not change
there is left alone, and with it what people have changed here since.

What came with a second language of a site has ``joined`` besides: true where its texts have joined
a record that was here, false where it became a record of its own. ``group`` is what the site's
translations of one record have in common, where it tells that. ``slug`` is the one that the record
has because somebody else had the one that its site tells; while it has that, the other is wanted.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from hashlib import sha256

from calendar_app.catalogue.content.composing import named
from calendar_app.catalogue.content.foreseen import Foreseen
from calendar_app.catalogue.content.sanitizing import clean_name
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
class Foreign:
    """A record of another site: what names it for good, its id there, and what it says.

    ``changes`` are those that the editor takes, in one language; links are ids of this calendar.
    ``restored`` are those of its links that lead to what was here, was deleted, and is made anew.
    ``foreseen`` is what becomes of a new record's texts, where that was worked out before.
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
    foreseen: Foreseen | None = None


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of one record, why it was refused, and its slug where its site tells another."""

    outcome: Outcome
    reason: str = ""
    slug: str = ""


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


def is_noted(foreign: Foreign, before: Record, language: str) -> bool:
    """Say whether the site said the same last time."""
    note = _note(foreign, before, language)
    return any(_without_slug(one) == note for one in before.get("imported", ()))


def waits_for_slug(foreign: Foreign, before: Record, language: str) -> bool:
    """Say whether a record still has the slug that it got because another one was taken."""
    present = before["variants"].get(language, {}).get("slug")
    waiting = {"source": foreign.source, "language": language, "slug": present}
    return bool(present) and any(
        waiting.items() <= note.items() for note in before.get("imported", ())
    )


def changes_of(foreign: Foreign, before: Record, language: str) -> Record:
    """Return what to write, with the note of where it comes from.

    Of a term that the calendar had already nothing but the note is written, and of what joins a
    record only the texts.
    """
    notes = before.get("imported", [])
    others = [n for n in notes if (n["source"], n["language"]) != (foreign.source, language)]
    note = _note(foreign, before, language)
    known = not before or foreign.joins or any(n["source"] == foreign.source for n in notes)
    said = _needed(_said(foreign, note), before) if known else {}
    return {**said, "imported": [*others, note]}


def links_restored(foreign: Foreign, before: Record) -> Record:
    """Return the links that a record lost when what they led to was deleted."""
    found: Record = {}
    for name, restored in foreign.restored.items():
        if name == "parent":
            found |= {} if before[name] == restored else {name: restored}
        elif lost := [one for one in restored if one not in before[name]]:
            found[name] = _in_order([*before[name], *lost], foreign.changes[name])
    return found


def slug_of(foreign: Foreign, language: str) -> str:
    return slugify(foreign.changes["variants"][language].get("slug") or "")


def slug_instead(foreign: Foreign, record: Record, language: str) -> str:
    """Return the slug that a record has where its site tells another one, else nothing."""
    present: str = record["variants"].get(language, {}).get("slug", "")
    return "" if slug_of(foreign, language) in ("", present) else present


def noting_slug(foreign: Foreign, record: Record, language: str, slug: str) -> list[Record]:
    """Return the notes of a record; that of its source says which slug it has instead, if any."""
    noted = {"slug": slug} if slug else {}
    return [
        {**_without_slug(note), **noted}
        if (note["source"], note["language"]) == (foreign.source, language)
        else note
        for note in record["imported"]
    ]


def name_of(kind: Kind, foreign: Foreign, language: str) -> str:
    """Return the key under which a record of that name is found."""
    return named(language, clean_name(foreign.changes["variants"][language][kind.label] or ""))


def _in_order(ids: Sequence[int], told: Sequence[int]) -> list[int]:
    """Return ids as they are told, and those that are not told behind them."""
    places = {one: place for place, one in enumerate(told)}
    return sorted(ids, key=lambda one: places.get(one, len(places)))


def _without_slug(note: Record) -> Record:
    return {name: value for name, value in note.items() if name != "slug"}


def _note(foreign: Foreign, before: Record, language: str) -> Record:
    origin = {"source": foreign.source, "language": language}
    note = {**origin, **_standing(foreign, before, origin)}
    said = json.dumps(_said(foreign, note), sort_keys=True, default=str)
    return {**note, "digest": sha256(said.encode()).hexdigest()}


def _standing(foreign: Foreign, before: Record, origin: Record) -> Record:
    """Return what the note says besides; how a record came is settled the first time."""
    group = {"group": foreign.group} if foreign.group else {}
    for note in before.get("imported", ()):
        if origin.items() <= note.items():
            return group | ({"joined": note["joined"]} if "joined" in note else {})
    return group | ({"joined": bool(before)} if foreign.second else {})


def _said(foreign: Foreign, note: Record) -> Record:
    """Return what counts of what the site says: what languages share is said in the first one."""
    texts = {"variants": foreign.changes["variants"]}
    return texts if note.get("joined") else foreign.changes


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
