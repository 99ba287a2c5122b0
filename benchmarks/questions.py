"""The questions to calendars of several sizes, with the required times."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from population import LANGUAGES, Population
from single_filters import filters
from zipf import COMMON, RARE, words

from calendar_app.domain.richtext import plain

Query = Mapping[str, str | float]

# At how many events a total may take its time, and what it may take below, first after a write.
COUNTED, TOTAL, DEFAULT_TOTAL = 200_000, 150, 10  # ms
SEARCH, SEARCH_COMMON = 50, 150  # ms, with the total
_PAIRS = (
    ("category", "tag"),
    ("category", "venue"),
    ("category", "organizer"),
    ("category", "three months"),
    ("category", "search"),
    ("category", "10 km"),
    ("category", "featured=true"),
    ("category", "ticketed=true"),
    ("category", "event_status=canceled"),
    ("category", "attendance_mode=online"),
    ("category", "no fallback"),
    ("topmost category", "three months"),
    ("topmost category", "tag"),
    ("topmost category", "100 km"),
    ("topmost category", "search"),
    ("tag", "three months"),
    ("tag", "search"),
    ("venue", "three months"),
    ("venue", "search"),
    ("organizer", "three months"),
    ("organizer", "at any time"),
    ("featured=true", "three months"),
    ("featured=true", "10 km"),
    ("ticketed=true", "three months"),
    ("ticketed=false", "100 km"),
    ("event_status=canceled", "three months"),
    ("attendance_mode=online", "three months"),
    ("search", "three months"),
    ("starts_after", "ends_before"),
    ("overlaps_from", "overlaps_to"),
)
_SORTS = ("start_date", "end_date", "title", "modified", "id", "distance")
_PAGES = (1, 10, 100)
_USUAL = 2000  # words that say little by themselves


@dataclass(frozen=True, slots=True)
class Question:
    """A request of the list of events.

    ``most`` is how many milliseconds the first answer after a write may take, ``grows`` says that
    further ones may take little longer in a large calendar than in a small one; ``drawn`` that the
    figure shows them.
    """

    name: str
    query: Query = field(default_factory=dict)
    most: int = TOTAL
    grows: bool = True
    drawn: bool = False


def questions(population: Population) -> Iterator[Question]:
    """Yield all questions to a calendar."""
    alone = filters(population)
    for name, query in alone.items():
        most = TOTAL if query else DEFAULT_TOTAL
        yield Question(name, query, most, drawn=name in ("default list", "category", "10 km"))
    for left_name, right_name in _PAIRS:
        yield Question(f"{left_name} + {right_name}", {**alone[left_name], **alone[right_name]})
    for name in _SORTS:
        where = alone["10 km"] if name == "distance" else {}
        for order in ("asc", "desc"):
            yield Question(f"{name} {order}", {**where, "orderby": name, "order": order})
    for number in _PAGES:
        yield Question(f"page {number}", {"page": number})
    yield from _searches(population, alone["at any time"])
    yield from _places(alone)


def _searches(population: Population, always: Query) -> Iterator[Question]:
    """Yield searches at any time, sorted by start."""
    language = LANGUAGES[0]
    vocabulary = words(language)
    common, second = vocabulary[COMMON], vocabulary[COMMON * 4]
    searches = {
        "a rare word": vocabulary[RARE],
        "a common word": common,
        "a part of a word": vocabulary[RARE // 2][1:-1],
        "two words": f"{common} {second}",
        "a phrase": f'"{_phrase(population)}"',
    }
    for name, text in searches.items():
        most = SEARCH_COMMON if text == common else SEARCH
        drawn = name in ("a rare word", "a common word")
        yield Question(name, {**always, "search": text}, most, grows=False, drawn=drawn)


def _places(alone: Mapping[str, Query]) -> Iterator[Question]:
    """Yield questions about places, with dates."""
    by_distance = {"orderby": "distance"}
    for name in ("10 km", "100 km", "box"):
        yield Question(
            f"{name}, dates", {**alone["three months"], **alone[name]}, SEARCH, grows=False
        )
    for name in ("10 km", "100 km"):
        query = {**alone[name], **by_distance}
        yield Question(f"{name}, by distance", query, SEARCH, grows=False)


def _phrase(population: Population) -> str:
    """Return three words that stand one behind the other in a text, not all of them common."""
    events = map(population.event, range(population.events))
    texts = next(e["variants"][LANGUAGES[0]] for e in events if LANGUAGES[0] in e["variants"])
    text_words = plain(texts["description"]).replace(".", "").split()
    common = set(words(LANGUAGES[0])[:_USUAL])
    rare = next(at for at, word in enumerate(text_words[1:-1], 1) if word not in common)
    return " ".join(text_words[rare - 1 : rare + 2])
