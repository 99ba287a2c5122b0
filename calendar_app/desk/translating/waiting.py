"""Which records are missing or outdated in a language, and which one comes next."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from calendar_app.accounts.policy import editable_by, role_allows
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.translations import CURRENT, MISSING, OUTDATED
from calendar_app.http.lists.filtering import search_clause, search_query
from calendar_app.http.request import current
from calendar_app.kinds import CATEGORY, EVENT, MEDIA, ORGANIZER, SERIES, TAG, VENUE
from calendar_app.query.clauses import (
    EVERYTHING,
    Clause,
    after,
    all_of,
    any_of,
    at_least,
    before,
    differs,
    equals,
    given,
    missing,
    not_after,
    overridden_in,
)
from calendar_app.query.list_query import Listing, Order, Window

# In this order one comes after the other.
KINDS: Mapping[str, Kind] = {
    kind.name: kind for kind in (EVENT, SERIES, VENUE, ORGANIZER, CATEGORY, TAG, MEDIA)
}
# What waits for a translator comes before what does not.
STATES = (OUTDATED, MISSING, CURRENT)
_BY_END: Order = (("end_local", 1), ("_id", 1))
_NEWEST_FIRST: Order = (("_id", -1),)
_FIRST = Window(1, 1)
# How many there are, by language, kind and state.
Counts = Mapping[tuple[str, str, str], int]


@dataclass(frozen=True, slots=True)
class Queue:
    """The records of a translator in one language and state.

    With ``past`` also events that are over. ``search`` are words of the records, ``source`` is the
    language to translate from where a record has it; both are empty where nobody chose any.
    """

    language: str
    state: str
    past: bool = False
    search: str = ""
    source: str = ""

    @property
    def query(self) -> str:
        """Return the queue as it stands in addresses."""
        fields = {"language": self.language, "state": self.state, **self.choices}
        return urlencode(fields)

    @property
    def choices(self) -> dict[str, str]:
        """Return the fields of an address that hold for any language and state."""
        fields = {"past": "1" if self.past else "", "search": self.search, "source": self.source}
        return {name: text for name, text in fields.items() if text}

    def listing(self, kind: Kind, window: Window) -> Listing:
        """Return the list of a kind in this queue: what is over soonest, else the newest first."""
        clauses = [self._state(), _editable(kind), *self._of_events(kind)]
        if kind.is_picture:
            clauses.append(given("origin"))
        order = _BY_END if kind.fed else _NEWEST_FIRST
        words = (
            search_query(self.search, current.chain())
            if self.search and kind.found_by_words
            else None
        )
        if self.search and words is None:
            clauses.append(search_clause(kind, self.search, current.chain()))
        return Listing(window, order, clause=all_of(clauses), search_query=words)

    def next_of(self, kind: Kind, record: Record) -> tuple[Kind, Record] | None:
        """Return the next record of the queue; after the last, start again."""
        other_kinds = [each for each in offered_kinds() if each.name != kind.name]
        later = [each for each in other_kinds if _place(each) > _place(kind)]
        earlier = [each for each in other_kinds if _place(each) < _place(kind)]
        rest = differs("_id", record["_id"])
        parts = [
            (kind, _behind(kind, record)),
            *((each, EVERYTHING) for each in (*later, *earlier)),
            (kind, rest),
        ]
        return next(self._first_of(parts), None)

    def first(self) -> tuple[Kind, Record] | None:
        """Return the first record of the queue."""
        return next(self._first_of((kind, EVERYTHING) for kind in offered_kinds()), None)

    def _first_of(self, parts: Iterable[tuple[Kind, Clause]]) -> Iterator[tuple[Kind, Record]]:
        for kind, part in parts:
            listing = self.listing(kind, _FIRST)
            narrowed = replace(listing, clause=all_of([listing.clause, part]))
            for record in current.reader().search(kind, narrowed, current.caller()).items:
                yield kind, record

    def _state(self) -> Clause:
        path = f"standing.{self.language}"
        return missing(path) if self.state == MISSING else equals(path, self.state)

    def _of_events(self, kind: Kind) -> Iterator[Clause]:
        """Yield the conditions on events: not over, and no date of a series without own texts."""
        if not kind.fed:
            return
        if not self.past:
            yield at_least("end_local", current.site_now().replace(tzinfo=None))
        yield any_of([not_after("series", 0), overridden_in(self.language)])


def offered_kinds() -> list[Kind]:
    """Return the kinds that the user may translate."""
    caller = current.caller()
    return [kind for kind in KINDS.values() if role_allows(caller, "edit", kind.singular)]


def counts(languages: Iterable[str], *, past: bool) -> Counts:
    """Return the number of records by language, kind and state, in one query."""
    parts = [
        (language, kind, state)
        for language in languages
        for kind in offered_kinds()
        for state in STATES
    ]
    lists = [
        (kind, Queue(language, state, past).listing(kind, _FIRST))
        for language, kind, state in parts
    ]
    numbers = current.reader().totals(lists, current.caller())
    names = ((language, kind.name, state) for language, kind, state in parts)
    return dict(zip(names, numbers, strict=True))


def _editable(kind: Kind) -> Clause:
    return EVERYTHING if kind.name in (CATEGORY.name, TAG.name) else editable_by(current.caller())


def _place(kind: Kind) -> int:
    return list(KINDS).index(kind.name)


def _behind(kind: Kind, record: Record) -> Clause:
    """Match the records behind a record in the order of its list."""
    if not kind.fed:
        return before("_id", record["_id"])
    end = record["end_local"]
    same = all_of([equals("end_local", end), after("_id", record["_id"])])
    return any_of([after("end_local", end), same])
