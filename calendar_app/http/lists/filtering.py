"""Filters of lists, each declared once.

A field of a list schema has a type, a description, and in its metadata a function from its value to
a MongoDB clause. Validation, OpenAPI and the query follow from the declaration.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from types import MappingProxyType
from typing import Any, ClassVar

import marshmallow as ma

from calendar_app.accounts.policy import Right, allowed_statuses
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.moments import Moment, parse_moment
from calendar_app.domain.statuses import PRIVATE, PUBLISH
from calendar_app.domain.translations import MISSING, STANDINGS
from calendar_app.domain.words import Search, read_search
from calendar_app.errors import Message
from calendar_app.http.errors.problems import refuse, refuse_unknown
from calendar_app.http.fields.changes import DATE_TIME
from calendar_app.http.fields.scalars import (
    Converted,
    OneOf,
    Parameter,
    PositiveInteger,
    Text,
    listed,
    whole_number,
)
from calendar_app.http.request import current
from calendar_app.query.clauses import Clause, after, all_of, before, equals, matching, missing
from calendar_app.query.list_query import Listing, SearchQuery, Window

ClauseMaker = Callable[[Any], Clause]
ANY_STATUS = "any"

# Limits that keep one request from blocking the database.
MAX_IDS = 1000
MAX_SEARCH_WORDS, MAX_SEARCH_LENGTH = 50, 1000


def by(clause: ClauseMaker, description: str) -> Mapping[str, Any]:
    """Return the metadata of a filter: its clause and its description."""
    return {"clause": clause, "description": description}


@dataclass(frozen=True, slots=True)
class ListRequest:
    """A list request: the query, and the parameters that page links repeat.

    ``parts`` has the clause of each filter by its parameter, and under "" that of the rights.
    """

    listing: Listing
    echoed: Mapping[str, Any]
    parts: Mapping[str, Clause] = field(default_factory=dict)

    def without(self, names: Collection[str]) -> Listing:
        """Return the list without some filters."""
        clauses = [clause for name, clause in self.parts.items() if name not in names]
        return replace(self.listing, clause=all_of(clauses))


class TranslationFilter(OneOf):
    """Filters records by translation state in the language of the request; editors only."""

    def __init__(self, **options: Any) -> None:
        meaning = "Only records whose texts in this language are missing, outdated or current."
        super().__init__(STANDINGS, metadata=by(_state_clause, meaning), **options)

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> str:
        if not current.caller().may(Right.EDIT):
            refuse("You may not ask for translation_status.")
        return super()._deserialize(value, *args, **kwargs)


def _state_clause(state: str) -> Clause:
    path = f"standing.{current.language()}"
    return missing(path) if state == MISSING else equals(path, state)


class ListSchema(ma.Schema):
    """Base of the parameters of all lists."""

    class Meta:
        unknown = ma.EXCLUDE

    page = PositiveInteger(load_default=1, description="The page to return.")
    translation_status = TranslationFilter()
    per_page = PositiveInteger(description="Records per page, up to a limit.")

    @ma.post_load
    def compile(self, values: Record, **_: Any) -> Record:
        """Combine the filters into one clause."""
        parts = {
            name: self.fields[name].metadata["clause"](value)
            for name, value in self.applicable(values).items()
            if "clause" in self.fields[name].metadata
        }
        combined = {"parts": parts, "clause": all_of(list(parts.values()))}
        return values | combined | {"window": self.page_window(values)}

    @staticmethod
    def page_window(values: Record) -> Window:
        """Return the requested page."""
        settings = current.settings()
        size = min(values.get("per_page", settings.per_page), settings.max_per_page)
        return Window(values["page"], size)

    def applicable(self, values: Record) -> Record:
        """Return the filters that apply, given all in the request."""
        return values


class StatusFilter(Parameter):
    """Comma-separated states; visitors may only ask for ``publish``.

    Empty means public or private.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(metadata={"description": "Only records in these states."}, **options)

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> list[str]:
        caller = current.caller()
        statuses = listed(value)
        if not caller.may(Right.EDIT) and statuses != [PUBLISH]:
            refuse("You may only ask for status=publish.")
        if not set(map(str, statuses)) <= allowed_statuses(caller):
            refuse("status must name states of records, or be any.")
        if not statuses:
            return [PUBLISH, PRIVATE]
        return [] if ANY_STATUS in statuses else statuses


