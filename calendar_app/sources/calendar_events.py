"""Events and series of other calendars, before they are written here."""

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta
from hashlib import sha256

from calendar_app.domain.kind import Record
from calendar_app.domain.moments import Moment
from calendar_app.domain.recurrence.expansion import expand
from calendar_app.domain.recurrence.notation import SentRecurrence, as_sent
from calendar_app.domain.recurrence.notation import settle as settle_recurrence
from calendar_app.domain.recurrence.rules import (
    ExtraDate,
    InvalidRecurrence,
    parse_rule,
    recurrence_of,
    span_of,
)
from calendar_app.domain.timespan import TimeSpan
from calendar_app.domain.timespan import settle as settle_times
from calendar_app.domain.zones import instant_of, wall_of, zone_of
from calendar_app.errors import Message

# The property of feeds with the UIDs of an event in calendars like this one.
LINEAGE = "X-CALENDAR-APP-LINEAGE"
# Who wrote each text, and whether somebody has checked it, by language and field.
TEXT_ORIGINS = "text_origins"
# In the data of a venue or an organizer: the id that it has at the source.
EXTERNAL_ID = "external_id"
# Of the permanent names of events in iCalendar files.
NAMED = "ics:"
# The title of events that have none, in each language.
UNTITLED = Message("(no title)")
# COUNT is judged where a series is stored.
ANY_COUNT = 2**31


@dataclass(frozen=True, slots=True)
class OverriddenDate:
    """The overrides of one date of a series; ``label`` names it for a person."""

    label: str
    date: Moment
    language: str
    changes: Record


