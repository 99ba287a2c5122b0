"""Aggregation stages: orders that no index gives, and the first event of each series."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from calendar_app.domain.fields import display_title, has_title
from calendar_app.storage.query.clauses import NOTHING, Clause, after, all_of, equals
from calendar_app.storage.query.list_query import AsListed, ByText, Order, Slice, Window

Stages = list[dict[str, Any]]
# The fields of the index that MongoDB is to take, if it is there.
Hint = Mapping[str, int | str] | None

_KEY = "sort_key"
# After so many results MongoDB ends the trial of its plans.
_TRIED = 101


def by_text(clause: Clause, order: ByText, window: Window | Slice) -> Stages:
    """Sort by the text that each reader is shown; ties by id."""
    texts = [f"$variants.{language}.{order.field}" for language in order.chain]
    return [
        {"$match": clause},
        {"$addFields": {_KEY: {"$ifNull": [*texts, ""]}}},
        {"$sort": {_KEY: order.direction, "_id": order.direction}},
        {"$skip": window.skip},
        {"$limit": window.size},
        {"$project": {_KEY: 0}},
    ]


def by_own_name(collection: str, clause: Clause, order: ByText, part: Window | Slice) -> Stages:
    """Sort the records with a name in the one language of a chain by it; ties by id.

    The clause need not say that there is a name.
    """
    language = order.chain[0]
    return [
        {"$match": all_of([clause, equals(has_title(language), True)])},
        {"$sort": dict.fromkeys([display_title(language), "_id"], order.direction)},
        {"$limit": part.skip + part.size},
        {"$project": {_KEY: f"${display_title(language)}"}},
        {"$skip": part.skip},
        {"$limit": part.size},
        *whole(collection),
    ]


def whole(collection: str) -> Stages:
    """Put whole records in the place of their ids."""
    return [
        {"$lookup": {"from": collection, "localField": "_id", "foreignField": "_id", "as": "it"}},
        # One that is deleted meanwhile, outside of a snapshot, is left out.
        {"$unwind": "$it"},
        {"$replaceWith": "$it"},
    ]


def as_listed(clause: Clause, order: AsListed, window: Window | Slice) -> Stages:
    """Sort by the place that an id has in a list."""
    return [
        {"$match": clause},
        {"$addFields": {_KEY: {"$indexOfArray": [list(order.ids), "$_id"]}}},
        {"$sort": {_KEY: order.direction}},
        {"$skip": window.skip},
        {"$limit": window.size},
        {"$project": {_KEY: 0}},
    ]


def collation(locale: str) -> dict[str, Any]:
    """Return how readers of a locale sort; letter case counts last, numbers by their value."""
    return {"locale": locale, "numericOrdering": True}


def in_order(clause: Clause, order: Order, window: Window | Slice) -> Stages:
    """Sort by fields."""
    return [
        {"$match": clause},
        {"$sort": dict(order)},
        {"$skip": window.skip},
        {"$limit": window.size},
    ]


def page_in_order(collection: str, clause: Clause, order: Order, part: Window | Slice) -> Stages:
    """Sort by fields, as ``in_order`` does, also where the page lies far behind the first one."""
    if part.skip < _TRIED:
        return in_order(clause, order, part)
    return [
        {"$match": clause},
        {"$sort": dict(order)},
        {"$limit": part.skip + part.size},
        {"$project": {"_id": 1}},
        # Behind a union MongoDB skips after it has chosen a plan, not with each plan that it tries.
        {"$unionWith": {"coll": collection, "pipeline": [{"$match": NOTHING}]}},
        {"$skip": part.skip},
        *whole(collection),
    ]


def first_preferring(field: str, value: str, clause: Clause) -> Stages:
    """Return stages: the first match whose list in ``field`` has ``value``, else the first one."""
    preference = {"preferred": {"$in": [{"$literal": value}, f"${field}"]}}
    return [
        {"$match": clause},
        {"$addFields": preference},
        {"$sort": {"preferred": -1, "_id": 1}},
        {"$limit": 1},
        {"$project": {"preferred": 0}},
    ]


def first_in_series(clause: Clause) -> Stages:
    """Return the id of the ``first`` event that matches of each series."""
    return [
        {"$match": all_of([clause, after("series", 0)])},
        {"$sort": {"start_local": 1, "_id": 1}},
        {"$group": {"_id": "$series", "first": {"$first": "$_id"}}},
    ]


def only(fields: Iterable[str]) -> Stages:
    """Project the id and these fields; a path becomes a field with its last name."""
    return [{"$project": {path.rpartition(".")[2]: f"${path}" for path in fields}}]


def counted(clause: Clause, values: Mapping[str, tuple[str, str]]) -> Stages:
    """Return one document: under each name of ``values`` how often that field has that value.

    ``total`` is how many documents match; where none does there is no document.
    """
    sums = {
        name: {"$sum": {"$cond": [{"$eq": [f"${field}", value]}, 1, 0]}}
        for name, (field, value) in values.items()
    }
    return [{"$match": clause}, {"$group": {"_id": None, "total": {"$sum": 1}, **sums}}]


def ids_in(field: str, clause: Clause) -> Stages:
    """Return every id that the list ``field`` holds in any document that matches, once."""
    return [{"$match": clause}, {"$unwind": f"${field}"}, {"$group": {"_id": f"${field}"}}]


def occurring(field: str, clause: Clause) -> Stages:
    """Return every id in the list ``field``, and the ``number`` of documents that hold it."""
    grouped = {"_id": f"${field}", "number": {"$sum": 1}}
    return [{"$match": clause}, {"$unwind": f"${field}"}, {"$group": grouped}]


def ids_together(field: str, clause: Clause, most: int) -> Stages:
    """Return the distinct lists of ids in ``field``, each with its ``number`` of documents.

    At most so many documents are looked at.
    """
    grouped = {"_id": f"${field}", "number": {"$sum": 1}}
    return [{"$match": clause}, {"$limit": most}, {"$group": grouped}]


def referred_to(ids: Sequence[int], collection: str, field: str, clause: Clause) -> Stages:
    """Return the ids to which ``field`` of a matching document of a collection refers."""
    joined = {"from": collection, "localField": "_id", "foreignField": field, "as": "first"}
    first_match = [{"$match": clause}, {"$limit": 1}, {"$project": {"_id": 1}}]
    return [
        {"$match": {"_id": {"$in": list(ids)}}},
        {"$lookup": joined | {"pipeline": first_match}},
        {"$match": {"first": {"$ne": []}}},
        {"$project": {"_id": 1}},
    ]


def with_ids_below(collection: str, clause: Clause, fields: Iterable[str]) -> Stages:
    """Return some fields of the terms that match, and the ids of all terms ``below`` each."""
    fetched = {"from": collection, "localField": "_id", "foreignField": "ancestors", "as": "below"}
    projected = dict.fromkeys(fields, 1)
    return [
        {"$match": clause},
        {"$lookup": fetched},
        {"$project": {**projected, "below": "$below._id"}},
    ]
