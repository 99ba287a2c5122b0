"""How readers see the filters of a list: label, words for values, chip and facet.

A filter declares it in the metadata of its field, beside its clause.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import marshmallow as ma

from calendar_app.errors import Message
from calendar_app.storage.query.clauses import Clause


@dataclass(frozen=True, slots=True)
class FilterFacet:
    """What is counted beside a filter: each value at ``path``, or all that match ``clause``.

    A filter that readers only switch on counts what its ``choice`` selects, the value that is then
    sent. The values of a list count together, or each by itself where they are ``apart``. With
    ``of_series`` dates count by their series, which has the value.
    """

    path: str = ""
    clause: Clause = field(default_factory=dict)
    choice: str = ""
    apart: bool = False
    of_series: bool = False


@dataclass(frozen=True, slots=True)
class FilterDisplay:
    """How readers see a filter: its label, the words for its values, and its facet.

    Where it is set, a chip shows it and removes it, unless it has no ``chip``.
    """

    label: Message | None = None
    facet: FilterFacet | None = None
    words: Mapping[str, Message] = field(default_factory=dict)
    chip: bool = True


def displayed(display: FilterDisplay) -> Mapping[str, Any]:
    """Return the metadata of a parameter that readers see."""
    return {"display": display}


def filter_displays(schema: ma.Schema) -> Mapping[str, FilterDisplay]:
    """Return how readers see each parameter of a list, in its order."""
    return {
        name: each.metadata.get("display", FilterDisplay()) for name, each in schema.fields.items()
    }
