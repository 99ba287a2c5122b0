"""The addresses of the desk."""

import re

from calendar_app.pages.links import root

PREFIX = "/desk"
# Browsers read a backslash as a slash, and skip control characters.
_OWN = re.compile(r"/desk(?:/[^\\\x00-\x20\x7f]*)?(?:\?[^\\\x00-\x20\x7f]*)?")


def desk_path() -> str:
    """Return the path of the desk, below which its cookies are sent."""
    return f"{root()}{PREFIX}"


def address(path: str = "/") -> str:
    """Return the address of a page: ``/venues/`` becomes ``/desk/venues/``."""
    return f"{root()}{PREFIX}{path}"


def is_own(path: str) -> bool:
    """Return whether a path is one of the desk, so that a login may lead there."""
    return _OWN.fullmatch(path) is not None and ".." not in path and "//" not in path
