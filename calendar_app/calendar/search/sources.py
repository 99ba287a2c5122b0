"""Search clauses: by the index of words where it helps, else by the texts."""

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from calendar_app.accounts.callers import Caller, Right
from calendar_app.accounts.policy import editable_by, unlocked_for
from calendar_app.calendar.search.naming import NamedIds, ids_with_words
from calendar_app.calendar.search.parts import LookedUp, PartLookUps, PartWords
from calendar_app.calendar.search.vocabulary import EVERYBODY, Vocabulary
from calendar_app.domain.kind import Kind
from calendar_app.domain.words import Part, PartPlace, has_part, is_plain_part, parts_of
from calendar_app.errors import InvalidParameters, Message
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import (
    EVERYTHING,
    NOTHING,
    Clause,
    all_of,
    any_of,
    matching,
    not_any,
    occurs,
    one_of,
)
from calendar_app.storage.query.distances import measuring
from calendar_app.storage.query.geo import Circle
from calendar_app.storage.query.list_query import SearchQuery
from calendar_app.storage.query.relevance import begins_with
from calendar_app.storage.query.stages import Hint
from calendar_app.storage.query.words import (
    LookUp,
    is_protected,
    shows,
    title_token,
    token,
)


@dataclass(frozen=True, slots=True)
class SearchLimits:
    """Limits of the use of the word index, measured with a million events.

    Where more than ``words`` have a part, it is no help. Up to ``records`` are sorted as it gives
    them, and of fewer than ``one_by_one`` each is read to see what else it shows. Else so many of
    the ``rarest`` parts choose, and up to ``named`` records are read. Of up to ``merged`` words
    MongoDB merges the records in the order of the list. By relevance, fewer than ``ranked`` records
    are read and sorted. Up to ``titles`` tokens tell which titles have a word, unless ``titled``
    records have it there: then titles are looked at until the page is full. The longest
    ``parts`` narrow a search; further ones are looked for in the texts. Where it is no help at all,
    ``texts`` are read of so many records.
    """

    words: int = 20_000
    records: int = 10_000
    ranked: int = 100
    one_by_one: int = 500
    rarest: int = 3
    named: int = 5_000
    merged: int = 100
    titles: int = 2_000
    titled: int = 500
    parts: int = 4
    texts: int = 50_000


@dataclass(frozen=True, slots=True)
class ListSource:
    """Clauses that find the records of a list at one cluster time.

    ``clause`` matches them. Where there is ``indexed``, an index decides each of these clauses by
    itself, and documents decide the ``residual`` one: so they are counted, and where each matches
    few (``is_selective``) sorted too. ``counted`` is an equal of ``clause`` that is counted sooner.
    ``hint`` has the fields of the index that finds a page best, where that is known. ``by_title``
    has clauses of an index for the groups of relevance, if it decides them. All records are sorted
    where they ``are_few``.
    """

    clause: Clause
    indexed: Sequence[Clause] = ()
    residual: Clause = field(default_factory=dict)
    is_selective: bool = False
    counted: Clause | None = None
    hint: Hint = None
    by_title: Sequence[Clause] = ()
    are_few: bool = False

    @property
    def anyhow(self) -> Clause:
        """The clause by which records are read soonest, in whatever order."""
        is_decided = len(self.indexed) == 1 and not self.residual
        return self.indexed[0] if is_decided else self.counted or self.clause


@dataclass(frozen=True, slots=True)
class TitleClauses:
    """Match titles that have all words, and those of them that begin with one."""

    has: Clause
    begins: Clause


@dataclass(frozen=True, slots=True)
class _IndexedPart:
    """A part of words, the tokens that contain it, and the number of records with one."""

    part: Part
    tokens: Sequence[str]
    records: int
    clause: Clause


