"""Merges changes of single dates of a series by its source with local edits."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from calendar_app.accounts.callers import Caller
from calendar_app.calendar.editor import Editor
from calendar_app.calendar.series.changing import span_on
from calendar_app.calendar.series.members import StoredSeries
from calendar_app.calendar.series.occurrences import RECURRENCE_ID, TIME_PATHS
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.provenance import notes_of
from calendar_app.domain.statuses import CANCELED, SCHEDULED, TRASH
from calendar_app.domain.timespan import TimeSpan
from calendar_app.errors import InvalidParameters
from calendar_app.sources import planning
from calendar_app.sources.adopting import adopted, former_note
from calendar_app.sources.calendar_events import CalendarEvent, OverriddenDate
from calendar_app.sources.leading import Leading
from calendar_app.sources.merging import (
    OWN,
    RECURRENCE,
    TIMES,
    MergeMemory,
    changes_at,
    digests,
    is_overruled,
    merge,
    said_digests,
    said_values,
    stored_values,
    with_usual,
)
from calendar_app.sources.notes import key_of, memory_of, note_in
from calendar_app.sources.noting import WrittenEvent, is_as_taken_away
from calendar_app.sources.preparing import Preparation, to_send
from calendar_app.sources.results import Outcome, Result, reason_of
from calendar_app.sources.site_dates import compared, occurrence_on
from calendar_app.storage.query.clauses import all_of, before, none_of


@dataclass(frozen=True, slots=True)
class DateWriter:
    """Writes the dates of series that a source overrides; ``events`` is the kind of dates."""

    members: StoredSeries
    editor: Editor
    events: Kind
    caller: Caller
    preparation: Preparation
    leading: Leading

    def write(self, event: CalendarEvent, series: Record, result: Result) -> list[WrittenEvent]:
        """Write the overridden dates, and reset those without an override to the series.

        One edited here is reset where the source has the authority. Adds what becomes of them to
        the result of the event.
        """
        source = self.preparation.source
        self._bring_back(event, series, result)
        dates = {event.wall(each.date): each for each in event.overrides}
        by_date = {each[RECURRENCE_ID]: each for each in self.members.occurrences(series)}
        noted_dates = {date for date in by_date if note_in(by_date[date], source.id)}
        noted_dates |= by_date.keys() & former_note(event, series).get("overridden", ())
        authority = self.leading.authority(notes_of(series))
        overruled_dates = {
            date for date, each in by_date.items() if is_overruled(each["overrides"], authority)
        }
        outdated = (noted_dates | overruled_dates) - dates.keys()
        if event.partial:  # It says nothing of dates that have passed.
            outdated &= {event.wall(date) for date, _ in event.recurrence.rdates}
        resets = {date: event.at(span_on(series, date)) for date in outdated}
        written_events = []
        for date, override in [*sorted(resets.items()), *sorted(dates.items())]:
            if date in by_date:
                written_event = self._write(event, series, by_date[date], override, result)
                if written_event and date in resets:
                    written_event.note = {}
                written_events += [written_event] if written_event else []
            elif not _is_past(series, date):
                result.refused_dates.append((override.label, f"The series has no event on {date}."))
        return written_events

    def keep_passed(
        self, event: CalendarEvent, series: Record, paths: Collection[str], now: datetime
    ) -> None:
        """Let dates that have passed keep their values where the series gets others."""
        names = {name for path in paths for name in (TIME_PATHS if path == TIMES else (path,))}
        listed = none_of("start_local", map(datetime.fromisoformat, event.dates))
        self.members.override(series, names - {RECURRENCE}, all_of([before("end", now), listed]))

    def _bring_back(self, event: CalendarEvent, series: Record, result: Result) -> None:
        """Bring dates back that had vanished from the list of a site, and are there again."""
        noted_dates = note_in(series, self.preparation.source.id).get("dates", {})
        names = noted_dates.keys() - compared(noted_dates, event.dates).gone
        vanished = {name: noted_dates[name] for name in names if "vanished" in noted_dates[name]}
        occurrences = self.members.occurrences(series) if vanished else ()
        for name, note in sorted(vanished.items()):
            occurrence = occurrence_on(name, occurrences)
            if occurrence is None:
                continue
            changes: Record = {}
            # Where it moved with its series since then, nobody can tell.
            moved = occurrence[RECURRENCE_ID].isoformat() != name
            then = note | ({"revision": occurrence["revision"]} if moved else {})
            if is_as_taken_away(occurrence, then):
                changes["status"] = occurrence["status_before_trash"]
                result.returns = True
            elif (note["vanished"], occurrence.get("event_status")) == (planning.CANCEL, CANCELED):
                changes["event_status"] = series.get("event_status", SCHEDULED)
            if changes:
                self.editor.change(
                    self.events, occurrence["_id"], changes, self.caller, event.language
                )
                result.outcome = Outcome.CHANGED
                result.fields += [f"{name} {path}" for path in changes]

    def _write(
        self,
        event: CalendarEvent,
        series: Record,
        occurrence: Record,
        override: OverriddenDate,
        result: Result,
    ) -> WrittenEvent | None:
        """Merge the source's values of one date; return ``None`` if it is trashed or refused."""
        if occurrence["status"] == TRASH:
            return None
        decision = self.preparation.decision(event)
        changes = self.preparation.prepared(override.changes, decision)
        if not self.preparation.keeps_status:
            changes.pop("status", None)
        values = said_values(changes)
        now = said_digests(values, changes)
        stands = digests(stored_values(occurrence, now, self.events.usual))
        memory = self._memory(event, series, occurrence, now, stands)
        memory = with_usual(memory, stands, self.events.usual)
        notes = [*notes_of(series), *notes_of(occurrence)]
        led = self.leading.led(notes, now)
        authority = self.preparation.source.authority
        merged = merge(values, now, memory, stands, authority).behind(led, authority)
        sent = to_send(changes_at(changes, merged.taken), occurrence)
        try:
            if sent:
                sent = self.preparation.with_origins(sent)
                self.editor.change(
                    self.events, occurrence["_id"], sent, self.caller, override.language
                )
        except (InvalidParameters, ValueError) as error:
            result.refused_dates.append((override.label, reason_of(error)))
            return None
        date = occurrence[RECURRENCE_ID].isoformat()
        if merged.taken:
            result.fields += [f"{date} {path}" for path in sorted(merged.taken)]
            is_new = result.outcome is Outcome.NEW
            result.outcome = Outcome.NEW if is_new else Outcome.CHANGED
        result.keep(f"{date} {path}" for path in merged.reported)
        note = {"source": self.preparation.source.id, "uid": key_of(event).uid}
        note |= {"recurrence_id": date, "of": occurrence["series"]}
        return WrittenEvent(self.events, occurrence["_id"], note, merged)

    def _memory(
        self,
        event: CalendarEvent,
        series: Record,
        occurrence: Record,
        now: Mapping[str, str],
        stands: Mapping[str, str],
    ) -> MergeMemory:
        earlier = note_in(occurrence, self.preparation.source.id)
        former = former_note(event, series)
        if occurrence[RECURRENCE_ID] in former.get("overridden", ()):
            return adopted(memory_of(earlier), former, event, now, stands)
        inherited = self._inherited(event, occurrence, stands)
        if not earlier:
            return inherited
        # What is as in the series has changed with that, and not by anybody here.
        memory, own = memory_of(earlier), {path for path in now if _is_own(occurrence, path)}
        return MergeMemory(
            {path: (memory if path in own else inherited).said.get(path, "") for path in now},
            {path: (memory if path in own else inherited).wrote.get(path, "") for path in now},
        )

    def _inherited(
        self, event: CalendarEvent, occurrence: Record, stands: Mapping[str, str]
    ) -> MergeMemory:
        """Return the source's values of a date without an override, and their stored form."""
        changes, decision = event.at(_span(occurrence)).changes, self.preparation.decision(event)
        series = self.preparation.prepared(changes, decision)
        series_digests = said_digests(said_values(series), series)
        wrote = {path: OWN if _is_own(occurrence, path) else text for path, text in stands.items()}
        return MergeMemory(series_digests, wrote)


def _is_own(occurrence: Record, path: str) -> bool:
    """Say whether a date has another value at a path than its series."""
    own = set(occurrence.get("overrides", ()))
    return not own.isdisjoint(TIME_PATHS) if path == TIMES else path in own


def _is_past(series: Record, date: datetime) -> bool:
    """Say whether a date lies before those of a series that are listed."""
    dates_from = series.get("dates_from")
    return bool(dates_from and date < dates_from)


def _span(record: Record) -> TimeSpan:
    return TimeSpan(**{name: record[name] for name in TimeSpan.__dataclass_fields__})
