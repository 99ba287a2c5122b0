"""The dates of a recurring event of a site, as one series."""

import json
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from typing import NamedTuple

from calendar_app.domain.kind import Record
from calendar_app.domain.moments import Moment
from calendar_app.domain.recurrence.notation import SentRecurrence, parse
from calendar_app.domain.zones import zone_of
from calendar_app.sources.calendar_events import CalendarEvent, OverriddenDate
from calendar_app.sources.digests import digest
from calendar_app.sources.imports.tec.reading import ParsedRecord
from calendar_app.sources.imports.tec.records import SiteOccurrence

_DAY = len("2026-12-24")
_DATE_IN_SLUG = re.compile(r"[-/]\d{4}-\d\d-\d\d(?:-\d+)?$")
_TIMES = ("start", "end")
_COMPARED = (*_TIMES, "all_day", "cost", "event_status")
# These say nothing of what a date shows.
_PUBLICATION = ("published", "modified", "author", "lineage")
_RECURRENCE = ("rrule", "rdate", "exdate")


class ImportedDate(NamedTuple):
    """One date of a series, with its changes in the words of the editor."""

    record: ParsedRecord
    changes: Record

    @property
    def occurrence(self) -> SiteOccurrence:
        if self.record.occurrence is None:
            raise ValueError(self.record.source)
        return self.record.occurrence

    @property
    def source(self) -> str:
        """Return the source of the series."""
        return self.record.source.removesuffix(f"/{self.occurrence.date}")

    @property
    def start(self) -> datetime:
        """Return the start in wall clock."""
        return self._wall("start")

    @property
    def length(self) -> timedelta:
        return self._wall("end") - self.start

    @property
    def variants(self) -> dict[str, Record]:
        """Return the texts of each language, without the slug, which has the date in it."""
        return {
            tag: {name: text for name, text in texts.items() if name != "slug"}
            for tag, texts in self.changes["variants"].items()
        }

    @property
    def shared(self) -> Record:
        """Return the changes that dates of a series have in common: neither times nor slug."""
        own_names = (*_TIMES, *_PUBLICATION)
        shared = {name: value for name, value in self.changes.items() if name not in own_names}
        return shared | {"variants": self.variants}

    def compared_in(self, language: str) -> list[object]:
        """Return times, price, status and texts, without links, which imports have as ids."""
        texts = self.variants.get(language, {})
        shared = [self.changes.get(name) for name in _COMPARED]
        return [*shared, {name: text for name, text in texts.items() if text}]

    def _wall(self, bound: str) -> datetime:
        moment: Moment = self.changes[bound]
        return moment.in_zone(zone_of(self.changes["timezone"])).replace(microsecond=0)


