"""The addresses of pages: which part of the calendar they name, in each language of the site."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from functools import cached_property, partial
from urllib.parse import quote, urlsplit

from calendar_app.api.http.request.current import Context
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.kinds import CATEGORY, TAG
from calendar_app.domain.numbers import parse_digits
from calendar_app.domain.slugs import slugify
from calendar_app.readmodel.addresses import encode_query
from calendar_app.readmodel.records import LocalText, local_text, shown
from calendar_app.settings import Settings
from calendar_app.site.html import wording
from calendar_app.storage.query.clauses import EVERYTHING

# Below ``/events/`` an address names a view, a date, a term.

LIST, MONTH, WEEK, DAY, MAP, PHOTO = "list", "month", "week", "day", "map", "photo"
PRINT = "print"
VIEWS = (LIST, MONTH, WEEK, DAY, MAP, PHOTO, PRINT)
PAGED = (LIST, PHOTO, MAP)
_BEFORE_PAGES = ([], *([view] for view in PAGED))
TODAY = "today"
_MONTH = re.compile(r"(\d{4})-(\d\d)", re.ASCII)
_DAY = re.compile(r"(\d{4})-(\d\d)-(\d\d)", re.ASCII)
# Weeks and months around the ends of the calendar would leave it.
_FIRST_YEAR, _LAST_YEAR = 1000, 9998


@dataclass(frozen=True, slots=True)
class Scope:
    """A view, the day that it is about, and the slugs of a term; ``None``: the usual or none."""

    view: str | None = None
    day: date | None = None
    taxonomy: str = ""
    slugs: tuple[str, ...] = ()
    page: int | None = None


def read_scope(segments: Sequence[str]) -> Scope | None:
    """Read the segments behind ``/events/``; ``None`` where no page is there."""
    match list(segments):
        case ["category" | "tag" as taxonomy, *rest] if rest:
            slugs, behind = _split(rest)
            scope = _read_view(behind)
            if not slugs or scope is None or (taxonomy == "tag" and len(slugs) > 1):
                return None
            return Scope(scope.view, scope.day, taxonomy, slugs, scope.page)
        case rest:
            return _read_view(rest)


def _split(segments: Sequence[str]) -> tuple[tuple[str, ...], list[str]]:
    """Split the slugs of a term from the view behind them; the first one is always a slug."""
    number = 1
    while number < len(segments) and _read_view(segments[number:]) is None:
        number += 1
    return tuple(segments[:number]), list(segments[number:])


def _read_view(segments: Sequence[str]) -> Scope | None:
    """Read a view with its date or the number of its page."""
    match list(segments):
        case []:
            return Scope()
        case [view] if view in VIEWS and view != DAY:
            return Scope(view)
        case ["today"]:
            return Scope(DAY)
        case [*view, "page", text] if view in _BEFORE_PAGES and (page := parse_digits(text)):
            return Scope(view[0] if view else None, page=page)
        case _:
            return _read_date(segments)


def _read_date(segments: Sequence[str]) -> Scope | None:
    match list(segments):
        case ["month", month]:
            return _dated(MONTH, _month(month))
        case ["week", day]:
            return _dated(WEEK, _day(day))
        case [text]:
            return _dated(DAY, _day(text)) or _dated(MONTH, _month(text))
        case _:
            return None


def _dated(view: str, day: date | None) -> Scope | None:
    return Scope(view, day) if day else None


def _day(text: str) -> date | None:
    match = _DAY.fullmatch(text)
    return _date(int(match[1]), int(match[2]), int(match[3])) if match else None


def _month(text: str) -> date | None:
    match = _MONTH.fullmatch(text)
    return _date(int(match[1]), int(match[2]), 1) if match else None


def _date(year: int, month: int, day: int) -> date | None:
    if not _FIRST_YEAR <= year <= _LAST_YEAR:
        return None
    try:
        return date(year, month, day)
    except ValueError:
        return None


def day_in_field(text: str) -> str:
    """Return the day of a text as fields for dates hold it; nothing if it has none."""
    try:
        return date.fromisoformat(text[:10]).isoformat()
    except ValueError:
        return ""


# Categories and tags as pages: where each stands, and under which address.

TAXONOMIES = {CATEGORY.singular: CATEGORY, TAG.singular: TAG}


@dataclass(frozen=True, slots=True)
class Term:
    """A category or tag with its ancestors, outermost first."""

    kind: Kind
    record: Record
    above: tuple[Record, ...] = ()

    @property
    def id(self) -> int:
        return int(self.record["_id"])

    def path(self, chain: Sequence[str]) -> str:
        """Return its path below ``/events/``: ``category/music/jazz``."""
        records = (*self.above, self.record)
        # A chain without fallback may show no slug, but an address needs one.
        slugs = [local_text(term, "slug", (*chain, *term["variants"])).text for term in records]
        return "/".join((self.kind.singular, *slugs))

    def name(self, chain: Sequence[str]) -> LocalText:
        return local_text(self.record, "name", chain)

    def names_above(self, chain: Sequence[str]) -> list[tuple[LocalText, str]]:
        """Return the name and the path of each term above this one."""
        return [
            (
                local_text(record, "name", chain),
                Term(self.kind, record, self.above[:number]).path(chain),
            )
            for number, record in enumerate(self.above)
        ]

    def description(self, chain: Sequence[str]) -> LocalText:
        return local_text(self.record, "description", chain)


def find_term(context: Context, taxonomy: str, slug: str) -> Term | None:
    """Return the term that has a slug, or had it once, with those above it."""
    kind, reader, chain = TAXONOMIES[taxonomy], context.reader, context.chain
    record = reader.find_by_slug(kind, slugify(slug), chain, EVERYTHING)
    if record is None:
        present = reader.moved_to(kind, slugify(slug), chain, context.caller)
        record = reader.find_by_slug(kind, present, chain, EVERYTHING) if present else None
    if record is None:
        return None
    ids = record.get("ancestors", ())
    records, settings = reader.records_of({kind.name: ids}) if ids else {}, context.settings
    linked = (records.get((kind.name, each)) for each in ids)
    above = tuple(shown(each, settings) for each in linked if each)
    return Term(kind, shown(record, settings), above)


# Addresses are relative to the host, and keep the filters of the page.


class PageLinks:
    """The addresses of the site in the language of a request, as templates ask for them."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._addresses = context.addresses
        self.Place = partial(Place, links=self)

    @property
    def language(self) -> str:
        return self._context.language

    @cached_property
    def _home(self) -> str:
        return self._addresses.home(self._context.language)

    def home(self, language: str | None = None) -> str:
        """Return the address of the first page in a language; it ends with a slash."""
        return self._addresses.home(language) if language else self._home

    def root(self) -> str:
        """Return the path of the site, in front of any language."""
        return self._addresses.root_path

    def absolute(self, address: str) -> str:
        """Return an address relative to the host with scheme and host."""
        if not address.startswith("/"):
            return address
        site = urlsplit(self._addresses.root)
        return f"{site.scheme}://{site.netloc}{address}"

    def day_page(self, day: date, place: "Place") -> str:
        return place.to(DAY, day).address()

    def record_page(self, kind: Kind, record: Record, chain: Sequence[str]) -> str:
        """Return the address of the page of a record, by its slug in a chain of languages."""
        slug, home = slug_of(record, chain), self.home(chain[0])
        if slug:
            return f"{home}{kind.singular}/{slug}/"
        return f"{home}?post_type={kind.singular}&p={record['_id']}"


