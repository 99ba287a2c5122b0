"""Narrows a small area to the cells of the grid in ``domain/cells.py``.

An index of latitudes has all that lies between two parallels, around the whole earth. Taken by
cells, only those of the neighbourhood are looked at; MongoDB merges them in the order of the start.
"""

from calendar_app.domain.cells import cells_between
from calendar_app.query.clauses import Clause, all_of, one_of

CELL = "location.cell"

_PLACE = "location"
_LATITUDE, _LONGITUDE = f"{_PLACE}.latitude", f"{_PLACE}.longitude"
# MongoDB merges two hundred parts at most, and there are some for each status that is asked for;
# where there are more, it sorts.
_MOST = 64
# Where anything else narrows a list, an index of that does better than one of cells.
_NARROWED_BY = frozenset(
    {
        *("status", "hidden", "start_local", "end_local", "featured", "ticketed"),
        *(_PLACE, _LATITUDE, _LONGITUDE),
    }
)


def narrow_by_geo_cell(clause: Clause, order: object) -> Clause:
    """Narrow a list of a small area to the grid cells in it.

    Other clauses are returned unchanged.
    """
    parts = clause.get("$and", [clause])
    west, east = _bound(parts, _LONGITUDE, "$gte"), _bound(parts, _LONGITUDE, "$lte")
    south, north = _bound(parts, _LATITUDE, "$gte"), _bound(parts, _LATITUDE, "$lte")
    plain = all(part.keys() <= _NARROWED_BY for part in parts)
    if not plain or not isinstance(order, list):
        return clause
    if west is None or east is None or south is None or north is None:
        return clause
    cells = cells_between(west, south, east, north, _MOST)
    return all_of([clause, one_of(CELL, cells)]) if cells else clause


def _bound(parts: list[Clause], field: str, operator: str) -> float | None:
    """Return the one bound that the parts give; ``None`` where they give none, or several."""
    bounds = [part[field][operator] for part in parts if operator in part.get(field, ())]
    return bounds[0] if len(bounds) == 1 else None
