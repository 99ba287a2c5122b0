"""The clauses that queries are made of: of numbers and dates, texts, and durations.

A clause is a Mongo query document. No text of a client ever becomes a key of one.
"""

import re
from collections.abc import Iterable, Sequence
from datetime import date, datetime, time, timedelta
from typing import Any

from calendar_app.domain.fields import FOLDED, FOLDED_BY, LASTS_UNDER, SHARED, TITLE_LANGUAGES
from calendar_app.domain.timespan import LENGTHS, LONGER

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


def with_all(field: str, values: Iterable[object]) -> Clause:
    """Match where the list of the field has all of the values."""
    return {field: {"$all": list(values)}}


def tagged(field: str, tags: Sequence[str]) -> Clause:
    """Match where the list of the field has one of the language tags, or a narrower one."""
    narrower = ({field: {"$regex": f"^{re.escape(tag)}-"}} for tag in tags)
    return any_of([one_of(field, tags), *narrower])


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


def equals_in_any_case(field: str, text: str) -> Clause:
    """Match where a field is ``text``, in any letter case. No index serves it."""
    return {field: {"$regex": rf"\A{literal(text)}\Z", "$options": "i"}}


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


def within(path: str, clause: Clause) -> Clause:
    """Return ``clause`` about a record that is kept in the field ``path`` of another document."""
    return {
        key if key.startswith("$") else f"{path}.{key}": (
            [within(path, part) for part in value] if key.startswith("$") else value
        )
        for key, value in clause.items()
    }


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


# Clauses over texts: a word occurs in the text that a reader sees.
#
# ``folded`` holds each language's texts without accents and letter case, so that a plain regular
# expression finds them: ``{"folded": {"de": {"title": "…"}}}``.

_BESIDE = "|"


def occurs(word: str, texts: Iterable[str], shared: Iterable[str], chain: Sequence[str]) -> Clause:
    """Match where the folded ``word`` is part of a text shown by ``chain``, or of a shared one."""
    part = {"$regex": literal(word)}
    translated = [shown_by(field, part, chain) for field in texts]
    return any_of([*translated, *({f"{FOLDED}.{SHARED}.{field}": part} for field in shared)])


def matching(
    words: Iterable[str],
    unwanted: Iterable[str],
    *,
    texts: Sequence[str],
    shared: Sequence[str],
    chain: Sequence[str],
) -> Clause:
    """Match where every wanted word occurs and no unwanted one."""
    clauses = [occurs(word, texts, shared, chain) for word in words]
    excluded = [occurs(word, texts, shared, chain) for word in unwanted]
    return all_of([*clauses, *([not_any(excluded)] if excluded else [])])


def folded_otherwise(rules: int) -> Clause:
    """Match records with texts folded by other rules."""
    return differs(f"{FOLDED}.{FOLDED_BY}", rules)


def written_in(language: str, label: str) -> Clause:
    """Match records that have a name, in the text ``label``, in ``language``."""
    return {f"variants.{language}.{label}": {"$exists": True}}


def not_marked(language: str, name: str, marks: Iterable[str]) -> Clause:
    """Match records of which a text has none of these marks."""
    return not_any(_marked(language, name, marks))


def none_shown(
    names: Iterable[str], chain: Sequence[str], marks: Sequence[str], withheld: Sequence[str]
) -> Clause:
    """Match records of which ``chain`` shows no text with one of ``marks``.

    A text with a ``withheld`` mark is not shown, but the next one of the chain.
    """
    marked_texts = []
    for name in names:
        passed: list[Clause] = []
        for language in chain:
            marked_texts += [all_of([*passed, each]) for each in _marked(language, name, marks)]
            path = f"variants.{language}.{name}"
            passed.append(any_of([missing(path), *_marked(language, name, withheld)]))
    return any_of([missing("unreviewed"), not_any(marked_texts)]) if marked_texts else EVERYTHING


def _marked(language: str, name: str, marks: Iterable[str]) -> list[Clause]:
    return [equals(f"marks.{language}.{mark}", name) for mark in marks]


