"""The filters beside a list: their choices, and how many events each leaves."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from heapq import nlargest
from operator import itemgetter
from typing import Any

from calendar_app.accounts.callers import Caller
from calendar_app.accounts.policy import listed_for
from calendar_app.api.http.lists.filtering import ListRequest
from calendar_app.api.http.request.current import Context
from calendar_app.api.resources.events.filters import FILTERS
from calendar_app.api.resources.events.provenance import PUBLISHER
from calendar_app.calendar.reading.facets import Facet, FacetCounts
from calendar_app.calendar.reading.provenance import Publishers
from calendar_app.calendar.reading.reader import Reader
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.kinds import CATEGORY, EVENT, ORGANIZER, TAG, VENUE
from calendar_app.domain.participation import ACCESSIBILITY
from calendar_app.readmodel.fragments import digest
from calendar_app.readmodel.records import LocalText, local_text
from calendar_app.site.html import wording
from calendar_app.site.pages.chips import (
    Chip,
    Naming,
    chip_text,
    in_words,
    plain_chips,
    sent_words,
    term_chips,
)
from calendar_app.site.pages.places import Place
from calendar_app.site.pages.questions import Question, accepted_part, clause_of, value_of
from calendar_app.storage.cache_memory import size_of
from calendar_app.storage.query.clauses import Clause, all_of

_LINKS = {VENUE.singular: VENUE, ORGANIZER.singular: ORGANIZER}
_FACETS = {name: shown.facet for name, shown in FILTERS.items() if shown.facet}
_FLAGS = {name: facet.choice for name, facet in _FACETS.items() if facet.choice}
_MOST_TAGS = 24
_MOST_LINKED = 50
_DEEPEST = 3  # what the style sheet indents
# By these words in its address a category or tag is known to be for children.
_FOR_CHILDREN = {
    *("kinder", "kind", "familie", "familien", "enfants", "enfant", "famille", "familles"),
    *("bambini", "ragazzi", "famiglia", "famiglie", "uffants", "famiglias"),
    *("children", "kids", "family", "families"),
}


@dataclass(frozen=True, slots=True)
class Option:
    """One choice of a filter; ``number`` events would be listed with it alone."""

    value: str
    text: LocalText
    number: int
    chosen: bool
    depth: int = 0
    # The number as readers see it; empty where it is not known.
    figure: str = ""


@dataclass(frozen=True, slots=True)
class Filters:
    """All filters of a page."""

    categories: tuple[Option, ...] = ()
    tags: tuple[Option, ...] = ()
    flags: tuple[Option, ...] = ()
    venues: tuple[Option, ...] = ()
    organizers: tuple[Option, ...] = ()
    accessibility: tuple[Option, ...] = ()
    spoken: tuple[Option, ...] = ()
    publishers: tuple[Option, ...] = ()
    # Whether some event says for which age it is.
    has_ages: bool = False
    # The category or tag of what is for children, by the name of its filter.
    children: tuple[str, Option] | None = None
    chips: tuple[Chip, ...] = ()
    # Of the data, the question and the reader for which the choices are; ``None`` without any.
    version: bytes | None = None


def read_filters(context: Context, question: Question, place: Place) -> Filters:
    """Return the filters of a page; numbers leave out refused values."""
    # Filters are named even where events have to be translated.
    settings = context.settings
    chain = settings.chain(context.language)
    naming = Naming(context.reader, context.caller, chain, settings)
    chips = [*plain_chips(naming, question, place)]
    accepted = question if question.listing else accepted_part(context, question)
    if accepted.request is None:
        return Filters(chips=tuple(chips))
    counts = _count(context.reader, context.caller, accepted.request)
    for kind in (CATEGORY, TAG):
        chips += term_chips(naming, kind, accepted, counts, place)
    return replace(_cached_choices(naming, accepted, counts), chips=tuple(chips))


@dataclass(frozen=True, slots=True)
class _Content:
    """What the choices of a question show; of the same come the same choices."""

    exact: bool
    groups: Mapping[str, Sequence[tuple[Any, int]]]
    terms: Mapping[str, Mapping[int, Record]]
    linked: Mapping[str, Mapping[int, Record]]
    publishers: Publishers
    series_of_sources: Mapping[int, Collection[int]]


def _cached_choices(naming: Naming, question: Question, counts: FacetCounts) -> Filters:
    """Return the choices of all filters; they are kept until something of them is written."""
    cache, kept = naming.reader.cached_values(), naming.reader.kept_choices
    key = ("choices", counts.key, tuple(question.sent.items()), naming)
    choices: Filters | None = cache.get(key)
    if choices is None:
        content = _content(naming, counts)
        # The name of a venue that is chosen, and is none of the frequent ones, is not in it.
        lasts = not question.sent.keys() & _LINKS
        former, choices = (lasts and kept.get(key)) or (None, None)
        if choices is None or former != content:
            choices = _choices(naming, question, content)
            choices = _with_figures(choices, naming.chain[0]) if counts.exact else choices
            # Most writes leave the choices as they were, and the panel that is made of them.
            version = digest((choices, counts.key, tuple(question.sent.items())))
            choices = replace(choices, version=version)
            if lasts:
                kept.keep(key, (content, choices), size_of((counts.key, choices)))
        cache[key] = choices
    return choices


def _content(naming: Naming, counts: FacetCounts) -> _Content:
    reader, caller = naming.reader, naming.caller
    frequent = {
        kind.name: [each for each, _ in nlargest(_MOST_LINKED, counts.groups[name], itemgetter(1))]
        for name, kind in _LINKS.items()
    }
    publishers = reader.provenance.publishers(caller)
    return _Content(
        counts.exact,
        counts.groups,
        counts.terms,
        reader.linked([{CATEGORY.name: [], TAG.name: [], **frequent}], caller),
        publishers,
        reader.provenance.series_of_sources(caller) if publishers else {},
    )


def _with_figures(choices: Filters, language: str) -> Filters:
    def written(options: Iterable[Option]) -> tuple[Option, ...]:
        return tuple(
            replace(option, figure=wording.number(option.number, language)) for option in options
        )

    return replace(
        choices,
        categories=written(choices.categories),
        tags=written(choices.tags),
        flags=written(choices.flags),
        venues=written(choices.venues),
        organizers=written(choices.organizers),
        accessibility=written(choices.accessibility),
        spoken=written(choices.spoken),
        publishers=written(choices.publishers),
    )


def _choices(naming: Naming, question: Question, content: _Content) -> Filters:
    chosen = {kind.name: _chosen(kind, question.filters) for kind in (CATEGORY, TAG)}
    categories = _tree(naming, content, chosen[CATEGORY.name])
    tags = _tags(naming, content, chosen[TAG.name])
    by_filter = {CATEGORY.name: categories, TAG.name: tags}
    return Filters(
        categories,
        tags,
        tuple(
            Option(value, LocalText(name), _number(content, name), name in question.filters)
            for name, value in _FLAGS.items()
        ),
        *_linked(naming, content, question),
        accessibility=_accessible(naming, content, question),
        spoken=_spoken(naming, content, question),
        publishers=_publishers(content, question),
        has_ages=_number(content, "age") > 0,
        children=_for_children(naming, content, by_filter),
    )


def _accessible(naming: Naming, content: _Content, question: Question) -> tuple[Option, ...]:
    """Return the ways in which events are accessible, in the order of the vocabulary."""
    numbers, chosen = dict(content.groups["accessibility"]), sent_words("accessibility", question)
    return tuple(
        Option(
            word,
            LocalText(in_words(naming, "accessibility", word)),
            numbers.get(word, 0),
            word in chosen,
        )
        for word in ACCESSIBILITY
        if numbers.get(word) or word in chosen
    )


def _spoken(naming: Naming, content: _Content, question: Question) -> tuple[Option, ...]:
    """Return the languages in which events are held, by name; one counts with its dialects."""
    chosen, numbers = sent_words("in_language", question), Counter[str]()
    groups = [(tags or (), number) for tags, number in content.groups["in_language"]]
    for tag in {*chosen, *(tag for tags, _ in groups for tag in tags)}:
        for tags, number in groups:
            if any(each == tag or each.startswith(f"{tag}-") for each in tags):
                numbers[tag] += number
    options = [
        Option(tag, LocalText(in_words(naming, "in_language", tag)), numbers[tag], tag in chosen)
        for tag in {*chosen, *numbers}
    ]
    return tuple(sorted(options, key=lambda option: option.text.text.casefold()))


def _publishers(content: _Content, question: Question) -> tuple[Option, ...]:
    """Return the publishers of events, by name; a date counts for those of its series too."""
    if not content.publishers:
        return ()
    names = {each.slug: each.name for each in content.publishers.values()}
    slugs = {number: each.slug for number, each in content.publishers.items()}
    of_series, numbers = content.series_of_sources, Counter[str]()
    for value, number in content.groups[PUBLISHER]:
        source_ids = value if isinstance(value, tuple) else of_series.get(value, ())
        numbers.update(dict.fromkeys({slugs[i] for i in source_ids if i in slugs}, number))
    chosen = sent_words(PUBLISHER, question)
    options = [
        Option(slug, LocalText(name), numbers[slug], slug in chosen)
        for slug, name in names.items()
        if numbers[slug] or slug in chosen
    ]
    return tuple(sorted(options, key=lambda option: option.text.text.casefold()))


def _for_children(
    naming: Naming, content: _Content, by_filter: Mapping[str, tuple[Option, ...]]
) -> tuple[str, Option] | None:
    """Return the option for children's events: from the settings, else by its name."""
    kind_of_term, _, slug = naming.settings.children.partition("/")
    for kind in (CATEGORY, TAG):
        if slug and kind.singular != kind_of_term:
            continue
        for term in content.terms[kind.name].values():
            slugs = [texts.get("slug", "") for texts in term["variants"].values()]
            words = {word for each in slugs for word in each.split("-")}
            if slug in slugs if slug else words & _FOR_CHILDREN:
                own = local_text(term, "slug", naming.chain).text
                options = (each for each in by_filter[kind.name] if each.value == own)
                option = next(options, None)
                if option:
                    return kind.name, option
    return None


