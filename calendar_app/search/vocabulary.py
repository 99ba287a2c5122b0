"""The words that records show, and the vocabulary of all of them, by which searches go.

The vocabulary gets a word before the record is stored that has it, outside the transaction: so
writers of one new word do not wait for each other, and a reader who sees the record sees the word.
A word stays when its last record goes.
"""

from collections.abc import Collection, Iterable, Sequence
from functools import partial
from hashlib import blake2b
from itertools import islice

from calendar_app.content.composing import searchable
from calendar_app.domain.folding import FOLDING_RULES
from calendar_app.domain.kind import Index, Kind, Record
from calendar_app.domain.words import endings, shown_texts, words_of
from calendar_app.mongo.store import Store
from calendar_app.mongo.transactions import on_commit
from calendar_app.query.clauses import all_of, equals, one_of
from calendar_app.query.texts import FOLDED
from calendar_app.query.words import (
    ENDINGS,
    RULES,
    VOCABULARY,
    WORDS,
    entry,
    word_of,
    worded_otherwise,
)
from calendar_app.search.index_fields import Chains, noted
from calendar_app.search.two_generation_set import Lately

VOCABULARY_INDEXES = (
    Index(((ENDINGS, 1), ("_id", 1)), "words that contain what is searched", deferred=True),
)
# In place of a language: a word that readers of all of them are shown. Most events are written in
# one language alone, and so each of their words is entered once.
EVERYBODY = ""
# To be raised when the same texts give other words, or other notes.
_VERSION = 6
_AT_ONCE = 500
# Words that are remembered to be known, by who writes records one by one, and who many at once.
_LEARNED, _LEARNED_OF_MANY = 50_000, 200_000
# So few words are written without asking whether they are there.
_FEW = 8


