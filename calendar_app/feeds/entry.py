"""An event in a feed: its presentation, with the language of each text."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID, uuid5

from calendar_app.domain.attendance import CANCELED
from calendar_app.domain.kind import Record
from calendar_app.domain.richtext import decoded
from calendar_app.domain.stamps import Stamp
from calendar_app.http.presentation.presenting import JSONObject, View
from calendar_app.resources.events.presentation import present

Place = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class LocalizedText:
    """A plain text and its language."""

    text: str
    language: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One event for one reader; ``off`` if it was withdrawn.

    ``calendar`` identifies this calendar.

    ``event_json`` is its presentation in a list; ``stamp`` moves with all that the feed shows.
    """

    event: Record
    event_json: JSONObject
    view: View
    calendar: UUID
    stamp: Stamp
    off: bool = False

    @property
    def uid(self) -> UUID:
        return self.uid_of(self.event["_id"])

    @property
    def series_uid(self) -> UUID:
        """Return the UID of the event's series, which all its events share in iCalendar."""
        return self.uid_of(self.event.get("series") or self.event["_id"])

    def uid_of(self, number: int) -> UUID:
        return event_uid(self.calendar, number)

    @property
    def title(self) -> LocalizedText:
        return LocalizedText(decoded(self.event_json["title"]), self.language_of("title"))

    @property
    def all_day(self) -> bool:
        return bool(self.event_json["all_day"])

    @property
    def days(self) -> tuple[date, date]:
        """Return the first and the last day."""
        return self.event["start_local"].date(), self.event["end_local"].date()

    @property
    def status(self) -> str:
        return CANCELED if self.off else str(self.event_json["event_status"])

    @property
    def places(self) -> list[Place]:
        venue = self.event_json["venue"]
        return venue if isinstance(venue, list) else [venue]

    @property
    def point(self) -> tuple[float, float] | None:
        """Return longitude and latitude of the first venue with coordinates."""
        located = (place for place in self.places if "geo_lat" in place)
        return next(((place["geo_lng"], place["geo_lat"]) for place in located), None)

    @property
    def place(self) -> LocalizedText | None:
        """Return name and address of the first venue in one line."""
        if not self.places:
            return None
        place = self.places[0]
        town = " ".join(place[name] for name in ("zip", "city") if place.get(name))
        parts = (decoded(place["venue"]), place.get("address"), town, place.get("country"))
        record = self.view.linked["venues"][place["id"]]
        return LocalizedText(
            ", ".join(part for part in parts if part), _text_language(record, "venue", self)
        )

    def terms(self, kind: str) -> Iterator[LocalizedText]:
        """Yield the names of the event's ``categories`` or ``tags``."""
        for term in self.event_json[kind]:
            record = self.view.linked[kind][term["id"]]
            yield LocalizedText(decoded(term["name"]), _text_language(record, "name", self))

    def language_of(self, field: str) -> str:
        """Return the language of a text of the event."""
        return _text_language(self.event, field, self)


def entry(event: Record, view: View, calendar: UUID, stamp: Stamp, *, off: bool = False) -> Entry:
    """Return an event as ``view`` presents it; ``calendar`` identifies this calendar."""
    return Entry(event, present(event, view), view, calendar, stamp, off)


def event_uid(calendar: UUID, number: int) -> UUID:
    """Return the globally unique id of an event, the same in every language."""
    return uuid5(calendar, f"events/{number}")


def aware(instant: datetime) -> datetime:
    """Return a naive UTC time as an aware one."""
    return instant.replace(tzinfo=UTC)


def _text_language(record: Record, field: str, entry: Entry) -> str:
    chain, variants = entry.view.chain, record["variants"]
    return next((tag for tag in chain if field in variants.get(tag, ())), chain[0])