@dataclass(frozen=True, slots=True, kw_only=True)
class CalendarEvent:
    """An event or a series of a file; ``source`` is its permanent name.

    ``changes`` are in the words of the editor; ``parts`` is the recurrence as the file has it.
    ``related`` is the source of the series that it continues, or of the event above it.
    ``untitled``: the title stands in for one that the file does not have.
    ``uid`` and ``recurrence_id`` are as the source has them, the latter for what begins on a date
    of a series; ``url`` is the page of the event at its source.
    ``lineage`` are its UIDs in calendars like this one, from which the source has it.
    ``text_digest`` is that of its text at the source; empty where it has to be parsed each time.
    With ``adds_dates`` a stored series keeps the dates that are not among these, which with
    ``partial`` are the coming ones alone; without a start in the changes it keeps all its times.
    ``picture_texts`` are ``alt_text``, ``credit`` and ``license`` of its picture, as far as given.
    ``dates`` has the start and a digest of each date that a site lists, by its wall clock.
    ``imported`` is what an import of a whole site knows it by, as in the notes of sources.
    """

    source: str
    label: str
    language: str
    changes: Record
    parts: Record = field(default_factory=dict)
    dates: Mapping[str, Record] = field(default_factory=dict)
    recurrence: SentRecurrence = field(default_factory=SentRecurrence)
    overrides: tuple[OverriddenDate, ...] = ()
    related: str = ""
    adds_dates: bool = False
    partial: bool = False
    untitled: bool = False
    uid: str = ""
    recurrence_id: str = ""
    url: str = ""
    lineage: tuple[str, ...] = ()
    text_digest: str = ""
    picture_texts: Mapping[str, str] = field(default_factory=dict)
    imported: Record = field(default_factory=dict)

    @property
    def recurs(self) -> bool:
        return bool(self.recurrence.rules or self.recurrence.rdates) or self.adds_dates

    @property
    def digest(self) -> str:
        """Return the digest of an event as former imports, without sources, stored it."""
        dates = [(str(each.date), each.changes) for each in self.overrides]
        # Earlier releases knew of a list of dates by these alone.
        parts = {name: self.parts[name] for name in ("dates",) if name in self.parts} or self.parts
        relevant = [self.changes, parts, dates, self.related]
        return sha256(json.dumps(relevant, sort_keys=True, default=str).encode()).hexdigest()

    @property
    def span(self) -> TimeSpan:
        """Return the times of the event, or of the first one of a series."""
        times = {name: self.changes[name] for name in ("start", "end", "timezone", "all_day")}
        return settle_times(None, **times, site_timezone=self.changes["timezone"])

    @property
    def starts(self) -> list[datetime]:
        """Return when it begins, in UTC; of a list of dates each of them.

        Recorded pages of a site may lack the zone, or whether it lasts all day; then nobody knows.
        """
        if self.dates:
            return [each["start"] for each in self.dates.values()]
        is_whole = self.changes.keys() >= {"start", "timezone", "all_day"}
        if not is_whole or not self.changes["timezone"]:
            return []
        zone = zone_of(self.changes["timezone"])
        return [instant_of(self.wall(self.changes["start"]), zone)]

    def dates_since(self, now: datetime, most: int) -> int:
        """Return how many of its dates begin at an instant or later, ``most`` at the most."""
        try:
            span = self.span
            since = wall_of(now, zone_of(span.timezone))
            recurrence = settle_recurrence(self.recurrence, span, limit=ANY_COUNT)
            dates = expand(recurrence, span, since=since, until=None, limit=most)
        except (InvalidRecurrence, ValueError):
            return most  # It will be refused, and nothing changes.
        return sum(each.span.start_local >= since for each in dates)

    def wall(self, date: Moment) -> datetime:
        """Return a date of the series in wall clock; midnight of all-day events."""
        wall = date.in_zone(zone_of(self.changes["timezone"])).replace(microsecond=0)
        return datetime.combine(wall.date(), time.min) if self.changes["all_day"] else wall

    def beside_titles(self, before: Record) -> Record:
        """Return the changes; a title of this calendar stays if the file has none."""
        texts: Record = self.changes["variants"][self.language]
        if not self.untitled or "title" not in before.get("variants", {}).get(self.language, {}):
            return self.changes
        own = {name: value for name, value in texts.items() if name != "title"}
        return {**self.changes, "variants": {**self.changes["variants"], self.language: own}}

    def keeping_exdates(self, own: Iterable[datetime]) -> SentRecurrence:
        """Return the recurrence without the dates that people here left out as well."""
        return replace(self.recurrence, exdates=(*self.recurrence.exdates, *map(Moment, own)))

    def texts(self) -> "CalendarEvent":
        """Return the texts alone, for a record that has them in another language from elsewhere."""
        names = {"timezone", "all_day", "variants"}
        overrides = (
            replace(each, changes={"variants": each.changes["variants"]})
            for each in self.overrides
            if each.changes.get("variants")
        )
        return replace(
            self,
            changes={name: value for name, value in self.changes.items() if name in names},
            parts={},
            dates={},
            recurrence=SentRecurrence(),
            overrides=tuple(overrides),
        )

    def further(self, series: Record, days: Collection[date], *, at_its_time: bool) -> Record:
        """Return the recurrence of a stored series that gets the dates on some days too.

        They begin ``at_its_time`` where people here have given it another one.
        """
        first, stored = span_of(series).start_local, as_sent(recurrence_of(series))
        rdates = [
            Moment(datetime.combine(self.wall(date).date(), first.time())) if at_its_time else date
            for date, _ in self.recurrence.rdates
            if self.wall(date).date() in days
        ]
        further = [(date, None) for date in rdates]
        return {"recurrence": replace(stored, rdates=(*further, *stored.rdates))}

    def beside(self, series: Record) -> Record:
        """Return times and recurrence of a stored series that gets these dates too.

        It begins on the same day as before.
        """
        first, stored = span_of(series), recurrence_of(series)
        times: Record = {}
        step = timedelta()
        if "start" in self.changes:
            start, end = self.wall(self.changes["start"]), self._wall_end
            begin = datetime.combine(first.start_local.date(), start.time())
            times = {"start": Moment(begin), "end": Moment(begin + (end - start))}
            step = begin - first.start_local
        days = {self.wall(date).date() for date, _ in self.recurrence.rdates}
        stored_rdates = [
            (Moment(date.start + step), Moment(date.end + step) if date.end else None)
            for date in (ExtraDate(first.start_local), *stored.rdates)
            if date.start.date() not in days
        ]
        rdates = (*self.recurrence.rdates, *stored_rdates)
        rules = tuple(map(parse_rule, stored.rules))
        exdates = tuple(Moment(date + step) for date in stored.exdates)
        return {**times, "recurrence": SentRecurrence(rules, rdates, exdates)}

    @property
    def _wall_end(self) -> datetime:
        end: Moment = self.changes["end"]
        return end.in_zone(zone_of(self.changes["timezone"])).replace(microsecond=0)

    def at(self, span: TimeSpan) -> OverriddenDate:
        """Return the file's values for a date that it no longer overrides."""
        if "start" not in self.changes:
            texts = {"variants": self.changes["variants"]}
            return OverriddenDate(self.label, Moment(span.start, UTC), self.language, texts)
        start, end = Moment(span.start, UTC), Moment(span.end, UTC)
        times = {"start": start, "end": end, "timezone": span.timezone, "all_day": span.all_day}
        return OverriddenDate(self.label, start, self.language, self.changes | times)
