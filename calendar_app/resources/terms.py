"""Categories and tags: what may be written of them, their lists, their answers."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import marshmallow as ma

from calendar_app.calendar.slugs import slug_key
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.slugs import slugify
from calendar_app.errors import Message, NotHierarchical
from calendar_app.http.fields.changes import ChangeSchema
from calendar_app.http.fields.linking import refuse_term_without_id
from calendar_app.http.fields.scalars import Converted, Flag, Name, Text, listed, whole_number
from calendar_app.http.lists.filtering import (
    ExistingId,
    ExistingTerms,
    LinkedToEvent,
    ListRequest,
    ListSchema,
    SearchText,
    by,
    only_language,
    search_in,
)
from calendar_app.http.lists.paging import echo
from calendar_app.http.presentation.shapes import PageShape, TermShape
from calendar_app.http.request import current
from calendar_app.kinds import CATEGORY, TAG
from calendar_app.presentation.json_ld import describe_term
from calendar_app.presentation.linked import present_term
from calendar_app.query.clauses import EVERYTHING, Clause, after, all_of, equals, none_of, one_of
from calendar_app.query.list_query import AsListed, ByText, Listing, Order
from calendar_app.resources.resource import Resource, routes_of

_TEXTS = ("name", "slug", "description")
# There are no term groups here, so that ids decide.
_FIELDS = {"id": "_id", "term_id": "_id", "term_group": "_id", "count": "count", "parent": "parent"}


class _TermIds(ExistingTerms):
    """Existing terms, of which only those named by id count, as in the reference."""

    finds_by_any_key = False

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> list[int]:
        term_ids: list[int] = super()._deserialize(value, *args, **kwargs)
        ids = {whole_number(member) for member in listed(value)}
        return [number for number in term_ids if number in ids]


class _TermListBase(ListSchema):
    """Common base of the list parameters of terms."""

    @ma.post_load
    def to_request(self, values: Record, **_: Any) -> ListRequest:
        linked = values.get("event", values.get("post"))
        clauses = [values["clause"]]
        if linked is not None:
            clauses.append(one_of("_id", linked))
        listing = Listing(
            values["window"], _order(values), all_of(clauses), written=only_language()
        )
        return ListRequest(listing, echo({}, values["window"], with_status=False))


def term_list_schema(kind: Kind) -> type[ListSchema]:
    """Return the list parameters of categories, or of tags."""

    class TermListSchema(_TermListBase):
        search = SearchText(metadata=by(search_in(kind), "Words in name, slug or description."))
        include = _TermIds(kind, metadata=by(lambda ids: one_of("_id", ids), "Only these."))
        excluded = _TermIds(
            kind,
            data_key="exclude",
            metadata=by(lambda ids: none_of("_id", ids), "Not these."),
        )
        order = Text(description="asc; anything else is descending.")
        orderby = Text(description="name, id, slug, count, description, parent or include.")
        hide_empty = Flag(
            load_default=True,
            metadata=by(_non_empty(kind), "Hide terms that no published event has."),
        )
        post = LinkedToEvent(kind.name, description="Terms of this event.")
        event = LinkedToEvent(kind.name, description="Terms of this event; before post.")
        slug = Text(metadata=by(_by_slug, "The term with this slug."))

    return TermListSchema


def _non_empty(kind: Kind) -> Callable[[bool], Clause]:
    """Return a clause function: terms of published events."""

    def clause(hide_empty: bool) -> Clause:
        if not hide_empty:
            return EVERYTHING
        if kind.is_hierarchical:
            return one_of("_id", current.reader().terms.used_or_above(kind))
        return after("count", 0)

    return clause


def _by_slug(slug: str) -> Clause:
    normalized = slugify(slug)
    return one_of("slugs", [slug_key(tag, normalized) for tag in current.settings().languages])


def _order(values: Record) -> Order | ByText | AsListed:
    direction = 1 if values.get("order", "asc").lower() == "asc" else -1
    name = values.get("orderby", "name").lower()
    if name == "include" and "include" in values:
        return AsListed(tuple(values["include"]), direction)
    if name in _FIELDS:
        return [(field, direction) for field in dict.fromkeys((_FIELDS[name], "_id"))]
    return ByText(name if name in _TEXTS else "name", current.chain(), direction)


def _existing_parent(value: Any) -> int:
    """Return the id of an existing category; 0 and empty mean none."""
    refuse_term_without_id(CATEGORY, "parent", value)
    number = 0 if value == "" else whole_number(value)
    if number is None or number < 0:
        raise ValueError("parent must be the id of a category, or 0.")
    if number and current.reader().missing(CATEGORY, [number], current.caller()):
        raise ValueError(Message("There is no {kind} {id}.", kind="category", id=number))
    return number


class CategoryChangeSchema(ChangeSchema):
    """Request body of a category."""

    kind = CATEGORY

    name = Name(required=True, description="The name.")
    description = Text(blank=True, allow_none=True, description="HTML.")
    slug = Text(description="The name in addresses.")
    parent = Converted(
        _existing_parent,
        {"type": "integer"},
        allow_none=True,
        description="The category above; 0 for none.",
    )


class CategorySchema(TermShape):
    """Response body of a category."""

    parent = ma.fields.Integer()


class CategoryPageSchema(PageShape):
    categories = ma.fields.List(ma.fields.Nested(CategorySchema))


class TagChangeSchema(ChangeSchema):
    """Request body of a tag."""

    kind = TAG

    name = Name(required=True, description="The name.")
    description = Text(blank=True, allow_none=True, description="HTML.")
    slug = Text(description="The name in addresses.")

    @ma.pre_load
    def refuse_parent(self, sent: Mapping[str, Any], **_: Any) -> Mapping[str, Any]:
        """Refuse a parent, even 0, as the reference does."""
        if sent.get("parent") not in (None, ""):
            raise NotHierarchical
        return sent


class TagSchema(TermShape):
    """Response body of a tag."""


class TagPageSchema(PageShape):
    tags = ma.fields.List(ma.fields.Nested(TagSchema))


class _Parent(ExistingId):
    """The id of an existing category."""

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> int:
        refuse_term_without_id(CATEGORY, self.sent_name, value)
        return super()._deserialize(value, *args, **kwargs)


class CategoryListSchema(term_list_schema(CATEGORY)):  # type: ignore[misc]  # made for its kind
    """The parameters of terms, and the parent."""

    parent = _Parent(
        CATEGORY,
        metadata=by(lambda number: equals("parent", number), "Directly below this category."),
    )


TagListSchema = term_list_schema(TAG)

categories = routes_of(
    Resource(
        CATEGORY,
        partial(present_term, CATEGORY),
        CategoryListSchema,
        CategoryChangeSchema,
        CategorySchema,
        CategoryPageSchema,
        partial(describe_term, CATEGORY),
    ),
    "Terms of a hierarchy",
)
tags = routes_of(
    Resource(
        TAG,
        partial(present_term, TAG),
        TagListSchema,
        TagChangeSchema,
        TagSchema,
        TagPageSchema,
        partial(describe_term, TAG),
    ),
    "Terms without hierarchy",
)