class SearchPlanner:
    """Chooses the clauses of a search."""

    def __init__(
        self, store: Store, vocabulary: Vocabulary, limits: SearchLimits | None = None
    ) -> None:
        self._store = store
        self._vocabulary = vocabulary
        self._limits = limits or SearchLimits()
        self._parts = PartLookUps(store)
        self._ids = NamedIds(store)

    def has_index_fields(self, kind: Kind) -> bool:
        """Return whether all records have their index fields."""
        return self._vocabulary.is_complete(kind)

    def covers(self, chain: Sequence[str]) -> bool:
        """Return whether words are indexed for exactly this chain."""
        return self._vocabulary.covers(chain)

    @property
    def withheld(self) -> tuple[str, ...]:
        """The marks of the texts that readers are not shown."""
        return self._vocabulary.withheld

    @property
    def max_texts(self) -> int:
        """The number of records that one search may read the texts of."""
        return self._limits.texts

    def matches_more_than(
        self, kind: Kind, listed: Clause, circle: Circle | None, limit: int
    ) -> bool:
        """Return whether a list has more records; ``circle`` is the one in its clause."""
        passing = measuring(listed, circle) if circle else [{"$match": listed}]
        stages = [*passing, {"$limit": limit + 1}, {"$count": "total"}]
        counts = self._store.of(kind).aggregate(stages)
        return bool(counts) and counts[0]["total"] > limit

    def by_texts(self, kind: Kind, query: SearchQuery, caller: Caller) -> Clause:
        """Return the clause over the texts of each record."""
        return _text_clause(kind, query, query.words, caller)

    def source(
        self,
        kind: Kind,
        query: SearchQuery,
        listed: Clause,
        caller: Caller,
        circle: Circle | None = None,
    ) -> ListSource:
        """Return the source of the ``listed`` records that match a search.

        ``circle`` is the one in the clause of the list. While a record is not indexed, the texts
        decide. Raises ``InvalidParameters`` where only they could, and the list is too long.
        """
        texts = self.by_texts(kind, query, caller)
        ids = self._named(kind, query, texts, caller)
        if ids is not None:
            by_id = all_of([listed, one_of("_id", ids)]) if ids else NOTHING
            return ListSource(by_id, hint={"_id": 1}, are_few=len(ids) < self._limits.ranked)
        indexed_parts = self._indexed_parts(kind, query, caller)
        if not indexed_parts:
            is_asked = indexed_parts is not None and (query.words or query.unwanted)
            if is_asked:
                self._require_few(kind, listed, circle)
            return ListSource(all_of([listed, texts]))
        if indexed_parts[0].records == 0:
            return ListSource(NOTHING)
        return self._by_words(kind, query, listed, indexed_parts, caller)

    def look_words_up(self, searches: Iterable[tuple[Kind, SearchQuery]], caller: Caller) -> None:
        """Look the words of several searches up at once, so that each of them finds its own."""
        parts: dict[LookUp, dict[Part, None]] = {}
        for kind, query in searches:
            look_up = self._look_up(kind, self._prefixes(query, caller), self._limits.records)
            parts.setdefault(look_up, {}).update(dict.fromkeys(self._longest_parts(query)))
        for look_up, own in parts.items():
            if own:
                self._parts.of(look_up, list(own))

    def by_title(self, kind: Kind, query: SearchQuery, caller: Caller) -> TitleClauses | None:
        """Return clauses about titles, to find the page of a search by relevance in order.

        The index of words decides them. Where it has too many words of titles, the titles do: as
        many have a word, the page is soon full. ``None`` where the index is no help, or where few
        enough events match to sort them all.
        """
        parts = [Part(word, PartPlace.ANYWHERE) for word in query.words]
        is_plain = all(map(is_plain_part, query.words)) and self.covers(query.chain)
        if not parts or query.unwanted or not is_plain or len(parts) > self._limits.parts:
            return None
        look_up = self._look_up(kind, self._prefixes(query, caller), self._limits.records)
        answers = self._parts.of(look_up, parts)
        if answers is None or min(each.records for each in answers.values()) < self._limits.ranked:
            return None
        has = all_of(self._in_titles(kind, query, answers, PartPlace.ANYWHERE))
        begins = any_of(self._in_titles(kind, query, answers, PartPlace.BEGINNING))
        # A title that begins with the only word has it.
        return TitleClauses(has, begins if len(parts) == 1 else all_of([has, begins]))

    def _in_titles(
        self, kind: Kind, query: SearchQuery, answers: LookedUp, place: PartPlace
    ) -> list[Clause]:
        """Return a clause for each part: the title has it, or begins with it.

        ``answers`` have the words that have the parts.
        """
        is_beginning = place is PartPlace.BEGINNING
        prefixes = [
            title_token(language, "", first=first)
            for language in (EVERYBODY, query.chain[0])
            for first in ((True,) if is_beginning else (True, False))
        ]
        clauses = []
        for each, answer in answers.items():
            tokens = self._title_tokens(kind, replace(each, place=place), answer, prefixes)
            if tokens is not None:
                clauses.append(shows(tokens))
            elif is_beginning:
                clauses.append(begins_with(kind.label, each.text, query.chain))
            else:
                clauses.append(occurs(each.text, (kind.label,), (), query.chain))
        return clauses

    def _title_tokens(
        self, kind: Kind, part: Part, anywhere: PartWords, prefixes: Sequence[str]
    ) -> list[str] | None:
        """Return the tokens of words in titles that have a part; ``None`` of too many titles.

        ``anywhere`` are the words that have it at any place.
        """
        limits = self._limits
        words = [word for word in anywhere.words if has_part(word, part)]
        number = len(words) * len(prefixes)
        if number > limits.titles:
            return None
        # What no series shows, no title of a series has.
        if not anywhere.lent and not anywhere.too_many and number <= limits.merged:
            return [f"{prefix}{word}" for prefix in prefixes for word in words]
        looked_up = self._parts.of(self._look_up(kind, prefixes, 2 * limits.titled), [part])
        answer = looked_up and looked_up[part]
        return answer.tokens(prefixes) if answer and answer.records < limits.titled else None

    def _require_few(self, kind: Kind, listed: Clause, circle: Circle | None) -> None:
        most = self.max_texts
        if self.matches_more_than(kind, listed, circle, most):
            narrow = Message(
                "search must hold a longer word, or be narrowed to {most} records.", most=most
            )
            raise InvalidParameters({"search": narrow})

    def _by_words(
        self,
        kind: Kind,
        query: SearchQuery,
        listed: Clause,
        indexed_parts: Sequence[_IndexedPart],
        caller: Caller,
    ) -> ListSource:
        """Return the source of records that have the parts, the rarest first."""
        rarest = indexed_parts[0]
        indexed = [all_of([listed, part.clause]) for part in indexed_parts]
        texts = _text_clause(kind, query, self._undecided_words(query, [rarest]), caller)
        is_merged = len(rarest.tokens) <= self._limits.merged
        if not texts and is_merged:
            return ListSource(indexed[0])
        if texts and len(indexed_parts) == 1:
            return ListSource(all_of([indexed[0], texts]))
        if not texts:
            indexed_parts, indexed = indexed_parts[:1], indexed[:1]
        residual = _text_clause(kind, query, self._undecided_words(query, indexed_parts), caller)
        is_selective = indexed_parts[-1].records < self._limits.records
        # MongoDB tries the index for each word whose records it can merge.
        merged = [part.clause for part in indexed_parts if len(part.tokens) <= self._limits.merged]
        by_texts = texts if is_merged else self.by_texts(kind, query, caller)
        return ListSource(all_of([listed, *merged, by_texts]), indexed, residual, is_selective)

    def _named(
        self, kind: Kind, query: SearchQuery, texts: Clause, caller: Caller
    ) -> Sequence[int] | None:
        """Return the ids of matches where the rarest words leave few; ``texts`` match the query.

        ``None`` where they leave many, or where the index decides the only word.
        """
        is_one_word = len(query.words) == 1 and not query.unwanted
        if is_one_word and is_plain_part(query.words[0]) and self.covers(query.chain):
            return None
        return self._ids.of(kind, texts, partial(self._find_ids, kind, query, caller))

    def _find_ids(self, kind: Kind, query: SearchQuery, caller: Caller) -> Sequence[int] | None:
        indexed_parts = self._indexed_parts(kind, query, caller)
        if not indexed_parts:
            return None
        if indexed_parts[0].records == 0:
            return array("q")
        most = self._limits.named
        few = [part for part in indexed_parts if part.records < self._limits.records]
        is_rare = bool(few) and few[0].records < self._limits.one_by_one
        rarest = few[: 1 if is_rare else self._limits.rarest]
        if not rarest or (len(rarest) == 1 and rarest[0].records >= most):
            return None
        texts = _text_clause(kind, query, self._undecided_words(query, rarest), caller)
        return ids_with_words(self._store, kind, [part.clause for part in rarest], texts, most)

    def _undecided_words(
        self, query: SearchQuery, indexed_parts: Sequence[_IndexedPart]
    ) -> list[str]:
        """Return the words that the indexed parts do not prove to be in a text."""
        if not self.covers(query.chain):
            return list(query.words)
        parts = {indexed.part for indexed in indexed_parts}
        return [
            word
            for word in query.words
            if not is_plain_part(word) or Part(word, PartPlace.ANYWHERE) not in parts
        ]

    def _look_up(self, kind: Kind, prefixes: Sequence[str], many: int) -> LookUp:
        """Return a look-up of parts in tokens with these prefixes, up to so ``many`` records."""
        limits, rules = self._limits, self._vocabulary.rules
        return LookUp(kind.name, rules, tuple(prefixes), limits.words, many, limits.merged)

    def _longest_parts(self, query: SearchQuery) -> list[Part]:
        """Return the parts by which a search is narrowed."""
        parts = {part: None for word in query.words for part in parts_of(word)}
        return sorted(parts, key=lambda part: -len(part.text))[: self._limits.parts]

    def _indexed_parts(
        self, kind: Kind, query: SearchQuery, caller: Caller
    ) -> list[_IndexedPart] | None:
        """Return the parts of few enough words, the rarest first.

        ``None`` where the vocabulary cannot help.
        """
        longest, prefixes = self._longest_parts(query), self._prefixes(query, caller)
        look_up = self._look_up(kind, prefixes, self._limits.records)
        looked_up = self._parts.of(look_up, longest) if longest else {}
        if looked_up is None:
            return None
        indexed_parts = []
        for part, answer in looked_up.items():
            if not answer.too_many:
                tokens = answer.tokens(prefixes)
                clause = _visible_to(caller, tokens)
                indexed_parts.append(_IndexedPart(part, tokens, answer.records, clause))
        return sorted(indexed_parts, key=lambda part: part.records)

    def _prefixes(self, query: SearchQuery, caller: Caller) -> list[str]:
        """Return the prefixes of tokens that the caller may find.

        The first language of a chain has the tokens of all texts that the chain shows.
        """
        covered = self.covers(query.chain)
        languages = [EVERYBODY, *(query.chain[:1] if covered else query.chain)]
        protection = (False, True) if caller.may(Right.EDIT) else (False,)
        return [
            token(language, "", protected=protected)
            for language in languages
            for protected in protection
        ]


def _visible_to(caller: Caller, tokens: Sequence[str]) -> Clause:
    """Match records that show one of the words to the caller."""
    editable = editable_by(caller)
    if editable in (EVERYTHING, NOTHING):
        return shows(tokens)
    unlocked = [each for each in tokens if not is_protected(each)]
    protected = [each for each in tokens if is_protected(each)]
    return any_of([shows(unlocked), all_of([shows(protected), editable])])


def _text_clause(kind: Kind, query: SearchQuery, words: Sequence[str], caller: Caller) -> Clause:
    """Match records with the words in their texts, protected ones by the title alone."""
    texts = _matching(query, words, kind.searched_texts, kind.searched_lines)
    unlocked = unlocked_for(caller)
    if not texts or not unlocked:
        return texts
    titles = _matching(query, words, (kind.label,), ())
    return any_of([all_of([unlocked, texts]), all_of([not_any([unlocked]), titles])])


def _matching(
    query: SearchQuery, words: Sequence[str], texts: Sequence[str], shared: Sequence[str]
) -> Clause:
    return matching(words, query.unwanted, texts=texts, shared=shared, chain=query.chain)
