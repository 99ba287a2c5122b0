"""The queue of records to translate into a language: its list, and the next record.

They are outdated or missing there, or have texts that nobody has checked.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from urllib.parse import urlencode

import marshmallow as ma
from flask import Response

from calendar_app.accounts.callers import Right
from calendar_app.accounts.policy import editable_by, may_read, role_allows
from calendar_app.api.http.fields.scalars import whole_number
from calendar_app.api.http.lists.filtering import SearchText, search_clause, search_query
from calendar_app.api.http.request import current
from calendar_app.api.http.request.negotiation import named_language
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.kinds import CATEGORY, EVENT, MEDIA, ORGANIZER, SERIES, TAG, VENUE
from calendar_app.domain.ledger import UNREVIEWED
from calendar_app.domain.translations import CURRENT, MISSING, OUTDATED
from calendar_app.errors import InvalidParameters, Message
from calendar_app.site.desk.rendering import notify, render, see, sent_window
from calendar_app.site.desk.routing import page
from calendar_app.site.desk.translating.rows import KIND_NAMES, name_of
from calendar_app.site.desk.translation_aid import form_aid
from calendar_app.site.html.wording import own_name
from calendar_app.storage.query.clauses import (
    EVERYTHING,
    Clause,
    after,
    all_of,
    any_of,
    at_least,
    before,
    differs,
    equals,
    given,
    missing,
    not_after,
    overridden_in,
)
from calendar_app.storage.query.list_query import Listing, Order, Window

# In this order one comes after the other.
KINDS: Mapping[str, Kind] = {
    kind.name: kind for kind in (EVENT, SERIES, VENUE, ORGANIZER, CATEGORY, TAG, MEDIA)
}
# What waits for a translator comes before what does not.
WAITING = (OUTDATED, MISSING, UNREVIEWED)
STATES = (*WAITING, CURRENT)
_BY_END: Order = (("end_local", 1), ("_id", 1))
_NEWEST_FIRST: Order = (("_id", -1),)
_FIRST = Window(1, 1)
# How many wait, by language, kind and state. What is up to date is nearly all, and not counted.
Counts = Mapping[tuple[str, str, str], int]


@dataclass(frozen=True, slots=True)
class Queue:
    """The records of a translator in one language and state.

    With ``past`` also events that are over. ``search`` are words of the records, ``source`` is the
    language to translate from where a record has it; both are empty where nobody chose any.
    """

    language: str
    state: str
    past: bool = False
    search: str = ""
    source: str = ""

    @property
    def query(self) -> str:
        """Return the queue as it stands in addresses."""
        fields = {"language": self.language, "state": self.state, **self.choices}
        return urlencode(fields)

    @property
    def choices(self) -> dict[str, str]:
        """Return the fields of an address that hold for any language and state."""
        fields = {"past": "1" if self.past else "", "search": self.search, "source": self.source}
        return {name: text for name, text in fields.items() if text}

    def listing(self, kind: Kind, window: Window) -> Listing:
        """Return the list of a kind in this queue: what is over soonest, else the newest first."""
        return self._listing(kind, window, any_of(self._texts(kind)))

    def listings(self, kind: Kind) -> list[Listing]:
        """Return lists that share no record and have all of ``listing``; an index counts each."""
        return [self._listing(kind, _FIRST, texts) for texts in self._texts(kind)]

    def _listing(self, kind: Kind, window: Window, texts: Clause) -> Listing:
        context = current.context()
        clauses = [self._state(), _editable(kind), *self._of_events(kind), texts]
        if kind.is_picture:
            clauses.append(given("origin"))
        order = _BY_END if kind.fed else _NEWEST_FIRST
        words = (
            search_query(self.search, context.chain)
            if self.search and kind.found_by_words
            else None
        )
        if self.search and words is None:
            clauses.append(search_clause(kind, self.search, context.chain))
        return Listing(window, order, clause=all_of(clauses), search_query=words)

    def next_of(self, kind: Kind, record: Record) -> tuple[Kind, Record] | None:
        """Return the next record of the queue; after the last, start again."""
        other_kinds = [each for each in offered_kinds() if each.name != kind.name]
        later = [each for each in other_kinds if _place(each) > _place(kind)]
        earlier = [each for each in other_kinds if _place(each) < _place(kind)]
        rest = differs("_id", record["_id"])
        parts = [
            (kind, _behind(kind, record)),
            *((each, EVERYTHING) for each in (*later, *earlier)),
            (kind, rest),
        ]
        return next(self._first_of(parts), None)

    def first(self) -> tuple[Kind, Record] | None:
        """Return the first record of the queue."""
        return next(self._first_of((kind, EVERYTHING) for kind in offered_kinds()), None)

    def _first_of(self, parts: Iterable[tuple[Kind, Clause]]) -> Iterator[tuple[Kind, Record]]:
        context = current.context()
        for kind, part in parts:
            listing = self.listing(kind, _FIRST)
            narrowed = replace(listing, clause=all_of([listing.clause, part]))
            for record in context.reader.search(kind, narrowed, context.caller).items:
                yield kind, record

    def _state(self) -> Clause:
        if self.state == UNREVIEWED:
            return equals(UNREVIEWED, self.language)
        path = f"standing.{self.language}"
        return missing(path) if self.state == MISSING else equals(path, self.state)

    def _of_events(self, kind: Kind) -> Iterator[Clause]:
        """Yield the condition on events: not over."""
        if kind.fed and not self.past:
            minute = current.context().now().replace(tzinfo=None, second=0, microsecond=0)
            yield at_least("end_local", minute)

    def _texts(self, kind: Kind) -> list[Clause]:
        """Return alternatives: single events, and dates of a series with own texts."""
        if not kind.fed:
            return [EVERYTHING]
        overridden = all_of([after("series", 0), overridden_in(self.language)])
        return [not_after("series", 0), overridden]


def offered_kinds() -> list[Kind]:
    """Return the kinds that the user may translate."""
    caller = current.context().caller
    return [kind for kind in KINDS.values() if role_allows(caller, "edit", kind.singular)]


def counts(languages: Iterable[str], *, past: bool) -> Counts:
    """Return the number of waiting records by language, kind and state, in one query."""
    context = current.context()
    parts = [
        (language, kind, state)
        for language in languages
        for kind in offered_kinds()
        for state in WAITING
    ]
    lists = [
        ((language, kind.name, state), kind, listing)
        for language, kind, state in parts
        for listing in Queue(language, state, past).listings(kind)
    ]
    numbers = context.reader.totals([each[1:] for each in lists], context.caller)
    counted: Counter[tuple[str, str, str]] = Counter()
    for (name, _, _), number in zip(lists, numbers, strict=True):
        counted[name] += number
    return counted


def _editable(kind: Kind) -> Clause:
    is_term = kind.name in (CATEGORY.name, TAG.name)
    return EVERYTHING if is_term else editable_by(current.context().caller)


def _place(kind: Kind) -> int:
    return list(KINDS).index(kind.name)


def _behind(kind: Kind, record: Record) -> Clause:
    """Match the records behind a record in the order of its list."""
    if not kind.fed:
        return before("_id", record["_id"])
    end = record["end_local"]
    same = all_of([equals("end_local", end), after("_id", record["_id"])])
    return any_of([after("end_local", end), same])


# The pages of the list

_PER_PAGE = 50


class _SearchSchema(ma.Schema):
    class Meta:
        unknown = ma.EXCLUDE

    search = SearchText(blank=True, load_default="")


@page("/translations/", needs=Right.EDIT)
def translations() -> Response:
    """Show the waiting records, by language, kind and state, with numbers."""
    context = current.context()
    language = _language()
    queue = queue_of_request(language)
    numbers = counts(context.settings.languages, past=queue.past)
    kind, state = _part(language, numbers)
    queue = replace(queue, state=state)
    listing = queue.listing(kind, sent_window(_PER_PAGE))
    results = context.reader.search(kind, listing, context.caller)
    is_counted = state in WAITING and not queue.search
    total = numbers[language, kind.name, state] if is_counted else results.total
    return render(
        "translations.html",
        kind_names=KIND_NAMES,
        further_pages=form_aid().pages,
        queue=queue,
        kind=kind,
        kinds=offered_kinds(),
        states=STATES,
        numbers=numbers,
        page_number=listing.window.number,
        pages=-(-total // _PER_PAGE),
        records=[(record, name_of(kind, record)) for record in results.items],
    )


@page("/translations/next", needs=Right.EDIT)
def next_translation() -> Response:
    """Lead to the next record that waits; else back to the list."""
    language = _language()
    queue = queue_of_request(language)
    following = _following(queue)
    if following is None:
        name = own_name(language)
        notify(Message("Nothing else waits here in {language}.", language=name))
        return see(f"/translations/?{queue.query}")
    kind, record = following
    return see(f"/{kind.name}/{record['_id']}/translate/{language}?{queue.query}")


def queue_of_request(language: str) -> Queue:
    """Return the queue that the address names, else that of outdated texts."""
    context = current.context()
    args = context.request.args
    state, source = args.get("state", OUTDATED), args.get("source", "")
    return Queue(
        language,
        state if state in STATES else OUTDATED,
        bool(args.get("past")),
        _search(),
        named_language(source, context.settings.languages) or "",
    )


def _following(queue: Queue) -> tuple[Kind, Record] | None:
    context = current.context()
    name, _, number = context.request.args.get("after", "").partition(".")
    kind, record_id = KINDS.get(name), whole_number(number) if number else None
    record = context.reader.find(kind, record_id) if kind and record_id else None
    if not kind or not record or (kind.has_status and not may_read(context.caller, record)):
        return queue.first()
    return queue.next_of(kind, record)


def _search() -> str:
    """Return the words of the search; refuse more than the interface takes."""
    try:
        sent = _SearchSchema().load(current.context().request.args)
    except ma.ValidationError as error:
        raise InvalidParameters({"search": error.messages_dict["search"][0]}) from error
    words: str = sent["search"].strip()
    return words


def _language() -> str:
    """Return the requested language, else the first language besides the default."""
    context = current.context()
    settings = context.settings
    requested = named_language(context.request.args.get("language", ""), settings.languages)
    other_languages = (tag for tag in settings.languages if tag != settings.default_language)
    return requested or next(other_languages, settings.default_language)


def _part(language: str, numbers: Counts) -> tuple[Kind, str]:
    """Return the kind and state that are asked for, else the first where something waits."""
    args, kinds = current.context().request.args, offered_kinds()
    asked_kinds = [kind for kind in kinds if kind.name == args.get("kind")] or kinds
    asked_states = [state for state in STATES if state == args.get("state")] or list(STATES)
    parts = [(kind, state) for state in asked_states for kind in asked_kinds]
    waiting = (part for part in parts if numbers.get((language, part[0].name, part[1])))
    return next(waiting, parts[0])
