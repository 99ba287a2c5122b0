"""Writes what a source says into events and series: field by field, beside what was edited here."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from calendar_app.accounts.policy import SOURCE_ROLE, Caller
from calendar_app.calendar.bulk.calendar_events import CalendarEvent, OverriddenDate
from calendar_app.calendar.bulk.records import reason_of, without_absent_texts
from calendar_app.calendar.editor import Editor
from calendar_app.calendar.series.changing import ALL, span_on
from calendar_app.calendar.series.members import StoredSeries
from calendar_app.calendar.series.occurrences import RECURRENCE_ID
from calendar_app.calendar.writing.attempts import rehearse, retry_conflicts
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.recurrence.notation import SentRecurrence
from calendar_app.domain.recurrence.rules import recurrence_of
from calendar_app.domain.statuses import PRIVATE, PUBLISH, TRASH
from calendar_app.domain.timespan import TimeSpan
from calendar_app.errors import CalendarError, InvalidParameters, Unavailable
from calendar_app.mongo.store import Store
from calendar_app.query.clauses import identified
from calendar_app.sources import planning
from calendar_app.sources.adopting import adopted, former_note
from calendar_app.sources.merging import (
    RECURRENCE,
    TIMES,
    Decision,
    Memory,
    changes_at,
    decide,
    digests,
    said_values,
    stored_values,
)
from calendar_app.sources.notes import KnownEvents, key_of, memory_of, note_in, related_keys
from calendar_app.sources.noting import NoteWriter, WrittenEvent
from calendar_app.sources.results import Outcome, Result, refusal
from calendar_app.sources.source import CREATE, Source
from calendar_app.sources.words import TAXONOMIES, Terms

PATIENCE = 60.0  # seconds
# No digest of any value: it stands where something else was written than the series has.
OWN = "-"


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

    ``editors`` gives an editor that finds venues, organizers and terms by their names.
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
        self.words: Terms = {}

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
        changes = self._prepared(event.changes) | self._related(event)
        now = digests(said_values(changes, event.parts))
        sent: Record = {"status": self._source.status} | without_absent_texts(changes, {})
        if event.recurs:
            sent["recurrence"] = event.recurrence
        record = self._editor.create(self._events, sent, self._caller, event.language)
        series = self._series_with(record) if event.recurs else None
        kind, after = (self._events, record) if series is None else (self._series, series)
        result.outcome, result.event = Outcome.NEW, record["_id"]
        result.dates_from = after.get("dates_from")
        written_events.append(WrittenEvent(kind, after["_id"], note, now, {}, Memory()))
        if series is not None:
            self._override(event, series, written_events, result)

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
        changes = self._prepared(event.beside_titles(before)) | self._related(event)
        values = said_values(changes, event.parts)
        now = digests(values)
        stands = digests(stored_values(before, now, kind.usual))
        memory = adopted(memory_of(earlier), former, event, now, stands)
        decisions = decide(now, memory, stands, self._source.authority)
        taken_paths = {path for path, each in decisions.items() if each is Decision.TAKEN}
        kept = {path for path, each in decisions.items() if each is Decision.KEPT}
        sent = _sent(changes_at(changes, taken_paths - {RECURRENCE}), before)
        if before["status"] == TRASH:
            sent["status"] = before.get("status_before_trash", self._source.status)
        result.event = before["_id"]
        target = kind, before["_id"]
        if RECURRENCE not in kept:
            target = self._with_recurrence(event, stored, earlier, taken_paths, sent)
        if sent:
            record = self._editor.change(*target, sent, self._caller, event.language)
            result.outcome = Outcome.CHANGED
            result.fields = sorted(taken_paths) or sorted(sent)
            kind, before = self._renewed(event, target[0], record)
        result.kept = sorted(path for path in kept if now[path] or memory.said.get(path))
        self._keep(result)
        written_events.append(
            WrittenEvent(
                kind,
                before["_id"],
                note,
                now,
                {path: values[path] for path in kept},
                memory,
                former,
            )
        )
        if kind is self._series and event.recurs:
            result.dates_from = before.get("dates_from")
            self._override(event, before, written_events, result)

    def _with_recurrence(
        self,
        event: CalendarEvent,
        stored: tuple[Kind, Record],
        earlier: Record,
        taken_paths: set[str],
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

    def _keep(self, result: Result) -> None:
        if result.kept and result.outcome is Outcome.UNCHANGED:
            result.outcome = Outcome.KEPT

    def _comes_back(self, record: Record) -> bool:
        """Say whether a record lies in the trash because it had vanished from the source."""
        return note_in(record, self._source.id).get("vanished") == planning.TRASH

    # Dates of a series that the source overrides.

    def _override(
        self,
        event: CalendarEvent,
        series: Record,
        written_events: list[WrittenEvent],
        result: Result,
    ) -> None:
        """Write the overridden dates, and reset those without an override to the series."""
        occurrences = self._members.occurrences(series)
        dates = {event.wall(each.date): each for each in event.overrides}
        by_date = {each[RECURRENCE_ID]: each for each in occurrences}
        noted_dates = {date for date in by_date if note_in(by_date[date], self._source.id)}
        noted_dates |= by_date.keys() & former_note(event, series).get("overridden", ())
        if not (dates or noted_dates):
            return
        for date in sorted(noted_dates - dates.keys()):
            reset = event.at(span_on(series, date))
            self._override_date(
                (event, series), by_date[date], reset, (written_events, result), resets=True
            )
        for date, override in sorted(dates.items()):
            occurrence = by_date.get(date)
            if occurrence is not None:
                self._override_date(
                    (event, series), occurrence, override, (written_events, result), resets=False
                )
            elif not _is_past(series, date):
                result.refused_dates.append((override.label, f"The series has no event on {date}."))

    def _override_date(
        self,
        of: tuple[CalendarEvent, Record],
        occurrence: Record,
        override: OverriddenDate,
        into: tuple[list[WrittenEvent], Result],
        *,
        resets: bool,
    ) -> None:
        """Merge the source's values of one date ``of`` an event and its series."""
        (event, series), (written_events, result) = of, into
        earlier = note_in(occurrence, self._source.id)
        if occurrence["status"] == TRASH:
            return
        changes = self._prepared(override.changes)
        changes.pop("status", None)
        values = said_values(changes)
        now = digests(values)
        stands = digests(stored_values(occurrence, now, self._events.usual))
        former = former_note(event, series)
        if occurrence[RECURRENCE_ID] in former.get("overridden", ()):
            memory = adopted(memory_of(earlier), former, event, now, stands)
        else:
            memory = memory_of(earlier) if earlier else self._inherited(event, occurrence, now)
        decisions = decide(now, memory, stands, self._source.authority)
        taken_paths = {path for path, each in decisions.items() if each is Decision.TAKEN}
        kept = {path for path, each in decisions.items() if each is Decision.KEPT}
        sent = _sent(changes_at(changes, taken_paths), occurrence)
        date = occurrence[RECURRENCE_ID].isoformat()
        try:
            if sent:
                self._editor.change(
                    self._events, occurrence["_id"], sent, self._caller, override.language
                )
        except (InvalidParameters, ValueError) as error:
            result.refused_dates.append((override.label, reason_of(error)))
            return
        if taken_paths:
            result.fields += [f"{date} {path}" for path in sorted(taken_paths)]
            is_new = result.outcome is Outcome.NEW
            result.outcome = Outcome.NEW if is_new else Outcome.CHANGED
        said = (path for path in sorted(kept) if now[path] or memory.said.get(path))
        result.kept += [f"{date} {path}" for path in said]
        self._keep(result)
        note = {
            "source": self._source.id,
            "uid": key_of(event).uid,
            "recurrence_id": date,
            "of": occurrence["series"],
        }
        note = {} if resets else note
        own = {path: values[path] for path in kept}
        written_events.append(WrittenEvent(self._events, occurrence["_id"], note, now, own, memory))

    def _inherited(
        self, event: CalendarEvent, occurrence: Record, now: Mapping[str, str]
    ) -> Memory:
        """Return the source's values of a date without an override, and their stored form."""
        span = _span(occurrence)
        said = digests(said_values(self._prepared(event.at(span).changes)))
        stands = digests(stored_values(occurrence, now, self._events.usual))
        own = set(occurrence.get("overrides", ()))
        times = {"start_local", "end_local", "timezone", "all_day"}
        wrote = {
            path: OWN if (own & times if path == TIMES else path in own) else stands[path]
            for path in now
        }
        return Memory(said, wrote)

    # What a source says, in our words.

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

    def _prepared(self, changes: Record) -> Record:
        """Return changes with our terms in place of those of the source, and with its defaults."""
        own, prepared = self._source.defaults, dict(changes)
        for name in TAXONOMIES:
            if name in changes or own.get(name):
                prepared[name] = self._terms(name, changes.get(name, ()))
        for name, default in (("venues", own.get("venue")), ("organizers", own.get("organizer"))):
            if default and not changes.get(name):
                prepared[name] = [default]
            elif self._source.status != PUBLISH:
                prepared[name] = [
                    _with_status(each, self._source) for each in changes.get(name, ())
                ]
        if prepared.get("status") not in (None, PRIVATE):
            del prepared["status"]
        return prepared

    def _terms(self, taxonomy: str, words: Iterable[int | str]) -> list[int | str]:
        known = self.words.get(taxonomy, {})
        terms: dict[int | str, None] = dict.fromkeys(self._source.defaults.get(taxonomy, ()))
        for word in words:
            term = known.get(word, 0) if isinstance(word, str) else word
            if term:
                terms[term] = None
            elif self._source.unknown_terms == CREATE and word not in known:
                terms[word] = None
        return list(terms)


