"""Folding of stored texts and names by the present rules."""

from itertools import islice

from calendar_app.content.composing import searchable
from calendar_app.domain.folding import FOLDING_RULES
from calendar_app.domain.kind import Kind
from calendar_app.mongo.store import Store
from calendar_app.query.texts import folded_otherwise
from calendar_app.search.vocabulary import optimistic_filter

_BATCH = 500


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
        refolded += records.change_each(
            [(optimistic_filter(record), {"$set": searchable(kind, record)}) for record in batch]
        )
    return refolded
