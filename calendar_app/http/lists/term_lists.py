"""List parameters that categories and tags share."""

from collections.abc import Callable
from typing import Any

import marshmallow as ma

from calendar_app.calendar.slugs import slug_key
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.slugs import slugify
from calendar_app.http.fields.notations import listed, whole_number
from calendar_app.http.fields.scalars import Flag, Text
from calendar_app.http.lists.filtering import (
    ExistingTerms,
    ListRequest,
    ListSchema,
    SearchText,
    by,
    only_language,
    search_in,
)
from calendar_app.http.lists.linked_lists import LinkedToEvent
from calendar_app.http.lists.paging import echo
from calendar_app.http.request import current
from calendar_app.query.clauses import EVERYTHING, Clause, after, all_of, none_of, one_of
from calendar_app.query.list_query import AsListed, ByText, Listing, Order

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
