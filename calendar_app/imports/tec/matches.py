"""A CSV file of records in two languages that belong together.

A line has the id in the second language, the id in the first, and optionally the kind. The first
line may be a header.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from calendar_app.domain.kind import Kind
from calendar_app.imports.tec.pages import SourceError
from calendar_app.kinds import EVENT, KINDS, ORGANIZER, VENUE

# WordPress numbers these together, and terms apart: an event and a term may have the same id.
_POSTS = (EVENT, VENUE, ORGANIZER)


class Matches:
    """Ids in the first language by kind and id in the second."""

    def __init__(self, firsts: Mapping[tuple[str, int], int]) -> None:
        self._firsts = firsts

    @classmethod
    def read(cls, path: Path) -> "Matches":
        """Parse a file; raise ``SourceError`` with the malformed line."""
        firsts: dict[tuple[str, int], int] = {}
        for place, cells in _rows(path):
            if not _has_ids(cells):
                raise SourceError(f"{place} does not begin with two ids.")
            second, first = map(int, cells[:2])
            for kind in _kinds("".join(cells[2:3]), place):
                if firsts.setdefault((kind.name, second), first) != first:
                    raise SourceError(f"{place} says something else of {second}.")
        return cls(firsts)

    def first_of(self, kind: Kind, second: int) -> int | None:
        """Return the id in the first language for an id in the second."""
        return self._firsts.get((kind.name, second))


def _rows(path: Path) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield place and cells of each line, without empty lines and the header."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is no text in UTF-8"
        raise SourceError(f"{path} cannot be read: {reason}.") from error
    separator = max(",;\t", key=lines[0].count) if lines else ","
    for number, line in enumerate(lines, 1):
        # Spreadsheets may quote cells; ids and kinds contain no quotes.
        cells = [cell.strip(' "') for cell in line.split(separator)]
        is_header = number == 1 and not any(map(str.isdecimal, cells[:2]))
        if any(cells) and not is_header:
            yield f"Line {number} of {path}", cells


def _has_ids(cells: Sequence[str]) -> bool:
    ids = [cell for cell in cells[:2] if cell.isascii() and cell.isdecimal()]
    return len(ids) == 2  # noqa: PLR2004


def _kinds(name: str, place: str) -> Sequence[Kind]:
    """Return the kind of this name, singular or plural; events, venues and organizers for none."""
    kinds = [kind for kind in KINDS if name.casefold() in (kind.name, kind.singular)]
    if name and not kinds:
        raise SourceError(f"{place} names a kind that there is not: {name}.")
    return kinds or _POSTS
