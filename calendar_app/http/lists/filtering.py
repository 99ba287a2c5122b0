"""List parameters that compile themselves: each is one declaration.

A field of a list schema says its type, its meaning, and with ``clause`` in its metadata the Mongo
clause that it stands for. Validation, the OpenAPI text and the query follow from that.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar

import marshmallow as ma

from calendar_app.accounts.policy import allowed_statuses
from calendar_app.accounts.roles import Right
from calendar_app.domain.folding import Search, read_search
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.statuses import PRIVATE, PUBLISH
from calendar_app.domain.translations import MISSING, STANDINGS
from calendar_app.errors import Message
from calendar_app.http.errors.problems import refuse, refuse_unknown
from calendar_app.http.fields.scalars import (
    OneOf,
    Parameter,
    PositiveInteger,
    Text,
    listed,
    whole_number,
)
from calendar_app.http.request import current
from calendar_app.query.clauses import Clause, all_of, equals, missing
from calendar_app.query.list_query import Listing, SearchQuery, Window
from calendar_app.query.texts import matching

ClauseMaker = Callable[[Any], Clause]
ANY_STATUS = "any"

# What a request may ask for; more would keep the database busy, and nobody means it.
MOST_NAMED = 1000
MOST_WORDS, LONGEST_SEARCH = 50, 1000


def by(clause: ClauseMaker, description: str) -> Mapping[str, Any]:
    """Return the metadata of a filter: how it is said in Mongo, and what it means."""
    return {"clause": clause, "description": description}


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a client asked of a list: what to find, and the parameters as links repeat them."""

    listing: Listing
    echoed: Mapping[str, Any]


class TranslationFilter(OneOf):
    """How records stand in the language of the request, for those who do something about it."""

    def __init__(self, **options: Any) -> None:
        meaning = "Only records whose texts in this language are missing, outdated or current."
        super().__init__(STANDINGS, metadata=by(_standing, meaning), **options)

    def _deserialize(self, value: Any, *args: Any, **named: Any) -> str:
        if not current.caller().may(Right.EDIT):
            refuse("You may not ask for translation_status.")
        return super()._deserialize(value, *args, **named)


def _standing(wanted: str) -> Clause:
    place = f"standing.{current.language()}"
    return missing(place) if wanted == MISSING else equals(place, wanted)


class ListSchema(ma.Schema):
    """Base of the parameters of all lists."""

    class Meta:
        unknown = ma.EXCLUDE

    page = PositiveInteger(load_default=1, metadata={"description": "The page to return."})
    translation_status = TranslationFilter()
    per_page = PositiveInteger(metadata={"description": "Records per page, up to a limit."})

    @ma.post_load
    def compile(self, values: Record, **_: Any) -> Record:
        """Turn the filters into one clause, beside the values that they had."""
        clauses = [
            self.fields[name].metadata["clause"](value)
            for name, value in self.applying(values).items()
            if "clause" in self.fields[name].metadata
        ]
        return values | {"clause": all_of(clauses), "window": self.window_of(values)}

    @staticmethod
    def window_of(values: Record) -> Window:
        """Return the page that was asked for."""
        settings = current.settings()
        size = min(values.get("per_page", settings.per_page), settings.max_per_page)
        return Window(values["page"], size)

    def applying(self, values: Record) -> Record:
        """Return the filters that count, given all that were sent."""
        return values


class StatusFilter(Parameter):
    """One or several states, separated by commas; strangers may ask for ``publish`` alone.

    An empty one asks for what is finished: public or private.
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
    """Positive ids, as a list or separated by commas."""

    schema: Mapping[str, Any] = MappingProxyType({"type": "array", "items": {"type": "integer"}})

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> list[int]:
        numbers = [whole_number(member) for member in _members(value, self.sent_name)]
        ids = [number for number in numbers if number is not None and number > 0]
        if not ids or len(ids) != len(numbers):
            refuse(Message("{name} must hold ids.", name=self.sent_name))
        return ids


class ExistingIds(Ids):
    """Ids of records that exist, all of one kind."""

    def __init__(self, kind: Kind, **options: Any) -> None:
        super().__init__(**options)
        self._kind = kind

    def _deserialize(self, value: Any, *args: Any, **named: Any) -> list[int]:
        ids = super()._deserialize(value, *args, **named)
        unknown = current.reader().missing(self._kind, set(ids), current.caller())
        if unknown:
            refuse_unknown(self._kind.singular, min(unknown))
        return ids


class ExistingId(PositiveInteger):
    """The id of one record that exists."""

    def __init__(self, kind: Kind, **options: Any) -> None:
        super().__init__(**options)
        self._kind = kind

    def _deserialize(self, value: Any, *args: Any, **named: Any) -> int:
        number: int = super()._deserialize(value, *args, **named)
        if current.reader().missing(self._kind, {number}, current.caller()):
            refuse_unknown(self._kind.singular, number)
        return number


class ExistingTerms(Parameter):
    """Terms that exist, by slug, id or name; gives their ids."""

    sought: ClassVar[bool] = True
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
        found = current.reader().terms_named(self._kind, entries, sought=self.sought)
        unknown = [entry for entry in entries if entry not in found]
        if unknown:
            refuse_unknown(self._kind.singular, unknown[0])
        return [found[entry] for entry in entries]


def _members(value: Any, name: str) -> list[Any]:
    """Return the members of a list, unless it would keep the database busy for others."""
    members = listed(value)
    if len(members) > MOST_NAMED:
        refuse(Message("{name} may name {most} records at most.", name=name, most=MOST_NAMED))
    return members


def _entry(member: str | int) -> str | int:
    number = whole_number(member)
    return member if number is None else number


class SearchText(Text):
    """Words to search for; so many as people look for at once."""

    def _deserialize(self, value: Any, *args: Any, **named: Any) -> str:
        text = super()._deserialize(value, *args, **named)
        if len(text) > LONGEST_SEARCH:
            refuse(Message("search may be {most} characters long at most.", most=LONGEST_SEARCH))
        search = _read_search(text)
        if len(search.wanted) + len(search.unwanted) > MOST_WORDS:
            refuse(Message("search may hold {most} words at most.", most=MOST_WORDS))
        return text


def _read_search(text: str) -> Search:
    return read_search(text.replace("\0", " "))


def search_query(text: str) -> SearchQuery:
    """Return the search query of a text, over the texts that the reader sees."""
    search = _read_search(text)
    return SearchQuery(search.wanted, search.unwanted, current.chain())


def search_in(kind: Kind) -> ClauseMaker:
    """Return a function that makes a clause of a search text."""

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
    """Return the language in which records need a name, where no other may be shown instead."""
    chain = current.chain()
    return chain[0] if len(chain) == 1 else None
