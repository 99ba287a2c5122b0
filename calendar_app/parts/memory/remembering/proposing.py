"""Proposals from the memory: translations of equal texts first, then of similar ones.

A look-up takes a few commands, however many texts are asked for, and reads few documents, however
many there are: of each key the newest records alone.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from calendar_app.accounts.callers import ANYONE, Caller, Right
from calendar_app.calendar.writing.missed import MISSED_WRITES, MissedWrites
from calendar_app.domain.custom_fields import VALUE
from calendar_app.domain.glossary import GlossaryTerm, GlossaryTerms, missed, terms_in
from calendar_app.domain.kind import Kind, Markup, Record
from calendar_app.domain.memory import equal_key, like_keys, sentences
from calendar_app.domain.richtext import escape, plain
from calendar_app.domain.translations import words_of
from calendar_app.parts.memory.glossary import GLOSSARY, Glossary
from calendar_app.parts.memory.remembering.following import MEMORY, NAME
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import all_of, any_of, equals, given, one_of
from calendar_app.storage.query.stages import Stages

EQUAL, LIKE = 100.0, 75.0
_HTML = (Markup.HTML, Markup.INLINE)
# Of equal texts so many of the newest say how they are usually translated.
_NEWEST = 30
# Of each key so many of the newest records may be like a text, and of all keys so many are read.
_PER_KEY, _MOST_READ = 40, 40
_MOST_PROPOSALS = 5
_MOST_SENTENCES = 20
# What is much longer or shorter is not like a text.
_LONGEST = 20_000
_STOP = "."


@dataclass(frozen=True, slots=True)
class RecallQuery:
    """A text to be translated, as HTML or as plain words, maybe of a ``field`` of a ``kind``."""

    text: str
    is_html: bool = False
    kind: str = ""
    field: str = ""


@dataclass(frozen=True, slots=True)
class Recalled:
    """A remembered translation, with its record and the likeness of its source in percent.

    ``number`` says how many of the newest records with this source say it so, ``misses`` which
    terms of the glossary it says otherwise. What the glossary says itself is of no record.
    """

    text: str
    source: str
    likeness: float
    kind: str
    record: int
    field: str
    number: int = 1
    misses: GlossaryTerms = ()

    @property
    def origin(self) -> str:
        """Return where the text comes from, as the ledger names it."""
        return f"{self.kind}/{self.record}" if self.record else self.kind


@dataclass(frozen=True, slots=True)
class Answer:
    """The proposals for a text, the best first, and for the sentences of an unknown text.

    ``sentences`` has each sentence that was translated before, ``terms`` what the glossary says of
    the text.
    """

    proposals: Sequence[Recalled] = ()
    sentences: Sequence[tuple[str, Recalled]] = ()
    terms: GlossaryTerms = ()

    @property
    def equal(self) -> Recalled | None:
        """Return the usual translation of an equal text."""
        best = self.proposals[0] if self.proposals else None
        return best if best and best.likeness == EQUAL else None

    @property
    def undisputed(self) -> Recalled | None:
        """Return the translation of an equal text that is said so everywhere."""
        equal = [each for each in self.proposals if each.likeness == EQUAL and not each.misses]
        return equal[0] if len(equal) == 1 else None


class _Unit(NamedTuple):
    """A text of the memory with its translation."""

    source: str
    target: str
    kind: str
    record: int
    field: str
    place: int


class Recall:
    """Looks texts up; ``kinds`` by name say which texts are HTML."""

    def __init__(self, store: Store, kinds: Mapping[str, Kind]) -> None:
        self._store = store
        self._kinds = kinds
        self._glossary = Glossary(store)

    def propose(
        self, queries: Sequence[RecallQuery], source: str, target: str, caller: Caller
    ) -> list[Answer]:
        """Return the proposals for each text, from records that the caller may read."""
        return self._store.in_snapshot(lambda: self._propose(queries, source, target, caller))

    def _propose(
        self, queries: Sequence[RecallQuery], source: str, target: str, caller: Caller
    ) -> list[Answer]:
        look = _Look(self._store, source, target, caller)
        glossary = self._glossary.terms(source, target)
        words = [words_of(each.text) for each in queries]
        parts = [_sentences(each.text) for each in queries]
        sentences_of_all = {part for own in parts for part in own}
        equal = look.equal({*words, *sentences_of_all, *map(_unended, sentences_of_all)})
        unknown = {text for text in words if text and not equal.get(text)}
        like = look.like({text for text in unknown if len(text) <= _LONGEST})
        answers = []
        for each, text, own in zip(queries, words, parts, strict=True):
            recalled = self._usual(each, equal.get(text, ())) or self._alike(
                each, like.get(text, ())
            )
            terms = terms_in(glossary, text)
            sentences = [] if equal.get(text) else self._sentences_of(each, own, equal, terms)
            answers.append(Answer(_proposals(each, text, terms, recalled), sentences, terms))
        return answers

    def undisputed(
        self, queries: Sequence[RecallQuery], source: str, target: str
    ) -> list[Recalled | None]:
        """Return how each text is translated in all public records; none where that differs.

        Nobody checks these texts before they are shown, so none may come from a hidden record.
        """
        return self._store.in_snapshot(lambda: self._undisputed(queries, source, target))

    def _undisputed(
        self, queries: Sequence[RecallQuery], source: str, target: str
    ) -> list[Recalled | None]:
        glossary = self._glossary.terms(source, target)
        words = [words_of(each.text) for each in queries]
        equal = _Look(self._store, source, target, ANYONE).equal(words)
        return [
            Answer(
                _proposals(each, text, terms_in(glossary, text), self._usual(each, equal[text]))
            ).undisputed
            if text
            else None
            for each, text in zip(queries, words, strict=True)
        ]

    def _usual(self, query: RecallQuery, units: Iterable[_Unit]) -> list[Recalled]:
        """Return how an equal text is translated: of the same field first, then most often."""
        by_text: dict[str, list[_Unit]] = defaultdict(list)
        for unit in units:
            by_text[words_of(unit.target)].append(unit)
        order = {text: _usefulness(query, own) for text, own in by_text.items()}
        return [
            self._recalled(query, _best(query, by_text[text]), EQUAL, len(by_text[text]))
            for text in sorted(by_text, key=lambda text: order[text], reverse=True)
        ][:_MOST_PROPOSALS]

    def _sentences_of(
        self,
        query: RecallQuery,
        parts: Sequence[str],
        equal: Mapping[str, Sequence[_Unit]],
        terms: GlossaryTerms,
    ) -> list[tuple[str, Recalled]]:
        """Return the remembered sentences, also without their full stop."""
        recalled = []
        for part in parts:
            units, stop = equal.get(part), ""
            if not units and (bare := _unended(part)) != part:
                units, stop = equal.get(bare), _STOP
            if units:
                best = _following(terms, self._usual(query, units))[0]
                recalled.append((part, replace(best, text=f"{best.text}{stop}")))
        return recalled

    def _alike(self, query: RecallQuery, units: Iterable[tuple[float, _Unit]]) -> list[Recalled]:
        by_text: dict[str, tuple[float, _Unit]] = {}
        for likeness, unit in units:
            by_text.setdefault(words_of(unit.target), (likeness, unit))
        return [
            self._recalled(query, unit, likeness)
            for likeness, unit in [*by_text.values()][:_MOST_PROPOSALS]
        ]

    def _recalled(
        self, query: RecallQuery, unit: _Unit, likeness: float, number: int = 1
    ) -> Recalled:
        text, source = unit.target, words_of(unit.source)
        is_html = not unit.place and self._is_html(unit.kind, unit.field)
        if is_html and not query.is_html:
            text = plain(text)
        elif query.is_html and not is_html:
            text = escape(text)
        return Recalled(text, source, likeness, unit.kind, unit.record, unit.field, number)

    def _is_html(self, kind: str, field: str) -> bool:
        texts = self._kinds[kind].texts if kind in self._kinds else {}
        return texts.get(field) in _HTML or field.endswith(f".{VALUE}")


def _of_glossary(query: RecallQuery, text: str, terms: GlossaryTerms) -> list[Recalled]:
    """Return the term that is all of a text, as a proposal."""
    whole = [each for each in terms if each.key == GlossaryTerm(text, "").key]
    return [
        Recalled(
            escape(each.translation) if query.is_html else each.translation,
            text,
            EQUAL,
            GLOSSARY,
            0,
            query.field,
        )
        for each in whole
    ]


def _proposals(
    query: RecallQuery, text: str, terms: GlossaryTerms, recalled: Sequence[Recalled]
) -> list[Recalled]:
    """Return the glossary's word for a whole text, then the proposals that follow it best."""
    by_glossary = _of_glossary(query, text, terms)
    own_texts = {words_of(each.text) for each in by_glossary}
    further = [each for each in _following(terms, recalled) if words_of(each.text) not in own_texts]
    return [*by_glossary, *further][:_MOST_PROPOSALS]


