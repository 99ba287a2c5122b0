"""Whether lists show an event, and how much of it: one value, which the indexes of lists have.

``LOCKED`` ones have a password: lists show them by title and dates alone to who may not edit them.
"""

from typing import Any

LISTED, HIDDEN = False, True
LOCKED, LOCKED_HIDDEN = "locked", "locked, hidden"

UNLOCKED = (LISTED, HIDDEN)
IN_LISTS = (LISTED, LOCKED)


def listing_state(*, hidden: bool, locked: bool) -> bool | str:
    """Return the value for an event that lists are to leave out, or that has a password."""
    if locked:
        return LOCKED_HIDDEN if hidden else LOCKED
    return HIDDEN if hidden else LISTED


def is_hidden(state: Any) -> bool:
    """Say whether lists leave out an event in this state."""
    return state in (HIDDEN, LOCKED_HIDDEN)
