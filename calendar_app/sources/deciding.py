"""The use cases of duplicates: to list the pairs that are perhaps one event, and to decide."""

from dataclasses import dataclass

from calendar_app.accounts.callers import Caller
from calendar_app.domain.kind import Record
from calendar_app.sources.keeping import Deciders
from calendar_app.sources.runs import ReadingParts
from calendar_app.sources.separating import Separating
from calendar_app.sources.uniting import Uniting
from calendar_app.storage.query.list_query import Page, Window


@dataclass(slots=True)
class Decisions:
    """The pairs of a calendar and the decisions on them, by those who manage or keep sources."""

    parts: ReadingParts
    deciders: Deciders
    default_language: str

    def pairs(self, caller: Caller, window: Window) -> Page:
        """Return a page of the events that are perhaps one; keepers see those of their sources."""
        return self.parts.doubles.page(window, self.deciders.scope(caller))

    def require_decider(self, caller: Caller) -> None:
        """Refuse callers who neither manage sources nor keep one."""
        self.deciders.scope(caller)

    def differ(self, first: int, second: int, caller: Caller) -> None:
        """Remember that two events of an open pair are different."""
        decider = self.deciders.of_pair(first, second, caller)
        self._uniting.differ(first, second, decider, self.default_language)

    def reopen(self, first: int, second: int, caller: Caller) -> None:
        """Take back that two events are different."""
        decider = self.deciders.of_pair(first, second, caller)
        self._uniting.reopen(first, second, decider, self.default_language)

    def take_back(self, first: int, second: int, caller: Caller) -> None:
        """Take back a decision: two events are different, or one; see ``Separating``."""
        united = self.parts.doubles.united_pair(first, second)
        if united is None:
            self.reopen(first, second, caller)
            return
        decider = self.deciders.of_union(first, second, caller)
        self._separating.separate(first, second, decider, self.default_language)

    def unite(self, first: int, second: int, caller: Caller) -> Record:
        """Make one event of two; see ``Uniting``."""
        decider = self.deciders.of_both(first, second, caller)
        return self._uniting.unite(first, second, decider, self.default_language)

    @property
    def _uniting(self) -> Uniting:
        store, editor = self.parts.editors(dry_run=False)
        return Uniting(store, editor, self.parts.kinds, self.parts.doubles)

    @property
    def _separating(self) -> Separating:
        store, editor = self.parts.editors(dry_run=False)
        parts = self.parts
        return Separating(store, editor, parts.kinds, parts.doubles, parts.choices)
