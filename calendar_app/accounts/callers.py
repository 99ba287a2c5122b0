"""Callers: the roles, the rights that a role gives, and on whose behalf a request is answered."""

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum, auto
from types import MappingProxyType


class Right(Enum):
    """A permission of a role; on one's own records unless the name says otherwise."""

    EDIT = auto()
    EDIT_PUBLISHED = auto()
    EDIT_OTHERS = auto()
    DELETE = auto()
    DELETE_PUBLISHED = auto()
    DELETE_OTHERS = auto()
    PUBLISH = auto()
    READ_PRIVATE = auto()
    MANAGE_CATEGORIES = auto()
    MANAGE_TAGS = auto()
    UPLOAD = auto()
    UNFILTERED_HTML = auto()
    MANAGE_USERS = auto()


ADMINISTRATOR = "administrator"
_CONTRIBUTOR = frozenset({Right.EDIT, Right.DELETE})
_AUTHOR = _CONTRIBUTOR | {
    Right.EDIT_PUBLISHED,
    Right.DELETE_PUBLISHED,
    Right.PUBLISH,
    Right.MANAGE_CATEGORIES,
    Right.UPLOAD,
}

ROLES: Mapping[str, frozenset[Right]] = MappingProxyType(
    {
        "subscriber": frozenset(),
        "contributor": _CONTRIBUTOR,
        "author": _AUTHOR,
        "editor": frozenset(Right) - {Right.MANAGE_USERS},
        ADMINISTRATOR: frozenset(Right),
    }
)

# Whoever hands an event in without an account: no role that a user can have.
SENDER_ROLE = "sender"
# A calendar of others that is read here: it writes what it says, and its HTML is not trusted.
SOURCE_ROLE = "source"
_NOT_OF_SOURCES = {Right.MANAGE_USERS, Right.UNFILTERED_HTML}
RIGHTS: Mapping[str, frozenset[Right]] = MappingProxyType(
    {
        **ROLES,
        SENDER_ROLE: frozenset({Right.EDIT, Right.DELETE}),
        SOURCE_ROLE: frozenset(Right) - _NOT_OF_SOURCES,
    }
)


@dataclass(frozen=True, slots=True)
class Caller:
    """A person or program; anonymous ones have id 0.

    A visitor who has sent a contribution has its records: all visitors share the id 0, which
    therefore makes nobody the owner of anything. ``sources`` are the ids of those that a user
    keeps, in order: what is cached for a caller has them in its key.
    """

    id: int = 0
    name: str = ""
    role: str = ""
    display_name: str = ""
    contribution: frozenset[int] = frozenset()
    sources: tuple[int, ...] = ()

    @property
    def shown_name(self) -> str:
        """Return the name by which people know the user."""
        return self.display_name or self.name

    @property
    def known(self) -> bool:
        return self.id > 0 or self.role == SENDER_ROLE

    def may(self, right: Right) -> bool:
        """Return whether the role gives this right; a role that does not exist gives none."""
        return self.known and right in RIGHTS.get(self.role, frozenset())

    @property
    def kept_sources(self) -> tuple[int, ...]:
        """Return the sources that the user keeps, as far as the role lets them keep any."""
        return self.sources if self.may(Right.EDIT) else ()


ANYONE = Caller()
# On whose behalf contributions are stored; no user has the id 0.
SENDER = Caller(role=SENDER_ROLE)


def sender_of(record_ids: Iterable[int]) -> Caller:
    """Return the visitor to whom the records of a contribution belong."""
    return replace(SENDER, contribution=frozenset(record_ids))


def name_key(name: str) -> str:
    """Return a user's name as names are compared: letter case does not count."""
    return unicodedata.normalize("NFKC", name).casefold()
