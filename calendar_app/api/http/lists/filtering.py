"""Filters of lists, each declared once.

A field of a list schema has a type, a description, and in its metadata a function from its value to
a MongoDB clause. Validation, OpenAPI and the query follow from the declaration.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from types import MappingProxyType
from typing import Any, ClassVar

import marshmallow as ma

from calendar_app.accounts.callers import Right
from calendar_app.api.http.errors.problems import refuse, refuse_unknown
from calendar_app.api.http.fields.changes import DATE_TIME
from calendar_app.api.http.fields.linking import require_existing
from calendar_app.api.http.fields.scalars import (
    Converted,
    OneOf,
    PositiveInteger,
    Text,
    listed,
    whole_number,
)
from calendar_app.api.http.fields.schema import NamesRecords, Parameter, RequestSchema, Values
from calendar_app.api.http.lists.filter_display import FilterDisplay, displayed
from calendar_app.api.http.lists.paging import echo
from calendar_app.api.http.request.current import Context
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.ledger import HUMAN, MACHINE, MEMORY, UNREVIEWED, WITHHELD
from calendar_app.domain.moments import Moment, parse_moment
from calendar_app.domain.statuses import PRIVATE, PUBLISH, REGISTERED
from calendar_app.domain.translations import MISSING, STANDINGS, compared_fields
from calendar_app.domain.words import Search, read_search
from calendar_app.errors import Message
from calendar_app.settings import Settings
from calendar_app.storage.query.clauses import (
    Clause,
    after,
    all_of,
    before,
    equals,
    matching,
    missing,
    none_shown,
)
from calendar_app.storage.query.geo import Circle
from calendar_app.storage.query.list_query import AnyOrder, ByDistance, Listing, SearchQuery, Window

ClauseMaker = Callable[[Any, Context], Clause]
ANY_STATUS = "any"

# Limits that keep one request from blocking the database.
MAX_IDS = 1000
MAX_SEARCH_WORDS, MAX_SEARCH_LENGTH = 50, 1000


def by(
    clause: ClauseMaker, description: str, display: FilterDisplay | None = None
) -> Mapping[str, Any]:
    """Return the metadata of a filter: its clause, its description, and how readers see it."""
    return {"clause": clause, "description": description, **displayed(display or FilterDisplay())}


@dataclass(frozen=True, slots=True)
class ListRequest:
    """A list request: the query, and the parameters that page links repeat.

    ``parts`` has the clause of each filter by its parameter, and under "" that of the rights.
    ``named`` has the ids of the records that filters name, by kind.
    """

    listing: Listing
    echoed: Mapping[str, Any]
    parts: Mapping[str, Clause] = field(default_factory=dict)
    named: Mapping[str, Sequence[int]] = field(default_factory=dict)

    def without(self, names: Collection[str]) -> Listing:
        """Return the list without some filters."""
        clauses = [clause for name, clause in self.parts.items() if name not in names]
        return replace(self.listing, clause=all_of(clauses))


class TranslationFilter(OneOf):
    """Filters records by translation state in the language of the request; editors only."""

    def __init__(self, **options: Any) -> None:
        meaning = "Only records whose texts in this language are missing, outdated or current."
        super().__init__(STANDINGS, metadata=by(_state_clause, meaning), **options)

    def read(self, value: Any, context: Context) -> str:
        if not context.caller.may(Right.EDIT):
            refuse("You may not ask for translation_status.")
        return super().read(value, context)


class WaitingFilter(OneOf):
    """Filters records by the work of translators, reviews included; editors only."""

    def __init__(self, **options: Any) -> None:
        meaning = "Like `translation_status`; unreviewed: with texts that nobody has checked."
        super().__init__((*STANDINGS, UNREVIEWED), metadata=by(_waiting_clause, meaning), **options)

    def read(self, value: Any, context: Context) -> str:
        if not context.caller.may(Right.EDIT):
            refuse("You may not ask for translation_state.")
        return super().read(value, context)


def _waiting_clause(state: str, context: Context) -> Clause:
    waits = equals(UNREVIEWED, context.language)
    return waits if state == UNREVIEWED else _state_clause(state, context)


class OriginFilter(OneOf):
    """Filters records by who wrote the texts that a reader sees."""

    def __init__(self, **options: Any) -> None:
        meaning = "human: only records whose texts people have written or checked."
        super().__init__((HUMAN,), metadata={"description": meaning}, **options)


def _state_clause(state: str, context: Context) -> Clause:
    path = f"standing.{context.language}"
    return missing(path) if state == MISSING else equals(path, state)


class ListSchema(RequestSchema):
    """Base of the parameters of all lists of one ``kind``; they load as a ``ListRequest``."""

    kind: ClassVar[Kind]

    page = PositiveInteger(
        load_default=1,
        description="The page to return.",
        metadata=displayed(FilterDisplay(Message("Page"), chip=False)),
        finds_locked=True,
    )
    translation_status = TranslationFilter()
    translation_state = WaitingFilter()
    translation_origin = OriginFilter()
    per_page: Parameter = PositiveInteger(
        description="The number of records per page, up to a limit.",
        metadata=displayed(FilterDisplay(chip=False)),
        finds_locked=True,
    )

    @ma.post_load(pass_original=True)
    def to_request(self, values: Record, sent: Values, **_: Any) -> ListRequest:
        """Compile the filters into one query."""
        kind, context = self.kind, sent.context
        values = self.completed(values, context)
        clauses = self.clauses(values, context) | _of_origins(kind, values, context)
        window = self.page_window(values, context.settings)
        listing = Listing(
            window,
            self.sorting(values, context),
            all_of(list(clauses.values())),
            values.get("status", ()),
            self.circle(values, context),
            search_query(values["search"], context.chain)
            if kind.found_by_words and "search" in values
            else None,
            only_language(context.chain) if kind.label in kind.texts else None,
            values.get("first_in_series", False),
            self.measured(values, context),
        )
        return ListRequest(
            listing,
            echo(values, window, context, with_status=kind.has_status),
            clauses,
            self.named(values),
        )

    def completed(self, values: Record, _context: Context) -> Record:
        """Return the values with the defaults that depend on others."""
        return values

    def named(self, values: Record) -> dict[str, Sequence[int]]:
        """Return the ids of the records that filters name, by kind."""
        fields = {name: self.fields[name] for name in values}
        return {
            field.kind.name: values[name]
            for name, field in fields.items()
            if isinstance(field, ExistingIds | ExistingTerms)
        }

    def clauses(self, values: Record, context: Context) -> dict[str, Clause]:
        """Return the clause of each filter."""
        return {
            name: self.fields[name].metadata["clause"](value, context)
            for name, value in values.items()
            if "clause" in self.fields[name].metadata
        }

    def find_locked(self, values: Record) -> bool:
        """Return whether all parameters may find locked events: none reads a hidden field."""
        fields = (self.fields[name] for name in values)
        return all(isinstance(field, Parameter) and field.finds_locked for field in fields)

    def sorting(self, values: Record, context: Context) -> AnyOrder:
        """Return the order of the list."""
        raise NotImplementedError

    def circle(self, _values: Record, _context: Context) -> Circle | None:
        """Return the circle in which the records lie, if there is one."""
        return None

    def measured(self, _values: Record, _context: Context) -> ByDistance | None:
        """Return the point from which each record shows its distance, if there is one."""
        return None

    def page_window(self, values: Record, settings: Settings) -> Window:
        """Return the requested page."""
        return page_window(values, settings)


def _of_origins(kind: Kind, values: Record, context: Context) -> dict[str, Clause]:
    """Return the requested clause that excludes texts without a review."""
    if "translation_origin" not in values:
        return {}
    withheld = WITHHELD[context.settings.machine_text]
    waiting = [mark for mark in (MACHINE, MEMORY) if mark not in withheld]
    by_people = none_shown(compared_fields(kind), context.chain, waiting, withheld)
    return {"translation_origin": by_people}


def page_window(values: Record, settings: Settings) -> Window:
    """Return the page that is requested with ``page`` and ``per_page``."""
    size = min(values.get("per_page", settings.per_page), settings.max_per_page)
    return Window(values["page"], size)


class StatusFilter(Parameter):
    """Comma-separated states; visitors may only ask for ``publish``.

    Empty means public or private.
    """

    def __init__(self, **options: Any) -> None:
        meaning = "Only records in these states."
        super().__init__(description=meaning, finds_locked=True, **options)

    def read(self, value: Any, context: Context) -> list[str]:
        caller = context.caller
        statuses = listed(value)
        if not set(map(str, statuses)) <= {*REGISTERED, ANY_STATUS}:
            refuse("status must name states of records, or be any.")
        if not caller.may(Right.EDIT) and statuses != [PUBLISH]:
            refuse("You may only ask for status=publish.")
        if not statuses:
            return [PUBLISH, PRIVATE]
        return [] if ANY_STATUS in statuses else statuses


class Ids(Parameter):
    """Positive ids, as a list or comma-separated."""

    schema: Mapping[str, Any] = MappingProxyType({"type": "array", "items": {"type": "integer"}})

    def read(self, value: Any, _context: Context) -> list[int]:
        numbers = [whole_number(member) for member in _members(value, self.sent_name)]
        ids = [number for number in numbers if number is not None and number > 0]
        if not ids or len(ids) != len(numbers):
            refuse(Message("{name} must hold ids.", name=self.sent_name))
        return ids


class ExistingIds(Ids, NamesRecords):
    """Ids of existing records of one kind; the id of a merged record means its successor."""

    def __init__(self, kind: Kind, **options: Any) -> None:
        super().__init__(**options)
        self.kind = kind

    def resolve(self, value: list[int], context: Context) -> list[int]:
        missing = context.reader.missing(self.kind, value, context.caller)
        targets = context.reader.united_into(self.kind, missing, context.caller) if missing else {}
        ids = [targets.get(each, each) for each in value]
        require_existing(self.kind, ids, context)
        return ids


class ExistingId(PositiveInteger, NamesRecords):
    """The id of an existing record."""

    def __init__(self, kind: Kind, **options: Any) -> None:
        super().__init__(**options)
        self._kind = kind

    def resolve(self, value: int, context: Context) -> int:
        require_existing(self._kind, [value], context)
        return value


class LinkedToEvent(PositiveInteger, NamesRecords):
    """The id of an event; it stands for the ids of its links, unless it is locked."""

    def __init__(self, links: str, **options: Any) -> None:
        super().__init__(**options)
        self._links = links

    def resolve(self, value: int, context: Context) -> list[int]:
        password = context.parameters.get("password")
        secret = password if isinstance(password, str) else None
        linked = context.reader.links_of_event(value, self._links, context.caller, secret)
        if linked is None:
            refuse_unknown("event", value)
        return linked


class ExistingTerms(NamesRecords):
    """Existing terms by slug, id or name, which stand for ids."""

    finds_by_any_key: ClassVar[bool] = True
    schema: Mapping[str, Any] = MappingProxyType(
        {"type": "array", "items": {"type": ["integer", "string"]}}
    )

    def __init__(self, kind: Kind, **options: Any) -> None:
        super().__init__(**options)
        self.kind = kind

    def read(self, value: Any, _context: Context) -> list[int | str]:
        members = _members(value, self.sent_name)
        if not members or not all(isinstance(member, str | int) for member in members):
            refuse(Message("{name} must name terms.", name=self.sent_name))
        return [_entry(member) for member in members]

    def resolve(self, value: list[int | str], context: Context) -> list[int]:
        ids_by_entry = context.reader.terms.named(self.kind, value, as_filter=self.finds_by_any_key)
        unknown = [entry for entry in value if entry not in ids_by_entry]
        if unknown:
            refuse_unknown(self.kind.singular, unknown[0])
        return [ids_by_entry[entry] for entry in value]


def _members(value: Any, name: str) -> list[Any]:
    """Return the members of a list, up to a limit that protects the database."""
    members = listed(value)
    if len(members) > MAX_IDS:
        refuse(Message("{name} may name {most} records at most.", name=name, most=MAX_IDS))
    return members


def _entry(member: str | int) -> str | int:
    number = whole_number(member)
    return member if number is None else number


class SearchText(Text):
    """A search text with a limited number of words."""

    def read(self, value: Any, context: Context) -> str:
        text = super().read(value, context)
        if len(text) > MAX_SEARCH_LENGTH:
            refuse(Message("search may be {most} characters long at most.", most=MAX_SEARCH_LENGTH))
        search = _read_search(text)
        if len(search.wanted) + len(search.unwanted) > MAX_SEARCH_WORDS:
            refuse(Message("search may hold {most} words at most.", most=MAX_SEARCH_WORDS))
        return text


def _read_search(text: str) -> Search:
    return read_search(text.replace("\0", " "))


def search_query(text: str, chain: tuple[str, ...]) -> SearchQuery:
    """Parse a search text into required and excluded words."""
    search = _read_search(text)
    return SearchQuery(search.wanted, search.unwanted, chain)


def search_clause(kind: Kind, text: str, chain: tuple[str, ...]) -> Clause:
    """Return a clause: every word occurs in a presented text."""
    query = search_query(text, chain)
    return matching(
        query.words,
        query.unwanted,
        texts=kind.searched_texts,
        shared=kind.searched_lines,
        chain=chain,
    )


def search_in(kind: Kind) -> ClauseMaker:
    """Return the clause function of a filter by words."""
    return lambda text, context: search_clause(kind, text, context.chain)


def only_language(chain: tuple[str, ...]) -> str | None:
    """Return the language in which records need a title, if there is no fallback."""
    return chain[0] if len(chain) == 1 else None


# Moments: ``modified_after`` and ``modified_before``, as in WordPress.


def _read_moment(value: Any, context: Context) -> Moment:
    """Return the moment with its offset, so that links repeat it as sent."""
    moment = parse_moment(value, context.now())
    moment.instant(context.zone)
    return moment


def compared_moment(
    field: str, compare: Callable[[str, datetime], Clause], description: str
) -> Converted:
    """Return the filter that compares a time of records with a moment."""
    return Converted(
        _read_moment,
        DATE_TIME,
        metadata=by(
            lambda moment, context: compare(field, moment.instant(context.zone)), description
        ),
        finds_locked=True,
    )


class ModifiedFilters(ma.Schema):
    """Filters by the time of the last change, both ends exclusive; without an offset site time."""

    modified_after = compared_moment("modified", after, "Changed after this moment.")
    modified_before = compared_moment("modified", before, "Changed before this moment.")
