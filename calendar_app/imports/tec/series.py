"""Imports the dates of recurring events, each event as one series."""

import json
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, time, timedelta
from typing import NamedTuple

from calendar_app.calendar.bulk.calendar_events import CalendarEvent, OverriddenDate
from calendar_app.calendar.bulk.editor import BulkEditor
from calendar_app.calendar.bulk.imported import Stored
from calendar_app.calendar.series.members import StoredSeries
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.moments import Moment
from calendar_app.domain.recurrence.notation import SentRecurrence, parse
from calendar_app.domain.zones import zone_of
from calendar_app.imports.report import Report, of_reading
from calendar_app.imports.tec.joining import JoinPlan
from calendar_app.imports.tec.reading import ParsedRecord
from calendar_app.imports.tec.records import Occurrence
from calendar_app.kinds import EVENT, SERIES
from calendar_app.sources.merging import digest
from calendar_app.sources.planning import Key
from calendar_app.sources.pushing import Pusher
from calendar_app.sources.results import Outcome, Result
from calendar_app.sources.source import Source

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
    def occurrence(self) -> Occurrence:
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
        if "start" not in changes:
            return {}
        told = self._dates[0].occurrence.told
        length = self._length.total_seconds()
        return {
            "dates": [date.occurrence.date for date in self._dates],
            "times": [str(self._time), length, changes["timezone"], changes["all_day"]],
            **{name: told[name] for name in _RECURRENCE if told.get(name)},
        }

    def _compared_dates(self) -> dict[str, Record]:
        """Return what the next reading compares of each date, in words of imports and readings."""
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


# All series of a site.

# Series that are read at once.
_BATCH = 100


@dataclass(slots=True)
class SeriesImporter:
    """Collects dates of series from all pages of a site; ``pusher`` writes them in the end.

    ``events`` knows the pictures of the import.
    """

    pusher: Pusher
    events: BulkEditor
    members: StoredSeries
    report: Report
    plan: JoinPlan
    source: Source
    zone: str
    _series: dict[str, dict[str, ImportedDate]] = field(default_factory=dict)

    def add(self, record: ParsedRecord, links: Record) -> None:
        """Hold a date until all of its series are known."""
        changes = {"all_day": False, **record.changes, **links}
        changes["timezone"] = changes.get("timezone") or self.zone
        if changes.get("image") in self.events.pictures:
            changes["image"] = self.events.pictures[changes["image"]]
        date = ImportedDate(record, changes)
        self._series.setdefault(date.source, {})[record.source] = date

    def run(self, now: datetime) -> Iterator[Result | ParsedRecord]:
        """Write all series; yield their results, and dates of a second language without a series.

        These are to be imported as events.
        """
        series = [list(dates.values()) for dates in self._series.values()]
        for first in range(0, len(series), _BATCH):
            batch = series[first : first + _BATCH]
            uids = [dates[0].source for dates in batch]
            known = self.pusher.known.records(self.source.id, uids)
            yield from self._import(batch, known, now)

    def _import(
        self,
        batch: Sequence[Sequence[ImportedDate]],
        known: Mapping[Key, tuple[Kind, Record]],
        now: datetime,
    ) -> Iterator[Result | ParsedRecord]:
        joined: dict[Key, Stored] = {}
        events: list[tuple[Sequence[ImportedDate], CalendarEvent]] = []
        for dates in batch:
            key = Key(dates[0].source)
            stored = Stored(*known[key]) if key in known else self._joined(dates)
            if stored is not None:
                joined[key] = stored
            elif self.plan.second and not self.plan.create_missing:
                yield from (date.record for date in dates)
                continue
            try:
                events.append((dates, self._event(dates, stored)))
            except ValueError as error:  # A date that there is not, for example.
                record = dates[0].record
                self.report.refuse(EVENT.name, record.label, str(error))
                yield Result(Outcome.REFUSED, record.label, key.uid, reason=str(error))
        results = self.pusher.write([event for _, event in events], now, {}, joined)
        for (dates, event), result in zip(events, results, strict=True):
            self._note(dates, result, is_new=Key(event.uid) not in known)
            yield result

    def _event(self, dates: Sequence[ImportedDate], stored: Stored | None) -> CalendarEvent:
        series = DatesOfSeries(dates, self.source.language)
        joins = self.plan.second and stored is not None
        return series.texts_for(stored.record) if stored and joins else series.event()

    def _joined(self, dates: Sequence[ImportedDate]) -> Stored | None:
        """Return the series that the dates of a second language translate."""
        ids = [self.plan.ids[d.record.source] for d in dates if d.record.source in self.plan.ids]
        series = self.members.series_among(ids) if ids else None
        return Stored(SERIES, series) if series else None

    def _note(self, dates: Sequence[ImportedDate], result: Result, *, is_new: bool) -> None:
        if result.outcome is Outcome.REFUSED:
            self.report.refuse(EVENT.name, result.label, result.reason)
            return
        for date in dates:
            record = date.record
            self.report.note(EVENT.name, of_reading(result.outcome))
            self.report.drop(record.label, record.invalid_addresses)
            if is_new and record.source in self.plan.methods:
                self.report.join(EVENT.name, self.plan.methods[record.source])
        for label, reason in result.refused_dates:
            self.report.refuse(EVENT.name, label, reason)
