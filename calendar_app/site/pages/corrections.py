"""Suggests a corrected search where one finds nothing, with words that records show."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product
from typing import Any

from calendar_app.api.http.request.current import Context
from calendar_app.domain.kind import Record
from calendar_app.domain.kinds import EVENT
from calendar_app.domain.richtext import plain
from calendar_app.domain.words import fold, is_plain_part, read_search
from calendar_app.readmodel.records import shown
from calendar_app.site.pages.questions import Question, load
from calendar_app.storage.query.list_query import Window

# Words that are looked up, likely ones for each, and searches that are counted.
_MOST_WORDS, _MOST_CHOICES, _MOST_SEARCHES = 5, 3, 4
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

    Words are unknown, and others are proposed, by the caller's own searches alone: so nobody learns
    from proposals which words hidden records have.
    """
    search = question.sent.get("search", "")
    words = [word for word in read_search(search).wanted if is_plain_part(word)][:_MOST_WORDS]
    numbers = _numbers(context, [{"search": word} for word in words])
    unknown = [word for word, number in zip(words, numbers, strict=True) if not number]
    choices = [[(word, each) for each in some] for word, some in _similar(context, unknown)]
    proposals = [dict(pairs) for pairs in islice(product(*choices), _MOST_SEARCHES)]
    if not unknown or not proposals:
        return None
    filters = {name: each for name, each in question.filters.items() if name not in _OF_PARTS}
    searches = [
        {**filters, **question.window, "search": _replaced(search, each)} for each in proposals
    ]
    for proposal, sent, number in zip(
        proposals, searches, _numbers(context, searches), strict=True
    ):
        if number:
            return Correction(_as_written(context, sent, search, proposal), number)
    return None


def _similar(context: Context, words: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Return for each word those like it that the caller's own searches find, best first."""
    similar = {word: context.services.similar_words.of(word) for word in words}
    candidates = list(dict.fromkeys(each for some in similar.values() for each in some))
    numbers = _numbers(context, [{"search": each} for each in candidates])
    visible = {each for each, number in zip(candidates, numbers, strict=True) if number}
    return [
        (word, [each for each in some if each in visible][:_MOST_CHOICES])
        for word, some in similar.items()
    ]


def _numbers(context: Context, searches: Sequence[Mapping[str, Any]]) -> Sequence[int]:
    """Return how many events each search finds; one query counts them all."""
    listings = [(EVENT, load(sent).listing) for sent in searches]
    return context.reader.totals(listings, context.caller) if listings else ()


def _as_written(
    context: Context, sent: Mapping[str, Any], search: str, proposal: Mapping[str, str]
) -> str:
    """Return a search with its new words as the first event that it finds writes them."""
    listing = replace(load(sent).listing, window=Window(1, 1))
    (event,) = context.reader.search(EVENT, listing, context.caller).items
    words = _words_of(shown(event, context.settings), context.chain)
    written = {word: _written(each, words) for word, each in proposal.items()}
    return _replaced(search, written)


def _written(folded: str, words: Mapping[str, str]) -> str:
    """Return a word, or the end of one, as a text writes it."""
    if folded in words:
        return words[folded]
    ends = (word for key, word in words.items() if key.endswith(folded) and len(key) == len(word))
    return next((word[-len(folded) :] for word in ends), folded)


def _replaced(search: str, words: Mapping[str, str]) -> str:
    """Return a search with other words in the place of some, which are folded."""
    return _WORD.sub(lambda match: words.get(fold(match[0]), match[0]), search)


def _words_of(event: Record, chain: tuple[str, ...]) -> Mapping[str, str]:
    """Return the words of an event as its texts spell them, by their folded form."""
    return {fold(word): word for text in _texts(event, chain) for word in _WORD.findall(text)}


def _texts(event: Record, chain: tuple[str, ...]) -> Iterator[str]:
    """Yield the searched texts, the most important ones last."""
    for language in reversed(chain):
        texts = event["variants"].get(language, {})
        for name in reversed(EVENT.searched_texts):
            if isinstance(text := texts.get(name), str):
                yield plain(text)