def _count(reader: Reader, caller: Caller, request: ListRequest) -> FacetCounts:
    """Count the events for each filter, under all other filters."""
    listing = request.without(("", *_FACETS))
    # Under each filter another event may be the first one of its series.
    events = replace(listing, first_in_series=False)
    # A list with one of these filters leaves out what is locked, so its number does too.
    listed = listed_for(caller, by_title=False)
    parts = {name: request.parts[name] for name in _FACETS if name in request.parts}
    under_all = all_of([listed, *parts.values()])
    facets = {}
    has_publishers = bool(reader.provenance.publishers(caller))
    for name, facet in _FACETS.items():
        if name == PUBLISHER and not has_publishers:
            continue
        clause = under_all
        if name in parts:
            clause = all_of([listed, *(parts[part] for part in parts if part != name)])
        own = _flag(name) if facet.choice else facet.clause
        facets[name] = Facet(
            all_of([clause, own]),
            facet.path,
            by_series=listing.first_in_series,
            apart=facet.apart,
            of_series=facet.of_series,
        )
    return reader.count_facets(EVENT, events, facets, caller)


@cache
def _flag(name: str) -> Clause:
    """Return the clause of a filter that is on or off."""
    return clause_of(name, _FLAGS[name])


def _number(content: _Content, name: str) -> int:
    return sum(number for _, number in content.groups[name])