class DatesOfSeries:
    """The dates of one series, which has the values of most of them.

    Without ``whole`` they are a part of those of the site, which says nothing of a rule.
    """

    def __init__(self, dates: Sequence[ImportedDate], language: str, *, whole: bool = True) -> None:
        self._dates = sorted(dates, key=lambda date: date.start)
        self._language = language
        self._whole = whole
        self._usual = _most_common(dates, lambda date: json.dumps(date.shared, default=str))
        self._time = _most_common(dates, lambda date: date.start.time()).start.time()
        self._length = _most_common(dates, lambda date: date.length).length

    def event(self) -> CalendarEvent:
        """Return the series to write."""
        recurrence = self._recurrence()
        dates = [_date_of(date, self._time) for date in self._dates]
        begin = min([*dates, *(moment.wall for moment in recurrence.exdates)])
        changes = {
            **self._usual.changes,
            **{n: v for n, v in self._dates[0].changes.items() if n in _PUBLICATION},
            "variants": self._variants,
            "start": Moment(begin),
            "end": Moment(begin + self._length),
        }
        return self._event(changes, recurrence, self._time)

    def texts_for(self, series: Record) -> CalendarEvent:
        """Return the texts alone, for a stored series."""
        times = {name: series[name] for name in ("timezone", "all_day")}
        changes = times | {"variants": self._variants}
        return self._event(changes, SentRecurrence(), series["start_local"].time())

    def _event(self, changes: Record, recurrence: SentRecurrence, usual: time) -> CalendarEvent:
        return CalendarEvent(
            source=self._dates[0].source,
            label=self._dates[0].record.label,
            language=self._language,
            changes=changes,
            parts=self._parts(changes),
            dates=self._compared_dates() if "start" in changes else {},
            recurrence=recurrence,
            overrides=tuple(self._overrides(usual, texts_only="start" not in changes)),
            adds_dates=not recurrence.rules,
            partial=not self._whole,
            uid=self._dates[0].source,
        )

    def _parts(self, changes: Record) -> Record:
        """Return the dates, the times of most of them, and the rule that the site tells, if any."""
        parts: Record = {"dates": [date.occurrence.date for date in self._dates]}
        if "start" not in changes:
            return parts
        told = self._dates[0].occurrence.told
        length = self._length.total_seconds()
        return {
            **parts,
            "times": [str(self._time), length, changes["timezone"], changes["all_day"]],
            **{name: told[name] for name in _RECURRENCE if told.get(name)},
        }

    def _compared_dates(self) -> dict[str, Record]:
        """Return the start and digest of each date, for comparison at the next reading."""
        return {
            date.start.isoformat(): {
                "start": date.changes["start"].instant(zone_of(date.changes["timezone"])),
                "digest": digest(date.compared_in(self._language)),
            }
            for date in self._dates
        }

    @property
    def _variants(self) -> dict[str, Record]:
        variants = {tag: dict(own) for tag, own in self._usual.changes["variants"].items()}
        for texts in variants.values():
            if "slug" in texts:
                texts["slug"] = _DATE_IN_SLUG.sub("", texts["slug"])
        return variants

    def _recurrence(self) -> SentRecurrence:
        """Return the recurrence that the site tells, else the dates alone."""
        values = self._dates[0].occurrence.told
        names = _RECURRENCE if self._whole else ()
        sent = parse({n: values[n] for n in names if values.get(n)}, datetime.now(UTC))
        if sent.rules or sent.rdates:
            return sent
        dates = (Moment(_date_of(date, self._time)) for date in self._dates)
        return replace(sent, rdates=tuple((date, None) for date in dates))

    def _overrides(self, usual: time, *, texts_only: bool) -> Iterator[OverriddenDate]:
        for date in self._dates:
            start = _date_of(date, usual)
            variants = _differing_variants(date.variants, self._usual.variants)
            changes: Record = {}
            if not texts_only:
                changes = _differing(date.shared, self._usual.shared)
                if (date.start, date.length) != (start, self._length):
                    changes |= {name: date.changes[name] for name in _TIMES}
            changes.pop("variants", None)
            if variants or changes:
                changes["variants"] = variants
                label = date.record.label
                yield OverriddenDate(label, Moment(start), self._language, changes)


def _date_of(date: ImportedDate, usual: time) -> datetime:
    """Return the start of a date by the series; the address of a site has the day alone."""
    occurrence = date.occurrence
    if occurrence.told:
        return datetime.fromisoformat(occurrence.date)
    if len(occurrence.date) > _DAY:
        return date.start
    return datetime.combine(datetime.fromisoformat(occurrence.date), usual)


def _differing_variants(
    variants: Mapping[str, Record], usual: Mapping[str, Record]
) -> dict[str, Record]:
    differing = {tag: _differing(texts, usual.get(tag, {})) for tag, texts in variants.items()}
    return {tag: texts for tag, texts in differing.items() if texts}


def _differing(changes: Record, usual: Record) -> Record:
    return {name: value for name, value in changes.items() if usual.get(name) != value}


def _most_common(
    dates: Sequence[ImportedDate], key: Callable[[ImportedDate], Hashable]
) -> ImportedDate:
    """Return the first of the dates with the most common value."""
    ((value, _),) = Counter(map(key, dates)).most_common(1)
    return next(date for date in dates if key(date) == value)
