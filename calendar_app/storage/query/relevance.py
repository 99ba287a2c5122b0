"""Sort the events that a search finds by relevance."""

from collections.abc import Sequence
from typing import Any

from calendar_app.domain.fields import FOLDED
from calendar_app.domain.kind import Kind
from calendar_app.storage.query.clauses import Clause, all_of, at_least, before, literal, shown_by
from calendar_app.storage.query.list_query import ByRelevance, SearchQuery, Slice, Window
from calendar_app.storage.query.stages import Stages, whole

# Titles may begin with quotation marks, arrows or emoji. Classes such as "no letter" mean other
# signs to PCRE than to Python, by which tests may read them; ranges mean the same.
_SIGNS = (
    r"\x00-/:-@\[-`{-\x7f"
    "\u00a0-\u00bf\u00d7\u00f7\u2000-\u206f\u20a0-\u20bf\u2190-\u245f\u2500-\u2775\u2794-\u2bff"
    "\u3001-\u3003\u3008-\u3020\ufe0f\U0001f000-\U0001faff"
    # Armenian, Hebrew, Arabic and Indic signs, rare European ones, and the Japanese dot of lists.
    "\u055a-\u055f\u0589\u058a\u05be\u05f3\u05f4\u060c\u061b\u061e\u061f\u066a-\u066d\u06d4\u06de"
    "\u0964\u0965\u2e00-\u2e2e\u2e30-\u2e5d\u30a0\u30fb"
)
_OPENING = f"^[{_SIGNS}]*"
_BEGINS, _HAS, _ELSEWHERE = range(3)
_KEYS = "relevance"


def by_relevance(
    kind: Kind, clause: Clause, query: SearchQuery, order: ByRelevance, part: Window | Slice
) -> Stages:
    """Sort by group, coming before past, and start; ties by id."""
    past = {"$lt": ["$start_local", order.today]}
    keys = {
        "group": _group(kind.label, query),
        "past": past,
        "coming": {"$cond": [past, None, "$start_local"]},
        "coming_id": {"$cond": [past, None, "$_id"]},
    }
    return [
        {"$match": clause},
        {"$set": {_KEYS: keys}},
        {"$sort": {**{f"{_KEYS}.{key}": 1 for key in keys}, "start_local": -1, "_id": -1}},
        {"$skip": part.skip},
        {"$limit": part.size},
        {"$project": {_KEYS: 0}},
    ]


def by_title_index(
    kind: Kind, groups: Sequence[Clause], order: ByRelevance, part: Window | Slice
) -> Stages:
    """Sort as ``by_relevance`` does, where clauses decide the group and an index gives the order.

    ``groups`` match the events of each group. MongoDB reads unions one after the other, and none
    once the page is full, so that pages at the beginning read little of the list. Where the index
    of words decides the groups, only events of the page are read.
    """
    coming, past = at_least("start_local", order.today), before("start_local", order.today)
    branches: list[Stages] = [
        [
            {"$match": all_of([group, dates])},
            {"$sort": {"start_local": direction, "_id": direction}},
            {"$limit": part.skip + part.size},
            {"$project": {_KEYS: "$_id"}},
        ]
        for group in groups
        for dates, direction in ((coming, 1), (past, -1))
    ]
    return [
        *branches[0],
        *({"$unionWith": {"coll": kind.name, "pipeline": stages}} for stages in branches[1:]),
        {"$skip": part.skip},
        {"$limit": part.size},
        *whole(kind.name),
    ]


def begins_with(label: str, word: str, chain: Sequence[str]) -> Clause:
    """Match records of which a chain of languages shows a title that begins with a word."""
    return shown_by(label, {"$regex": f"{_OPENING}{literal(word)}"}, chain)


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
