"""What a search finds: decided by the index of words as far as it can be, else by the texts."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from calendar_app.accounts.caller import Caller
from calendar_app.accounts.policy import editable_by, unlocked_for
from calendar_app.accounts.roles import Right
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.words import Part, Place, is_plain_part, parts_of
from calendar_app.errors import InvalidParameters, Message
from calendar_app.mongo.store import Store
from calendar_app.query.clauses import EVERYTHING, NOTHING, Clause, all_of, any_of, not_any
from calendar_app.query.distances import measuring
from calendar_app.query.geo import Circle
from calendar_app.query.list_query import Sought
from calendar_app.query.texts import matching
from calendar_app.query.words import (
    UNWORDED,
    VOCABULARY,
    LookUp,
    entry,
    is_sealed,
    shows,
)
from calendar_app.search.vocabulary import EVERYBODY, Vocabulary

Told = Mapping[Part, Record | None]

# Of parts that more words have, nothing is kept.
_MOST_KEPT = 500
_LARGE: Record = {"words": [], "records": -1}


@dataclass(frozen=True, slots=True)
class Bounds:
    """Up to where an index of words is asked, measured with a million events.

    Where more than ``words`` have a part, it is no help. Up to ``records`` are sorted as it gives
    them, and up to ``one_by_one`` are read to see what else they show. Of up to ``merged`` words
    MongoDB merges the records in the order of the list. ``parts`` of words narrow a search;
    further ones are looked for in the texts. Where it is no help at all, ``texts`` are read of so
    many records.
    """

    words: int = 20_000
    records: int = 10_000
    one_by_one: int = 500
    merged: int = 100
    parts: int = 8
    texts: int = 50_000


@dataclass(frozen=True, slots=True)
class Source:
    """Clauses that find the records of a list at one cluster time.

    ``clause`` matches them. Where there is ``indexed``, an index decides each of these clauses by
    itself, and documents decide the ``residual`` one: so they are counted, and where each matches
    few (``is_selective``) sorted too. ``counted`` is an equal of ``clause`` that is counted sooner.
    """

    clause: Clause
    indexed: Sequence[Clause] = ()
    residual: Clause = field(default_factory=lambda: EVERYTHING)
    is_selective: bool = False
    counted: Clause | None = None


@dataclass(frozen=True, slots=True)
class _Known:
    """A part of words, the entries of the words that have it, and how many records show one."""

    part: Part
    entries: Sequence[str]
    records: int
    clause: Clause


class Searching:
    """Turns what is sought into a clause."""

    def __init__(self, store: Store, vocabulary: Vocabulary, bounds: Bounds | None = None) -> None:
        self._store = store
        self._vocabulary = vocabulary
        self._bounds = bounds or Bounds()

    def is_noted(self, kind: Kind) -> bool:
        """Say whether of each record is noted what indexes need to know of its texts."""
        return self._vocabulary.is_complete(kind)

    def covers(self, chain: Sequence[str]) -> bool:
        """Say whether what exactly this chain shows is what is noted."""
        return self._vocabulary.covers(chain)

    @property
    def most_texts(self) -> int:
        """Of so many records texts are read at most; more would keep others waiting."""
        return self._bounds.texts

    def are_more(self, kind: Kind, listed: Clause, circle: Circle | None, than: int) -> bool:
        """Say whether more records are listed; ``circle`` names the one that is part of that."""
        passing = measuring(listed, circle) if circle else [{"$match": listed}]
        some = self._store.of(kind).aggregate([*passing, {"$limit": than + 1}, {"$count": "total"}])
        return bool(some) and some[0]["total"] > than

    def by_texts(self, kind: Kind, sought: Sought, caller: Caller) -> Clause:
        """Return the clause that looks at the texts of each record."""
        return _texts(kind, sought, sought.wanted, caller)

    def source(
        self,
        kind: Kind,
        sought: Sought,
        listed: Clause,
        caller: Caller,
        circle: Circle | None = None,
    ) -> Source:
        """Return the source of the ``listed`` records that show what is sought, after one question.

        ``circle`` names the one that is part of what is listed. As long as a record waits for its
        words to be entered, the texts decide. Raises ``InvalidParameters`` where they would always,
        and there are too many of them.
        """
        by_texts = Source(all_of([listed, self.by_texts(kind, sought, caller)]))
        parts = {part: None for word in sought.wanted for part in parts_of(word)}
        some = sorted(parts, key=lambda part: -len(part.text))[: self._bounds.parts]
        told = self._told(kind, sought, some, caller) if some else {}
        if told is None:
            return by_texts
        known = sorted(self._known(sought, some, told, caller), key=lambda one: one.records)
        if not known:
            if sought.wanted or sought.unwanted:
                self._require_few(kind, listed, circle)
            return by_texts
        if known[0].records == 0:
            return Source(NOTHING)
        return self._by_words(kind, sought, listed, known, caller)

    def _require_few(self, kind: Kind, listed: Clause, circle: Circle | None) -> None:
        most = self.most_texts
        if self.are_more(kind, listed, circle, most):
            narrow = Message(
                "search must hold a longer word, or be narrowed to {most} records.", most=most
            )
            raise InvalidParameters({"search": narrow})

    def _by_words(
        self, kind: Kind, sought: Sought, listed: Clause, known: Sequence[_Known], caller: Caller
    ) -> Source:
        """Return the source of records that show the ``known`` parts of words, the rarest first."""
        rarest = known[0]
        indexed = [all_of([listed, part.clause]) for part in known]
        texts = _texts(kind, sought, self._undecided(sought, [rarest]), caller)
        is_merged = len(rarest.entries) <= self._bounds.merged
        if not texts and is_merged:
            return Source(indexed[0])
        if texts and (len(known) == 1 or rarest.records < self._bounds.one_by_one):
            return Source(all_of([indexed[0], texts]))
        if not texts:
            known, indexed = known[:1], indexed[:1]
        residual = _texts(kind, sought, self._undecided(sought, known), caller)
        is_selective = known[-1].records < self._bounds.records
        # MongoDB tries the index for each word whose records it can merge.
        some = [part.clause for part in known if len(part.entries) <= self._bounds.merged]
        by_texts = texts if is_merged else self.by_texts(kind, sought, caller)
        return Source(all_of([listed, *some, by_texts]), indexed, residual, is_selective)

    def _undecided(self, sought: Sought, known: Sequence[_Known]) -> list[str]:
        """Return the words that may be lacking in texts that show what is known."""
        if not self.covers(sought.chain):
            return list(sought.wanted)
        parts = {one.part for one in known}
        return [
            word
            for word in sought.wanted
            if not is_plain_part(word) or Part(word, Place.ANYWHERE) not in parts
        ]

    def _told(
        self, kind: Kind, sought: Sought, parts: Sequence[Part], caller: Caller
    ) -> Told | None:
        """Return what the vocabulary tells of each part; ``None`` if that is no use.

        It is asked once between two writes, but for parts of so many words that to keep them would
        take too much memory.
        """
        marks, fresh = self._marks(sought, caller), dict[Part, Record | None]()
        look_up = LookUp(
            kind.name, self._vocabulary.rules, marks, self._bounds.words, self._bounds.records
        )

        def ask(some: Collection[Part]) -> Told:
            fresh.update(self._asked(look_up, list(some)))
            return {part: _kept(one) for part, one in fresh.items()}

        told = self._store.cached_lookup(f"{kind.name} {marks}", parts, ask, _finds_the_same)
        large = [part for part, one in told.items() if one == _LARGE and part not in fresh]
        told |= self._asked(look_up, large) if large else {}
        told |= fresh
        return None if None in told.values() else told

    def _asked(self, look_up: LookUp, parts: Sequence[Part]) -> Told:
        """Return what the vocabulary tells of each part now; ``None`` of each if that is no use."""
        try:
            answers = self._store[VOCABULARY].aggregate(look_up.stages(parts))
        except NotImplementedError:  # by mongomock, of stages it has not
            return dict.fromkeys(parts)
        told = {one["_id"]: one for one in answers}
        if UNWORDED in told:
            return dict.fromkeys(parts)
        return {part: told.get(n, {"words": [], "records": 0}) for n, part in enumerate(parts)}

    def _known(
        self, sought: Sought, parts: Sequence[Part], told: Told, caller: Caller
    ) -> Iterator[_Known]:
        """Yield what is known of the parts that few enough words have."""
        marks = self._marks(sought, caller)
        for part in parts:
            one = told[part] or _LARGE
            if len(one["words"]) <= self._bounds.words:
                entries = [mark + word for mark in marks for word in one["words"]]
                yield _Known(part, entries, one["records"], _shown_to(caller, entries))

    def _marks(self, sought: Sought, caller: Caller) -> list[str]:
        """Return how entries begin that the caller may find.

        What a language has is shown to its own readers, whatever chain shows it to others.
        """
        covered = self.covers(sought.chain)
        languages = [EVERYBODY, *(sought.chain[:1] if covered else sought.chain)]
        kinds = (False, True) if caller.may(Right.EDIT) else (False,)
        return [entry(language, "", sealed=sealed) for language in languages for sealed in kinds]


def _finds_the_same(told: Record | None, other: Record | None) -> bool:
    """Say whether searches find the same, if not in the same way: that goes by how many."""
    if told is None or other is None:
        return told is other
    return told["words"] == other["words"] and bool(told["records"]) == bool(other["records"])


def _kept(told: Record | None) -> Record | None:
    """Return what is kept of what the vocabulary told of a part."""
    return told if told is None or len(told["words"]) <= _MOST_KEPT else _LARGE


def _shown_to(caller: Caller, entries: Sequence[str]) -> Clause:
    """Match records that show one of the words to the caller."""
    editable = editable_by(caller)
    if editable in (EVERYTHING, NOTHING):
        return shows(entries)
    unlocked = [written for written in entries if not is_sealed(written)]
    sealed = [written for written in entries if is_sealed(written)]
    return any_of([shows(unlocked), all_of([shows(sealed), editable])])


def _texts(kind: Kind, sought: Sought, wanted: Sequence[str], caller: Caller) -> Clause:
    """Match what has the words in its texts; of what is locked, in the title."""
    shown = _matching(sought, wanted, kind.searched_texts, kind.searched_lines)
    unlocked = unlocked_for(caller)
    if not shown or not unlocked:
        return shown
    titles = _matching(sought, wanted, (kind.label,), ())
    return any_of([all_of([unlocked, shown]), all_of([not_any([unlocked]), titles])])


def _matching(
    sought: Sought, wanted: Sequence[str], texts: Sequence[str], shared: Sequence[str]
) -> Clause:
    return matching(wanted, sought.unwanted, texts=texts, shared=shared, chain=sought.chain)
