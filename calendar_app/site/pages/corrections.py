"""Suggests a corrected search where one finds nothing, with words that records show."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice, product

from calendar_app.api.http.request.current import Context
from calendar_app.domain.kind import Record
from calendar_app.domain.kinds import EVENT
from calendar_app.domain.richtext import plain
from calendar_app.domain.words import fold, is_plain_part, read_search
from calendar_app.readmodel.records import shown
from calendar_app.site.pages.questions import Question, load
from calendar_app.storage.query.list_query import Listing, Window

# Words that are looked up, and searches that are counted.
_MOST_WORDS, _MOST_SEARCHES = 5, 4
_WORD = re.compile(r"[^\W_]+")
# The filters that choose a part of a list count for nothing.
_OF_PARTS = {"page", "per_page"}


@dataclass(frozen=True, slots=True)
class Correction:
    """A search as it was perhaps meant, and how many events it finds."""

    text: str
    number: int


def correction_of(context: Context, question: Question) -> Correction | None:
    """Return the search that is spelled most like that of a question, and finds something.

    Only words count that the caller's own search finds, beside the other filters.
    """
    search = question.sent.get("search", "")
    words = [word for word in read_search(search).wanted if is_plain_part(word)]
    similar = context.services.similar_words
    unknown = similar.are_unknown(words[:_MOST_WORDS])
    choices = [[(word, each) for each in similar.of(word)] for word in unknown]
    proposals = [dict(pairs) for pairs in islice(product(*choices), _MOST_SEARCHES)]
    if not unknown or not proposals:
        return None
    listings = [_listing(question, _replaced(search, each)) for each in proposals]
    totals = context.reader.totals([(EVENT, listing) for listing in listings], context.caller)
    for proposal, listing, total in zip(proposals, listings, totals, strict=True):
        if total:
            first = replace(listing, window=Window(1, 1))
            (event,) = context.reader.search(EVENT, first, context.caller).items
            written = _as_written(shown(event, context.settings), context.chain)
            words_shown = {word: written.get(each, each) for word, each in proposal.items()}
            return Correction(_replaced(search, words_shown), total)
    return None


def _listing(question: Question, search: str) -> Listing:
    filters = {name: each for name, each in question.filters.items() if name not in _OF_PARTS}
    return load({**filters, **question.window, "search": search}).listing


def _replaced(search: str, words: Mapping[str, str]) -> str:
    """Return a search with other words in the place of some, which are folded."""
    return _WORD.sub(lambda match: words.get(fold(match[0]), match[0]), search)


def _as_written(event: Record, chain: tuple[str, ...]) -> Mapping[str, str]:
    """Return the words of an event as its texts spell them, by their folded form."""
    return {fold(word): word for text in _texts(event, chain) for word in _WORD.findall(text)}


def _texts(event: Record, chain: tuple[str, ...]) -> Iterator[str]:
    """Yield the searched texts, the most important ones last."""
    for language in reversed(chain):
        texts = event["variants"].get(language, {})
        for name in reversed(EVENT.searched_texts):
            if isinstance(text := texts.get(name), str):
                yield plain(text)
