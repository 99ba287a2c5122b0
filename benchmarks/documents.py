"""Build documents of a large calendar by the rules of the service."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from functools import partial

from population import LANGUAGES, Population, linked

from calendar_app.calendar.slugs import index_slugs
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.kinds import CATEGORY, EVENT, ORGANIZER, TAG, VENUE
from calendar_app.domain.points import point
from calendar_app.domain.slugs import slugify
from calendar_app.domain.texts.composing import compose, computed_fields
from calendar_app.domain.texts.sanitizing import clean_html

_AUTHOR = 1


class DocumentBuilder:
    """Build the documents of a population, with wall clocks in ``timezone``."""

    def __init__(self, population: Population, timezone: str) -> None:
        self._population = population
        self._timezone = timezone

    def events(self, numbers: Iterable[int]) -> list[Record]:
        """Return the events of these numbers, counted from 0."""
        return [self._event(number) for number in numbers]

    def linked(self, counts: dict[int, int]) -> Iterator[tuple[Kind, list[Record]]]:
        """Yield each kind that events link to with its records; ``counts`` are those of terms."""
        size = self._population
        terms, organizers = size.categories + 1, size.venues + 1
        yield VENUE, [self._venue(number) for number in range(1, organizers)]
        yield (
            ORGANIZER,
            [self._linked_record(ORGANIZER, n) for n in range(organizers, size.first_event)],
        )
        yield CATEGORY, [self._category(number, counts) for number in range(1, terms)]
        yield TAG, [self._term(TAG, n, counts) for n in range(terms, terms + size.tags)]

    def _event(self, number: int) -> Record:
        changes = self._population.event(number)
        location = point(*self._population.place(changes["venues"][0]))
        record = self._record(EVENT, self._population.first_event + number, changes)
        modified = self._population.modified(number, record["start"])
        return record | {"location": location, "published": modified, "modified": modified}

    def _venue(self, number: int) -> Record:
        return self._linked_record(VENUE, number) | {
            "location": point(*self._population.place(number))
        }

    def _linked_record(self, kind: Kind, number: int) -> Record:
        return self._record(kind, number, linked(kind.label, kind.singular, number))

    def _category(self, number: int, counts: dict[int, int]) -> Record:
        above = self._population.above(number)
        parent = above[-1] if above else 0
        return self._term(CATEGORY, number, counts) | {"ancestors": above, "parent": parent}

    def _term(self, kind: Kind, number: int, counts: dict[int, int]) -> Record:
        return self._linked_record(kind, number) | {"count": counts.get(number, 0)}

    def _record(self, kind: Kind, number: int, changes: Record) -> Record:
        return document(kind, number, changes, self._population.today, self._timezone)


def document(kind: Kind, number: int, changes: Record, at: datetime, timezone: str) -> Record:
    """Return the record that ``changes`` create, with all fields that need no look-up."""
    blank = {"_id": number, "author": _AUTHOR, "published": at, "modified": at}
    blank |= {"variants": {}, **kind.defaults}
    record = compose(kind, blank, changes, partial(clean_html, trusted=True))
    record["revision"] = 1
    if kind.has_status:
        record |= {"status": changes.get("status", "publish"), "dated": True}
    if kind.settle is not None:
        record |= kind.settle({}, changes, timezone)
    for texts in record["variants"].values():
        texts["slug"] = slugify(texts[kind.label])
    index_slugs(record)
    return record | computed_fields(kind, {}, record, changes, LANGUAGES[0])
