"""Imports the dates of recurring events, each event as one series."""

import json
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, time, timedelta
from typing import NamedTuple

from calendar_app.accounts.policy import Caller
from calendar_app.calendar.bulk.calendar_events import CalendarEvent, OverriddenDate
from calendar_app.calendar.bulk.editor import BulkEditor
from calendar_app.calendar.bulk.imported import Stored
from calendar_app.calendar.bulk.records import Outcome
from calendar_app.calendar.bulk.series_editor import SeriesEditor
from calendar_app.domain.kind import Record
from calendar_app.domain.moments import Moment
from calendar_app.domain.recurrence.notation import SentRecurrence, parse
from calendar_app.domain.zones import zone_of
from calendar_app.imports.report import Report
from calendar_app.imports.tec.joining import JoinPlan
from calendar_app.imports.tec.reading import ParsedRecord
from calendar_app.imports.tec.records import Occurrence
from calendar_app.kinds import EVENT
from calendar_app.sources.results import Result

_DAY = len("2026-12-24")
_DATE_IN_SLUG = re.compile(r"[-/]\d{4}-\d\d-\d\d(?:-\d+)?$")
_TIMES = ("start", "end")
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
    def texts(self) -> Record:
        (texts,) = self.changes["variants"].values()
        return {name: text for name, text in texts.items() if name != "slug"}

    @property
    def shared(self) -> Record:
        """Return the changes that dates of a series have in common: neither times nor slug."""
        own_names = (*_TIMES, *_PUBLICATION)
        shared = {name: value for name, value in self.changes.items() if name not in own_names}
        return shared | {"variants": self.texts}

    def _wall(self, bound: str) -> datetime:
        moment: Moment = self.changes[bound]
        return moment.in_zone(zone_of(self.changes["timezone"])).replace(microsecond=0)


class DatesOfSeries:
    """The dates of one series, which has the values of most of them."""

    def __init__(self, dates: Sequence[ImportedDate], language: str) -> None:
        self._dates = sorted(dates, key=lambda date: date.start)
        self._language = language
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
            "variants": {self._language: self._texts},
            "start": Moment(begin),
            "end": Moment(begin + self._length),
        }
        return self._event(changes, recurrence, self._time)

    def texts_for(self, series: Record) -> CalendarEvent:
        """Return the texts alone, for a stored series."""
        times = {name: series[name] for name in ("timezone", "all_day")}
        changes = times | {"variants": {self._language: self._texts}}
        return self._event(changes, SentRecurrence(), series["start_local"].time())

    def _event(self, changes: Record, recurrence: SentRecurrence, usual: time) -> CalendarEvent:
        return CalendarEvent(
            source=self._dates[0].source,
            label=self._dates[0].record.label,
            language=self._language,
            changes=changes,
            parts={"dates": [date.occurrence.date for date in self._dates]},
            recurrence=recurrence,
            overrides=tuple(self._overrides(usual, texts_only="start" not in changes)),
            adds_dates=not recurrence.rules,
        )

    @property
    def _texts(self) -> Record:
        texts: Record = self._usual.changes["variants"][self._language]
        return texts | {"slug": _DATE_IN_SLUG.sub("", texts["slug"])} if "slug" in texts else texts

    def _recurrence(self) -> SentRecurrence:
        """Return the recurrence that the site tells, else the dates alone."""
        values = self._dates[0].occurrence.told
        sent = parse({n: values[n] for n in _RECURRENCE if values.get(n)}, datetime.now(UTC))
        if sent.rules or sent.rdates:
            return sent
        dates = (Moment(_date_of(date, self._time)) for date in self._dates)
        return replace(sent, rdates=tuple((date, None) for date in dates))

    def _overrides(self, usual: time, *, texts_only: bool) -> Iterator[OverriddenDate]:
        for date in self._dates:
            start = _date_of(date, usual)
            texts = _differing(date.texts, self._usual.texts)
            changes: Record = {}
            if not texts_only:
                changes = _differing(date.shared, self._usual.shared)
                if (date.start, date.length) != (start, self._length):
                    changes |= {name: date.changes[name] for name in _TIMES}
            changes.pop("variants", None)
            if texts or changes:
                changes["variants"] = {self._language: texts} if texts else {}
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


def _differing(changes: Record, usual: Record) -> Record:
    return {name: value for name, value in changes.items() if usual.get(name) != value}


def _most_common(
    dates: Sequence[ImportedDate], key: Callable[[ImportedDate], Hashable]
) -> ImportedDate:
    """Return the first of the dates with the most common value."""
    ((value, _),) = Counter(map(key, dates)).most_common(1)
    return next(date for date in dates if key(date) == value)


# All series of a site.

# Series of earlier imports that are read at once.
_BATCH = 100


@dataclass(slots=True)
class SeriesImporter:
    """Collects dates of series from all pages of a site, and writes them in the end.

    ``editor`` writes series, ``events`` knows the pictures of the import.
    """

    editor: SeriesEditor
    events: BulkEditor
    report: Report
    plan: JoinPlan
    caller: Caller
    language: str
    zone: str
    _series: dict[str, dict[str, ImportedDate]] = field(default_factory=dict)
    _results: list[Result] = field(default_factory=list)

    def taken_results(self) -> list[Result]:
        """Return the results since the last time, for the report of a reading."""
        results, self._results = self._results, []
        return results

    def add(self, record: ParsedRecord, links: Record) -> None:
        """Hold a date until all of its series are known."""
        changes = {"all_day": False, **record.changes, **links}
        changes["timezone"] = changes.get("timezone") or self.zone
        if changes.get("image") in self.events.pictures:
            changes["image"] = self.events.pictures[changes["image"]]
        date = ImportedDate(record, changes)
        self._series.setdefault(date.source, {})[record.source] = date

    def run(self) -> list[ParsedRecord]:
        """Write all series; return the dates of a second language that no series here has."""
        sources = list(self._series)
        rest: list[ParsedRecord] = []
        for first in range(0, len(sources), _BATCH):
            batch = sources[first : first + _BATCH]
            stored = self.editor.find_imported(batch)
            for source in batch:
                dates = list(self._series[source].values())
                rest += self._import(dates, stored.get(source))
        return rest

    def _import(
        self, dates: Sequence[ImportedDate], known: Stored | None
    ) -> Iterator[ParsedRecord]:
        stored = known or self._joined(dates)
        if self.plan.second and stored is None and not self.plan.create_missing:
            yield from (date.record for date in dates)
            return
        series = DatesOfSeries(dates, self.language)
        joins = self.plan.second and stored is not None
        event = series.texts_for(stored.record) if stored and joins else series.event()
        imported = self.editor.take(event, stored, self.caller)
        if imported.result.outcome is Outcome.REFUSED:
            self.report.refuse(EVENT.name, event.label, imported.result.reason)
            return
        for date in dates:
            self._note(date.record, imported.result.outcome, is_new=known is None)
        for label, reason in imported.refused_dates:
            self.report.refuse(EVENT.name, label, reason)

    def _joined(self, dates: Sequence[ImportedDate]) -> Stored | None:
        """Return the series that the dates of a second language translate."""
        ids = [self.plan.ids[d.record.source] for d in dates if d.record.source in self.plan.ids]
        return self.editor.series_among(ids) if ids else None

    def _note(self, record: ParsedRecord, outcome: Outcome, *, is_new: bool) -> None:
        self.report.note(EVENT.name, outcome)
        self.report.drop(record.label, record.invalid_addresses)
        if is_new and record.source in self.plan.methods:
            self.report.join(EVENT.name, self.plan.methods[record.source])
