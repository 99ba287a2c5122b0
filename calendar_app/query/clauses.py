"""The few clauses that queries are made of.

A clause is a Mongo query document. No text of a client ever becomes a key of one.
"""

from collections.abc import Iterable
from typing import Any

Clause = dict[str, Any]

EVERYTHING: Clause = {}
NOTHING: Clause = {"_id": {"$in": []}}


def equals(field: str, value: object) -> Clause:
    return {field: {"$eq": value}}


def identified(record_id: int) -> Clause:
    """Match one record; of all ways to say it, this is the one that MongoDB looks up at once."""
    return {"_id": record_id}


def differs(field: str, value: object) -> Clause:
    return {field: {"$ne": value}}


def one_of(field: str, values: Iterable[object]) -> Clause:
    return {field: {"$in": list(values)}}


def none_of(field: str, values: Iterable[object]) -> Clause:
    return {field: {"$nin": list(values)}}


def at_least(field: str, bound: object) -> Clause:
    return {field: {"$gte": bound}}


def at_most(field: str, bound: object) -> Clause:
    return {field: {"$lte": bound}}


def after(field: str, bound: object) -> Clause:
    return {field: {"$gt": bound}}


def before(field: str, bound: object) -> Clause:
    return {field: {"$lt": bound}}


def given(field: str) -> Clause:
    """Match where the field has a value."""
    return {field: {"$ne": None}}


def missing(field: str) -> Clause:
    """Match where the field is absent or null."""
    return {field: {"$eq": None}}


def has_member(field: str, clause: Clause) -> Clause:
    """Match where one member of the list matches all of ``clause``."""
    return {field: {"$elemMatch": clause}}


def reaches(path: str, *, wanted: bool = True) -> Clause:
    """Match where ``path`` leads to something, such as the second member of a list.

    A list that is too short has no null there, so the other two do not tell.
    """
    return {path: {"$exists": wanted}}


def all_of(clauses: Iterable[Clause]) -> Clause:
    """Join with *and*; ``$and`` keeps two conditions on one field apart."""
    wanted: list[Clause] = []
    for clause in clauses:
        wanted += clause["$and"] if clause.keys() == {"$and"} else [clause] if clause else []
    match wanted:
        case []:
            return EVERYTHING
        case [only]:
            return only
        case _:
            return {"$and": wanted}


def less(clause: Clause, part: Clause) -> Clause:
    """Return what ``all_of`` has joined without one of its parts, or without several at once."""
    gone = part.get("$and", [part])
    return all_of(other for other in clause.get("$and", [clause]) if other not in gone)


def any_of(clauses: Iterable[Clause]) -> Clause:
    """Join with *or*; of nothing, nothing matches."""
    wanted = [clause for clause in clauses if clause != NOTHING]
    if EVERYTHING in wanted:
        return EVERYTHING
    match wanted:
        case []:
            return NOTHING
        case [only]:
            return only
        case _:
            return {"$or": wanted}


def not_any(clauses: Iterable[Clause]) -> Clause:
    """Match what none of the clauses matches."""
    return {"$nor": list(clauses)}
