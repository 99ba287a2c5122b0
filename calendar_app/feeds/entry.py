"""An event as feeds show it: what the list shows, with the language that each text is in."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID, uuid5

from calendar_app.calendar.feeds.survey import last_change
from calendar_app.domain.attendance import CANCELED
from calendar_app.domain.kind import Record
from calendar_app.domain.richtext import decoded
from calendar_app.http.presentation.presenting import Shown, View
from calendar_app.resources.events.presentation import present

Place = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Worded:
    """A plain text, and the language that it is written in."""

    text: str
    language: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One event for one reader; ``off``: it was public and is no more.

    ``shown`` is what the list of events shows of it.
    """

    event: Record
    shown: Shown
    view: View
    uid: UUID
    off: bool = False

    @property
    def title(self) -> Worded:
        return Worded(decoded(self.shown["title"]), self.language_of("title"))

    @property
    def all_day(self) -> bool:
        return bool(self.shown["all_day"])

    @property
    def days(self) -> tuple[date, date]:
        """Return the first and the last day."""
        return self.event["start_local"].date(), self.event["end_local"].date()

    @property
    def modified(self) -> datetime:
        """Return when it changed last, naive in UTC."""
        return last_change(self.event)

    @property
    def status(self) -> str:
        return CANCELED if self.off else str(self.shown["event_status"])

    @property
    def places(self) -> list[Place]:
        venue = self.shown["venue"]
        return venue if isinstance(venue, list) else [venue]

    @property
    def point(self) -> tuple[float, float] | None:
        """Return longitude and latitude of the first venue that has a place on the map."""
        found = (place for place in self.places if "geo_lat" in place)
        return next(((place["geo_lng"], place["geo_lat"]) for place in found), None)

    @property
    def place(self) -> Worded | None:
        """Return name and address of the first venue in one line."""
        if not self.places:
            return None
        place = self.places[0]
        town = " ".join(place[name] for name in ("zip", "city") if place.get(name))
        parts = (decoded(place["venue"]), place.get("address"), town, place.get("country"))
        record = self.view.linked["venues"][place["id"]]
        return Worded(", ".join(part for part in parts if part), _language(record, "venue", self))

    def terms(self, kind: str) -> Iterator[Worded]:
        """Yield the names of the event's ``categories`` or ``tags``."""
        for term in self.shown[kind]:
            record = self.view.linked[kind][term["id"]]
            yield Worded(decoded(term["name"]), _language(record, "name", self))

    def language_of(self, field: str) -> str:
        """Return the language that a text of the event is written in."""
        return _language(self.event, field, self)


def entry(event: Record, view: View, calendar: UUID, *, off: bool) -> Entry:
    """Return an event as ``view`` shows it; ``calendar`` tells this calendar from others."""
    return Entry(event, present(event, view), view, event_uid(calendar, event["_id"]), off)


def event_uid(calendar: UUID, number: int) -> UUID:
    """Return what tells an event of one calendar from all others, in every language."""
    return uuid5(calendar, f"events/{number}")


def aware(instant: datetime) -> datetime:
    """Return an instant, naive in UTC, as an aware one."""
    return instant.replace(tzinfo=UTC)


def _language(record: Record, field: str, of: Entry) -> str:
    chain, variants = of.view.chain, record["variants"]
    return next((tag for tag in chain if field in variants.get(tag, ())), chain[0])
