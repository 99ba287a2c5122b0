"""Writes the recurring events of another site, each series in one transaction."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from calendar_app.accounts.policy import Caller
from calendar_app.calendar.bulk.calendar_events import NOTES, CalendarEvent, OverriddenDate
from calendar_app.calendar.bulk.imported import Stored, named_records
from calendar_app.calendar.bulk.records import (
    ImportResult,
    Outcome,
    reason_of,
    without_absent_texts,
)
from calendar_app.calendar.editor import Editor
from calendar_app.calendar.series.changing import span_on
from calendar_app.calendar.series.members import StoredSeries
from calendar_app.calendar.series.occurrences import RECURRENCE_ID
from calendar_app.calendar.writing.attempts import rehearse, retry_conflicts
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.recurrence.rules import recurrence_of
from calendar_app.domain.statuses import TRASH
from calendar_app.errors import InvalidParameters
from calendar_app.mongo.store import Store
from calendar_app.query.clauses import all_of, equals, given, identified, one_of

_PATIENCE = 60.0  # seconds


@dataclass(frozen=True, slots=True)
class TakenSeries:
    """The outcome of a series, and label and reason of each date that was refused."""

    result: ImportResult
    refused_dates: Sequence[tuple[str, str]] = ()


class SeriesEditor:
    """Imports series; a dry run rolls each write back."""

    def __init__(
        self, store: Store, editor: Editor, kinds: tuple[Kind, Kind], *, dry_run: bool = False
    ) -> None:
        """Take the kinds of events and of series; the editor finds links by their names."""
        self._store = store
        self._editor = editor
        self._events, self._series = kinds
        self._stored = StoredSeries(store)
        self._dry_run = dry_run

    def find_imported(self, sources: Sequence[str]) -> dict[str, Stored]:
        """Return the records of earlier imports by source; a series comes before its events."""
        return named_records(self._store, (self._events, self._series), sources)

    def series_among(self, event_ids: Collection[int]) -> Stored | None:
        """Return the series of the first of some events that has one."""
        occurrence = self._store.of(self._events).first(
            all_of([one_of("_id", event_ids), given("series")]), ["series"]
        )
        series = self._stored.series_of(occurrence) if occurrence else None
        return Stored(self._series, series) if series else None

    def take(self, event: CalendarEvent, stored: Stored | None, caller: Caller) -> TakenSeries:
        """Write a series with its overrides, all or nothing."""
        attempt = rehearse if self._dry_run else retry_conflicts
        try:
            return attempt(self._store, lambda: self._take(event, stored, caller), _PATIENCE)
        except (InvalidParameters, ValueError) as error:
            return TakenSeries(ImportResult(Outcome.REFUSED, reason_of(error)))

    def _take(self, event: CalendarEvent, stored: Stored | None, caller: Caller) -> TakenSeries:
        before = stored.record if stored else {}
        note = event.note_in(before)
        is_same = note.get("digest") == event.digest
        if before.get("status") == TRASH or (is_same and "incomplete" not in note):
            return TakenSeries(ImportResult(Outcome.UNCHANGED))
        if stored is None:
            record = self._create_from(event, caller)
            outcome = Outcome.CREATED
        elif is_same:
            record, outcome = before, Outcome.UNCHANGED
        else:
            record, outcome = self._update(event, stored, note, caller), Outcome.UPDATED
        series = self._series_among(record)
        refused = list(self._override(event, series, note, caller)) if series else ()
        return TakenSeries(ImportResult(outcome), refused)

    def _create_from(self, event: CalendarEvent, caller: Caller) -> Record:
        changes = without_absent_texts(_with_note(event, {}), {})
        changes["recurrence"] = event.recurrence
        return self._editor.create(self._events, changes, caller, event.language)

    def _update(self, event: CalendarEvent, stored: Stored, note: Record, caller: Caller) -> Record:
        kind, before = stored
        changes = without_absent_texts(_with_note(event, before), before)
        if kind is self._series and event.adds_dates:
            changes |= event.beside(before)
        elif kind is self._series:
            exdates = recurrence_of(before).exdates
            changes["recurrence"] = event.keeping_exdates(exdates, note)
        else:
            changes["recurrence"] = event.recurrence
        return self._editor.change(kind, before["_id"], changes, caller, event.language)

    def _series_among(self, record: Record) -> Record | None:
        """Return a series, or that of one of its events."""
        series_id: int = record["series"] if "series" in record else record["_id"]
        return self._store.of(self._series).first(identified(series_id))

    def _override(
        self, event: CalendarEvent, series: Record, note: Record, caller: Caller
    ) -> Iterator[tuple[str, str]]:
        """Write the overridden dates, reset the dates without an override; yield refusals."""
        dates = {event.wall(each.date): each for each in event.overrides}
        outdated = [date for date in note.get("overridden", ()) if date not in dates]
        if not (dates or outdated):
            return
        dates_from = series.get("dates_from")
        occurrences = {each[RECURRENCE_ID]: each for each in self._stored.occurrences(series)}
        resets = {date: event.at(span_on(series, date)) for date in outdated if date in occurrences}
        refused = False
        for date, override in {**resets, **dates}.items():
            if dates_from and date < dates_from and date not in occurrences:
                continue
            if reason := self._override_date(occurrences.get(date), date, override, caller):
                refused = True
                yield override.label, reason
        if refused:
            self._note_incomplete(event, series)

    def _override_date(
        self, occurrence: Record | None, date: datetime, override: OverriddenDate, caller: Caller
    ) -> str:
        """Change one date of a series; return the reason of a refusal, else nothing."""
        if occurrence is None:
            return f"The series has no event on {date}."
        if occurrence["status"] == TRASH:
            return ""
        changes = without_absent_texts(override.changes, occurrence)
        try:
            self._editor.change(self._events, occurrence["_id"], changes, caller, override.language)
        except (InvalidParameters, ValueError) as error:
            return reason_of(error)
        return ""

    def _note_incomplete(self, event: CalendarEvent, series: Record) -> None:
        notes = [
            note | {"incomplete": True} if note["language"] == event.language else note
            for note in series[NOTES]
        ]
        self._store.of(self._series).change(equals("_id", series["_id"]), {"$set": {NOTES: notes}})


def _with_note(event: CalendarEvent, before: Record) -> Record:
    return {**event.changes, NOTES: event.notes(before)}