def slug_of(record: Record, chain: Sequence[str]) -> str:
    """Return the slug that a record has for readers of a chain of languages."""
    texts = (record["variants"].get(tag, {}) for tag in chain)
    return next((text["slug"] for text in texts if text.get("slug")), "")


@dataclass(frozen=True, slots=True)
class Place:
    """A page of the calendar: which view, of which term, with which filters."""

    view: str
    day: date | None = None
    term: str = ""  # the path of a term: "category/music/jazz"
    query: tuple[tuple[str, str], ...] = ()
    embedded: bool = False
    links: PageLinks = field(kw_only=True, compare=False, repr=False)

    def address(self, language: str | None = None) -> str:
        """Return the address, in the language of the request or another one."""
        folder = "embed" if self.embedded else "events"
        path = "/".join([each for each in (folder, self.term, self._view()) if each])
        query = f"?{encode_query(dict(self.query))}" if self.query else ""
        return f"{self.links.home(language)}{path}/{query}"

    def to(self, view: str, day: date | None = None) -> "Place":
        """Return another view with the same filters, on its first page."""
        return replace(self, view=view, day=day, query=self._query_without("page"))

    def having(self, **parameters: str) -> "Place":
        """Return the same page with other parameters, on its first page."""
        merged = dict(self.query) | parameters
        if "page" not in parameters:
            merged.pop("page", None)
        return replace(self, query=tuple(merged.items()))

    def without(self, *names: str) -> "Place":
        """Return the same page without some parameters."""
        return replace(self, query=self._query_without(*names))

    def _query_without(self, *names: str) -> tuple[tuple[str, str], ...]:
        return tuple([(name, value) for name, value in self.query if name not in names])

    def _view(self) -> str:
        match self.view:
            case "day":
                return self.day.isoformat() if self.day else TODAY
            case "month" if self.day:
                return f"{MONTH}/{self.day:%Y-%m}"
            case "week" if self.day:
                return f"{WEEK}/{self.day.isoformat()}"
            case view:
                return view