def _following(terms: GlossaryTerms, proposals: Sequence[Recalled]) -> list[Recalled]:
    """Return proposals; at equal likeness, those in line with the glossary come first."""
    checked = [
        replace(each, misses=missed(terms_in(terms, each.source), each.text)) for each in proposals
    ]
    return sorted(checked, key=lambda each: (-each.likeness, bool(each.misses)))


def _unended(sentence: str) -> str:
    """Return a sentence without its full stop."""
    return sentence.removesuffix(_STOP)


def _sentences(text: str) -> list[str]:
    parts = [each for line in sentences(text) for each in line]
    return parts[:_MOST_SENTENCES] if len(parts) > 1 else []


def _usefulness(query: RecallQuery, units: Sequence[_Unit]) -> tuple[int, int, int]:
    same_field = sum((each.kind, each.field) == (query.kind, query.field) for each in units)
    return same_field, len(units), max(each.record for each in units)


def _best(query: RecallQuery, units: Sequence[_Unit]) -> _Unit:
    """Return the unit of a text that fits best where it is asked for, the newest of them."""
    return max(units, key=lambda each: _usefulness(query, [each]))


class _Look:
    """Look-ups in one pair of languages for one caller, in one snapshot.

    ``is_behind`` is known after ``equal``: then no look-up finds anything.
    """

    def __init__(self, store: Store, source: str, target: str, caller: Caller) -> None:
        self._store = store
        self._source, self._target = source, target
        self._caller = caller
        self.is_behind = False

    def equal(self, texts: Iterable[str]) -> dict[str, list[_Unit]]:
        """Return units with these words, by them."""
        keys = {
            text: tuple(
                equal_key(self._source, self._target, text, is_public=is_public)
                for is_public in (True, False)
            )
            for text in sorted(texts)
            if text
        }
        pipelines = [[*self._newest(own, _NEWEST), *self._units(own)] for own in keys.values()]
        missed = (MISSED_WRITES, [{"$match": MissedWrites(self._store, NAME).clause}])
        *rows_of_all, marks = self._store.aggregate_each([*map(_of_memory, pipelines), missed])
        self.is_behind = bool(marks)
        units: dict[str, list[_Unit]] = {text: [] for text in keys}
        for text, rows in zip(keys, () if marks else rows_of_all, strict=not marks):
            # Two texts may have one key.
            own = [unit for unit in map(_unit, rows) if words_of(unit.source) == text]
            units[text] = own
        return units

    def like(self, texts: Iterable[str]) -> dict[str, list[tuple[float, _Unit]]]:
        """Return units with a similar source, and their likeness, the best first."""
        keys = {} if self.is_behind else {text: self._like_keys(text) for text in sorted(texts)}
        lookups = [(text, key) for text, own in keys.items() for key in own]
        ids_only = {"$project": {"_id": 1}}
        pipelines = [[*self._newest(key, _PER_KEY), ids_only] for _, key in lookups]
        shared: dict[str, Counter[str]] = {text: Counter() for text in keys}
        for (text, _), rows in zip(lookups, self._ask(pipelines), strict=True):
            shared[text].update(row["_id"] for row in rows)
        nearest = {
            text: [name for name, _ in counted.most_common(_MOST_READ)]
            for text, counted in shared.items()
            if counted
        }
        read = [
            [{"$match": one_of("_id", ids)}, *self._units([k for own in keys[text] for k in own])]
            for text, ids in nearest.items()
        ]
        units = zip(nearest, self._ask(read), strict=True)
        return {text: _ranked(text, map(_unit, rows)) for text, rows in units}

    def _like_keys(self, text: str) -> list[tuple[int, ...]]:
        keys = (like_keys(self._source, text, is_public=is_public) for is_public in (True, False))
        return list(zip(*keys, strict=True))

    def _newest(self, keys: Sequence[int], number: int) -> Stages:
        """Return the stages that find the newest documents that the caller may read.

        ``keys`` are those of public and of other documents.
        """
        public, private = keys
        clause = equals("units.keys", public)
        if self._caller.may(Right.EDIT_OTHERS):
            clause = one_of("units.keys", keys)
        elif self._caller.known:
            own = all_of([equals("units.keys", private), equals("author", self._caller.id)])
            clause = any_of([clause, own])
        return [{"$match": clause}, {"$sort": {"record": -1}}, {"$limit": number}]

    def _units(self, keys: Sequence[int]) -> Stages:
        """Return the stages that make of documents their units with one of these keys."""
        target = f"units.texts.{self._target}"
        return [
            {"$unwind": "$units"},
            {"$match": all_of([one_of("units.keys", keys), given(target)])},
            {
                "$project": {
                    "kind": 1,
                    "record": 1,
                    "field": "$units.field",
                    "place": "$units.place",
                    "source": f"$units.texts.{self._source}",
                    "target": f"${target}",
                }
            },
            {"$match": given("source")},
        ]

    def _ask(self, pipelines: Sequence[Stages]) -> list[list[Record]]:
        return self._store.aggregate_each([*map(_of_memory, pipelines)])


def _of_memory(pipeline: Stages) -> tuple[str, Stages]:
    return MEMORY, pipeline


def _unit(row: Mapping[str, Any]) -> _Unit:
    return _Unit(
        row["source"], row["target"], row["kind"], row["record"], row["field"], row["place"]
    )


def _ranked(text: str, units: Iterable[_Unit]) -> list[tuple[float, _Unit]]:
    # Loaded late, since only translators need it.
    from rapidfuzz import fuzz  # noqa: PLC0415

    folded = text.casefold()
    rated = (
        (fuzz.ratio(folded, words_of(unit.source).casefold(), score_cutoff=LIKE), unit)
        for unit in units
    )
    alike = [(min(likeness, EQUAL - 1), unit) for likeness, unit in rated if likeness]
    return sorted(alike, key=lambda each: (-each[0], -each[1].record))
