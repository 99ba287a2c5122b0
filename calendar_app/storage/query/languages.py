"""Clauses and stages on the languages in which records have texts."""

from collections.abc import Sequence

from calendar_app.storage.query.clauses import Clause, differs
from calendar_app.storage.query.stages import Stages

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
