"""The main navigation of the desk."""

from collections.abc import Iterator
from dataclasses import dataclass

from flask import current_app
from werkzeug.routing import MapAdapter

from calendar_app.accounts.policy import Right
from calendar_app.desk import sessions
from calendar_app.desk.addresses import PREFIX, address
from calendar_app.errors import Message
from calendar_app.http.request import current

_MISSING = "desk.missing_page"


@dataclass(frozen=True, slots=True)
class Entry:
    """A part of the desk, for users with a right."""

    path: str
    name: Message
    needs: Right | None = None
    # The setting without which there is no such part.
    setting: str = "desk"


ENTRIES = (
    Entry("/events/", Message("Events"), Right.EDIT),
    Entry("/venues/", Message("Venues"), Right.EDIT),
    Entry("/organizers/", Message("Organizers"), Right.EDIT),
    Entry("/categories/", Message("Categories"), Right.MANAGE_CATEGORIES),
    Entry("/tags/", Message("Tags"), Right.MANAGE_TAGS),
    Entry("/media/", Message("Pictures"), Right.UPLOAD),
    Entry("/translations/", Message("Translations"), Right.EDIT),
    Entry("/trash/", Message("Trash"), Right.EDIT),
    Entry("/queue/", Message("Queue"), Right.EDIT_OTHERS, "submissions"),
    Entry("/users/", Message("Users"), Right.MANAGE_USERS),
)


@dataclass(frozen=True, slots=True)
class Link:
    """A link of the navigation; ``current`` is a value of ``aria-current``, or empty."""

    name: Message
    address: str
    current: str


def navigation() -> Iterator[Link]:
    """Yield the links of the parts that the user may open."""
    path, caller = current.request().path, sessions.caller()
    adapter = current_app.url_map.bind("")
    for entry in ENTRIES:
        is_on = getattr(current.settings(), entry.setting)
        may_open = is_on and (entry.needs is None or caller.may(entry.needs))
        if not may_open or not _is_there(adapter, f"{PREFIX}{entry.path}"):
            continue
        whole = f"{PREFIX}{entry.path}"
        is_below = path.startswith(whole)
        mark = "page" if path == whole else "true" if is_below else ""
        yield Link(entry.name, address(entry.path), mark)


def _is_there(adapter: MapAdapter, path: str) -> bool:
    """Say whether the settings of the site give an address a page."""
    endpoint, _ = adapter.match(path)
    return bool(endpoint != _MISSING)
