"""How many documents match several clauses on lists, each of which an index decides by itself.

No index of MongoDB has two lists in it. So of what shows a word and is in a category it would read
the documents; the ids that two indexes have in common tell as much.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence

from calendar_app.query.clauses import Clause, all_of
from calendar_app.query.stages import Stages

_JOINING = frozenset({"$and", "$or", "$nor"})


def parted(clause: Clause, indexed: Mapping[str, Collection[str]]) -> list[Clause]:
    """Return clauses, each on one list, that say together what this one says.

    ``indexed`` has for each list the fields that its index has, too. Nothing is returned where
    fewer than two lists are asked for, or where a part of the clause is for documents to decide.
    """
    parts = clause.get("$and", [clause])
    on_lists = [part for part in parts if any(name in indexed for name in part)]
    others = [part for part in parts if part not in on_lists]
    if len(on_lists) <= 1 or any(len(part) > 1 for part in on_lists):
        return []
    sides, decided = [], list[Clause]()
    for part in on_lists:
        (name,) = part
        with_it = [other for other in others if set(_fields(other)) <= set(indexed[name])]
        decided += with_it
        sides.append(all_of([part, *with_it]))
    return sides if all(other in decided for other in others) else []


def counted_together(collection: str, sides: Sequence[Clause], most: int) -> Stages:
    """Return one document whose ``total`` says how many match all; none where nothing matches any.

    ``None`` is the total where more than ``most`` match one of them: ids take memory.
    """
    first, *others = (_ids(side, number, most) for number, side in enumerate(sides))
    every = [{"$arrayElemAt": ["$ids", number]} for number in range(len(sides))]
    too_many = {"$gt": [{"$max": {"$map": {"input": "$ids", "in": {"$size": "$$this"}}}}, most]}
    common = {"$cond": [too_many, None, {"$size": {"$setIntersection": every}}]}
    some_lacks = {"$lt": [{"$size": "$ids"}, len(sides)]}
    return [
        *first,
        *({"$unionWith": {"coll": collection, "pipeline": stages}} for stages in others),
        {"$group": {"_id": None, "ids": {"$push": "$ids"}}},
        {"$project": {"total": {"$cond": [some_lacks, 0, common]}}},
    ]


def _ids(side: Clause, number: int, most: int) -> Stages:
    return [
        {"$match": side},
        {"$limit": most + 1},
        {"$group": {"_id": {"$literal": number}, "ids": {"$push": "$_id"}}},
    ]


def _fields(clause: Clause) -> Iterator[str]:
    """Yield the fields that a clause is about."""
    for name, wanted in clause.items():
        if name in _JOINING:
            for one in wanted:
                yield from _fields(one)
        else:
            yield name
