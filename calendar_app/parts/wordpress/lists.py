"""The parameters of lists, as WordPress has them; each filter is compiled to a clause."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import marshmallow as ma

from calendar_app.accounts.policy import editable_by, listed_for
from calendar_app.api.http.errors.problems import refuse
from calendar_app.api.http.fields.scalars import Flag, OneOf, listed, whole_number
from calendar_app.api.http.fields.schema import Parameter
from calendar_app.api.http.lists.filtering import (
    Ids,
    ListSchema,
    ModifiedFilters,
    SearchText,
    StatusFilter,
    by,
    compared_moment,
    search_in,
)
from calendar_app.api.http.request.current import Context
from calendar_app.api.resources.terms import non_empty, term_list_schema, term_order
from calendar_app.calendar.slugs import slug_key
from calendar_app.domain.kind import Record
from calendar_app.domain.slugs import dated_slug, slugify
from calendar_app.domain.statuses import PUBLISH
from calendar_app.errors import Message
from calendar_app.parts.wordpress.contexts import CONTEXTS, EDIT
from calendar_app.parts.wordpress.names import (
    CATEGORIES,
    EVENTS,
    ORGANIZERS,
    TAGS,
    VENUES,
    ContentType,
)
from calendar_app.settings import Settings
from calendar_app.storage.query.clauses import (
    EVERYTHING,
    Clause,
    after,
    before,
    none_of,
    not_after,
    one_of,
)
from calendar_app.storage.query.list_query import AnyOrder, AsListed, ByText, Window

_PER_PAGE, _MOST = 10, 100
DIRECTIONS = ("asc", "desc")
# By relevance are the newest first, as words alone decide what is found.
_FIELDS: Mapping[str, str] = MappingProxyType(
    {"date": "published", "relevance": "published", "modified": "modified", "id": "_id"}
)
_ORDERS = (*_FIELDS, "title", "include")
_ORDERS_OF_TERMS = ("id", "include", "name", "slug", "description", "count", "term_group")
_PUBLISHED_AFTER = compared_moment("published", after, "Published after this moment.")
_PUBLISHED_BEFORE = compared_moment("published", before, "Published before this moment.")


class Count(Parameter):
    """A whole number between two bounds; others are refused, so that nobody miscounts pages."""

    def __init__(self, low: int, high: int, **options: Any) -> None:
        super().__init__(**options)
        self._low, self._high = low, high
        self.schema = {"type": "integer", "minimum": low, "maximum": high}

    def read(self, value: Any, _context: Context) -> int:
        number = whole_number(value)
        if number is None or not self._low <= number <= self._high:
            refuse(
                Message(
                    "{name} must lie between {low} and {high}.",
                    name=self.sent_name,
                    low=self._low,
                    high=self._high,
                )
            )
        return number


class SomeIds(Ids):
    """Ids; none at all mean every record."""

    def read(self, value: Any, context: Context) -> list[int]:
        return super().read(value, context) if listed(value) else []


class Slugs(Parameter):
    """Slugs, as a list or comma-separated."""

    schema: Mapping[str, Any] = MappingProxyType({"type": "array", "items": {"type": "string"}})

    def read(self, value: Any, _context: Context) -> list[str]:
        return [slugify(str(member)) for member in listed(value)]


def _among(field: str) -> Any:
    return lambda ids, _: one_of(field, ids) if ids else EVERYTHING


def _not_among(field: str) -> Any:
    return lambda ids, _: none_of(field, ids) if ids else EVERYTHING


def _by_slugs(slugs: Sequence[str], context: Context) -> Clause:
    """Return a clause: one of the slugs, in any language; dates of series show one with a date."""
    forms = {form for slug in slugs for form in (slug, dated_slug(slug)) if form}
    tags = context.settings.languages
    return one_of("slugs", [slug_key(tag, form) for form in sorted(forms) for tag in tags])


class Paged(ma.Schema):
    """The parameters that the lists of all types share."""

    context = OneOf(CONTEXTS, description="What the records are for.", finds_locked=True)
    per_page: Parameter = Count(
        1, _MOST, load_default=_PER_PAGE, description="Records per page.", finds_locked=True
    )
    offset = Count(
        0, 2**53, description="How many records to leave out, in place of page.", finds_locked=True
    )
    include = SomeIds(
        metadata=by(_among("_id"), "Only the terms with these ids."), finds_locked=True
    )
    excluded = SomeIds(
        data_key="exclude",
        metadata=by(_not_among("_id"), "All terms except those with these ids."),
        finds_locked=True,
    )
    slug = Slugs(metadata=by(_by_slugs, "Only those with one of these slugs."), finds_locked=True)

    def page_window(self, values: Record, _settings: Settings) -> Window:
        """Return the requested page; an offset counts in its place."""
        size = values["per_page"]
        if "offset" in values:
            return Window(1, size, values["offset"])
        return Window(values["page"], size)


def _post_list_schema(type_: ContentType) -> type[ListSchema]:
    """Return the list parameters of a post type."""
    kind = type_.kind
    words = {} if kind.found_by_words else by(search_in(kind), "Words that it has.")

    class PostListSchema(Paged, ModifiedFilters, ListSchema):
        search = SearchText(metadata=words, finds_locked=True)
        after = _PUBLISHED_AFTER
        before = _PUBLISHED_BEFORE
        author = SomeIds(metadata=by(_among("author"), "By these users."), finds_locked=True)
        author_exclude = SomeIds(
            metadata=by(_not_among("author"), "Not by these users."), finds_locked=True
        )
        status = StatusFilter()
        order = OneOf(DIRECTIONS, load_default="desc", description="Which way.", finds_locked=True)
        orderby = OneOf(
            _ORDERS, load_default="date", description="The field to sort by.", finds_locked=True
        )

        def completed(self, values: Record, _context: Context) -> Record:
            return {"status": [PUBLISH]} | values

        def clauses(self, values: Record, context: Context) -> dict[str, Clause]:
            clauses = super().clauses(values, context)
            if values.get("context") == EDIT:
                clauses["context"] = editable_by(context.caller)
            return clauses

        def sorting(self, values: Record, context: Context) -> AnyOrder:
            direction = 1 if values["order"] == "asc" else -1
            match values["orderby"]:
                case "title":
                    return ByText(kind.label, context.chain, direction)
                case "include" if values.get("include"):
                    return AsListed(tuple(values["include"]))
                case name:
                    field = _FIELDS.get(name, "published")
                    return [(each, direction) for each in dict.fromkeys((field, "_id"))]

    PostListSchema.kind = kind
    return PostListSchema


class _EventListSchema(_post_list_schema(EVENTS)):  # type: ignore[misc]  # made for its kind
    tags = SomeIds(metadata=by(_among("tags"), "With one of these tags."))
    tags_excluded = SomeIds(
        data_key="tags_exclude", metadata=by(_not_among("tags"), "With none of these tags.")
    )
    categories = SomeIds(
        data_key=CATEGORIES.name, metadata=by(_among("categories"), "In one of these categories.")
    )
    categories_excluded = SomeIds(
        data_key=f"{CATEGORIES.name}_exclude",
        metadata=by(_not_among("categories"), "In none of these categories."),
    )

    def clauses(self, values: Record, context: Context) -> dict[str, Clause]:
        visible = {"": listed_for(context.caller, by_title=self.find_locked(values))}
        return {**visible, **super().clauses(values, context)}


def _term_list_schema(type_: ContentType) -> type[ListSchema]:
    """Return the list parameters of a taxonomy."""
    kind = type_.kind

    class TermListSchema(Paged, term_list_schema(kind)):  # type: ignore[misc]  # made for its kind
        order = OneOf(DIRECTIONS, load_default="asc", description="Which way.")
        orderby = OneOf(_ORDERS_OF_TERMS, load_default="name", description="The field to sort by.")
        hide_empty = Flag(
            load_default=False,
            metadata=by(non_empty(kind), "Hide terms that no published event has."),
        )

        def sorting(self, values: Record, context: Context) -> AnyOrder:
            return term_order(values, context.chain)

    TermListSchema.kind = kind
    return TermListSchema


class _CategoryListSchema(_term_list_schema(CATEGORIES)):  # type: ignore[misc]  # made for its kind
    parent = Count(
        0,
        2**53,
        metadata=by(
            lambda number, _: one_of("parent", [number]) if number else not_after("parent", 0),
            "Directly below this category; 0: below none.",
        ),
    )


LISTS: Mapping[str, type[ListSchema]] = MappingProxyType(
    {
        EVENTS.name: _EventListSchema,
        VENUES.name: _post_list_schema(VENUES),
        ORGANIZERS.name: _post_list_schema(ORGANIZERS),
        CATEGORIES.name: _CategoryListSchema,
        TAGS.name: _term_list_schema(TAGS),
    }
)
