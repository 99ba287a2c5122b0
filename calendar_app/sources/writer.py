"""Writes what a source says into events and series: field by field, beside what was edited here."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from calendar_app.accounts.policy import SOURCE_ROLE, Caller
from calendar_app.calendar.bulk.calendar_events import CalendarEvent
from calendar_app.calendar.bulk.records import without_absent_texts
from calendar_app.calendar.editor import Editor
from calendar_app.calendar.series.changing import ALL
from calendar_app.calendar.series.members import StoredSeries
from calendar_app.calendar.writing.attempts import rehearse, retry_conflicts
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.recurrence.notation import SentRecurrence
from calendar_app.domain.recurrence.rules import recurrence_of
from calendar_app.domain.statuses import TRASH
from calendar_app.errors import CalendarError, InvalidParameters, Unavailable
from calendar_app.mongo.store import Store
from calendar_app.query.clauses import identified
from calendar_app.sources import planning
from calendar_app.sources.adopting import adopted, former_note
from calendar_app.sources.dates import DateWriter
from calendar_app.sources.merging import (
    RECURRENCE,
    TIMES,
    Memory,
    Merge,
    changes_at,
    digests,
    merge,
    said_values,
    stored_values,
)
from calendar_app.sources.notes import KnownEvents, key_of, memory_of, note_in, related_keys
from calendar_app.sources.noting import NoteWriter, WrittenEvent
from calendar_app.sources.preparing import Preparation, to_send
from calendar_app.sources.results import Outcome, Result, refusal
from calendar_app.sources.source import Source

PATIENCE = 60.0  # seconds


@dataclass(frozen=True, slots=True)
class Task:
    """An event to write, and the record that it updates, if any.

    ``translates`` says whether that came in another language before.
    """

    event: CalendarEvent
    stored: tuple[Kind, Record] | None = None
    translates: bool = False


class SourceWriter:
    """Writes the events of one source; a dry run rolls each write back.

    Its editor finds venues, organizers and terms by their names.
    """

    def __init__(
        self,
        store: Store,
        editor: Editor,
        kinds: tuple[Kind, Kind],
        source: Source,
        *,
        dry_run: bool = False,
    ) -> None:
        self._store = store
        self._editor = editor
        self._events, self._series = kinds
        self._members = StoredSeries(store)
        self._known = KnownEvents(store, kinds)
        self._notes = NoteWriter(store, kinds, source)
        self._source = source
        self._attempt = rehearse if dry_run else retry_conflicts
        self._caller = Caller(source.author, source.label, SOURCE_ROLE)
        self.preparation = Preparation(source)
        self._dates = DateWriter(
            self._members, editor, self._events, self._caller, self.preparation
        )

    def write(self, tasks: Sequence[Task], now: datetime) -> list[Result]:
        """Write some events in one transaction, each wholly or not at all.

        Where that fails for all, each has a transaction of its own.
        """
        try:
            return self._attempt(self._store, lambda: self._write_all(tasks, now), PATIENCE)
        except Unavailable:
            raise
        except CalendarError as error:
            if len(tasks) > 1:
                return [result for task in tasks for result in self.write([task], now)]
            return [refusal(tasks[0].event, error)]

    # One transaction.

    def _write_all(self, tasks: Sequence[Task], now: datetime) -> list[Result]:
        written_events: list[WrittenEvent] = []
        results = []
        for task in tasks:
            try:
                results.append(self._write(task, written_events, now))
            except (InvalidParameters, ValueError) as error:
                results.append(refusal(task.event, error))
        self._notes.keep(written_events)
        return results

    def _write(self, task: Task, written_events: list[WrittenEvent], now: datetime) -> Result:
        event = task.event
        result = Result(Outcome.UNCHANGED, event.label, *key_of(event))
        record = task.stored[1] if task.stored else {}
        note_as = self._notes.translated if task.translates else self._notes.fresh
        note = note_as(event, record, now)
        if task.stored is None:
            self._create(event, note, written_events, result)
        elif record["status"] == TRASH and not self._comes_back(record):
            result.event = record["_id"]
            self._notes.leave_in_trash(task.stored, note)
        else:
            self._update(event, task.stored, note, written_events, result)
        if result.refused_dates:
            note["incomplete"] = True
        return result

    def _create(
        self,
        event: CalendarEvent,
        note: Record,
        written_events: list[WrittenEvent],
        result: Result,
    ) -> None:
        changes = self.preparation.prepared(event.changes) | self._related(event)
        values = said_values(changes, event.parts)
        sent: Record = {"status": self._source.status} | without_absent_texts(changes, {})
        if event.recurs:
            sent["recurrence"] = event.recurrence
        record = self._editor.create(self._events, sent, self._caller, event.language)
        series = self._series_with(record) if event.recurs else None
        kind, after = (self._events, record) if series is None else (self._series, series)
        result.outcome, result.event = Outcome.NEW, record["_id"]
        result.dates_from = after.get("dates_from")
        merged = Merge(values, digests(values), Memory())
        written_events.append(WrittenEvent(kind, after["_id"], note, merged))
        if series is not None:
            written_events += self._dates.write(event, series, result)

    def _update(
        self,
        event: CalendarEvent,
        stored: tuple[Kind, Record],
        note: Record,
        written_events: list[WrittenEvent],
        result: Result,
    ) -> None:
        kind, before = stored
        former = former_note(event, before)
        earlier = note_in(before, self._source.id) or former
        changes = self.preparation.prepared(event.beside_titles(before)) | self._related(event)
        values = said_values(changes, event.parts)
        now = digests(values)
        stands = digests(stored_values(before, now, kind.usual))
        memory = adopted(memory_of(earlier), former, event, now, stands)
        merged = merge(values, now, memory, stands, self._source.authority)
        sent = to_send(changes_at(changes, merged.taken - {RECURRENCE}), before)
        if before["status"] == TRASH:
            sent["status"] = before.get("status_before_trash", self._source.status)
        result.event = before["_id"]
        target = kind, before["_id"]
        if RECURRENCE not in merged.kept:
            target = self._with_recurrence(event, stored, earlier, merged.taken, sent)
        if sent:
            record = self._editor.change(*target, sent, self._caller, event.language)
            result.outcome = Outcome.CHANGED
            result.fields = sorted(merged.taken) or sorted(sent)
            kind, before = self._renewed(event, target[0], record)
        result.keep(merged.reported)
        written_events.append(WrittenEvent(kind, before["_id"], note, merged, former))
        if kind is self._series and event.recurs:
            result.dates_from = before.get("dates_from")
            written_events += self._dates.write(event, before, result)

    def _with_recurrence(
        self,
        event: CalendarEvent,
        stored: tuple[Kind, Record],
        earlier: Record,
        taken_paths: frozenset[str],
        sent: Record,
    ) -> tuple[Kind, int]:
        """Add the recurrence to the changes; return the kind and id of the record to change."""
        kind, before = stored
        left_out = [event.wall(date) for date in event.recurrence.exdates]
        moved = taken_paths & {TIMES, RECURRENCE} or left_out != earlier.get("exdates", [])
        if kind is self._series and event.recurs:
            if moved:
                sent["recurrence"] = _beside_own_exdates(event, before, earlier, taken_paths)
        elif kind is self._series:
            sent |= {"recurrence": SentRecurrence(), "scope": ALL}
            return self._events, self._remaining(before)
        elif event.recurs:
            sent["recurrence"] = event.recurrence
        return kind, before["_id"]

    def _renewed(self, event: CalendarEvent, kind: Kind, record: Record) -> tuple[Kind, Record]:
        """Return the record that has the note now: a series where the event recurs."""
        series = self._series_with(record) if event.recurs else None
        if series is not None:
            return self._series, series
        return kind, record

    def _series_with(self, record: Record) -> Record | None:
        series_id: int = record["series"] if "series" in record else record["_id"]
        return self._store.of(self._series).first(identified(series_id))

    def _remaining(self, series: Record) -> int:
        """Return the event that stays when a series ends to be one: the first in no trash."""
        occurrences = self._members.occurrences(series)
        living = [each for each in occurrences if each["status"] != TRASH]
        return int((living or occurrences)[0]["_id"])

    def _comes_back(self, record: Record) -> bool:
        """Say whether a record lies in the trash because it had vanished from the source."""
        return note_in(record, self._source.id).get("vanished") == planning.TRASH

    def _related(self, event: CalendarEvent) -> Record:
        """Return the series that an event continues, or the event above it, as changes."""
        if not event.related:
            return {}
        keys = related_keys(event)
        known = self._known.records(self._source.id, [key.uid for key in keys])
        stored = next((known[key] for key in keys if key in known), None)
        if stored is None or event.recurs != (stored[0] is self._series):
            return {}
        return {"continues" if event.recurs else "parent": stored[1]["_id"]}


def _beside_own_exdates(
    event: CalendarEvent, series: Record, earlier: Record, taken_paths: frozenset[str]
) -> SentRecurrence:
    """Return the recurrence without the dates that people here left out; they move with it."""
    step = timedelta()
    if TIMES in taken_paths:
        step = event.wall(event.changes["start"]) - series["start_local"]
    stored = [
        wall + step for wall in recurrence_of(series).exdates if wall not in earlier["exdates"]
    ]
    return event.keeping_exdates(stored, {})
