"""An event as calendar pages show it: the interface's presentation in the words of a page."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from markupsafe import Markup, escape

from calendar_app.domain.attendance import OFFLINE, SCHEDULED
from calendar_app.domain.cost import for_readers
from calendar_app.domain.kind import Record
from calendar_app.domain.richtext import decoded, plain
from calendar_app.http.presentation.presenting import JSONObject, View
from calendar_app.http.views import records
from calendar_app.pages import wording
from calendar_app.pages.links import relative
from calendar_app.resources.events.kind import EVENT
from calendar_app.resources.events.presentation import present

_FREE = "free"
_TINTS = 5  # as many as the style sheet has
_IN_LANGUAGE = Markup('<span lang="{}">{}</span>')
_DAY = timedelta(days=1)
_SHORTEST = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Text:
    """A plain text, and its language where that is not the one of the page."""

    text: str
    language: str = ""

    def __bool__(self) -> bool:
        return bool(self.text)

    def __str__(self) -> str:
        return self.text

    def __html__(self) -> Markup:
        """Return the text escaped, within an element that names its language."""
        if not self.language:
            return escape(self.text)
        return _IN_LANGUAGE.format(self.language, self.text)


@dataclass(frozen=True, slots=True)
class Card:
    """One event in a list, a table or a grid."""

    event: Record
    shown: JSONObject
    view: View

    @property
    def id(self) -> int:
        return int(self.event["_id"])

    @property
    def url(self) -> str:
        return relative(self.shown["url"])

    @property
    def title(self) -> Text:
        return Text(decoded(self.shown["title"]), borrowed(self.event, "title", self.view))

    @property
    def summary(self) -> Text:
        """Return the excerpt as plain text."""
        text = plain(self.shown["excerpt"] or "")
        return Text(text, borrowed(self.event, "excerpt", self.view))

    @property
    def start(self) -> datetime:
        start: datetime = self.event["start_local"]
        return start

    @property
    def end(self) -> datetime:
        end: datetime = self.event["end_local"]
        return end

    @property
    def days(self) -> tuple[date, date]:
        """Return the first and the last day on which the event is on, on its own clocks."""
        last = self.end - _SHORTEST if self.end > self.start else self.end
        return self.start.date(), last.date()

    @property
    def is_long(self) -> bool:
        """Say whether it is on for a whole day or longer."""
        first, last = self.days
        return self.all_day or (first != last and self.end - self.start >= _DAY)

    @property
    def all_day(self) -> bool:
        return bool(self.event["all_day"])

    @property
    def places(self) -> list[JSONObject]:
        venue = self.shown["venue"]
        return venue if isinstance(venue, list) else [venue]

    @property
    def place(self) -> Text:
        """Return name and town of the first venue."""
        if not self.places:
            return Text("")
        venue = self.places[0]
        name, town = decoded(venue["venue"]), decoded(venue.get("city", ""))
        text = name if not town or town in name else f"{name}, {town}"
        return Text(text, borrowed(self.view.linked["venues"][venue["id"]], "venue", self.view))

    @property
    def categories(self) -> Iterator[Text]:
        for term in self.shown["categories"]:
            record = self.view.linked["categories"][term["id"]]
            yield Text(decoded(term["name"]), borrowed(record, "name", self.view))

    @property
    def tint(self) -> int:
        """Return which colour stands in for a picture: events of a category look alike."""
        ids = [term["id"] for term in self.shown["categories"]]
        return min(ids, default=0) % _TINTS

    @property
    def price(self) -> str:
        cost = "" if self.is_free else decoded(self.shown["cost"])
        return for_readers(cost, self.view.settings.currency_symbol)

    @property
    def is_free(self) -> bool:
        values = self.shown["cost_details"]["values"]
        return bool(values) and all(value in (_FREE, "0") for value in values)

    @property
    def status(self) -> str:
        """Return ``canceled`` or ``postponed``, or nothing."""
        status = str(self.shown["event_status"])
        return "" if status == SCHEDULED else status

    @property
    def is_online(self) -> bool:
        return self.shown["attendance_mode"] not in (None, OFFLINE)

    @property
    def is_featured(self) -> bool:
        return bool(self.shown["featured"])

    @property
    def is_recurring(self) -> bool:
        """Say whether it is a date of a series that the reader may know of."""
        return bool(self.shown.get("series"))

    @property
    def picture(self) -> "Picture | None":
        return picture_of(self.shown["image"])

    @property
    def point(self) -> tuple[float, float] | None:
        """Return latitude and longitude of the first venue that has them."""
        located = (venue for venue in self.places if "geo_lat" in venue)
        return next(((venue["geo_lat"], venue["geo_lng"]) for venue in located), None)

    @property
    def time(self) -> str:
        """Return the hours, as they stand under the date of the first day."""
        first, last = self.days
        language = self.view.chain[0]
        if self.all_day:
            return "" if first == last else wording.date_range(first, last, language)
        if first == last:
            return wording.hours(self.start, self.end, language)
        begin = wording.clock(self.start, language)
        return f"{begin} \u2013 {wording.day_and_month(last, language)}, {self._ends(language)}"

    def time_on(self, day: date) -> str:
        """Return the hour at which it begins on a day, or ends if it came over midnight."""
        language = self.view.chain[0]
        if self.days[0] == day or self.days[1] != day:
            return wording.clock(self.start, language)
        return f"\u2013{wording.clock(self.end, language)}"

    @property
    def when(self) -> str:
        return wording.when(self.start, self.end, self.view.chain[0], all_day=self.all_day)

    def _ends(self, language: str) -> str:
        return wording.clock(self.end, language)


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture in all its sizes, the widest last."""

    url: str
    width: int | None
    height: int | None
    alt: str
    srcset: str

    @property
    def is_portrait(self) -> bool:
        return bool(self.width and self.height and self.height > self.width)


def picture_of(image: Any) -> Picture | None:
    """Return the picture of an ``image`` of the interface, if pages may load it."""
    if not isinstance(image, dict) or not image["id"]:
        return None
    ratio = (image["width"] or 1) / (image["height"] or 1)
    sizes = [*image.get("sizes", {}).values(), image]
    whole = [each for each in sizes if _has_ratio(each, ratio)]
    widths = {each["width"]: relative(each["url"]) for each in whole}
    srcset = ", ".join(f"{url} {width}w" for width, url in sorted(widths.items()))
    largest = max(whole, key=lambda each: each["width"] or 0)
    url, width, height = relative(largest["url"]), largest["width"], largest["height"]
    return Picture(url, width, height, image.get("alt_text", ""), srcset)


def _has_ratio(size: JSONObject, ratio: float) -> bool:
    """Say whether a size shows the whole picture, which squares do not."""
    is_alike: bool = abs((size["width"] or 1) / (size["height"] or 1) / ratio - 1) < 0.03  # noqa: PLR2004  # rounded to pixels
    return is_alike


def borrowed(record: Record, field: str, view: View) -> str:
    """Return the language of a text, if it differs from the requested one."""
    variants = record["variants"]
    language = next((tag for tag in view.chain if field in variants.get(tag, ())), view.chain[0])
    return "" if language == view.chain[0] else language


def cards_of(events: list[Record]) -> list[Card]:
    """Return events as the caller sees them."""
    view = records.view_of(EVENT, events)
    return [Card(event, present(event, view), view) for event in events]
