"""Aggregation stages: orders that no index gives, languages, and distances."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from calendar_app.domain.fields import display_title, has_title
from calendar_app.storage.query.clauses import Clause, after, all_of, differs, equals, less
from calendar_app.storage.query.geo import EARTH_RADIUS_KM, Circle, inside, within
from calendar_app.storage.query.list_query import AsListed, ByDistance, ByText, Order, Slice, Window

Stages = list[dict[str, Any]]
# The fields of the index that MongoDB is to take, if it is there.
Hint = Mapping[str, int | str] | None

_KEY = "sort_key"


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
        {"$replaceWith": {"$first": "$it"}},
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
    """Let nothing but the id and these fields through; a path goes through under its last name."""
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
    """Return the lists of ids that ``field`` holds, each once, and the ``number`` that hold it.

    At most so many documents are looked at.
    """
    grouped = {"_id": f"${field}", "number": {"$sum": 1}}
    return [{"$match": clause}, {"$limit": most}, {"$group": grouped}]


def referred_to(ids: Sequence[int], collection: str, field: str, clause: Clause) -> Stages:
    """Return those of the ids that ``field`` of a document of a collection has, if it matches."""
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


# Clauses and stages that tell in which languages records have texts.

_TAGS = "tags"
_ALONE = "alone"


def has_slug_in(language: str) -> Clause:
    """Match records with a slug in a language, by the index of slugs."""
    return {"slugs": {"$regex": f"^{language}:"}}


def elsewhere(languages: Sequence[str], hidden: str) -> Stages:
    """Return a document for each language beyond these that records have texts in.

    ``records`` is how many have; ``alone`` have no texts in any of ``languages``, and ``first`` is
    the least of their ids. What has the status ``hidden`` is left out.
    """
    codes = list(languages)
    pairs = {"$objectToArray": {"$ifNull": ["$variants", {}]}}
    alone = {"$eq": [{"$size": {"$setIntersection": [f"${_TAGS}", codes]}}, 0]}
    return [
        {"$match": differs("status", hidden)},
        {"$project": {_TAGS: {"$map": {"input": pairs, "in": "$$this.k"}}}},
        {"$match": {_TAGS: {"$elemMatch": {"$nin": codes}}}},
        {"$set": {_ALONE: alone}},
        {"$unwind": f"${_TAGS}"},
        {"$match": {_TAGS: {"$nin": codes}}},
        {
            "$group": {
                "_id": f"${_TAGS}",
                "records": {"$sum": 1},
                _ALONE: {"$sum": {"$cond": [f"${_ALONE}", 1, 0]}},
                "first": {"$min": {"$cond": [f"${_ALONE}", "$_id", None]}},
            }
        },
        {"$sort": {"_id": 1}},
    ]


# The great circle's way from a point, worked out by the database from numbers in an index.
#
# MongoDB's own ``$geoNear`` reads every document on its way, and only by their distance: of
# events at one venue, which are all as far, it cannot give a page.

_PLACE = "location"
_HALF_A_DEGREE = math.radians(0.5)
# Where too few are near, a circle so much wider is tried, unless it is nearly the whole.
_WIDER, _WORTH_A_LOOK = 4, 1 / 2
# People ask for what is near where they are, and that is where most is; unless it is too near.
_NEARER, _TOO_NEAR = 1 / 16, 5  # km


def by_distance(
    collection: str, clause: Clause, order: ByDistance, window: Window | Slice
) -> Stages:
    """Sort by the way to the point, ties by id; each gets its ``distance`` in kilometres.

    The documents of the window alone are read.
    """
    return [
        *measuring(clause, order.circle, order.place),
        {"$sort": {"haversine": order.direction, "_id": 1}},
        {"$skip": window.skip},
        {"$limit": window.size},
        {"$lookup": {"from": collection, "localField": "_id", "foreignField": "_id", "as": "it"}},
        {
            "$replaceWith": {
                "$mergeObjects": [{"$first": "$it"}, {"distance": _kilometres("$haversine")}]
            }
        },
    ]


def shares(order: ByDistance) -> Iterator[float]:
    """Yield shares of the radius within which to look, the last one the whole."""
    if order.direction > 0 and order.place is None:
        share = _NEARER if order.circle.radius_km * _NEARER > _TOO_NEAR else 1.0
        while share < _WORTH_A_LOOK:
            yield share
            share *= _WIDER
    yield 1.0


def narrowed(clause: Clause, order: ByDistance, share: float) -> tuple[Clause, ByDistance]:
    """Return clause and order for a circle of a ``share`` of the radius."""
    if order.place:
        return clause, order
    wide = order.circle
    small = replace(wide, radius_km=wide.radius_km * share)
    nearer = all_of([less(clause, within(_PLACE, wide)), within(_PLACE, small)])
    return nearer, replace(order, circle=small)


def by_numbers(clause: Clause, circle: Circle) -> Clause:
    """Return an equal clause over numbers, for indexes of cells.

    What has no place is left out by the box alone.
    """
    near = {"$expr": {"$lte": [_haversine(circle), _farthest(circle)]}}
    return all_of([less(clause, inside(_PLACE, circle)), near])


def counted_within(clause: Clause, circle: Circle) -> Stages:
    """Return one document with the ``total`` of matches, or none without a match."""
    return [*measuring(clause, circle), {"$count": "total"}]


def measuring(clause: Clause, circle: Circle, place: Mapping[str, Any] | None = None) -> Stages:
    """Keep id and haversine of each record in the circle.

    ``place`` is the expression of a point in place of ``location``.
    """
    return [
        {"$match": less(clause, inside(_PLACE, circle))},
        *([{"$set": {_PLACE: place}}] if place else []),
        {"$project": {"haversine": _haversine(circle)}},
        {"$match": {"haversine": {"$lte": _farthest(circle)}}},
    ]


def with_distance(order: ByDistance) -> Stages:
    """Give each record its ``distance`` in kilometres from the point of an order."""
    place = order.place or f"${_PLACE}"
    way = _kilometres(_haversine(order.circle, "$$place"))
    return [{"$set": {"distance": {"$let": {"vars": {"place": place}, "in": way}}}}]


def _farthest(circle: Circle) -> float:
    """Return the haversine of the way from the centre to the edge."""
    return math.sin(circle.angle / 2) ** 2


def _haversine(circle: Circle, place: str = f"${_PLACE}") -> dict[str, Any]:
    """Return the haversine of the angle between two points: sin² of its half.

    It is exact for points that lie close together (R. W. Sinnott, Virtues of the Haversine, 1984).
    """
    latitude, longitude = f"{place}.latitude", f"{place}.longitude"
    parallels = math.cos(math.radians(circle.latitude))
    narrowing = {"$cos": {"$multiply": [2 * _HALF_A_DEGREE, latitude]}}
    return {
        "$add": [
            _square_of_sine(latitude, circle.latitude),
            {"$multiply": [parallels, narrowing, _square_of_sine(longitude, circle.longitude)]},
        ]
    }


def _square_of_sine(degrees: str, origin: float) -> dict[str, Any]:
    half = {"$multiply": [_HALF_A_DEGREE, {"$subtract": [degrees, origin]}]}
    return {"$pow": [{"$sin": half}, 2]}


def _kilometres(haversine: str | Mapping[str, Any]) -> dict[str, Any]:
    # At the other end of the earth rounding may lead beyond 1, of which there is no arcsine.
    half = {"$asin": {"$min": [1, {"$sqrt": haversine}]}}
    return {"$multiply": [2 * EARTH_RADIUS_KM, half]}
