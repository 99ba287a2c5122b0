"""The choices of forms: venues, organizers and events by name; terms, users, zones."""

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, time
from functools import cache
from types import MappingProxyType
from typing import NamedTuple
from zoneinfo import available_timezones

from calendar_app.accounts.callers import Caller
from calendar_app.accounts.policy import may_keep_sources
from calendar_app.api.http.lists.filtering import only_language, search_clause, search_query
from calendar_app.api.http.request import current
from calendar_app.calendar.reading.links import is_shown
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.kinds import CATEGORY, EVENT, ORGANIZER, TAG, VENUE
from calendar_app.domain.numbers import parse_digits
from calendar_app.domain.richtext import decoded
from calendar_app.domain.words import fold
from calendar_app.errors import Message
from calendar_app.readmodel.records import local_text
from calendar_app.site.desk.rendering import language
from calendar_app.site.html import wording
from calendar_app.storage.query.clauses import EVERYTHING
from calendar_app.storage.query.list_query import ByRelevance, ByText, Listing, Order, Window
from calendar_app.storage.query.names import NAMES, begins_with, has_within, has_word_with

KINDS: Mapping[str, Kind] = MappingProxyType({"venue": VENUE, "organizer": ORGANIZER})
# Kinds that forms look up by name; of some there is one at most.
NAMED_KINDS: Mapping[str, Kind] = MappingProxyType(
    {**KINDS, "post_parent": EVENT, CATEGORY.name: CATEGORY, TAG.name: TAG}
)
_NEWEST: Order = (("published", -1), ("status", 1), ("_id", 1))
_BY_NAME: Order = ((NAMES, 1), ("_id", 1))
_FEW, _MOST, _MOST_TAGS, _LONGEST = 20, 500, 200, 100
# So many namesakes can be told apart by what they are called with their places.
_MOST_NAMESAKES = 100


# Terms, users and zones.


class TermChoice(NamedTuple):
    """A term to choose; ``depth`` counts its ancestors."""

    id: str
    name: str
    depth: int = 0


def category_tree(chosen: Iterable[str]) -> list[TermChoice]:
    """Return categories as a tree, siblings by name, with all chosen ones.

    A form changes what it does not list, since a browser sends nothing of it.
    """
    terms = with_chosen(CATEGORY, _terms(CATEGORY, _MOST), chosen)
    names = _names(terms)
    children: dict[int, list[Record]] = {}
    for term in sorted(terms, key=lambda term: names[term["_id"]].casefold()):
        parent = term.get("parent") or 0
        children.setdefault(parent if parent in names else 0, []).append(term)
    return list(_tree(children, names, 0, 0))


def _tree(
    children: Mapping[int, list[Record]], names: Mapping[int, str], parent: int, depth: int
) -> Iterator[TermChoice]:
    for term in children.get(parent, ()):
        yield TermChoice(str(term["_id"]), names[term["_id"]], depth)
        yield from _tree(children, names, term["_id"], depth + 1)


def tags_by_name(chosen: Iterable[str] = ()) -> list[TermChoice]:
    """Return tags by name, with all chosen ones."""
    names = _names(with_chosen(TAG, _terms(TAG, _MOST_TAGS), chosen))
    terms = [TermChoice(str(number), name) for number, name in names.items()]
    return sorted(terms, key=lambda term: term.name.casefold())


def chosen_tags(ids: Iterable[str]) -> list[TermChoice]:
    """Return the tags of a form that still exist."""
    return chosen_terms(TAG, ids)


def chosen_terms(kind: Kind, ids: Iterable[str]) -> list[TermChoice]:
    """Return those of some terms that still exist."""
    return [TermChoice(str(n), name) for n, name in _names(with_chosen(kind, [], ids)).items()]


def with_chosen(kind: Kind, listed: list[Record], chosen: Iterable[str]) -> list[Record]:
    """Return the listed records, and behind them the chosen ones that the list lacks."""
    numbers = {number for number in map(parse_digits, chosen) if number}
    return current.context().reader.with_chosen(kind, listed, numbers)


def _terms(kind: Kind, most: int) -> list[Record]:
    """Return the first terms by name, with nothing else; kept until a term is written."""
    context = current.context()
    chain = context.chain
    listing = Listing(Window(1, most), ByText("name", chain), written=only_language(chain))
    fields = ("parent", *(f"variants.{language}.name" for language in chain))

    def make() -> tuple[Sequence[int], list[Record]]:
        terms = context.reader.search(kind, listing, context.caller, fields).items
        # One behind them that goes changes nothing; one that is written may come among them.
        return array("q", (term["_id"] for term in terms)), terms

    return context.reader.kept_list(kind, listing, context.caller, (most, *chain), make)


def _names(terms: list[Record]) -> dict[int, str]:
    chain = current.context().chain
    return {term["_id"]: local_text(term, "name", chain).text for term in terms}