def _sent(changes: Record, before: Record) -> Record:
    """Return the changes to send; texts that are not there need not be taken away."""
    if "variants" not in changes:
        return changes
    sent = without_absent_texts(changes, before)
    variants = {tag: texts for tag, texts in sent["variants"].items() if texts}
    rest = {name: value for name, value in sent.items() if name != "variants"}
    return rest | ({"variants": variants} if variants else {})


def _beside_own_exdates(
    event: CalendarEvent, series: Record, earlier: Record, taken_paths: set[str]
) -> SentRecurrence:
    """Return the recurrence without the dates that people here left out; they move with it."""
    step = timedelta()
    if TIMES in taken_paths:
        step = event.wall(event.changes["start"]) - series["start_local"]
    stored = [
        wall + step for wall in recurrence_of(series).exdates if wall not in earlier["exdates"]
    ]
    return event.keeping_exdates(stored, {})


def _with_status(linked: Any, source: Source) -> Any:
    return {**linked, "status": source.status} if isinstance(linked, dict) else linked


def _is_past(series: Record, date: datetime) -> bool:
    """Say whether a date lies before those of a series that are listed."""
    dates_from = series.get("dates_from")
    return bool(dates_from and date < dates_from)


def _span(record: Record) -> TimeSpan:
    return TimeSpan(**{name: record[name] for name in TimeSpan.__dataclass_fields__})