def _chosen(kind: Kind, filters: Mapping[str, Any]) -> frozenset[int]:
    """Return the ids of the terms that a filter names."""
    if kind.name not in filters:
        return frozenset()
    return frozenset(value_of(kind.name, filters[kind.name]))


def _published(content: _Content, kind: Kind) -> dict[int, int]:
    """Return with how many events to begin: the published ones where they cannot be counted."""
    terms = content.terms[kind.name]
    return {each: 0 if content.exact else term["count"] for each, term in terms.items()}


def _tree(naming: Naming, content: _Content, chosen: frozenset[int]) -> tuple[Option, ...]:
    """Return the categories as a tree; each counts the events in it or below it."""
    terms = content.terms[CATEGORY.name]
    numbers = _published(content, CATEGORY)
    above = {each: {each, *term["ancestors"]} & terms.keys() for each, term in terms.items()}
    for ids, number in content.groups[CATEGORY.name]:
        for each in set[int]().union(*(above[i] for i in ids or () if i in above)):
            numbers[each] += number
    below: dict[int, list[Record]] = {}
    for term in terms.values():
        below.setdefault(term["parent"] if term["parent"] in terms else 0, []).append(term)

    def branch(parent: int, depth: int) -> Iterable[Option]:
        options = [
            (_option(naming, term, numbers[term["_id"]], chosen, depth), term)
            for term in below.get(parent, ())
        ]
        for option, term in sorted(options, key=lambda pair: pair[0].text.text.casefold()):
            if option.number or option.chosen:
                yield option
                yield from branch(term["_id"], min(depth + 1, _DEEPEST))

    return tuple(branch(0, 0))


def _tags(naming: Naming, content: _Content, chosen: frozenset[int]) -> tuple[Option, ...]:
    """Return the most frequent tags, and the selected ones."""
    terms, numbers = content.terms[TAG.name], _published(content, TAG)
    for each, number in content.groups[TAG.name]:
        if each in terms:
            numbers[each] += number
    options = [_option(naming, term, numbers[each], chosen) for each, term in terms.items()]
    useful = [option for option in options if option.number or option.chosen]
    useful.sort(key=lambda option: (not option.chosen, -option.number, option.text.text.casefold()))
    return tuple(useful[:_MOST_TAGS])


def _linked(
    naming: Naming, content: _Content, question: Question
) -> tuple[tuple[Option, ...], tuple[Option, ...]]:
    """Return the most frequent venues and organizers, with the selected ones, by name."""

    def options(name: str, kind: Kind) -> tuple[Option, ...]:
        sent, numbers = question.sent.get(name, ""), dict(content.groups[name])
        linked = [
            Option(str(each), naming.name(kind, record), numbers[each], str(each) == sent)
            for each, record in content.linked[kind.name].items()
        ]
        if sent and not any(option.chosen for option in linked):
            linked.append(Option(sent, chip_text(naming, name, question), 0, chosen=True))
        return tuple(sorted(linked, key=lambda option: option.text.text.casefold()))

    return options("venue", VENUE), options("organizer", ORGANIZER)


def _option(
    naming: Naming, term: Record, number: int, chosen: frozenset[int], depth: int = 0
) -> Option:
    slug, name = local_text(term, "slug", naming.chain), naming.name(CATEGORY, term)
    return Option(slug.text, name, number, term["_id"] in chosen, depth)
