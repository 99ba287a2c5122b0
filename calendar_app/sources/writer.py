"""Merges source data into events and series, field by field, with local edits.

Venues, organizers and terms that are records of their own are written here too.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial

from calendar_app.accounts.callers import SOURCE_ROLE, Caller
from calendar_app.calendar.editor import EditOf, Editor
from calendar_app.calendar.pace import paced
from calendar_app.calendar.reading.links import LINKS
from calendar_app.calendar.series.changing import ALL
from calendar_app.calendar.series.members import StoredSeries
from calendar_app.calendar.series.occurrences import RECURRENCE_ID
from calendar_app.calendar.writing.changes import NewIds, Plan
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.provenance import notes_of
from calendar_app.domain.recurrence.notation import SentRecurrence
from calendar_app.domain.recurrence.rules import parse_rule, recurrence_of
from calendar_app.domain.statuses import PENDING, PUBLISH, TRASH
from calendar_app.errors import NotFound
from calendar_app.sources.adopting import adopted, adopted_from_import, former_note
from calendar_app.sources.calendar_events import CalendarEvent
from calendar_app.sources.comparing import Waiting
from calendar_app.sources.dates import DateWriter
from calendar_app.sources.following import Following, LinkedFollower
from calendar_app.sources.halving import Halving
from calendar_app.sources.kept_pictures import PictureCopier
from calendar_app.sources.leading import Leading
from calendar_app.sources.likeness import owner_of
from calendar_app.sources.linking import brought_ids
from calendar_app.sources.merging import (
    RECURRENCE,
    TIMES,
    Merge,
    MergeMemory,
    changes_at,
    digests,
    merge,
    no_longer_featured,
    said_digests,
    said_values,
    stored_values,
    with_emptied_texts,
    with_usual,
)
from calendar_app.sources.notes import (
    NOTES,
    KnownEvents,
    memory_of,
    note_in,
    related_keys,
    with_note,
)
from calendar_app.sources.noting import NoteWriter, WrittenEvent, is_as_taken_away
from calendar_app.sources.places import Towns, town_names
from calendar_app.sources.preparing import Preparation, to_send, without_absent_texts
from calendar_app.sources.record_tasks import RecordTask, plan_records
from calendar_app.sources.register import Register, named_entries, register_key
from calendar_app.sources.results import Outcome, Result, begun, refusal
from calendar_app.sources.returning import lineage_of
from calendar_app.sources.rules import UNDECIDED, Decision
from calendar_app.sources.source import Source
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import identified, one_of


@dataclass(frozen=True, slots=True)
class Task:
    """An event to write, and the record that it updates, if any.

    ``translates`` says whether that came in another language before, ``is_whole`` whether the
    event has the texts of all languages: then those that it no longer has are empty. With
    ``texts_alone`` the record has all the rest from elsewhere. The paths that it ``overwrites`` are
    taken even where they were edited here. A new event gets the id ``own_id``; 0 is the next one.
    """

    event: CalendarEvent
    stored: tuple[Kind, Record] | None = None
    translates: bool = False
    is_whole: bool = False
    texts_alone: bool = False
    overwrites: frozenset[str] = frozenset()
    own_id: int = 0

    def refusal(self, error: Exception) -> Result:
        """Return the result of an event that the rules of the editor refuse."""
        return refusal(self.event, error)


@dataclass(slots=True)
class _Draft:
    """The changes that an event makes to a record of a kind, and the record after them.

    Without ``merged`` the record stays as it is, in the trash.
    """

    task: Task
    event: CalendarEvent
    result: Result
    note: Record
    kind: Kind
    before: Record
    changes: Record = field(default_factory=dict)
    merged: Merge | None = None
    former: Record = field(default_factory=dict)
    decision: Decision = UNDECIDED
    after: Record = field(default_factory=dict)


class SourceWriter:
    """Writes the events of one source; a dry run rolls each write back.

    Its editor finds venues, organizers and terms by their names.
    """

    def __init__(  # noqa: PLR0913  # the parts of a writer
        self,
        store: Store,
        editor: Editor,
        kinds: tuple[Kind, Kind],
        source: Source,
        *,
        dry_run: bool = False,
        operator: Caller | None = None,
    ) -> None:
        """Take the operator who imports: status, author and markup stay as the source has them."""
        self._store = store
        self._editor = editor
        self._events, self._series = kinds
        self._members = StoredSeries(store)
        self._known = KnownEvents(store, kinds)
        self._notes = NoteWriter(store, kinds, source)
        self._source = source
        self._numbers = NewIds(store)
        self._halving = Halving(store, self._numbers, dry_run=dry_run)
        self._caller = operator or Caller(source.author, source.label, SOURCE_ROLE)
        self.waiting: Waiting | None = None
        self.copier: PictureCopier | None = None
        towns = Towns(source.town, town_names(store))
        self.preparation = Preparation(source, keeps_status=operator is not None, towns=towns)
        self._register = Register(store, source.id)
        self._linked = LinkedFollower(store, editor, self.preparation, self._caller, self._register)
        self._leading = Leading(store, source)
        self._series_notes: Mapping[int | None, Sequence[Record]] = {}
        self._dates = DateWriter(
            self._members, editor, self._events, self._caller, self.preparation, self._leading
        )

    def write(self, tasks: Sequence[Task], now: datetime) -> list[Result]:
        """Write events in one transaction, each wholly or not at all.

        Where that fails it is tried with half of them, and so on, so that only those are refused
        that have to be. Their ids go to others. Their pictures are copied before.
        """
        if self.copier:
            self.copier.copy(tasks)
        return self._halving.write(tasks, partial(self._write_all, now=now))

    def write_records(self, tasks: Sequence[RecordTask]) -> list[Result]:
        """Write venues, organizers and terms as ``write`` does events."""
        return self._halving.write(tasks, self._write_all_records)

    def _write_all_records(self, tasks: Sequence[RecordTask]) -> list[Result]:
        plan = self._editor.plan(self._numbers)
        results = plan_records(self._store, self._editor, plan, tasks, self._caller)
        self._editor.store(plan, self._caller)
        return results

    # One transaction: drafts, their plan, and what follows once that is stored.

    def _write_all(self, tasks: Sequence[Task], now: datetime) -> list[Result]:
        stored = self._read_again(tasks)
        self._series_notes = self._notes_of_series(stored.values())
        changes = [task.event.changes for task in tasks]
        changes += [each.changes for task in tasks for each in task.event.overrides]
        brought = brought_ids(self._store, changes)
        self.preparation.pictures = brought
        self.preparation.register = self._register.entries(changes, brought)
        drafts = [self._draft(task, stored, now) for task in paced(tasks)]
        changing = [draft for draft in drafts if draft.changes]
        if self.waiting and self.waiting.holds:
            _compare_anew(changing, self.waiting)
        plan, followings = self._plan(changing, changes)
        if self.waiting and self._let_wait(plan, changing, self.waiting):
            self._numbers.give_back()
            plan, followings = self._plan(changing, changes)
        for draft in changing:
            draft.merged = draft.merged and _with_ids(draft.merged, draft.after)
            draft.result.event = draft.result.event or draft.after["_id"]
        single = [each for d in drafts if not d.event.recurs for each in self._written(d)]
        unplanned = self._notes.put_into(plan, single)
        self._linked.keep(plan, followings.values())
        self._editor.store(plan, self._caller)
        _report(drafts, followings)
        recurring = [each for d in drafts if d.event.recurs for each in self._written_series(d)]
        self._notes.keep([*unplanned, *recurring])
        return [draft.result for draft in drafts]

    def _plan(
        self, drafts: Sequence[_Draft], sent: Sequence[Record]
    ) -> tuple[Plan, Mapping[str, Following]]:
        """Plan the changes of drafts and of linked records; note the records of drafts."""
        stated = self.preparation.with_origins
        edits = [
            EditOf(d.kind, d.before, stated(d.changes), d.event.language, d.task.own_id)
            for d in drafts
        ]
        plan = self._editor.plan(self._numbers)
        followings = self._linked.plan(plan, sent)
        records = self._editor.plan_each(plan, edits, self._caller)
        for draft, record in zip(drafts, records, strict=True):
            draft.after = record
        return plan, followings

    @staticmethod
    def _let_wait(plan: Plan, drafts: Sequence[_Draft], waiting: Waiting) -> bool:
        """Let events wait that are new, or back, and perhaps the same as others.

        Say whether there are some. What would not be public, as a rule says, stays so whatever
        becomes of the pair.
        """
        new = {owner_of(d.after): d for d in drafts if not d.before or d.result.returns}
        notes = {owner: with_note(d.before, d.note) for owner, d in new.items()}
        doubles = waiting.doubles_in(plan, notes)
        for owner, alike_ids in doubles.items():
            draft = new[owner]
            draft.result.doubles = alike_ids
            if waiting.holds and draft.changes["status"] == PUBLISH:
                draft.result.waits = True
                draft.changes["status"] = PENDING
        return any(new[owner].result.waits for owner in doubles)

    def _read_again(self, tasks: Sequence[Task]) -> dict[tuple[str, int], Record]:
        """Reload the stored records of tasks, by kind and id."""
        records: dict[tuple[str, int], Record] = {}
        for kind in (self._events, self._series):
            ids = [
                task.stored[1]["_id"] for task in tasks if task.stored and task.stored[0] is kind
            ]
            for record in self._store.of(kind).find(one_of("_id", ids)) if ids else ():
                records[kind.name, record["_id"]] = record
        return records

    def _notes_of_series(self, records: Iterable[Record]) -> dict[int | None, Sequence[Record]]:
        """Return the notes of the series of dates, by id: their sources speak of the dates too."""
        ids = {each["series"] for each in records if each.get("series")}
        clause = one_of("_id", sorted(ids))
        series = self._store.of(self._series).find(clause, fields=[NOTES]) if ids else ()
        return {each["_id"]: notes_of(each) for each in series}

    def _draft(self, task: Task, stored: Mapping[tuple[str, int], Record], now: datetime) -> _Draft:
        event = task.event
        decision = self.preparation.decision(event)
        result = replace(begun(event), rule=decision.rule)
        note_as = self._notes.translated if task.translates else self._notes.fresh
        if task.stored is None:
            note = note_as(event, {}, now)
            self._settle_picture(event, result, note, {})
            draft = _Draft(task, event, result, note, self._events, {}, decision=decision)
            return self._new(draft)
        kind, record_id = task.stored[0], task.stored[1]["_id"]
        record = stored.get((kind.name, record_id))
        if record is None:
            raise NotFound(kind.singular, record_id)
        result.event = record_id
        if not task.texts_alone and self._has_texts_alone(record):
            event, decision = event.texts(), UNDECIDED
        note = note_as(event, record, now)
        self._settle_picture(event, result, note, record)
        event = event.texts() if task.texts_alone else event
        draft = _Draft(task, event, result, note, kind, record, decision=decision)
        if record["status"] == TRASH and not self._comes_back(record):
            self._notes.leave_in_trash((kind, record), draft.note)
            return draft
        return self._merged(draft)

    def _settle_picture(
        self, event: CalendarEvent, result: Result, note: Record, stored: Record
    ) -> None:
        if self.copier:
            former = note_in(stored, self._source.id)
            result.reason = self.copier.settle(event, note, former, note["read"])

    def _has_texts_alone(self, record: Record) -> bool:
        """Say whether a record has nothing from this source but the texts of one language."""
        digest_by_path = note_in(record, self._source.id).get("said")
        return digest_by_path is not None and TIMES not in digest_by_path

    def _new(self, draft: _Draft) -> _Draft:
        event = draft.event
        changes = self._changes(event, event.changes, draft.decision)
        values = said_values(changes, event.parts)
        draft.changes = {"status": draft.decision.status or self._source.status}
        draft.changes |= without_absent_texts(changes, {})
        if event.recurs:
            draft.changes["recurrence"] = event.recurrence
        draft.merged = Merge(values, said_digests(values, changes), MergeMemory())
        draft.result.outcome = Outcome.NEW
        return draft

    def _merged(self, draft: _Draft) -> _Draft:
        """Add the changes to a draft that the merge of its event with its record gives."""
        event, kind, before = draft.event, draft.kind, draft.before
        draft.former = former_note(event, before)
        earlier = note_in(before, self._source.id) or draft.former
        changes = self._changes(event, event.beside_titles(before), draft.decision)
        if draft.task.is_whole and not draft.task.translates:
            apart = earlier.get("translations", ())
            changes = with_emptied_texts(changes, memory_of(earlier), apart)
        changes = no_longer_featured(changes, memory_of(earlier))
        values = said_values(changes, event.parts)
        now = said_digests(values, changes)
        stands = digests(stored_values(before, now, kind.usual))
        memory = adopted(memory_of(earlier), draft.former, event, now, stands)
        if not earlier:
            memory = adopted_from_import(memory, event, before, now, stands)
        memory = with_usual(memory, stands, kind.usual)
        notes = [*self._series_notes.get(before.get("series"), ()), *notes_of(before)]
        led = self._leading.led(notes, now)
        authority = self._source.authority
        merged = merge(values, now, memory, stands, authority).behind(led, authority)
        merged = merged.overwriting(draft.task.overwrites)
        sent = to_send(changes_at(changes, merged.taken - {RECURRENCE}), before)
        if before["status"] == TRASH:
            sent["status"] = before.get("status_before_trash", self._source.status)
            draft.result.returns = True
        draft.merged = merged
        if kind is self._series and event.adds_dates:
            sent |= self._further_dates(event, before, merged)
        elif RECURRENCE not in merged.kept:
            draft.kind, draft.before = self._with_recurrence(draft, earlier, merged.taken, sent)
        if kind is self._series and event.partial and merged.taken:
            self._dates.keep_passed(event, before, merged.taken, draft.note["read"])
        draft.changes = sent
        if sent:
            draft.result.outcome = Outcome.CHANGED
            draft.result.fields = sorted(merged.taken) or sorted(sent)
        draft.result.keep(merged.reported)
        return draft

    def _with_recurrence(
        self, draft: _Draft, earlier: Record, taken_paths: frozenset[str], sent: Record
    ) -> tuple[Kind, Record]:
        """Add the recurrence to the changes; return the record to change, and its kind."""
        event, kind, before = draft.event, draft.kind, draft.before
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
        return kind, before

    def _written(self, draft: _Draft) -> Iterator[WrittenEvent]:
        """Yield the written event of a draft, if it was merged."""
        if draft.merged is not None:
            record = draft.after or draft.before
            yield WrittenEvent(draft.kind, record["_id"], draft.note, draft.merged, draft.former)

    def _written_series(self, draft: _Draft) -> Iterator[WrittenEvent]:
        """Write the dates of a stored series; yield the written series and dates."""
        series = self._series_of(draft)
        for written_event in self._written(draft):
            if series is None:
                yield written_event
                return
            draft.result.dates_from = series.get("dates_from")
            dates = self._dates.write(draft.event, series, draft.result)
            if draft.result.refused_dates:
                draft.note["incomplete"] = True
            yield replace(written_event, kind=self._series, record_id=series["_id"])
            yield from dates

    def _further_dates(self, event: CalendarEvent, series: Record, merged: Merge) -> Record:
        """Return the times and dates of a series that gets those of an event too; nothing for none.

        Dates are told apart by their day: those that lie in the trash stay there. A rule without an
        end has all dates that there are.
        """
        stored = Counter(each[RECURRENCE_ID].date() for each in self._members.occurrences(series))
        listed = Counter(event.wall(date).date() for date, _ in event.recurrence.rdates)
        rules = recurrence_of(series).rules
        if TIMES in merged.taken:
            changes = event.beside(series)
            return {n: each for n, each in changes.items() if n != "recurrence" or not rules}
        at_its_time = not merged.kept.isdisjoint({TIMES, RECURRENCE})
        days = {
            day for day in listed if listed[day] > stored[day] and not (at_its_time and stored[day])
        }
        if not days or any(parse_rule(rule).is_endless for rule in rules):
            return {}
        return event.further(series, days, at_its_time=at_its_time)

    def _series_of(self, draft: _Draft) -> Record | None:
        """Return the stored series of a recurring event; ``None`` where it is a single one here."""
        record = draft.after or draft.before
        if draft.kind is self._events and not draft.after:
            return None
        series_id: int = record["series"] if "series" in record else record["_id"]
        return self._store.of(self._series).first(identified(series_id))

    def _remaining(self, series: Record) -> Record:
        """Return the event that stays when a series ends to be one: the first in no trash."""
        occurrences = self._members.occurrences(series)
        living = [each for each in occurrences if each["status"] != TRASH]
        return (living or occurrences)[0]

    @staticmethod
    def _comes_back(record: Record) -> bool:
        """Say whether a record lies in the trash because it had vanished from its sources."""
        return any(is_as_taken_away(record, note) for note in notes_of(record))

    def _changes(self, event: CalendarEvent, said: Record, decision: Decision) -> Record:
        """Return the changes of an event for the editor, with its relations and lineage."""
        lineage = lineage_of(event)
        passed_on = {"lineage": lineage} if lineage and "start" in said else {}
        return self.preparation.prepared(said, decision) | self._related(event) | passed_on

    def _related(self, event: CalendarEvent) -> Record:
        """Return the series that an event continues, or the event above it, as changes."""
        if not event.related:
            return {}
        keys = related_keys(event)
        records = self._known.records(self._source.id, [key.uid for key in keys])
        stored = next((records[key] for key in keys if key in records), None)
        if stored is None or event.recurs != (stored[0] is self._series):
            return {}
        return {"continues" if event.recurs else "parent": stored[1]["_id"]}


def _compare_anew(drafts: Sequence[_Draft], waiting: Waiting) -> None:
    """Release a restored record from earlier pairs, and publish it unless it must wait.

    It was not shown before, as it waited.
    """
    back = {draft.before["_id"]: draft.changes for draft in drafts if draft.result.returns}
    for owner in waiting.doubles.wait_no_more(back):
        if back[owner]["status"] == PENDING:
            back[owner]["status"] = PUBLISH


def _report(drafts: Sequence[_Draft], followings: Mapping[str, Following]) -> None:
    """Report with each event which fields of its places and organizers follow, or are kept."""
    for draft in drafts if followings else ():
        keys = {register_key(*entry) for entry in named_entries(draft.event.changes)}
        for following in (followings[key] for key in keys if key in followings):
            if following.fields:
                draft.result.outcome = Outcome.CHANGED
                draft.result.fields += following.fields
            draft.result.keep(following.kept)


def _with_ids(merged: Merge, record: Record) -> Merge:
    """Return a merge with ids in place of linked names, so that the next reading knows them."""
    made_ids = {
        name: record[name]
        for name in LINKS
        if name not in merged.kept
        and not all(isinstance(each, int) for each in merged.values.get(name) or ())
    }
    if not made_ids:
        return merged
    values = {**merged.values, **made_ids}
    return replace(merged, values=values, now={**merged.now, **digests(made_ids)})


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
    return event.keeping_exdates(stored)
