"""Plans the writes of series: of one occurrence, of those that follow, or of all."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from calendar_app.accounts.callers import Caller
from calendar_app.accounts.policy import may_delete, may_edit
from calendar_app.calendar.series.changing import (
    ALL,
    NO_CHANGE,
    THIS,
    SeriesChange,
    SeriesRequest,
    as_written,
    ended_at,
    moved,
    span_on,
    split,
    step_between,
    template_of,
    with_date,
    with_recurrence,
)
from calendar_app.calendar.series.members import (
    Member,
    OccurrencePlanner,
    StoredSeries,
    is_first,
    members_of,
    require_rights,
    without_overrides,
    yielding,
)
from calendar_app.calendar.series.occurrences import (
    RECURRENCE_ID,
    SENT_TIMES,
    derived,
    detached,
    overrides_of,
    restored,
    slug_in,
    take_slugs,
    times,
    without_date_slugs,
)
from calendar_app.calendar.series.schedule import Schedule
from calendar_app.calendar.slugs import index_slugs
from calendar_app.calendar.writing.changes import Edit, Plan
from calendar_app.calendar.writing.planner import (
    RecordPlanner,
    require_editable,
    require_removable,
    trashed,
    without_language,
)
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.moments import Moment
from calendar_app.domain.recurrence import changing
from calendar_app.domain.recurrence.expansion import unskipped
from calendar_app.domain.recurrence.rules import Recurrence, recurrence_of, span_of, to_document
from calendar_app.domain.statuses import TRASH, generation_of
from calendar_app.errors import AlreadyTrashed, InvalidParameters, Message
from calendar_app.storage.mongo.store import Store

_BEGINS_IN_TRASH = Message("A series cannot begin in the trash.")


class SeriesPlanner:
    """Plans inside the transaction that runs; ``kinds`` are those of events and of series."""

    def __init__(
        self, store: Store, kinds: tuple[Kind, Kind], records: RecordPlanner, schedule: Schedule
    ) -> None:
        self._events, self._series = kinds
        self._records = records
        self._schedule = schedule
        self._site = records.builder.site.languages
        self._stored = StoredSeries(store)
        self.occurrences = OccurrencePlanner(store, kinds, schedule)

    def series_of(self, event: Record) -> Record | None:
        """Return the series of an event; ``None`` for a single event."""
        return self._stored.series_of(event)

    def begin(self, plan: Plan, event: Record, change: SeriesChange) -> Record:
        """Make a series of an event, or of a new one where it is empty."""
        series = self._records.builder.build(plan, self._series, template_of(event), change.edit)
        series |= times(as_written(series, change.changes))
        if change.request.recurrence is not None:
            series = with_recurrence(series, change.request.recurrence, self._schedule)
        if series["status"] == TRASH:
            raise InvalidParameters({"status": _BEGINS_IN_TRASH})
        occurrences = self.occurrences.begin(plan, series, event, change)
        after = occurrences[series["_id"]]
        # The log names the event, and not the series that it becomes.
        plan.add(self._series, {}, series, "")
        plan.add(
            self._events, event, after, "update" if event else "create", in_history=bool(event)
        )
        return after

    def change(self, plan: Plan, series: Record, event: Record, change: SeriesChange) -> Record:
        """Change an occurrence, with as many others as the scope says; return it."""
        scope = change.request.scope
        change.request.require_scope()
        if scope == THIS:
            return self._change_one(plan, series, event, change)
        caller, occurrences = change.edit.caller, self._stored.occurrences(series)
        require_editable(self._series, series, caller)
        require_rights(caller, occurrences, may_edit, since=series if scope == ALL else event)
        if series["status"] == TRASH != event["status"]:
            # The event came back alone: else the change would trash it with its series.
            change = change.saying({"status": event["status"], **change.changes})
        if scope == ALL or is_first(occurrences, event):
            return self._change_all(plan, series, event, occurrences, change)
        if not change.changes and change.request.recurrence is None:
            return event
        return self._change_following(plan, series, event, occurrences, change)

    def change_series(self, plan: Plan, series: Record, change: SeriesChange) -> Record:
        """Change a whole series by itself; return it."""
        occurrences = self._stored.occurrences(series)
        require_rights(change.edit.caller, occurrences, may_edit, since=series)
        return self._change_all(plan, series, series, occurrences, change)

    def _change_all(
        self,
        plan: Plan,
        series: Record,
        addressed: Record,
        occurrences: Sequence[Record],
        change: SeriesChange,
    ) -> Record:
        """Change a series; ``addressed`` is one of its occurrences, or itself."""
        if change.request.clears and addressed is not series:
            return self._dissolve(plan, series, addressed, occurrences, change)
        if change.changes.get("status") == TRASH:
            return self._remove(plan, series, addressed, occurrences, SeriesRequest(ALL))
        returns = RECURRENCE_ID in addressed and addressed["status"] == TRASH
        returns = returns and change.changes.get("status", TRASH) != TRASH
        target = with_date(series, addressed) if returns else series
        after = self._changed(plan, target, addressed, change)
        members = members_of(occurrences, step=step_between(series, after))
        members = yielding(members, addressed, change.changes)
        afters = self.occurrences.plan(plan, series, after, members, change)
        return after if addressed is series else afters.get(addressed["_id"], addressed)

    def _change_following(
        self,
        plan: Plan,
        series: Record,
        event: Record,
        occurrences: Sequence[Record],
        change: SeriesChange,
    ) -> Record:
        """End a series before an occurrence, and begin a new one with it."""
        if change.changes.get("status") == TRASH:
            request = SeriesRequest(change.request.scope)
            return self._remove(plan, series, event, occurrences, request)
        ended, begun = split(series, event)
        after = self._changed(plan, begun, begun, change)
        start = event[RECURRENCE_ID]
        earlier = [each for each in occurrences if each[RECURRENCE_ID] < start]
        later = [each for each in occurrences if each[RECURRENCE_ID] >= start]
        self.occurrences.plan(plan, series, ended, members_of(earlier))
        members = members_of(later, step=step_between(begun, after))
        members = yielding(members, event, change.changes)
        return self.occurrences.plan(plan, {}, after, members, change).get(event["_id"], event)

    def _changed(
        self, plan: Plan, series: Record, addressed: Record, change: SeriesChange
    ) -> Record:
        """Return a series after a change; times that are sent are those of ``addressed``."""
        own = RECURRENCE_ID not in addressed
        shown_span = span_of(addressed)
        old = shown_span if own else span_on(series, addressed[RECURRENCE_ID])
        new = old
        if not own:
            change = change.saying(without_date_slugs(change.changes, addressed))
        shown_series = {**series, **times(shown_span)}
        built = self._records.builder.build(plan, self._series, shown_series, change.edit)
        # Times that are not sent are those of the series; others that are, begin with the shown.
        if not SENT_TIMES.isdisjoint(change.changes) and span_of(built) != old:
            new = as_written(built, change.changes)
            old = old if own else unskipped(old, Moment(addressed[RECURRENCE_ID]))
        after = moved({**built, **times(span_of(series))}, old, new)
        if change.request.recurrence is not None:
            after = with_recurrence(after, change.request.recurrence, self._schedule)
        return after

    def _dissolve(
        self,
        plan: Plan,
        series: Record,
        event: Record,
        occurrences: Sequence[Record],
        change: SeriesChange,
    ) -> Record:
        """Make a series a single event again; its other occurrences go to the trash."""
        for occurrence_of_series in occurrences:
            if occurrence_of_series["_id"] != event["_id"]:
                single = _released(series, occurrence_of_series)
                if occurrence_of_series["status"] != TRASH:
                    single = trashed(plan, self._events, single)
                plan.follow(
                    self._events, occurrence_of_series, {} if change.request.force else single
                )
        single = _released(series, event)
        single["variants"] = {
            tag: texts | {"slug": series["variants"][tag]["slug"]}
            if texts.get("slug") == slug_in(series, event, tag) != ""
            else texts
            for tag, texts in event["variants"].items()
        }
        index_slugs(single)
        after = self._records.changed(plan, self._events, single, change.edit)
        plan.add(self._events, event, after)
        plan.add(self._series, series, {})
        return after

    def remove(
        self, plan: Plan, kind: Kind, record: Record, request: SeriesRequest, caller: Caller
    ) -> Record:
        """Trash or delete an occurrence, its followers or all; ``record`` may be the series."""
        scope, force = request.scope, request.force
        series = record if kind is self._series else self._stored.series_of(record)
        if series is None:
            return self._records.remove(plan, kind, record, force=force)
        if scope == THIS:
            return self._remove_one(plan, series, record, force=force)
        require_removable(self._series, series, caller, force=True)
        since = series if scope == ALL else record
        occurrences = self._stored.occurrences(series)
        require_rights(caller, occurrences, may_delete, since=since, force=force)
        return self._remove(plan, series, record, occurrences, request)

    def _remove(
        self,
        plan: Plan,
        series: Record,
        record: Record,
        occurrences: Sequence[Record],
        request: SeriesRequest,
    ) -> Record:
        """Trash or delete an occurrence and its followers, or a whole series."""
        is_whole = record is series or request.scope == ALL or is_first(occurrences, record)
        force = request.force
        if not is_whole:
            after = ended_at(series, record)
            if force:
                # Dates in the trash too, which a shorter rule alone would leave there.
                occurrences = self._delete_since(plan, record, occurrences)
        elif force:
            for occurrence in occurrences:
                plan.follow(self._events, occurrence, {})
            plan.add(self._series, series, {})
            return record
        elif series["status"] == TRASH:
            raise AlreadyTrashed(self._series.singular)
        else:
            after = trashed(plan, self._series, series)
        change = replace(NO_CHANGE, request=SeriesRequest(force=force))
        afters = self.occurrences.plan(plan, series, after, members_of(occurrences), change)
        return after if record is series else afters.get(record["_id"], record)

    def _delete_since(
        self, plan: Plan, first: Record, occurrences: Sequence[Record]
    ) -> list[Record]:
        """Delete an occurrence and all later ones; return the earlier ones."""
        start = first[RECURRENCE_ID]
        for occurrence in occurrences:
            if occurrence[RECURRENCE_ID] >= start:
                plan.follow(self._events, occurrence, {})
        return [each for each in occurrences if each[RECURRENCE_ID] < start]

    def remove_language(
        self, plan: Plan, kind: Kind, record: Record, edit: Edit, scope: str
    ) -> Record:
        """Take the language of an edit from an occurrence, or from the whole series."""
        series = record if kind is self._series else self._stored.series_of(record)
        if series is None or (scope == THIS and series is not record):
            after = without_language(kind, record, edit.language, self._site)
            self._add_one(plan, series, record, after)
            return after
        occurrences = self._stored.occurrences(series)
        require_editable(self._series, series, edit.caller)
        require_rights(edit.caller, occurrences, may_edit, since=series)
        after = without_language(self._series, series, edit.language, self._site)
        path = f"variants.{edit.language}"
        members = [without_overrides(Member(each, each), {path}) for each in occurrences]
        afters = self.occurrences.plan(plan, series, after, members)
        return after if kind is self._series else afters.get(record["_id"], record)

    def _change_one(
        self, plan: Plan, series: Record, event: Record, change: SeriesChange
    ) -> Record:
        """Override fields of one occurrence; restored ones take the fields of the series."""
        if event["status"] == TRASH != change.changes.get("status", TRASH):
            renewed = derived(series, restored(event), span_on(series, event[RECURRENCE_ID]))
            slugs = {
                t: texts["slug"] for t, texts in renewed["variants"].items() if "slug" in texts
            }
            renewed |= {"status": TRASH, "slugs_before_trash": slugs}
            after = self._records.builder.build(plan, self._events, renewed, change.edit)
        else:
            after = self._records.changed(plan, self._events, event, change.edit)
        self._add_one(plan, series, event, after)
        return after

    def _remove_one(self, plan: Plan, series: Record, event: Record, *, force: bool) -> Record:
        """Trash or delete one occurrence, and leave its date out of the series."""
        if not force:
            after = trashed(plan, self._events, event)
            self._follow_trash(plan, series, event, after)
            plan.add(self._events, event, after)
            return after
        plan.add(self._events, event, {})
        if self._stored.is_last(series, event):
            plan.follow(self._series, series, {})
        else:
            self._leave_out(plan, series, event[RECURRENCE_ID])
        return event

    def _add_one(self, plan: Plan, series: Record | None, before: Record, after: Record) -> None:
        """Plan the change of one event; note the overrides of an occurrence."""
        if series is not None:
            series = self._follow_trash(plan, series, before, after)
            take_slugs(series, before, after)
            span = span_on(series, after[RECURRENCE_ID])
            after["overrides"] = overrides_of(series, after, span)
        plan.add(self._events, before, after)

    def _follow_trash(self, plan: Plan, series: Record, before: Record, after: Record) -> Record:
        """Take the date of an occurrence out of its series with it, and back."""
        start = after[RECURRENCE_ID]
        if before["status"] != TRASH == after["status"]:
            return self._leave_out(plan, series, start)
        if before["status"] == TRASH != after["status"]:
            return self._set_recurrence(plan, series, self._schedule.with_date(series, start))
        return series

    def _leave_out(self, plan: Plan, series: Record, start: datetime) -> Record:
        shorter = changing.without(recurrence_of(series), span_of(series), start)
        return self._set_recurrence(plan, series, shorter)

    def _set_recurrence(self, plan: Plan, series: Record, recurrence: Recurrence) -> Record:
        after = {**series, "recurrence": to_document(recurrence)}
        plan.add(self._series, series, after, "")
        return after


def _released(series: Record, occurrence: Record) -> Record:
    """Return an occurrence as a single event; under the UID of the series SEQUENCE goes on."""
    revision = max(occurrence["revision"], generation_of(series))
    return detached(occurrence) | {"revision": revision}