def neighbors(view: str, day: date) -> tuple[date, date]:
    """Return the days of the page before and of the one after a dated page."""
    match view:
        case "month":
            first = day.replace(day=1)
            return (first - timedelta(days=1)).replace(day=1), next_month(first)
        case "week":
            return day - timedelta(days=7), day + timedelta(days=7)
        case _:
            return day - timedelta(days=1), day + timedelta(days=1)


def next_month(day: date) -> date:
    return (day.replace(day=28) + timedelta(days=4)).replace(day=1)


@dataclass(frozen=True, slots=True)
class Alternate:
    """A page in a language; ``is_written``: its record has texts of its own there."""

    language: str
    name: str
    address: str
    is_written: bool
    is_current: bool


def alternates(context: Context, place: Place, term: Term | None) -> list[Alternate]:
    """Return the addresses of a page of the calendar in every language."""
    variants, settings = term.record["variants"] if term else {}, context.settings
    current = context.language
    return [
        Alternate(
            language,
            wording.own_name(language),
            replace(place, term=term.path(settings.chain(language)) if term else "").address(
                language
            ),
            term is None or "name" in variants.get(language, ()),
            language == current,
        )
        for language in settings.languages
    ]


def record_alternates(
    settings: Settings, links: PageLinks, kind: Kind, record: Record, current: str = ""
) -> list[Alternate]:
    """Return the addresses of the page of a record in every language; one may be ``current``."""
    variants = shown(record, settings)["variants"]
    return [
        Alternate(
            language,
            wording.own_name(language),
            links.record_page(kind, record, chain),
            kind.label in variants.get(language, ()),
            language == current,
        )
        for language, chain in settings.chains().items()
    ]


def same_path(context: Context, query: str = "") -> list[Alternate]:
    """Return the path of the request in every language, whatever it leads to."""
    path = quote(context.request.path.removeprefix("/")) + query
    current = context.language
    return [
        Alternate(
            language,
            wording.own_name(language),
            f"{context.addresses.home(language)}{path}",
            is_written=False,
            is_current=language == current,
        )
        for language in context.settings.languages
    ]
