"""Which words of the vocabulary have a part, and how many records show one of them.

An answer holds over a write where the records that were written show no further word with the part.
So only these records are looked at again, and not the vocabulary.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from calendar_app.domain.kind import Record
from calendar_app.domain.words import Part, has_part
from calendar_app.storage.cache_memory import size_of
from calendar_app.storage.mongo.editions import Edition
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.words import (
    STALE,
    VOCABULARY,
    LookUp,
    token_of_series,
    word_of,
    worded,
)

# Answers with more words stand by themselves in the memory: there the least recently used ones go.
_FEW = 1000
# Of more written records the vocabulary is asked sooner than each is looked at.
_MOST_WRITTEN = 100


@dataclass(frozen=True, slots=True)
class PartWords:
    """The ``words`` that have a part, and the tokens ``lent`` by the series that show one of them.

    So many ``records`` show one. Where the words are ``too_many`` to be of help there is none.
    """

    words: Sequence[str] = ()
    lent: Sequence[str] = ()
    records: int = 0
    too_many: bool = False

    def tokens(self, prefixes: Sequence[str]) -> list[str]:
        """Return the tokens of all words, with each of these beginnings."""
        return [*(prefix + word for prefix in prefixes for word in self.words), *self.lent]


LookedUp = Mapping[Part, PartWords]
# In the place of an answer with many words.
_ELSEWHERE = PartWords(records=-1)


class _Entry(NamedTuple):
    """An answer, the edition at which it was last right, and its bytes."""

    answer: PartWords
    edition: Edition
    size: int


class PartLookUps:
    """Looks parts up in the vocabulary, and keeps the answers."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._entries = store.cache_memory.cache("look-ups")

    def of(self, look_up: LookUp, parts: Sequence[Part]) -> LookedUp | None:
        """Return the answer for each part; ``None`` if the vocabulary cannot help."""
        large: dict[Part, PartWords | None] = {}

        def fetch(missing: Collection[Part]) -> dict[Part, PartWords | None]:
            answers = self._answers(look_up, missing)
            large.update({part: each for part, each in answers.items() if _is_large(each)})
            return {part: _ELSEWHERE if part in large else answers[part] for part in answers}

        answers = self._store.cached_lookup(repr(look_up), parts, fetch, _is_equivalent)
        elsewhere = [part for part, each in answers.items() if each == _ELSEWHERE]
        answers |= self._answers(look_up, [part for part in elsewhere if part not in large])
        answers |= {part: large[part] for part in elsewhere if part in large}
        complete = {part: each for part, each in answers.items() if each is not None}
        return complete if len(complete) == len(answers) else None

    def _answers(self, look_up: LookUp, parts: Collection[Part]) -> dict[Part, PartWords | None]:
        """Return kept answers that are still right, and ask for the others."""
        edition = self._store.edition() if parts else None
        answers: dict[Part, PartWords | None] = {}
        if edition:
            answers |= self._still_right(look_up, parts, edition)
        if missing := [part for part in parts if part not in answers]:
            asked = self._ask(look_up, missing)
            answers |= asked
            for part, answer in asked.items():
                if edition and answer:
                    size = size_of((look_up, part, answer))
                    self._keep(look_up, part, _Entry(answer, edition, size))
        return answers

    def _still_right(
        self, look_up: LookUp, parts: Collection[Part], edition: Edition
    ) -> dict[Part, PartWords]:
        right: dict[Part, PartWords] = {}
        for part in parts:
            entry: _Entry | None = self._entries.get((look_up, part))
            if entry is None:
                continue
            records = self._records_since(look_up, entry.edition, edition)
            if records is not None and _holds(entry.answer, look_up, part, records):
                right[part] = entry.answer
                self._keep(look_up, part, entry._replace(edition=edition))
        return right

    def _records_since(
        self, look_up: LookUp, former: Edition, edition: Edition
    ) -> Sequence[Record] | None:
        """Return the records written since, as ``worded`` gives them; ``None`` if unknown."""
        cache, key = self._store.cached_values(), (look_up.worded, look_up.rules, former)
        if key not in cache:
            cache[key] = self._read_written(look_up, former, edition)
        records: Sequence[Record] | None = cache[key]
        return records

    def _read_written(
        self, look_up: LookUp, former: Edition, edition: Edition
    ) -> Sequence[Record] | None:
        ids_by_name = edition.written_since(former)
        if ids_by_name is None:
            return None
        ids = {name: ids_by_name[name] for name in look_up.worded if name in ids_by_name}
        pipelines = []
        for name, own in ids.items():
            if own is None or len(own) > _MOST_WRITTEN:
                return None
            pipelines.append((name, worded(name, own, look_up.rules)))
        return [each for own in self._store.aggregate_each(pipelines) for each in own]

    def _keep(self, look_up: LookUp, part: Part, entry: _Entry) -> None:
        self._entries.keep((look_up, part), entry, entry.size)

    def _ask(self, look_up: LookUp, parts: Sequence[Part]) -> dict[Part, PartWords | None]:
        """Ask the vocabulary for each part; return ``None`` for each if it cannot help."""
        documents = self._store[VOCABULARY].aggregate(look_up.stages(parts))
        results = {document["_id"]: document for document in documents}
        if STALE in results:
            return dict.fromkeys(parts)
        nothing: Record = {"words": [], "lent": [], "records": 0}
        return {
            part: _answer(results.get(number, nothing), look_up)
            for number, part in enumerate(parts)
        }


def _answer(result: Record, look_up: LookUp) -> PartWords:
    if len(result["words"]) > look_up.most:
        return PartWords(records=look_up.many, too_many=True)
    return PartWords(result["words"], result["lent"], result["records"])


def _is_large(answer: PartWords | None) -> bool:
    return answer is not None and len(answer.words) + len(answer.lent) > _FEW


def _is_equivalent(first: PartWords | None, second: PartWords | None) -> bool:
    """Return whether two answers find the same records, if by other plans."""
    if first is None or second is None:
        return first is second
    same_words = (first.words, first.lent) == (second.words, second.lent)
    same_sort = (bool(first.records), first.too_many) == (bool(second.records), second.too_many)
    return same_words and same_sort


def _holds(answer: PartWords, look_up: LookUp, part: Part, records: Sequence[Record]) -> bool:
    """Return whether an answer is right after these records were written.

    How many records there are may have changed: that decides how they are found, but for none.
    """
    if any(each["is_stale"] for each in records):
        return False
    if answer.too_many or not records:
        return True
    # A further date of a series shows the words that it is lent.
    if not answer.records and answer.lent:
        return False
    words, lent = set(answer.words), set(answer.lent)
    for record in records:
        tokens = {each for each in record["words"] if has_part(word_of(each), part)}
        if tokens and (not answer.records or not words.issuperset(map(word_of, tokens))):
            return False
        if record["lends"] and not _lends_alike(record["_id"], tokens, look_up, lent):
            return False
    return True


def _lends_alike(series: int, tokens: Collection[str], look_up: LookUp, lent: set[str]) -> bool:
    """Return whether the tokens of a series are lent where it shows one with each prefix."""
    return all(
        (token_of_series(series, protected=protected) in lent)
        == any(each.startswith(tuple(prefixes)) for each in tokens)
        for protected, prefixes in look_up.by_protection.items()
    )