def authors(chosen: str) -> list[tuple[str, str]]:
    """Return id and name of possible authors; a removed one stays chosen."""
    users = current.context().services.profiles.page(EVERYTHING, Window(1, _MOST))
    listed = [(str(user.id), user.shown_name) for user in users]
    is_gone = chosen and chosen not in dict(listed)
    return [*listed, (chosen, f"#{chosen}")] if is_gone else listed


def keepers(chosen: Sequence[str]) -> list[tuple[str, str]]:
    """Return id and name of users who may be keepers of sources, with all chosen ones."""
    profiles = current.context().services.profiles
    listed = {
        str(user.id): user.shown_name
        for user in profiles.page(EVERYTHING, Window(1, _MOST))
        if may_keep_sources(Caller(user.id, user.name, user.role))
    }
    unlisted = {each: parse_digits(each) or 0 for each in chosen if each not in listed}
    names = profiles.shown_names(unlisted.values())
    return [*listed.items(), *((n, names.get(own, f"#{n}")) for n, own in unlisted.items())]


@cache
def timezones() -> list[str]:
    """Return the names of zones that are places."""
    return sorted(name for name in available_timezones() if "/" in name and "Etc/" not in name)


# Venues, organizers and other events by their names


class Suggestion(NamedTuple):
    """A record that can be linked; its ``place`` or day tells namesakes apart."""

    id: int
    name: str
    place: str = ""

    @property
    def label(self) -> str:
        return f"{self.name}, {self.place}" if self.place else self.name


def suggest(name: str, text: str = "", most: int = _FEW) -> list[Suggestion]:
    """Return the records of a kind that match a text and that the caller may read.

    First those of which the name begins with it, then those with a word that does, then those
    with it anywhere in the name, then what else a search finds. Without a text it is the newest.
    """
    kind, words = NAMED_KINDS[name], text[:_LONGEST].strip()
    chain, folded = current.context().chain, fold(words)
    if kind is EVENT or not folded:
        return _suggestions(kind, _listed(kind, words if folded else "", most))
    groups = (
        begins_with(folded, chain),
        has_word_with(folded, chain),
        has_within(folded, chain),
        search_clause(kind, words, chain),
    )
    context = current.context()
    listing = Listing(Window(1, most), _BY_NAME, written=only_language(chain))
    matches = context.reader.search_by_groups(kind, listing, groups, context.caller)
    return _suggestions(kind, matches)


def _listed(kind: Kind, words: str, most: int) -> list[Record]:
    """Return the newest records, or the events that a search finds, those of its title first."""
    chain = current.context().chain
    if not words:
        order = _NEWEST if kind not in (CATEGORY, TAG) else ByText("name", chain)
        return _page(kind, Listing(Window(1, most), order))
    query = search_query(words, chain)
    begin = datetime.combine(current.context().now().date(), time.min)
    listing = Listing(Window(1, most), ByRelevance(begin), search_query=query)
    return _page(kind, listing)


def _page(kind: Kind, listing: Listing) -> list[Record]:
    context = current.context()
    listing = replace(listing, written=only_language(context.chain))
    return context.reader.search(kind, listing, context.caller).items


def names_of(name: str, ids: list[str]) -> list[Suggestion]:
    """Return the linked records of a form that events show to the caller, in their order."""
    context = current.context()
    kind = NAMED_KINDS[name]
    numbers = [number for number in map(parse_digits, ids) if number is not None]
    records = context.reader.records_of({kind.name: set(numbers)})
    existing = [
        records[kind.name, number] for number in numbers if records.get((kind.name, number))
    ]
    caller = context.caller
    return _suggestions(kind, [record for record in existing if is_shown(caller, record)])


def _suggestions(kind: Kind, listed: list[Record]) -> list[Suggestion]:
    return [Suggestion(each["_id"], _name(each, kind.label), _place(kind, each)) for each in listed]


def _place(kind: Kind, record: Record) -> str:
    """Return street and town of a venue, or the day of an event."""
    if kind is VENUE:
        return ", ".join(filter(None, (_name(record, "address"), _name(record, "city"))))
    if kind is not EVENT:
        return ""
    start, end = record["start_local"], record["end_local"]
    return wording.when(start, end, language(), all_day=True)


def _name(record: Record, field: str) -> str:
    return decoded(local_text(record, field, current.context().chain).text)


def find_by_name(name: str, typed: str) -> int:
    """Return the record that people know under a name; raise ``ValueError`` with the reason."""
    folded = fold(typed)
    matches = [
        each
        for each in suggest(name, typed.partition(",")[0], _MOST_NAMESAKES)
        if folded in (fold(each.name), fold(each.label))
    ]
    if len(matches) == 1:
        return matches[0].id
    if matches:
        raise ValueError(Message("Several have this name. Choose one from the list."))
    raise ValueError(
        Message(
            "Nothing here is called «{text}». Choose from the list, or enter it as new.",
            text=typed[:_LONGEST],
        )
    )