class Ids(Parameter):
    """Positive ids, as a list or comma-separated."""

    schema: Mapping[str, Any] = MappingProxyType({"type": "array", "items": {"type": "integer"}})

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> list[int]:
        numbers = [whole_number(member) for member in _members(value, self.sent_name)]
        ids = [number for number in numbers if number is not None and number > 0]
        if not ids or len(ids) != len(numbers):
            refuse(Message("{name} must hold ids.", name=self.sent_name))
        return ids


class ExistingIds(Ids):
    """Ids of existing records of one kind."""

    def __init__(self, kind: Kind, **options: Any) -> None:
        super().__init__(**options)
        self._kind = kind

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> list[int]:
        ids = super()._deserialize(value, *args, **kwargs)
        unknown = current.reader().missing(self._kind, set(ids), current.caller())
        if unknown:
            refuse_unknown(self._kind.singular, min(unknown))
        return ids


class ExistingId(PositiveInteger):
    """The id of an existing record."""

    def __init__(self, kind: Kind, **options: Any) -> None:
        super().__init__(**options)
        self._kind = kind

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> int:
        number: int = super()._deserialize(value, *args, **kwargs)
        if current.reader().missing(self._kind, {number}, current.caller()):
            refuse_unknown(self._kind.singular, number)
        return number


class LinkedToEvent(PositiveInteger):
    """The id of an event; deserializes to the ids of its links, unless it is locked."""

    def __init__(self, links: str, **options: Any) -> None:
        super().__init__(**options)
        self._links = links

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        number = super()._deserialize(value, *args, **kwargs)
        password = current.parameter("password")
        linked = current.reader().links_of_event(
            number,
            self._links,
            current.caller(),
            password if isinstance(password, str) else None,
        )
        if linked is None:
            refuse_unknown("event", number)
        return linked


class ExistingTerms(Parameter):
    """Existing terms by slug, id or name; deserializes to ids."""

    finds_by_any_key: ClassVar[bool] = True
    schema: Mapping[str, Any] = MappingProxyType(
        {"type": "array", "items": {"type": ["integer", "string"]}}
    )

    def __init__(self, kind: Kind, **options: Any) -> None:
        super().__init__(**options)
        self._kind = kind

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> list[int]:
        members = _members(value, self.sent_name)
        if not members or not all(isinstance(member, str | int) for member in members):
            refuse(Message("{name} must name terms.", name=self.sent_name))
        entries = [_entry(member) for member in members]
        ids_by_entry = current.reader().terms.named(
            self._kind, entries, as_filter=self.finds_by_any_key
        )
        unknown = [entry for entry in entries if entry not in ids_by_entry]
        if unknown:
            refuse_unknown(self._kind.singular, unknown[0])
        return [ids_by_entry[entry] for entry in entries]


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

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> str:
        text = super()._deserialize(value, *args, **kwargs)
        if len(text) > MAX_SEARCH_LENGTH:
            refuse(Message("search may be {most} characters long at most.", most=MAX_SEARCH_LENGTH))
        search = _read_search(text)
        if len(search.wanted) + len(search.unwanted) > MAX_SEARCH_WORDS:
            refuse(Message("search may hold {most} words at most.", most=MAX_SEARCH_WORDS))
        return text


def _read_search(text: str) -> Search:
    return read_search(text.replace("\0", " "))


def search_query(text: str) -> SearchQuery:
    """Parse a search text into required and excluded words."""
    search = _read_search(text)
    return SearchQuery(search.wanted, search.unwanted, current.chain())


def search_in(kind: Kind) -> ClauseMaker:
    """Return a clause function: every word occurs in a presented text."""

    def clause(text: str) -> Clause:
        query = search_query(text)
        return matching(
            query.words,
            query.unwanted,
            texts=kind.searched_texts,
            shared=kind.searched_lines,
            chain=query.chain,
        )

    return clause


def only_language() -> str | None:
    """Return the language in which records need a title, if there is no fallback."""
    chain = current.chain()
    return chain[0] if len(chain) == 1 else None


def _read(value: Any) -> Moment:
    """Return the moment with its offset, so that links repeat it as sent."""
    moment = parse_moment(value, current.site_now())
    _instant(moment)
    return moment


def _instant(moment: Moment) -> datetime:
    """Return the instant in UTC; without an offset in the zone of the site."""
    return moment.instant(current.site_zone())


class ModifiedFilters(ma.Schema):
    """Filters by the time of the last change, both ends exclusive."""

    modified_after = Converted(
        _read,
        DATE_TIME,
        metadata=by(
            lambda moment: after("modified", _instant(moment)), "Changed after this moment."
        ),
    )
    modified_before = Converted(
        _read,
        DATE_TIME,
        metadata=by(
            lambda moment: before("modified", _instant(moment)), "Changed before this moment."
        ),
    )
