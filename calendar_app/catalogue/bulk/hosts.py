"""Sources by their hosts alone, under which earlier versions have noted categories and tags.

Sites with paths of their own may share a host, so that a number there is not enough: what has it
must have a name or a slug in common too.
"""

import re

from calendar_app.catalogue.bulk.foreign import Foreign
from calendar_app.domain.kind import Record

_PATH = re.compile(r"(?<=[^/]/)([^/?]+)/[^?]*(?=\?id=)")


def at_host(source: str) -> str:
    """Return ``tags/example.org?id=5`` for ``tags/example.org/de?id=5``."""
    return _PATH.sub(r"\1", source, count=1)


def with_present_source(foreign: Foreign, before: Record, language: str) -> Record:
    """Return a record as if it had always been noted under the source that it has by now."""
    notes = before.get("imported", [])
    former = {"source": at_host(foreign.source), "language": language}
    if former["source"] == foreign.source or any(n["source"] == foreign.source for n in notes):
        return before
    renamed = [
        {**note, "source": foreign.source} if former.items() <= note.items() else note
        for note in notes
    ]
    return before if renamed == notes else {**before, "imported": renamed}
