"""Stores a series together with its occurrences, inside the transaction that runs."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from calendar_app.calendar.feeds.contents import note_withdrawal
from calendar_app.calendar.history import Recorder
from calendar_app.calendar.series.members import Member, with_date_slugs
from calendar_app.calendar.series.occurrences import (
    RECURRENCE_ID,
    TRANSLATIONS,
    derived,
    detached,
    has_own_texts,
)
from calendar_app.calendar.series.replacing import store_changes
from calendar_app.calendar.series.schedule import Dates, Schedule
from calendar_app.calendar.slugs import FormerSlugs, index_slugs
from calendar_app.calendar.writing.counting import count_changes
from calendar_app.calendar.writing.removal import Removal
from calendar_app.calendar.writing.revising import WriteConflict, difference
from calendar_app.content.composing import computed_fields
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.statuses import PUBLISH, TRASH, note_hiding, touch
from calendar_app.domain.timespan import TimeSpan
from calendar_app.mongo.store import Store
from calendar_app.query.clauses import equals, identified, one_of
from calendar_app.search.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class Edit:
    """The changes of a write: changes in the words of the editor, and its language."""

    changes: Record = field(default_factory=dict)
    language: str = ""
    # Delete for good what else would go to the trash.
    force: bool = False


@dataclass(slots=True)
class _Plan:
    """The documents to insert, to change (before and after), and to delete."""

    new: list[Record] = field(default_factory=list)
    changed: list[tuple[Record, Record]] = field(default_factory=list)
    deleted: list[Record] = field(default_factory=list)

    def pairs(self) -> list[tuple[Record, Record]]:
        """Return each document before and after the write; an empty one stands for none."""
        new: list[tuple[Record, Record]] = [({}, record) for record in self.new]
        deleted: list[tuple[Record, Record]] = [(record, {}) for record in self.deleted]
        return [*new, *self.changed, *deleted]


class SeriesWriter:
    """Writes series; ``kinds`` are those of events and of series."""

    def __init__(  # noqa: PLR0913  # the parts of a writer
        self,
        store: Store,
        kinds: tuple[Kind, Kind],
        schedule: Schedule,
        vocabulary: Vocabulary,
        removal: Removal,
        *,
        recorder: Recorder,
    ) -> None:
        self._store = store
        self._events, self._series = kinds
        self._schedule = schedule
        self._vocabulary = vocabulary
        self._removal = removal
        self._recorder = recorder
        self._former_slugs = FormerSlugs(store)
        self._now = schedule.now

    def write(
        self, before: Record, series: Record, members: Sequence[Member], edit: Edit
    ) -> dict[int, Record]:
        """Store a series, empty ``before`` if it is new, and all its occurrences.

        Return the documents of the occurrences after the write, by id.
        """
        self._vocabulary.index_words(self._series, series, before or None)
        if before.get("status") == TRASH == series["status"]:
            # Events that came back alone stay.
            members = [member for member in members if member.is_trashed]
        dates = self._dates(series, [member.placed[RECURRENCE_ID] for member in members])
        plan = self._plan(series, members, dates, edit)
        self._note_begin(series, dates)
        series["expanded_until"] = self._schedule.until(series)
        changed = self._apply(plan)
        if not self._save(before, series):
            self.touch_for(series, changed)
        after = {record["_id"]: record for record in plan.new}
        return after | {record["_id"]: record for _, record in plan.changed}

    def extend(self, series: Record) -> int:
        """Add the occurrences up to the horizon of today; return their number."""
        before = dict(series)
        stored = self._store.of(self._events).find(
            equals("series", series["_id"]), fields=[RECURRENCE_ID, "date_slug", "status"]
        )
        members = [Member(record, record) for record in stored]
        there = {record[RECURRENCE_ID] for record in stored}
        dates = self._dates(series, there)
        new_dates = {start: span for start, span in dates.items() if start not in there}
        self._vocabulary.index_words(self._series, series, before)
        indexed = dict(series)
        plan = _Plan(new=self._new(series, members, new_dates))
        self._apply(plan)
        self._note_begin(series, dates)
        series["expanded_until"] = self._schedule.until(series)
        self._store.of(self._series).change(
            equals("_id", series["_id"]), difference(indexed, series)
        )
        return len(plan.new)

    def release(
        self, changed: list[tuple[Record, Record]], others: Sequence[Record], *, force: bool
    ) -> None:
        """Write events that are no occurrences any more; the ``others`` go to the trash."""
        if force:
            self._apply(_Plan(changed=changed, deleted=list(others)))
            return
        living = [(event, detached(event)) for event in others if event["status"] != TRASH]
        there = [(event, detached(event)) for event in others if event["status"] == TRASH]
        self._apply(_Plan(changed=[*changed, *there, *self._trashed(living)]))

    def save(self, before: Record, series: Record) -> None:
        """Store a series alone."""
        self._save(before, series)

    def touch_for(self, series: Record, changed: Sequence[tuple[Record, Record]]) -> None:
        """Touch a series whose public occurrences have changed: its component names their dates."""
        if any(PUBLISH in (before["status"], after["status"]) for before, after in changed):
            self._store.of(self._series).change(identified(series["_id"]), touch(self._now()))

    def delete(self, series: Record, members: Iterable[Member]) -> None:
        """Delete a series and all its occurrences for good."""
        self._apply(_Plan(deleted=[member.stored for member in members]))
        self.forget(series)

    def forget(self, series: Record) -> None:
        """Delete the document of a series."""
        self._store.of(self._series).remove(equals("_id", series["_id"]))
        self._removal.forget(self._series, [series["_id"]])

    def _dates(self, series: Record, stored: Collection[datetime]) -> Dates:
        return {} if series["status"] == TRASH else self._schedule.dates(series, stored)

    def _note_begin(self, series: Record, dates: Dates) -> None:
        """Note the date before which some are not listed; a series in the trash keeps its own."""
        if series["status"] != TRASH:
            series.pop("dates_from", None)
            begin = self._schedule.dates_from(series, dates)
            series |= {"dates_from": begin} if begin else {}

    def _plan(self, series: Record, members: Sequence[Member], dates: Dates, edit: Edit) -> _Plan:
        """Plan the change of each occurrence; those without a date are trashed."""
        plan = _Plan()
        slugs = with_date_slugs(members, dates)
        dateless = []
        for member in members:
            start = member.placed[RECURRENCE_ID]
            placed = {**member.placed, "series": series["_id"], "date_slug": slugs[start]}
            if start in dates:
                after = self._kept(series, member, placed, dates[start], edit)
                plan.changed.append((member.stored, after))
            elif edit.force and not member.is_trashed:
                plan.deleted.append(member.stored)
            elif member.is_trashed:
                plan.changed.append((member.stored, placed))
            else:
                dateless.append((member.stored, placed))
        plan.changed += self._trashed(dateless)
        there = {member.placed[RECURRENCE_ID] for member in members}
        new_dates = {start: span for start, span in dates.items() if start not in there}
        plan.new = self._new(series, members, new_dates, slugs)
        return plan

    def _kept(
        self, series: Record, member: Member, placed: Record, span: TimeSpan, edit: Edit
    ) -> Record:
        """Return an occurrence as the series gives it, out of the trash if it was there."""
        after = derived(series, restored(placed), span)
        if has_own_texts(after):
            # Its translations are of its own texts.
            after |= {name: member.stored[name] for name in TRANSLATIONS}
            changes = _applying_to(after, edit.changes)
            after |= computed_fields(self._events, member.stored, after, changes, edit.language)
            self._vocabulary.index_words(self._events, after, member.stored)
        index_slugs(after)
        return after

    def _trashed(self, pairs: Iterable[tuple[Record, Record]]) -> list[tuple[Record, Record]]:
        return [(stored, self._removal.trashed(self._events, placed)) for stored, placed in pairs]

    def _new(
        self,
        series: Record,
        members: Sequence[Member],
        dates: Dates,
        slugs: Mapping[datetime, str] | None = None,
    ) -> list[Record]:
        """Return new occurrences; the first one of a new series has its id."""
        slugs = slugs or with_date_slugs(members, dates)
        first = [] if members else [series["_id"]]
        number = len(dates) - len(first)
        ids = [*first, *(self._store.next_ids(self._events.sequence, number) if number else ())]
        records = []
        for record_id, (start, span) in zip(ids, sorted(dates.items()), strict=True):
            own = {
                "_id": record_id,
                "series": series["_id"],
                RECURRENCE_ID: start,
                "date_slug": slugs[start],
                "overrides": [],
                "modified": self._now(),
                "revision": 1,
            }
            record = derived(series, own, span)
            index_slugs(record)
            records.append(record)
        return records

    def _apply(self, plan: _Plan) -> list[tuple[Record, Record]]:
        """Write a plan; return the changed occurrences, before and after."""
        if plan.deleted:
            self._delete([record["_id"] for record in plan.deleted])
        changed = self._changed(plan.changed)
        store_changes(self._store.of(self._events), changed, plan.new)
        count_changes(self._store, plan.pairs())
        return changed

    def _delete(self, ids: Collection[int]) -> None:
        events = self._store.of(self._events)
        events.change_all(one_of("parent", ids), {"$set": {"parent": 0}})
        events.remove(one_of("_id", ids))
        self._removal.forget(self._events, ids)

    def _changed(self, pairs: Sequence[tuple[Record, Record]]) -> list[tuple[Record, Record]]:
        """Return the pairs of stored and differing documents, these at their next revision."""
        now = self._now()
        changed = []
        for stored, after in pairs:
            note_withdrawal(stored, after, now)
            if difference(stored, after):
                after |= {
                    "modified": now,
                    "revision": max(stored["revision"], after["revision"]) + 1,
                }
                self._former_slugs.note(self._events, stored, after)
                changed.append((stored, after))
        return changed

    def _save(self, before: Record, series: Record) -> bool:
        """Store a series if it differs, and return whether it does."""
        records, now = self._store.of(self._series), self._now()
        if not before:
            # The event that becomes a series keeps its UID, so its revision goes on.
            series |= {"modified": now, "revision": series.get("revision", 0) + 1}
            records.insert(series)
            self._recorder.note(self._series, before, series)
            return True
        if not difference(before, series):
            return False
        series |= {"modified": now, "revision": before["revision"] + 1}
        note_hiding(before, series, now)
        read = {"_id": before["_id"], "revision": before["revision"]}
        if not records.change(read, difference(before, series)):
            raise WriteConflict
        self._former_slugs.note(self._series, before, series)
        self._recorder.note(self._series, before, series)
        return True


def restored(occurrence: Record) -> Record:
    """Return an occurrence as it was before the trash, its slugs from before as well."""
    if occurrence["status"] != TRASH:
        return occurrence
    slugs = occurrence.get("slugs_before_trash", {})
    variants = {
        tag: {name: text for name, text in texts.items() if name != "slug"}
        | ({"slug": slugs[tag]} if tag in slugs else {})
        for tag, texts in occurrence["variants"].items()
    }
    status = occurrence.get("status_before_trash", occurrence["status"])
    rest = {
        name: value
        for name, value in occurrence.items()
        if name not in ("slugs_before_trash", "status_before_trash")
    }
    return rest | {"status": status, "variants": variants}


def _applying_to(occurrence: Record, changes: Record) -> Record:
    """Return the changes that say something of the languages that an occurrence has."""
    languages = occurrence["variants"]
    variants = {t: texts for t, texts in changes.get("variants", {}).items() if t in languages}
    all_confirmed = changes.get("confirmed", {})
    confirmed = {tag: fields for tag, fields in all_confirmed.items() if tag in languages}
    return {"variants": variants, "confirmed": confirmed}
