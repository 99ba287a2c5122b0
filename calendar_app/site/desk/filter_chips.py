"""The filters of the table of events as chips, each with its own choices."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from calendar_app.accounts.callers import Right
from calendar_app.api.http.request import current
from calendar_app.api.resources.events.filters import FILTERS
from calendar_app.domain.numbers import parse_digits
from calendar_app.domain.words import fold
from calendar_app.errors import Message
from calendar_app.readmodel.records import LocalText
from calendar_app.site.desk.choices import authors
from calendar_app.site.desk.dashboard import LACKS
from calendar_app.site.desk.events_query import ALWAYS, DATES, ME, PAST, UPCOMING, WEEK, TableQuery
from calendar_app.site.desk.rendering import gettext, language, message_text
from calendar_app.site.html import wording

_PERIOD_NAMES: Mapping[str, Message] = {
    UPCOMING: Message("Upcoming"),
    WEEK: Message("This week"),
    PAST: Message("Past"),
    ALWAYS: Message("At any time"),
}
# What the address says elsewhere on the page, or says nothing about which events are listed.
_NO_CHIP = ("search", "status", "orderby", "order", "page", "per_page", "fallback")


@dataclass(frozen=True, slots=True)
class TermFilter:
    """A category or tag by which to filter, or to add to several events."""

    id: int
    text: LocalText
    chosen: bool


@dataclass(frozen=True, slots=True)
class ChipChoice:
    """A value of a filter, and its name in ``language``: that of the desk where it is empty."""

    value: str
    name: str
    chosen: bool
    language: str = ""


@dataclass(frozen=True, slots=True)
class Chip:
    """A filter: its ``name`` in addresses, its label, its choices, and what is chosen of them.

    ``rest`` are all other filters, ``without`` is the query that takes this one away; it is
    ``None`` where nothing is chosen. A chip without choices can only be taken away.
    """

    name: str
    label: str
    rest: Mapping[str, str]
    choices: Sequence[ChipChoice] = ()
    value: str = ""
    without: str | None = None
    language: str = ""


def chips_of(
    query: TableQuery,
    categories: Sequence[TermFilter],
    tags: Sequence[TermFilter],
    sources: Sequence[tuple[int, str]],
) -> list[Chip]:
    """Return the chips of a table; those of records only where there are any."""
    source = query.sent.get("source", "")
    chips = [
        _when(query),
        _chip(query, "author", Message("By whom"), _authors(query), Message("By anybody")),
        _of_terms(query, "categories", Message("Category"), categories, Message("All categories")),
        _of_terms(query, "tags", Message("Tag"), tags, Message("All tags")),
        _chip(
            query,
            "source",
            Message("Source"),
            [ChipChoice(str(id_), name, source == str(id_)) for id_, name in sources],
            Message("All sources"),
        ),
        _chip(
            query, "lacks", Message("What is missing"), list(_lacking(query)), Message("All events")
        ),
    ]
    shown = [chip for chip in chips if chip.choices]
    return [*shown, *_of_address(query, {chip.name for chip in shown})]


def _chip(
    query: TableQuery, name: str, label: Message, choices: Sequence[ChipChoice], every: Message
) -> Chip:
    chosen = [choice for choice in choices if choice.chosen]
    values = query.values()
    nothing = ChipChoice("", message_text(every), not chosen)
    return Chip(
        name,
        message_text(label),
        {n: text for n, text in values.items() if n != name},
        [nothing, *choices] if choices else (),
        ", ".join(choice.name for choice in chosen),
        query.text(**{name: ""}) if chosen else None,
        chosen[0].language if len(chosen) == 1 else "",
    )


def _when(query: TableQuery) -> Chip:
    """Return the chip of the period; one that is chosen replaces the dates of an address."""
    unset = dict.fromkeys((*DATES, "period"), "")
    name = _PERIOD_NAMES.get(query.period, Message("As in the address"))
    choices = [
        ChipChoice(period, message_text(each), period == query.period)
        for period, each in _PERIOD_NAMES.items()
    ]
    without = None if query.period == UPCOMING else query.text(**unset)
    rest = query.values(**unset)
    return Chip("period", message_text(Message("When")), rest, choices, message_text(name), without)


def _authors(query: TableQuery) -> list[ChipChoice]:
    """Return the user, and for those who may edit what others wrote everybody else by name."""
    caller = current.context().caller
    mine = ChipChoice(ME, message_text(Message("By me")), query.author == ME)
    if not caller.may(Right.EDIT_OTHERS):
        return [mine]
    chosen = query.author if parse_digits(query.author) is not None else ""
    others = sorted(authors(chosen), key=lambda each: fold(each[1]))
    return [
        mine,
        *(
            ChipChoice(number, name, query.author == number)
            for number, name in others
            if number != str(caller.id)
        ),
    ]


def _of_terms(
    query: TableQuery, name: str, label: Message, terms: Sequence[TermFilter], every: Message
) -> Chip:
    choices = [
        ChipChoice(str(term.id), term.text.text, term.chosen, term.text.language or "")
        for term in terms
    ]
    return _chip(query, name, label, choices, every)


def _lacking(query: TableQuery) -> Iterable[ChipChoice]:
    for value, (label, _) in LACKS.items():
        yield ChipChoice(value, message_text(label), query.lacks == value)
    languages = current.context().settings.languages
    for tag in languages if len(languages) > 1 else ():
        yield ChipChoice(tag, lacks_in_words(tag), query.lacks == tag)


def lacks_in_words(tag: str) -> str:
    """Name the events that lack a language."""
    name = wording.language_name(tag, language())
    return gettext("Not in %(language)s") % {"language": name}


def _of_address(query: TableQuery, names: set[str]) -> Iterable[Chip]:
    """Yield a chip for every other filter that stands in the address alone."""
    dates = DATES if query.period == "" else ()
    for name, text in query.sent.items():
        if name in (*_NO_CHIP, *dates, *names):
            continue
        label = FILTERS[name].label if name in FILTERS else None
        value = "" if text.lower() == "true" else text
        yield Chip(name, message_text(label or name), {}, (), value, query.text(**{name: ""}))
