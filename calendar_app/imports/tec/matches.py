"""A CSV file of records in two languages that belong together.

A line has the id in the second language, the id in the first, and optionally the kind. The first
line may be a header.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from calendar_app.domain.kind import Kind
from calendar_app.imports.tec.pages import SourceError
from calendar_app.resources.kinds import CATEGORY, EVENT, KINDS, ORGANIZER, TAG, VENUE

# WordPress counts these together, and terms apart: one id may be that of an event and of a term.
_POSTS = (EVENT, VENUE, ORGANIZER)
_NAMES: Mapping[str, Kind] = MappingProxyType(
    {kind.name: kind for kind in KINDS}
    | {kind.singular: kind for kind in KINDS}
    | {
        "tribe_events": EVENT,
        "tribe_venue": VENUE,
        "tribe_organizer": ORGANIZER,
        "tribe_events_cat": CATEGORY,
        "post_tag": TAG,
    }
)
_MIN_COLUMNS = 2


class Matches:
    """Ids in the first language by kind and id in the second."""

    def __init__(self, firsts: Mapping[tuple[str, int], int]) -> None:
        self._firsts = firsts

    @classmethod
    def read(cls, path: Path) -> "Matches":
        """Parse a file; raise ``SourceError`` with the malformed line."""
        firsts: dict[tuple[str, int], int] = {}
        for number, row in _rows(path):
            second, first, kinds = _parse(row, f"Line {number} of {path}")
            for kind in kinds:
                if firsts.setdefault((kind.name, second), first) != first:
                    raise SourceError(f"Line {number} of {path} says something else of {second}.")
        return cls(firsts)

    def first_of(self, kind: Kind, second: int) -> int | None:
        """Return the id in the first language for an id in the second."""
        return self._firsts.get((kind.name, second))


def _rows(path: Path) -> Iterator[tuple[int, Sequence[str]]]:
    """Yield line number and cells, without empty lines and the header."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is no text in UTF-8"
        raise SourceError(f"{path} cannot be read: {reason}.") from error
    separator = max(",;\t", key=lines[0].count) if lines else ","
    for number, line in enumerate(lines, 1):
        # Spreadsheets may put quotes; ids and kinds have none inside.
        row = [cell.strip(' "') for cell in line.split(separator)]
        is_header = number == 1 and not any(map(_is_id, row[:_MIN_COLUMNS]))
        if any(row) and not is_header:
            yield number, row


def _parse(row: Sequence[str], place: str) -> tuple[int, int, Sequence[Kind]]:
    if len(row) < _MIN_COLUMNS or not all(map(_is_id, row[:_MIN_COLUMNS])):
        raise SourceError(f"{place} does not begin with two ids.")
    kind = row[_MIN_COLUMNS] if len(row) > _MIN_COLUMNS else ""
    if kind and kind.casefold() not in _NAMES:
        raise SourceError(f"{place} names a kind that there is not: {kind}.")
    return int(row[0]), int(row[1]), [_NAMES[kind.casefold()]] if kind else _POSTS


def _is_id(cell: str) -> bool:
    return cell.isascii() and cell.isdecimal() and len(cell) < 16  # noqa: PLR2004  up to 2**48
