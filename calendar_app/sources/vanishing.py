"""Events that a source no longer has: noted at once, canceled or trashed a day later."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial

from calendar_app.accounts.callers import SOURCE_ROLE, Caller
from calendar_app.calendar.editor import Editor
from calendar_app.calendar.series.changing import ALL, THIS
from calendar_app.calendar.series.members import StoredSeries
from calendar_app.calendar.series.occurrences import RECURRENCE_ID
from calendar_app.calendar.writing.attempts import rehearse, retry_conflicts
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.provenance import notes_of
from calendar_app.domain.statuses import CANCELED, TRASH
from calendar_app.errors import CalendarError, InvalidParameters, Unavailable
from calendar_app.sources import planning
from calendar_app.sources.halving import PATIENCE
from calendar_app.sources.leading import look_again
from calendar_app.sources.merging import OWN, digests, stored_values
from calendar_app.sources.notes import NOTES, note_in, store_notes, with_note
from calendar_app.sources.planning import StoredSourceEvent, is_due
from calendar_app.sources.results import Outcome, Result, reason_of
from calendar_app.sources.site_dates import occurrence_on
from calendar_app.sources.source import Source
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import Clause, equals, identified, one_of

# Notes are changed in so many records at once.
_AT_ONCE = 500
_MINUTE = len("2026-12-24T19:00")


class Vanishing:
    """Removes events that a source no longer has; a dry run rolls each write back."""

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
        self._kinds = kinds
        self._source = source
        self._dry_run = dry_run
        self._members = StoredSeries(store)
        self._attempt = rehearse if dry_run else retry_conflicts
        self._caller = Caller(source.author, source.label, SOURCE_ROLE)

    def let_go(
        self,
        missing: Sequence[StoredSourceEvent],
        now: datetime,
        *,
        accepted: bool,
        gone_uids: Collection[str] = frozenset(),
    ) -> list[Result]:
        """Note missing events, and remove those missing for a day; return the coming ones.

        Those with ``gone_uids``, which the source itself has removed, go at once, and past ones
        too. ``accepted`` says whether a person has seen that they are missing.
        """
        if not self._dry_run:
            self._note_missing(missing, now, accepted=accepted)
        results = []
        event_of = self._events_of([each for each in missing if each.is_date])
        for stored_event in missing:
            is_gone = stored_event.key.uid in gone_uids
            if stored_event.vanished or not (stored_event.is_coming or is_gone):
                continue
            label = f"event {stored_event.key.uid}"
            result = Result(
                Outcome.VANISHED, label, *stored_event.key, event=event_of(stored_event)
            )
            if stored_event.is_date:
                result.start = stored_event.key.recurrence_id[:_MINUTE].replace("T", " ")
            if (is_gone or is_due(stored_event, now)) and self._source.vanished != planning.KEEP:
                date = stored_event.key.recurrence_id if stored_event.is_date else ""
                result.reason = self.take_away(stored_event.record_id, self._source.vanished, date)
                result.fields = [self._source.vanished]
            results.append(result)
        return results

    def note_unlisted(self, unlisted: Iterable[StoredSourceEvent], now: datetime) -> None:
        """Note the events that a list lacks of which they may be outside."""
        ids: defaultdict[tuple[str, object], list[int]] = defaultdict(list)
        for each in unlisted:
            if not each.unlisted:
                ids[_place_of(each, "unlisted"), now].append(each.record_id)
        self._note(ids)

    def take_away(self, record_id: int, vanished: str, date: str = "") -> str:
        """Cancel or trash an event that has vanished, or one date of a series at a site.

        Return the reason of a refusal.
        """
        take = partial(self._take_date_away, date) if date else self._take_away
        try:
            self._attempt(self._store, lambda: take(record_id, vanished), PATIENCE)
        except Unavailable:
            raise
        except CalendarError as error:
            return reason_of(error)
        return ""

    def _take_away(self, record_id: int, vanished: str) -> None:
        kind, record = self._owner(record_id)
        other_notes = [each for each in notes_of(record) if each["source"] != self._source.id]
        is_held = any("missing" not in each for each in other_notes)
        after = record if is_held else self._changed(kind, record, vanished, scope=ALL)
        note = note_in(record, self._source.id) | {"revision": after["revision"]}
        note["vanished"] = planning.KEEP if after is record else vanished
        if note["vanished"] == planning.CANCEL:
            # It takes place again as soon as the source has it again.
            own = digests(stored_values(after, ["event_status"], kind.usual))
            note |= {"wrote": note["wrote"] | own, "said": note["said"] | {"event_status": OWN}}
        notes = with_note(after, note)
        store_notes(self._store, kind, after, notes)

    def _take_date_away(self, date: str, series_id: int, vanished: str) -> None:
        kind, series = self._owner(series_id)
        occurrence = occurrence_on(date, self._members.occurrences(series))
        is_held = any(
            "missing" not in note["dates"][date]
            for note in notes_of(series)
            if note["source"] != self._source.id and date in note.get("dates", {})
        )
        note_fields: Record = {f"dates.{date}.vanished": planning.KEEP}
        if occurrence is not None and not is_held:
            after = self._changed(self._kinds[0], occurrence, vanished)
            if after is not occurrence:
                note_fields = {f"dates.{date}.vanished": vanished}
                note_fields[f"dates.{date}.revision"] = after["revision"]
        stored = self._store.of(kind).first(identified(series_id)) or series
        self._set_notes([series_id], {**note_fields, "revision": stored["revision"]})

    def _changed(self, kind: Kind, record: Record, vanished: str, scope: str = THIS) -> Record:
        """Cancel or trash a record; return it unchanged where people here have done so."""
        if record["status"] == TRASH:
            return record
        if vanished == planning.TRASH:
            self._editor.remove(kind, record["_id"], self._caller, scope=scope)
        elif record.get("event_status") != CANCELED:
            changes = {"event_status": CANCELED}
            self._editor.change(kind, record["_id"], changes, self._caller, self._source.language)
        else:
            return record
        return self._store.of(kind).first(identified(record["_id"])) or record

    def _events_of(self, dates: Sequence[StoredSourceEvent]) -> Callable[[StoredSourceEvent], int]:
        """Return a function that gives the id of a missing event; ``dates`` are occurrences."""
        occurrences: defaultdict[int, list[Record]] = defaultdict(list)
        own = one_of("series", {each.record_id for each in dates})
        fields = ["series", RECURRENCE_ID, "start_local", "overrides"]
        for each in self._store.of(self._kinds[0]).find(own, fields=fields) if dates else ():
            occurrences[each["series"]].append(each)

        def event_of(stored_event: StoredSourceEvent) -> int:
            if not stored_event.is_date:
                return stored_event.record_id
            occurrence = occurrence_on(
                stored_event.key.recurrence_id, occurrences[stored_event.record_id]
            )
            return occurrence["_id"] if occurrence else 0

        return event_of

    def _owner(self, record_id: int) -> tuple[Kind, Record]:
        for kind in reversed(self._kinds):
            record = self._store.of(kind).first(identified(record_id))
            if record is not None and note_in(record, self._source.id):
                return kind, record
        raise InvalidParameters({"event": f"There is no event {record_id}."})

    def _note_missing(
        self, missing: Sequence[StoredSourceEvent], now: datetime, *, accepted: bool
    ) -> None:
        ids: defaultdict[tuple[str, object], list[int]] = defaultdict(list)
        for each in missing:
            if not each.missing:
                ids[_place_of(each, "missing"), now].append(each.record_id)
            if accepted:
                ids[_place_of(each, "accepted"), True].append(each.record_id)
        self._note(ids)
        fresh = {each.record_id for each in missing if not each.missing}
        if fresh:
            look_again(self._store, self._kinds, one_of("_id", fresh))

    def _note(self, ids: Mapping[tuple[str, object], Sequence[int]]) -> None:
        for (name, value), own in ids.items():
            self._set_notes(own, {name: value})

    def _set_notes(self, ids: Sequence[int], values: Record) -> None:
        own = equals(f"{NOTES}.source", self._source.id)
        update = {"$set": {f"{NOTES}.$.{name}": value for name, value in values.items()}}
        for begin in range(0, len(ids), _AT_ONCE):
            clause: Clause = {**one_of("_id", ids[begin : begin + _AT_ONCE]), **own}
            for kind in self._kinds:
                self._store.of(kind).change_all(clause, update)


def _place_of(event: StoredSourceEvent, name: str) -> str:
    """Return where the note of an event, or of one date of a series at a site, has a value."""
    return f"dates.{event.key.recurrence_id}.{name}" if event.is_date else name
