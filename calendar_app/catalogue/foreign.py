"""Records of another site: what they say, and the note that one keeps of where it comes from.

``imported`` of a record is a list of ``{source, language, digest}``. A source names a record of
another site for good; the digest is that of what the site said last, so that what did not change
there is left alone, and with it what people have changed here since.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from hashlib import sha256

from calendar_app.catalogue.composing import named
from calendar_app.catalogue.sanitizing import clean_name
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.slugs import slugify
from calendar_app.query.clauses import Clause, one_of


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
    """

    source: str
    id: int
    changes: Record


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of one record, and why it was refused."""

    outcome: Outcome
    reason: str = ""


def came_from(sources: Sequence[str]) -> Clause:
    """Match the records that came from one of ``sources``."""
    return one_of("imported.source", sources)


def is_noted(foreign: Foreign, before: Record, language: str) -> bool:
    """Say whether the site said the same last time."""
    return _note(foreign, language) in before.get("imported", ())


def changes_of(foreign: Foreign, before: Record, language: str) -> Record:
    """Return what to write, with the note of where it comes from.

    Of a term that the calendar had already nothing but the note is written.
    """
    notes = before.get("imported", [])
    others = [n for n in notes if (n["source"], n["language"]) != (foreign.source, language)]
    known = not before or any(n["source"] == foreign.source for n in notes)
    said = _needed(foreign.changes, before) if known else {}
    return {**said, "imported": [*others, _note(foreign, language)]}


def slug_of(foreign: Foreign, language: str) -> str:
    return slugify(foreign.changes["variants"][language].get("slug") or "")


def name_of(kind: Kind, foreign: Foreign, language: str) -> str:
    """Return the key under which a record of that name is found."""
    return named(language, clean_name(foreign.changes["variants"][language][kind.label]))


def _note(foreign: Foreign, language: str) -> Record:
    said = json.dumps(foreign.changes, sort_keys=True, default=str)
    return {
        "source": foreign.source,
        "language": language,
        "digest": sha256(said.encode()).hexdigest(),
    }


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
