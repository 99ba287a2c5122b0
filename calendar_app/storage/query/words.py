"""Clauses and stages that find records by the words that they show.

A record found by words has them in ``words``, one token for each word and language of readers. An
occurrence with the texts of its series has one token in their place, which names the series. The
vocabulary has every word once, with its ``endings``, so that an index finds words by any part.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from calendar_app.domain.fields import (
    DISPLAY_TITLE,
    FOLDED,
    HAS_TITLE,
    TITLE_LANGUAGES,
    WORDED,
    WORDS,
)
from calendar_app.domain.words import Part, PartPlace
from calendar_app.storage.query.clauses import Clause, differs, equals, one_of
from calendar_app.storage.query.list_query import Order, Slice, Window
from calendar_app.storage.query.stages import Stages, whole

VOCABULARY = "vocabulary"
ENDINGS = "endings"
STALE = "unworded"

_OPEN, _PROTECTED = ":", "!"
# Of words in the title there is another token: of the first one, and of those behind it.
_FIRST, _FURTHER = "^", "~"
_MARKS = str.maketrans(dict.fromkeys((_PROTECTED, _FIRST, _FURTHER), _OPEN))
# No word begins so: the number of a series follows.
_SERIES = "="
# The collections whose records may show the words of a series.
_LENT_TO = {"events": "series"}


def token(language: str, word: str, *, protected: bool = False) -> str:
    """Return the token of a word that readers in ``language`` see.

    ``protected`` ones are shown only with a password.
    """
    return f"{language}{_PROTECTED if protected else _OPEN}{word}"


def title_token(language: str, word: str, *, first: bool) -> str:
    """Return the token of a word in the title that readers in ``language`` see."""
    return f"{language}{_FIRST if first else _FURTHER}{word}"


def is_protected(token: str) -> bool:
    """Return whether a token is shown only with a password."""
    return _PROTECTED in token and _OPEN not in token.partition(_PROTECTED)[0]


def word_of(token: str) -> str:
    """Return the word of a token."""
    return token.translate(_MARKS).rpartition(_OPEN)[2]


def token_of_series(series: int, *, protected: bool = False) -> str:
    """Return the token of occurrences that show the words of a series.

    By the ``protected`` one they are found by words that are shown only with its password.
    """
    return token("", f"{_SERIES}{series}", protected=protected)


def shows(tokens: Iterable[str]) -> Clause:
    """Match records that show one of the words."""
    return one_of(WORDS, tokens)


def indexed_otherwise(rules: str) -> Clause:
    """Match records with words indexed by other rules, or not at all."""
    return differs(WORDED, rules)


def having(part: Part) -> Clause:
    """Match the words of the vocabulary that have this part."""
    match part.place:
        case PartPlace.ANYWHERE:
            return {ENDINGS: {"$regex": f"^{part.text}"}}
        case PartPlace.BEGINNING:
            return {"_id": {"$regex": f"^{part.text}"}}
        case PartPlace.END:
            return equals(ENDINGS, part.text)
        case PartPlace.ALL:
            return equals("_id", part.text)


@dataclass(frozen=True, slots=True)
class LookUp:
    """A look-up of parts of words: the words that have them, and their number of records.

    With them come the tokens that stand for the words of series. ``prefixes`` are how the tokens in
    records of the ``collection`` begin, ``rules`` those by which all are to be written. More than
    ``most`` words and ``many`` records are not counted. Of more than ``merged`` words it is half as
    many: each record has several of them, and the last ones would take a look at most of the index.
    """

    collection: str
    rules: str
    prefixes: Sequence[str]
    most: int
    many: int
    merged: int

    def stages(self, parts: Sequence[Part]) -> Stages:
        """Return a document for each part that words have, its number the id; for the vocabulary.

        ``words`` are one more than ``most`` where there are more, and then no ``records`` counted.
        A further document, ``STALE``, is there if a record does not follow the rules.
        """
        first, *unions = (self._of(number, part) for number, part in enumerate(parts))
        unworded = [
            {"$match": indexed_otherwise(self.rules)},
            {"$limit": 1},
            {"$project": {"_id": {"$literal": STALE}}},
        ]
        return [
            *first,
            *({"$unionWith": {"coll": VOCABULARY, "pipeline": stages}} for stages in unions),
            *({"$unionWith": {"coll": name, "pipeline": unworded}} for name in self.worded),
        ]

    @property
    def worded(self) -> tuple[str, ...]:
        """The collections whose records show the words."""
        return (self.collection, *([self._lender] if self._lender else []))

    @property
    def by_protection(self) -> dict[bool, list[str]]:
        """The prefixes of words that all see, and of those shown with a password, if any."""
        both: dict[bool, list[str]] = {}
        for prefix in self.prefixes:
            both.setdefault(is_protected(prefix), []).append(prefix)
        return both

    @property
    def _lender(self) -> str | None:
        return _LENT_TO.get(self.collection)

    def _of(self, number: int, part: Part) -> Stages:
        few = {"$lte": [{"$size": "$words"}, self.most]}
        tokens = {
            name: {"$cond": [few, {"$concatArrays": [_prefixed(each) for each in prefixes]}, []]}
            for name, prefixes in self._named_prefixes().items()
        }
        return [
            {"$match": having(part)},
            {"$limit": self.most + 1},
            {"$project": {"_id": 1}},
            {"$group": {"_id": {"$literal": number}, "words": {"$push": "$_id"}}},
            {"$set": tokens},
            *self._lent_words(tokens),
            {"$set": {"tokens": {"$concatArrays": ["$lent", *(f"${name}" for name in tokens)]}}},
            *self._counted(),
        ]

    def _named_prefixes(self) -> dict[str, list[str]]:
        names = {False: "open", True: "protected"}
        return {names[each]: prefixes for each, prefixes in sorted(self.by_protection.items())}

    def _lent_words(self, names: Iterable[str]) -> Stages:
        """Set ``lookups``: the tokens of the series that show the words, by their protection."""
        if not self._lender:
            return [{"$set": {"lent": []}}]
        stages, lookups = [], []
        for name in names:
            lookup: dict[str, Any] = {"from": self._lender, "localField": name}
            lookup |= {"foreignField": WORDS, "pipeline": [{"$project": {"_id": 1}}]}
            stages.append({"$lookup": lookup | {"as": f"{name}_series"}})
            prefix = token("", _SERIES, protected=name == "protected")
            number = {"$toString": "$$this._id"}
            numbered = {"input": f"${name}_series", "in": {"$concat": [prefix, number]}}
            lookups.append({"$map": numbered})
        return [*stages, {"$set": {"lent": {"$concatArrays": lookups}}}]

    def _counted(self) -> Stages:
        """Project the words, the tokens of series and the number of ``records``."""
        parts = {"words": 1, "lent": 1}
        are_few = {"$lte": [{"$size": "$words"}, self.merged]}
        few, many = ("$found_by_few", "$found_by_many")
        half = max(self.many // 2, 1)
        counted_half = {"$ifNull": [{"$first": f"{many}.total"}, 0]}
        number = {
            "$cond": [
                are_few,
                {"$ifNull": [{"$first": f"{few}.total"}, 0]},
                {"$cond": [{"$lt": [counted_half, half]}, counted_half, self.many]},
            ]
        }
        return [
            {"$set": {"of_few": {"$cond": [are_few, "$tokens", []]}}},
            {"$set": {"of_many": {"$cond": [are_few, [], "$tokens"]}}},
            {"$lookup": self._counted_to(self.many, "of_few", few)},
            {"$lookup": self._counted_to(half, "of_many", many)},
            {"$project": {**parts, "records": number}},
        ]

    def _counted_to(self, most: int, tokens: str, name: str) -> dict[str, Any]:
        return {
            "from": self.collection,
            "localField": tokens,
            "foreignField": WORDS,
            "pipeline": [{"$limit": most}, {"$count": "total"}],
            "as": name.removeprefix("$"),
        }


def _prefixed(prefix: str) -> dict[str, Any]:
    return {"$map": {"input": "$words", "in": {"$concat": [prefix, "$$this"]}}}


def worded(collection: str, ids: Iterable[int], rules: str) -> Stages:
    """Return the ``words`` of records with these ids, without the tokens of series.

    Each says whether it ``lends`` them to dates, and whether it ``is_stale``: indexed by others
    than the ``rules``.
    """
    of_series = {"$regexMatch": {"input": "$$this", "regex": f"[{_OPEN}{_PROTECTED}]{_SERIES}"}}
    words = {"input": {"$ifNull": [f"${WORDS}", []]}, "cond": {"$not": of_series}}
    return [
        {"$match": one_of("_id", ids)},
        {
            "$project": {
                "words": {"$filter": words},
                "lends": {"$literal": collection in _LENT_TO.values()},
                "is_stale": {"$ne": [f"${WORDED}", rules]},
            }
        },
    ]


def counted_in_all(collection: str, each: Sequence[Clause], residual: Clause) -> Stages:
    """Return one document with the ``total`` of records that match every clause of ``each``.

    An index decides these, each by itself. What is ``residual``, if anything, the documents decide.
    """
    return [*_in_all(collection, each, []), *_having(collection, residual), {"$count": "total"}]


def ids_in_all(collection: str, each: Sequence[Clause], most: int) -> Stages:
    """Return the ids of so many records that match every clause, each decided by an index."""
    return [*_in_all(collection, each, []), {"$limit": most}, {"$project": {"_id": 1}}]


def sorted_in_all(
    collection: str, each: Sequence[Clause], residual: Clause, order: Order, window: Window | Slice
) -> Stages:
    """Sort the records of ``counted_in_all`` by indexed fields.

    Only documents of the window are read, unless something is ``residual`` for them to decide.
    """
    return [
        *_in_all(collection, each, [field for field, _ in order]),
        *_having(collection, residual),
        {"$sort": dict(order)},
        {"$skip": window.skip},
        {"$limit": window.size},
        *whole(collection),
    ]


def as_shown() -> dict[str, int]:
    """Return the projection without fields that only searches and indexes use."""
    return dict.fromkeys((FOLDED, WORDS, DISPLAY_TITLE, TITLE_LANGUAGES, HAS_TITLE), 0)


def _having(collection: str, residual: Clause) -> Stages:
    return [*whole(collection), {"$match": residual}] if residual else []


def _in_all(collection: str, each: Sequence[Clause], fields: Sequence[str]) -> Stages:
    """Return the ids, and the fields, of the records that match every clause."""
    projected = {"$project": {"_id": 1, **dict.fromkeys(fields, 1)}}
    first, *unions = ([{"$match": clause}, projected] for clause in each)
    if not unions:
        return first
    firsts = {name: {"$first": f"${name}"} for name in fields if name != "_id"}
    return [
        *first,
        *({"$unionWith": {"coll": collection, "pipeline": stages}} for stages in unions),
        {"$group": {"_id": "$_id", "times": {"$sum": 1}, **firsts}},
        {"$match": {"times": len(each)}},
    ]
