"""What makes one kind of record different from another."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Index:
    """An index, and the query that it serves."""

    fields: tuple[tuple[str, int | str], ...]
    serves: str
    unique: bool = False
    sparse: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One kind of record: where it lives and which fields need special care.

    ``name`` is the collection and the path, ``label`` the translatable field that names a record,
    ``references`` the fields that hold ids of other kinds, ``searched`` the shared fields that a
    search looks at besides the translatable ones in ``searched_texts``.
    """

    name: str
    singular: str
    label: str
    translatable: tuple[str, ...]
    searched_texts: tuple[str, ...]
    searched: tuple[str, ...] = ()
    sequence: str = "records"
    references: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    indexes: tuple[Index, ...] = ()
    settle: Callable[[Record, Record], Record] | None = None
