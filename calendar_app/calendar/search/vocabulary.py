"""The index of the words that records show, and the vocabulary of all words.

The vocabulary gets a word before the record is stored that has it, outside the transaction: so
writers of one new word do not wait for each other, and a reader who sees the record sees the word.
A word stays when its last record goes.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from hashlib import blake2b
from itertools import islice

from calendar_app.domain.fields import (
    DISPLAY_TITLE,
    FOLDED,
    HAS_TITLE,
    RULES,
    TITLE_LANGUAGES,
    WORDS,
)
from calendar_app.domain.kind import Index, Kind, Record
from calendar_app.domain.ledger import MARKS, readable
from calendar_app.domain.texts.composing import has_own_texts, searchable
from calendar_app.domain.words import FOLDING_RULES, endings, shown_texts, words_of
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.mongo.transactions import on_commit
from calendar_app.storage.query.clauses import (
    EVERYTHING,
    all_of,
    equals,
    folded_otherwise,
    language_set,
    one_of,
)
from calendar_app.storage.query.words import (
    ENDINGS,
    VOCABULARY,
    indexed_otherwise,
    title_token,
    token,
    token_of_series,
    word_of,
)

Chains = Mapping[str, Sequence[str]]


def index_fields(kind: Kind, record: Record, chains: Chains) -> Record:
    """Return the index fields of a record's titles.

    ``chains`` has for each language those that its readers are shown, best first.
    """
    titles = {
        language: texts[kind.label]
        for language, texts in record.get("variants", {}).items()
        if kind.label in texts
    }
    display_titles = {
        language: next((titles[tag] for tag in chain if tag in titles), "")
        for language, chain in chains.items()
    }
    return {
        DISPLAY_TITLE: display_titles,
        TITLE_LANGUAGES: language_set(titles),
        HAS_TITLE: {language: language in titles for language in chains},
    }


# The index of the words that records show, and the vocabulary of all words.
#
# The vocabulary gets a word before the record is stored that has it, outside the transaction: so
# writers of one new word do not wait for each other, and a reader who sees the record sees the
# word. A word stays when its last record goes.

VOCABULARY_INDEXES = (
    Index(((ENDINGS, 1), ("_id", 1)), "words that contain what is searched", deferred=True),
)
# In place of a language: a word that readers of all languages see. Most events are written in one
# language, and so each of their words is indexed once.
EVERYBODY = ""
# To be raised when the same texts give other words, or other notes.
_VERSION = 8
_BATCH = 200
# Seconds for a batch: all words of a document are entered anew, on slow disks too.
_REINDEXING = 60.0
# So many words that are surely stored are remembered, then all are forgotten.
_MOST_RECENT = 50_000
# So few words are written without a look-up of those that are stored.
_UNCHECKED = 8
# So many are removed at once.
_MANY_WORDS = 10_000


class Vocabulary:
    """Indexes the words that a record shows to readers of each language.

    ``chains`` has for each language of the site the languages that its readers are shown, best
    first. Texts with ``withheld`` marks are shown to none of them.
    """

    def __init__(self, store: Store, chains: Chains, withheld: tuple[str, ...] = ()) -> None:
        self._store = store
        self.withheld = withheld
        self._chains = {language: tuple(chain) for language, chain in chains.items()}
        rules = repr((_VERSION, FOLDING_RULES, sorted(self._chains.items()), *withheld))
        # Words that are stored, in the database of this sequence.
        self._recent: set[str] = set()
        self._sequence_uuid: str | None = None
        self.rules = blake2b(rules.encode(), digest_size=8).hexdigest()

    def covers(self, chain: Sequence[str]) -> bool:
        """Return whether words are indexed for exactly this chain."""
        return self._chains.get(chain[0]) == tuple(chain)

    def index_words(self, changes: Iterable[tuple[Kind, Record, Record]]) -> None:
        """Add the index fields to records before they are stored, and words to the vocabulary.

        Each change is a record before and after, ``before`` is empty for a new one. Records that
        share their folded texts, as the events of a series do, share the fields that follow; their
        words stand with the series.
        """
        shared: dict[int, tuple[Record, Record]] = {}
        added: dict[str, set[str]] = {}
        for kind, before, after in changes:
            folded, lender = after.get(FOLDED, {}), lender_of(after)
            # Texts that were not composed anew are those of before.
            if before and folded is before.get(FOLDED) and lender_of(before) == lender:
                continue
            if not kind.found_by_words:
                if self.withheld and folded:
                    after[FOLDED] = self._readable(kind, after)[FOLDED]
                continue
            if id(folded) not in shared:
                shared[id(folded)] = folded, self._shared_fields(kind, self._readable(kind, after))
            after.update(shared[id(folded)][1])
            if lender:
                after[WORDS] = _lent_words(lender, after)
            else:
                after[WORDS] = tokens_of(kind, after, self._chains)
                tokens = set(after[WORDS]).difference(before.get(WORDS, ()))
                added.setdefault(kind.sequence, set()).update(tokens)
        for sequence, tokens in added.items():
            self._add_tokens(sequence, tokens)

    def is_complete(self, kind: Kind) -> bool:
        """Return whether all records of a kind are indexed by the present rules."""

        def look_up(_: Collection[str]) -> dict[str, bool]:
            return {kind.name: not self.is_stale(kind)}

        return (
            kind.found_by_words
            and self._store.cached_lookup("index_fields", [kind.name], look_up)[kind.name]
        )

    def is_stale(self, kind: Kind, *, least: int = 1) -> bool:
        """Return whether at least so many records are indexed by other rules."""
        stale = indexed_otherwise(self.rules)
        return len(self._store.of(kind).find(stale, limit=least, fields=["_id"])) == least

    def reindex(self, kind: Kind) -> int:
        """Index the records that other rules have indexed; return their number.

        Safe to interrupt, to repeat, and to run while others write.
        """
        read = ["password", "revision", "start_local", "variants", *kind.searched_lines]
        read += ["series", "overrides", MARKS]
        stale = self._store.of(kind).stream(
            indexed_otherwise(self.rules), order=[("_id", 1)], fields=read
        )
        reindexed = 0
        while batch := list(islice(stale, _BATCH)):
            lenders = [lender_of(record) for record in batch]
            updated_fields = [
                self._refolded_fields(kind, record, lender)
                for record, lender in zip(batch, lenders, strict=True)
            ]
            own = (
                fields[WORDS]
                for lender, fields in zip(lenders, updated_fields, strict=True)
                if not lender
            )
            self._add_tokens(kind.sequence, set[str]().union(*own))
            updates = [
                # A write in between has indexed the record itself.
                (optimistic_filter(record), {"$set": fields})
                for record, fields in zip(batch, updated_fields, strict=True)
            ]
            reindexed += self._store.change_in_parts(kind, updates, _REINDEXING)
        return reindexed

    def unused_words(self, kinds: Iterable[Kind]) -> set[str]:
        """Return the stored words that no record of these kinds has."""
        tokens: list[Record] = [{"$unwind": f"${WORDS}"}, {"$group": {"_id": f"${WORDS}"}}]
        used = {
            word_of(each["_id"]) for kind in kinds for each in self._store.of(kind).each(tokens)
        }
        stored = self._store[VOCABULARY].stream(EVERYTHING, order=[("_id", 1)], fields=["_id"])
        return {word["_id"] for word in stored} - used

    def remove_words(self, words: Iterable[str]) -> None:
        """Remove words while nobody else writes: other processes remember them as stored."""
        words = iter(words)
        while batch := list(islice(words, _MANY_WORDS)):
            self._store[VOCABULARY].remove(one_of("_id", batch))

    def _readable(self, kind: Kind, record: Record) -> Record:
        """Return a record with the texts that readers are shown."""
        visible = readable(record, self.withheld)
        return record if visible is record else visible | searchable(kind, visible)

    def _shared_fields(self, kind: Kind, record: Record) -> Record:
        """Return the index fields of a record but for its words."""
        folded = {**record.get(FOLDED, {}), RULES: self.rules}
        return {FOLDED: folded, **index_fields(kind, record, self._chains)}

    def _refolded_fields(self, kind: Kind, record: Record, lender: int | None) -> Record:
        """Return the index fields of a record, with its texts refolded."""
        record = readable(record, self.withheld)
        refolded = searchable(kind, record)
        words = (
            _lent_words(lender, record)
            if lender
            else tokens_of(kind, record | refolded, self._chains)
        )
        return {**refolded, WORDS: words, **self._shared_fields(kind, record | refolded)}

    def _add_tokens(self, sequence: str, tokens: set[str]) -> None:
        """Add the words of tokens that records get, unless they were added lately.

        Another sequence is that of another database: a restored one lacks words that were stored
        before.
        """
        sequence_uuid = self._store.sequence_uuid(sequence)
        if sequence_uuid != self._sequence_uuid:
            self._recent, self._sequence_uuid = set(), sequence_uuid
        words = {word_of(token) for token in tokens}
        self._add_words(words - self._recent)
        on_commit(partial(_remember, self._recent, words))

    def _add_words(self, words: set[str]) -> None:
        if len(words) > _UNCHECKED:
            stored = self._store[VOCABULARY].find(one_of("_id", words), fields=["_id"])
            words.difference_update(word["_id"] for word in stored)
        if words:
            self._store[VOCABULARY].add_unjournaled(
                [{"_id": word, ENDINGS: endings(word)} for word in sorted(words)]
            )


class DryRunVocabulary(Vocabulary):
    """Adds no words, since they are stored outside of transactions."""

    def _add_tokens(self, sequence: str, tokens: set[str]) -> None:
        del sequence, tokens


def lender_of(record: Record) -> int | None:
    """Return the series that lends its words to an occurrence without texts of its own."""
    series: int | None = record.get("series")
    return series if series and not has_own_texts(record) else None


def _lent_words(series: int, record: Record) -> list[str]:
    """Return the tokens of an occurrence that shows the words of its series."""
    protections = (False,) if record.get("password") is None else (False, True)
    return [token_of_series(series, protected=protected) for protected in protections]


def tokens_of(kind: Kind, record: Record, chains: Chains) -> list[str]:
    """Return the tokens of a record's words, by the chain of each language.

    Of a protected record everybody sees the words of the title.
    """
    folded = record.get(FOLDED, {})
    titles = _texts(folded, (kind.label,), chains)
    texts = _texts(folded, kind.searched_texts, chains)
    in_titles = [
        *_tokens(titles, _first_word, partial(title_token, first=True)),
        *_tokens(titles, _further_words, partial(title_token, first=False)),
    ]
    if record.get("password") is None:
        return in_titles + _tokens(texts, _words, partial(token, protected=False))
    return [
        *in_titles,
        *_tokens(titles, _words, partial(token, protected=False)),
        *_tokens(texts, _words, partial(token, protected=True)),
    ]


def _texts(folded: Record, names: Sequence[str], chains: Chains) -> dict[str, tuple[str, ...]]:
    return {language: shown_texts(folded, names, chain) for language, chain in chains.items()}


def _tokens(
    texts: Mapping[str, tuple[str, ...]],
    words_in: Callable[[tuple[str, ...]], set[str]],
    make_token: Callable[[str, str], str],
) -> list[str]:
    """Return the tokens of some words in the texts that readers of each language see."""
    # Languages that show the same texts show the same words.
    words = {visible: words_in(visible) for visible in set(texts.values())}
    shared = set.intersection(*words.values())
    by_language = [(EVERYBODY, shared)]
    if len(words) > 1:
        by_language += [(tag, words[visible] - shared) for tag, visible in texts.items()]
    return [
        make_token(tag, word)
        for tag, language_words in by_language
        for word in sorted(language_words)
    ]


def _remember(recent: set[str], words: set[str]) -> None:
    if len(recent) > _MOST_RECENT:
        recent.clear()
    recent |= words


def _words(texts: Iterable[str]) -> set[str]:
    return set[str]().union(*map(words_of, texts))


def _first_word(titles: Iterable[str]) -> set[str]:
    return {word for title in titles for word in words_of(title)[:1]}


def _further_words(titles: Iterable[str]) -> set[str]:
    return {word for title in titles for word in words_of(title)[1:]}


def optimistic_filter(record: Record) -> dict[str, object]:
    """Match a record only at the revision that was read."""
    return all_of([equals("_id", record["_id"]), equals("revision", record.get("revision"))])


# Folding of stored texts and names by the present rules.


def refold(store: Store, kind: Kind) -> int:
    """Fold the texts that other rules have folded; return the number of records.

    Safe to interrupt, to repeat, and to run while others write. Kinds with an index of words are
    refolded by ``Vocabulary.reindex``.
    """
    records = store.of(kind)
    fields = ["revision", "variants", *kind.searched_lines]
    stale = records.stream(folded_otherwise(FOLDING_RULES), order=[("_id", 1)], fields=fields)
    refolded = 0
    while batch := list(islice(stale, _BATCH)):
        updates = [
            (optimistic_filter(record), {"$set": searchable(kind, record)}) for record in batch
        ]
        refolded += store.change_in_parts(kind, updates, _REINDEXING)
    return refolded
