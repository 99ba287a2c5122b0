"""Addresses of pages, relative to the host, with the filters that they keep."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from urllib.parse import urlsplit

from calendar_app.domain.kind import Kind
from calendar_app.http.request import current
from calendar_app.pages.scope import DAY, MONTH, TODAY, WEEK
from calendar_app.readmodel.addresses import encode_query

Query = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Place:
    """A page of the calendar: which view, of which term, with which filters."""

    view: str
    day: date | None = None
    term: str = ""  # the path of a term: "category/music/jazz"
    query: tuple[tuple[str, str], ...] = ()
    embedded: bool = False

    def address(self, language: str | None = None) -> str:
        """Return the address, in the language of the request or another one."""
        path = "/".join(part for part in (self._folder(), self.term, self._view()) if part)
        query = encode_query(dict(self.query))
        return f"{home(language)}{path}/{'?' if query else ''}{query}"

    def to(self, view: str, day: date | None = None) -> "Place":
        """Return another view with the same filters, on its first page."""
        return replace(self, view=view, day=day).without("page")

    def having(self, **parameters: str) -> "Place":
        """Return the same page with other parameters, on its first page."""
        merged = dict(self.query) | parameters
        if "page" not in parameters:
            merged.pop("page", None)
        return replace(self, query=tuple(merged.items()))

    def without(self, *names: str) -> "Place":
        """Return the same page without some parameters."""
        query = tuple((name, value) for name, value in self.query if name not in names)
        return replace(self, query=query)

    def _folder(self) -> str:
        return "embed" if self.embedded else "events"

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


def home(language: str | None = None) -> str:
    """Return the address of the first page in a language; it ends with a slash."""
    return current.addresses().home(language or current.language())


def record_page(kind: Kind, slug: str, language: str) -> str:
    """Return the address of the page of a record."""
    return f"{home(language)}{kind.singular}/{slug}/"


def unpublished_page(kind: Kind, record_id: int, language: str) -> str:
    """Return the address of the page of a record that has no slug."""
    return f"{home(language)}?post_type={kind.singular}&p={record_id}"


def root() -> str:
    """Return the path of the site, in front of any language."""
    return current.addresses().root_path


def path_of(address: str) -> str:
    """Drop scheme and host from an address of this site."""
    return current.addresses().path(address)


def absolute(address: str) -> str:
    """Return an address relative to the host with scheme and host."""
    site = urlsplit(current.addresses().root)
    return f"{site.scheme}://{site.netloc}{address}" if address.startswith("/") else address


def day_page(day: date, place: Place) -> str:
    return place.to(DAY, day).address()


def neighbours(view: str, day: date) -> tuple[date, date]:
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