class Vocabulary:
    """Writes down which words a record shows to readers of each language.

    ``chains`` has for each language of the site the languages that its readers are shown, best
    first.
    """

    def __init__(self, store: Store, chains: Chains) -> None:
        self._store = store
        self._chains = {language: tuple(chain) for language, chain in chains.items()}
        rules = repr((_VERSION, FOLDING_RULES, sorted(self._chains.items())))
        # Entries whose words are in the vocabulary, and of which database that is.
        self._learned = Lately(_LEARNED)
        self._learned_of_many = Lately(_LEARNED_OF_MANY)
        self._learned_of: str | None = None
        self.rules = blake2b(rules.encode(), digest_size=8).hexdigest()

    def covers(self, chain: Sequence[str]) -> bool:
        """Say whether the words are known that exactly this chain shows."""
        return self._chains.get(chain[0]) == tuple(chain)

    def enter(self, kind: Kind, after: Record, before: Record | None = None) -> None:
        """Write into a record that is to be stored which words it shows, and know them."""
        if kind.found_by_words:
            self._note(kind, after)
            if before is None:
                self._learn_new(after[WORDS], of=self._store.sequence_uuid(kind.sequence))
            else:
                self._learn(set(after[WORDS]).difference(before.get(WORDS, ())))

    def enter_many(self, kind: Kind, records: Collection[Record]) -> None:
        """Do as ``enter`` for some of many new records; what has words already keeps them."""
        if kind.found_by_words:
            for record in records:
                self._note(kind, record, record.get(WORDS))
            self._learn_many(records)

    def is_complete(self, kind: Kind) -> bool:
        """Say whether all records of a kind are noted by the present rules; of some kinds none."""

        def ask(_: Collection[str]) -> dict[str, bool]:
            return {kind.name: not self.lags(kind)}

        return (
            kind.found_by_words and self._store.cached_lookup("noted", [kind.name], ask)[kind.name]
        )

    def lags(self, kind: Kind, *, by: int = 1) -> bool:
        """Say whether so many records have no words by the present rules."""
        behind = worded_otherwise(self.rules)
        return len(self._store.of(kind).find(behind, limit=by, fields=["_id"])) == by

    def catch_up(self, kind: Kind) -> int:
        """Note all records that are not noted by the present rules; return how many.

        This can be interrupted and repeated, and go on while others write.
        """
        fields = ["password", "revision", "start_local", "variants", *kind.searched_lines]
        behind = self._store.of(kind).stream(
            worded_otherwise(self.rules), order=[("_id", 1)], fields=fields
        )
        done = 0
        while batch := list(islice(behind, _AT_ONCE)):
            notes = [self._noted_anew(kind, record) for record in batch]
            self._learn_many(notes)
            updates = [
                # Who has changed the record meanwhile has noted it.
                (as_read(record), {"$set": note})
                for record, note in zip(batch, notes, strict=True)
            ]
            done += self._store.of(kind).change_each(updates)
        return done

    def _note(self, kind: Kind, record: Record, words: list[str] | None = None) -> None:
        record |= self._noted(kind, record, words)
        record[FOLDED] = {**record[FOLDED], RULES: self.rules}

    def _noted(self, kind: Kind, record: Record, words: list[str] | None = None) -> Record:
        entries = entries_of(kind, record, self._chains) if words is None else words
        return {WORDS: entries, **noted(kind, record, self._chains)}

    def _noted_anew(self, kind: Kind, record: Record) -> Record:
        """Return also what earlier rules may have folded otherwise."""
        found = searchable(kind, record)
        notes = self._noted(kind, record | found)
        return {**found, **notes, FOLDED: {**found[FOLDED], RULES: self.rules}}

    def _learn_new(self, entries: Iterable[str], of: str | None) -> None:
        """Do as ``_learn``, but for what has been learned before; ``of`` tells of which database.

        Others have written the words of changes that fail, perhaps to no disk.
        """
        if of != self._learned_of:
            self._learned, self._learned_of = Lately(_LEARNED), of
        self._learn_lacking(set(entries), self._learned)

    def _learn_many(self, records: Iterable[Record]) -> None:
        """Do as ``_learn`` for what is entered in one go, in which words come again and again."""
        entries = set[str]().union(*(record[WORDS] for record in records))
        self._learn_lacking(entries, self._learned_of_many)

    def _learn_lacking(self, entries: set[str], learned: Lately) -> None:
        self._learn(learned.unknown(entries))
        on_commit(partial(learned.add, entries))

    def _learn(self, entries: Iterable[str]) -> None:
        words = {word_of(written) for written in entries}
        if len(words) > _FEW:
            known = self._store[VOCABULARY].find(one_of("_id", words), fields=["_id"])
            words.difference_update(found["_id"] for found in known)
        if words:
            self._store[VOCABULARY].add_unjournaled(
                [{"_id": word, ENDINGS: endings(word)} for word in sorted(words)]
            )


def entries_of(kind: Kind, record: Record, chains: Chains) -> list[str]:
    """Return the entries of the words that a record shows, by the chain of each language.

    Of what is locked everybody is shown the words of the title.
    """
    folded = record.get(FOLDED, {})
    if record.get("password") is None:
        return _entries(folded, kind.searched_texts, chains, sealed=False)
    title = _entries(folded, (kind.label,), chains, sealed=False)
    return title + _entries(folded, kind.searched_texts, chains, sealed=True)


def _entries(folded: Record, names: Sequence[str], chains: Chains, *, sealed: bool) -> list[str]:
    texts = {language: shown_texts(folded, names, chain) for language, chain in chains.items()}
    # Languages that show the same texts show the same words.
    words = {shown: _words(shown) for shown in set(texts.values())}
    shared = set.intersection(*words.values())
    told = [(EVERYBODY, shared)]
    if len(words) > 1:
        told += [(tag, words[shown] - shared) for tag, shown in texts.items()]
    marked = [(entry(tag, "", sealed=sealed), sorted(some)) for tag, some in told]
    return [mark + word for mark, some in marked for word in some]


def _words(texts: Iterable[str]) -> set[str]:
    return set[str]().union(*map(words_of, texts))


def as_read(record: Record) -> dict[str, object]:
    return all_of([equals("_id", record["_id"]), equals("revision", record.get("revision"))])
