"""The rights of the service, and the role that each user has."""

from collections.abc import Mapping
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
RIGHTS: Mapping[str, frozenset[Right]] = MappingProxyType(
    {**ROLES, SENDER_ROLE: frozenset({Right.EDIT, Right.DELETE})}
)
