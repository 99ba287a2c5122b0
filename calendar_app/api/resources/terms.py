"""Categories and tags: what may be written of them, their lists, their answers."""

from functools import partial
from typing import Any

import marshmallow as ma

from calendar_app.api.http.fields.changes import ChangeSchema
from calendar_app.api.http.fields.linking import ExistingParent, refuse_term_without_id
from calendar_app.api.http.fields.scalars import Flag, Name, Text, whole_number
from calendar_app.api.http.fields.schema import Values
from calendar_app.api.http.lists.filtering import (
    ClauseMaker,
    ExistingId,
    ExistingTerms,
    LinkedToEvent,
    ListSchema,
    SearchText,
    by,
    search_in,
)
from calendar_app.api.http.presentation import page_of
from calendar_app.api.http.request.current import Context
from calendar_app.api.presentation.json_ld import describe_term
from calendar_app.api.presentation.linked import TERM_SHAPES, present_term
from calendar_app.api.resources.resource import Resource, routes_of
from calendar_app.calendar.slugs import slug_key
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.kinds import CATEGORY, TAG
from calendar_app.domain.slugs import slugify
from calendar_app.errors import Message, NotHierarchical
from calendar_app.storage.query.clauses import EVERYTHING, Clause, after, equals, none_of, one_of
from calendar_app.storage.query.list_query import AnyOrder, AsListed, ByText

_TEXTS = ("name", "slug", "description")
# There are no term groups here, so that ids decide.
_FIELDS = {"id": "_id", "term_id": "_id", "term_group": "_id", "count": "count", "parent": "parent"}


class _TermIds(ExistingTerms):
    """Existing terms, of which only those named by id count, as in the reference."""

    finds_by_any_key = False

    def resolve(self, value: list[int | str], context: Context) -> list[int]:
        return [number for number in super().resolve(value, context) if number in value]


def term_list_schema(kind: Kind) -> type[ListSchema]:
    """Return the list parameters of categories, or of tags."""

    class TermListSchema(ListSchema):
        search = SearchText(metadata=by(search_in(kind), "Words in name, slug or description."))
        include = _TermIds(
            kind, metadata=by(lambda ids, _: one_of("_id", ids), "Only the terms with these ids.")
        )
        excluded = _TermIds(
            kind,
            data_key="exclude",
            metadata=by(
                lambda ids, _: none_of("_id", ids), "All terms except those with these ids."
            ),
        )
        order = Text(description="asc; anything else is descending.")
        orderby = Text(description="name, id, slug, count, description, parent or include.")
        hide_empty = Flag(
            load_default=True,
            metadata=by(non_empty(kind), "Hide terms that no published event has."),
        )
        post = LinkedToEvent(kind.name, description="Terms of this event.")
        event = LinkedToEvent(
            kind.name, description="Terms of this event; takes precedence over `post`."
        )
        slug = Text(metadata=by(_by_slug, "The term with this slug."))

        def clauses(self, values: Record, context: Context) -> dict[str, Clause]:
            linked = values.get("event", values.get("post"))
            own = {} if linked is None else {"event": one_of("_id", linked)}
            return super().clauses(values, context) | own

        def sorting(self, values: Record, context: Context) -> AnyOrder:
            return term_order(values, context.chain)

    TermListSchema.kind = kind
    return TermListSchema


def non_empty(kind: Kind) -> ClauseMaker:
    """Return a clause function: terms of published events."""

    def clause(hide_empty: bool, context: Context) -> Clause:
        if not hide_empty:
            return EVERYTHING
        if kind.is_hierarchical:
            return one_of("_id", context.reader.terms.used_or_above(kind))
        return after("count", 0)

    return clause


def _by_slug(slug: str, context: Context) -> Clause:
    normalized = slugify(slug)
    return one_of("slugs", [slug_key(tag, normalized) for tag in context.settings.languages])


def term_order(values: Record, chain: tuple[str, ...]) -> AnyOrder:
    """Return the requested order of terms."""
    direction = 1 if values.get("order", "asc").lower() == "asc" else -1
    name = values.get("orderby", "name").lower()
    if name == "include" and "include" in values:
        return AsListed(tuple(values["include"]), direction)
    if name in _FIELDS:
        return [(field, direction) for field in dict.fromkeys((_FIELDS[name], "_id"))]
    return ByText(name if name in _TEXTS else "name", chain, direction)


class CategoryChangeSchema(ChangeSchema):
    """Request body of a category."""

    kind = CATEGORY

    name = Name(required=True, description="The name.")
    description = Text(blank=True, allow_none=True, description="HTML.")
    slug = Text(description="The slug: its name in addresses.")
    parent = ExistingParent(
        CATEGORY,
        Message("parent must be the id of a category, or 0."),
        allow_none=True,
        description="The category above; 0 for none.",
    )


class TagChangeSchema(ChangeSchema):
    """Request body of a tag."""

    kind = TAG

    name = Name(required=True, description="The name.")
    description = Text(blank=True, allow_none=True, description="HTML.")
    slug = Text(description="The slug: its name in addresses.")

    @ma.pre_load
    def refuse_parent(self, sent: Values, **_: Any) -> Values:
        """Refuse a parent, even 0, as the reference does."""
        if sent.get("parent") not in (None, ""):
            raise NotHierarchical
        return sent


class _Parent(ExistingId):
    """The id of an existing category."""

    def read(self, value: Any, context: Context) -> Any:
        if isinstance(value, str) and whole_number(value) is None:
            return value  # A slug or a name is of the wrong type.
        return super().read(value, context)

    def resolve(self, value: Any, context: Context) -> int:
        if isinstance(value, str):
            refuse_term_without_id(CATEGORY, self.sent_name, value, context)
            super().read(value, context)
        return super().resolve(value, context)


class CategoryListSchema(term_list_schema(CATEGORY)):  # type: ignore[misc]  # made for its kind
    """The parameters of terms, and the parent."""

    parent = _Parent(
        CATEGORY,
        metadata=by(lambda number, _: equals("parent", number), "Directly below this category."),
    )


TagListSchema = term_list_schema(TAG)

categories = routes_of(
    Resource(
        CATEGORY,
        partial(present_term, CATEGORY),
        CategoryListSchema,
        CategoryChangeSchema,
        TERM_SHAPES[CATEGORY.name],
        page_of(TERM_SHAPES[CATEGORY.name], CATEGORY.name),
        partial(describe_term, CATEGORY),
    ),
    "Categories, in a hierarchy",
)
tags = routes_of(
    Resource(
        TAG,
        partial(present_term, TAG),
        TagListSchema,
        TagChangeSchema,
        TERM_SHAPES[TAG.name],
        page_of(TERM_SHAPES[TAG.name], TAG.name),
        partial(describe_term, TAG),
    ),
    "Tags, without a hierarchy",
)
