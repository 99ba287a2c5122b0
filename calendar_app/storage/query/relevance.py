"""Sort the events that a search finds by relevance."""

from typing import Any

from calendar_app.domain.fields import FOLDED
from calendar_app.domain.kind import Kind
from calendar_app.storage.query.clauses import Clause, literal
from calendar_app.storage.query.list_query import ByRelevance, SearchQuery, Slice, Window
from calendar_app.storage.query.stages import Stages, whole

# Titles may begin with quotation marks and the like.
_OPENING = r"^[^\p{L}\p{N}]*"
_BEGINS, _HAS, _ELSEWHERE = range(3)


def by_relevance(
    kind: Kind, clause: Clause, query: SearchQuery, order: ByRelevance, part: Window | Slice
) -> Stages:
    """Sort by group, coming before past, and start; ties by id.

    Only the keys of all matches are sorted.
    """
    past = {"$lt": ["$end_local", order.today]}
    keys = {
        "group": _group(kind.label, query),
        "past": past,
        "coming": {"$cond": [past, None, "$start_local"]},
        "start_local": 1,
    }
    return [
        {"$match": clause},
        {"$project": keys},
        {"$sort": {"group": 1, "past": 1, "coming": 1, "start_local": -1, "_id": 1}},
        {"$skip": part.skip},
        {"$limit": part.size},
        *whole(kind.name),
    ]


def _group(label: str, query: SearchQuery) -> dict[str, Any]:
    """Return the expression of the group; the chain of languages decides which title counts."""
    title = {"$ifNull": [*(f"${FOLDED}.{language}.{label}" for language in query.chain), ""]}
    begins = [_matches(f"{_OPENING}{literal(word)}") for word in query.words]
    has = [_matches(literal(word)) for word in query.words]
    first = {"$cond": [{"$or": begins}, _BEGINS, _HAS]}
    group = {"$cond": [{"$and": has}, first, _ELSEWHERE]}
    return {"$let": {"vars": {"title": title}, "in": group}}


def _matches(expression: str) -> dict[str, Any]:
    return {"$regexMatch": {"input": "$$title", "regex": expression}}