def overridden_in(language: str) -> Clause:
    """Match dates of a series with texts of their own, in a language or for all of them."""
    texts = rf"^variants\.({re.escape(language)}$|[^.]+\.(?!slug$))"
    return {"overrides": {"$regex": texts}}


def language_set(languages: Iterable[str]) -> str:
    """Return languages as one value of an index."""
    return _BESIDE.join(("", *sorted(languages), ""))


def titled_in(language: str, _label: str) -> Clause:
    """Match like ``written_in``, by an index alone."""
    return {TITLE_LANGUAGES: {"$regex": re.escape(language_set([language]))}}


def shown_by(field: str, part: Clause, chain: Sequence[str]) -> Clause:
    """Match the field's first text by the chain, and only that one."""
    places = [f"{FOLDED}.{language}.{field}" for language in chain]
    return any_of(
        all_of([*(missing(earlier) for earlier in places[:at]), {place: part}])
        for at, place in enumerate(places)
    )


def on_after_night(midnight: datetime, night: timedelta) -> Clause:
    """Match events that begin on a day or later, or outlast the night to it."""
    over = {**before("start_local", midnight), **at_most("end_local", midnight + night)}
    return not_any([over])


# Narrows lists of running events by the duration of events.
#
# An index by start cannot tell where to begin: what is on may have begun at any time. Taken by
# their lengths, events can: see ``domain/timespan.py``. MongoDB merges the parts in the order of
# the start.

_END, _START = "end_local", "start_local"
# Where anything else narrows a list, an index of that does better than one of lengths.
_NARROWED_BY = frozenset({"status", "hidden", _START, _END})


def narrow_by_duration(clause: Clause, order: object) -> Clause:
    """Narrow a list by start and end to the latest start of each duration.

    Other clauses are returned unchanged.
    """
    parts = clause.get("$and", [clause])
    ends = [moment for part in parts if (moment := _still_on_at(part))]
    plain = all(_fields(part) <= _NARROWED_BY for part in parts)
    begins = any("$gt" in part.get(_START, ()) or "$gte" in part.get(_START, ()) for part in parts)
    if not ends or not plain or begins or not _by_start(order):
        return clause
    latest = max(ends)
    short = [
        all_of([clause, equals(LASTS_UNDER, days), at_least(_START, _begun_since(latest, days))])
        for days in LENGTHS
    ]
    longer = all_of([clause, equals(LASTS_UNDER, LONGER)])
    return any_of([*short, longer])


def earliest_end(clause: Clause) -> datetime | None:
    """Return from when on the records end, where start and end alone narrow a list; else ``None``.

    ``None`` also where a list says nothing of it.
    """
    parts = clause.get("$and", [clause])
    if not all(_fields(part) <= _NARROWED_BY for part in parts):
        return None
    ends = (part.get(_END, {}) for part in parts)
    bounds = [end[operator] for end in ends for operator in ("$gt", "$gte") if operator in end]
    return max(bounds, default=None)


def _fields(part: Clause) -> set[str]:
    """Return the fields in a clause, or in its exclusions."""
    return {name for each in part.get("$nor", [part]) for name in each}


def _begun_since(moment: datetime, days: int) -> datetime:
    """Return since when an event began that lasts less than so many days and is on at ``moment``.

    As far back as years are counted.
    """
    try:
        return moment - timedelta(days=days)
    except OverflowError:
        return datetime.combine(date.min, time.min)


def ends_with_start(clause: Clause) -> bool:
    """Return whether a clause says up to which start records match."""
    parts = clause.get("$and", [clause])
    return any(part.get(_START, {}).keys() & {"$lt", "$lte"} for part in parts)


def _by_start(order: object) -> bool:
    return isinstance(order, Sequence) and tuple(order[:1]) in (((_START, 1),), ((_START, -1),))


def _still_on_at(part: Clause) -> datetime | None:
    moment = part.get(_END, {}).get("$gt")
    return moment if isinstance(moment, datetime) else None
