"""The same page in the other languages of the site."""

from dataclasses import dataclass
from urllib.parse import quote

from calendar_app.domain.kind import Kind, Record
from calendar_app.http.request import current
from calendar_app.pages import wording
from calendar_app.pages.links import Place, home, record_page, unpublished_page
from calendar_app.pages.terms import Term


@dataclass(frozen=True, slots=True)
class Alternate:
    """A page in a language; ``is_written``: its record has texts of its own there."""

    language: str
    name: str
    address: str
    is_written: bool = True

    @property
    def is_current(self) -> bool:
        return self.language == current.language()


def alternates(place: Place, term: Term | None) -> list[Alternate]:
    """Return the addresses of a page of the calendar in every language."""
    settings, found = current.settings(), []
    for language in settings.languages:
        path = term.path(settings.chain(language)) if term else ""
        there = Place(place.view, place.day, path, place.query, place.embedded)
        is_written = term is None or "name" in term.record["variants"].get(language, ())
        found.append(_alternate(language, there.address(language), is_written=is_written))
    return found


def record_alternates(kind: Kind, record: Record) -> list[Alternate]:
    """Return the addresses of the page of a record in every language."""
    settings, alternates = current.settings(), []
    for language in settings.languages:
        chain = settings.chain(language)
        slug = next((s for tag in chain if (s := record["variants"].get(tag, {}).get("slug"))), "")
        address = (
            record_page(kind, slug, language)
            if slug
            else unpublished_page(kind, record["_id"], language)
        )
        is_written = kind.label in record["variants"].get(language, ())
        alternates.append(_alternate(language, address, is_written=is_written))
    return alternates


def same_path(query: str = "") -> list[Alternate]:
    """Return the path of the request in every language, whatever it leads to."""
    path = quote(current.request().path.removeprefix("/")) + query
    return [
        _alternate(language, f"{home(language)}{path}", is_written=False)
        for language in current.settings().languages
    ]


def _alternate(language: str, address: str, *, is_written: bool) -> Alternate:
    return Alternate(language, wording.own_name(language), address, is_written)
