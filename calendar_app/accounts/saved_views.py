"""The views of the table of events that users have saved, each for its user alone.

A user's document has them as ``views``: a list of ``{name, query}``, in the order of saving.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from calendar_app.accounts.authentication import USERS
from calendar_app.errors import InvalidParameters, Message
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import identified

MOST_VIEWS = 20
LONGEST_NAME = 60
_LONGEST_QUERY = 4000
_VIEWS = "views"
_WRONG_NAME = Message("A name has 1 to {most} characters, on one line.", most=LONGEST_NAME)
_TAKEN = Message("You have a view of this name already.")
_TOO_MANY = Message("You have {most} views. Remove one first.", most=MOST_VIEWS)
_TOO_LONG = Message("These filters are too long to be saved.")
_GONE = Message("You have no view of this name.")


@dataclass(frozen=True, slots=True)
class SavedView:
    """A view: its name, and the query of its address."""

    name: str
    query: str


_Views = list[SavedView]


class SavedViews:
    """The saved views of all users; nobody reads those of others."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._users = store[USERS]

    def of_user(self, user_id: int) -> Sequence[SavedView]:
        """Return the views of a user, in the order of saving."""
        user = self._users.first(identified(user_id), [_VIEWS]) or {}
        return [SavedView(each["name"], each["query"]) for each in user.get(_VIEWS, ())]

    def save(self, user_id: int, name: str, query: str) -> None:
        """Save a view under a new name; raise ``InvalidParameters``."""
        name = _checked(name)
        if len(query) > _LONGEST_QUERY:
            raise InvalidParameters({"query": _TOO_LONG})

        def added(views: _Views) -> _Views:
            if len(views) >= MOST_VIEWS:
                raise InvalidParameters({"name": _TOO_MANY})
            _require_free(name, views)
            return [*views, SavedView(name, query)]

        self._change(user_id, added)

    def rename(self, user_id: int, view: str, name: str) -> None:
        """Give a view another name; raise ``InvalidParameters``."""
        name = _checked(name)

        def renamed(views: _Views) -> _Views:
            _require(view, views)
            _require_free(name, [each for each in views if each.name != view])
            return [SavedView(name, e.query) if e.name == view else e for e in views]

        self._change(user_id, renamed)

    def remove(self, user_id: int, view: str) -> None:
        """Remove a view; one that is gone already stays so."""
        self._change(user_id, lambda views: [each for each in views if each.name != view])

    def _change(self, user_id: int, changed: Callable[[_Views], _Views]) -> None:
        """Replace the views of a user by what they are changed to, with nobody in between."""

        def work() -> None:
            views = changed(list(self.of_user(user_id)))
            stored = [{"name": each.name, "query": each.query} for each in views]
            self._users.change(identified(user_id), {"$set": {_VIEWS: stored}})

        self._store.transact(work)


def _checked(name: str) -> str:
    name = name.strip()
    if not (0 < len(name) <= LONGEST_NAME and name.isprintable()):
        raise InvalidParameters({"name": _WRONG_NAME})
    return name


def _require(name: str, views: _Views) -> None:
    if name not in [each.name for each in views]:
        raise InvalidParameters({"name": _GONE})


def _require_free(name: str, views: _Views) -> None:
    if name in [each.name for each in views]:
        raise InvalidParameters({"name": _TAKEN})
