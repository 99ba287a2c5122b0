"""The few clauses that queries are made of.

A clause is a Mongo query document. No text of a client ever becomes a key of one.
"""

import re
from collections.abc import Iterable
from typing import Any

Clause = dict[str, Any]

EVERYTHING: Clause = {}
NOTHING: Clause = {"_id": {"$in": []}}


def equals(field: str, value: object) -> Clause:
    return {field: {"$eq": value}}


def identified(record_id: int) -> Clause:
    """Match one record by ``_id``, in the form that MongoDB looks up directly."""
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


def not_after(field: str, bound: object) -> Clause:
    """Match where the field is absent, or not above the bound; an index alone can tell."""
    return {field: {"$not": {"$gt": bound}}}


def contains(field: str, text: str) -> Clause:
    """Match where ``text`` is part of the field's."""
    return {field: {"$regex": literal(text)}}


def literal(text: str) -> str:
    """Return the regular expression of a text as it stands.

    MongoDB takes no null character in an expression, but the escape of one.
    """
    return re.escape(text).replace("\0", r"\x00")


def given(field: str) -> Clause:
    """Match where the field has a value."""
    return {field: {"$ne": None}}


def missing(field: str) -> Clause:
    """Match where the field is absent or null."""
    return {field: {"$eq": None}}


def has_member(field: str, clause: Clause) -> Clause:
    """Match where one member of the list matches all of ``clause``."""
    return {field: {"$elemMatch": clause}}


def all_of(clauses: Iterable[Clause]) -> Clause:
    """Join with *and*; ``$and`` keeps two conditions on one field apart."""
    parts: list[Clause] = []
    for clause in clauses:
        parts += clause["$and"] if clause.keys() == {"$and"} else [clause] if clause else []
    match parts:
        case []:
            return EVERYTHING
        case [only]:
            return only
        case _:
            return {"$and": parts}


def less(clause: Clause, part: Clause) -> Clause:
    """Remove one or several parts from a clause that ``all_of`` joined."""
    removed = part.get("$and", [part])
    return all_of(
        clause_part for clause_part in clause.get("$and", [clause]) if clause_part not in removed
    )


def any_of(clauses: Iterable[Clause]) -> Clause:
    """Join with *or*; of nothing, nothing matches."""
    alternatives = [clause for clause in clauses if clause != NOTHING]
    if EVERYTHING in alternatives:
        return EVERYTHING
    match alternatives:
        case []:
            return NOTHING
        case [only]:
            return only
        case _:
            return {"$or": alternatives}


def not_any(clauses: Iterable[Clause]) -> Clause:
    """Match documents that match none of the clauses."""
    return {"$nor": list(clauses)}
