"""Edits series: the occurrences that follow one, or all; one alone is edited as an event."""

from collections.abc import Collection
from dataclasses import replace
from functools import partial

from calendar_app.accounts.policy import Caller, may_delete, may_edit
from calendar_app.calendar.auditing import note_change
from calendar_app.calendar.series.addressed import (
    SENT_TIMES,
    restores,
    without_date_slugs,
    without_override,
    yielding,
)
from calendar_app.calendar.series.changing import (
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
from calendar_app.calendar.series.members import Member, members_of
from calendar_app.calendar.series.occurrence_editor import OccurrenceEditor
from calendar_app.calendar.series.occurrences import RECURRENCE_ID, detached, slug_in, times
from calendar_app.calendar.series.request import ALL, THIS, SeriesChange, split_request
from calendar_app.calendar.series.writer import Edit
from calendar_app.calendar.slugs import index_slugs
from calendar_app.calendar.writing.counting import count_terms
from calendar_app.calendar.writing.revising import require_revision
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.moments import Moment
from calendar_app.domain.recurrence.expansion import unskipped
from calendar_app.domain.recurrence.rules import span_of
from calendar_app.domain.statuses import DRAFT, TRASH, generation_of
from calendar_app.errors import AlreadyTrashed, InvalidParameters, Message
from calendar_app.mongo.transactions import on_commit

_BEGINS_IN_TRASH = Message("A series cannot begin in the trash.")


class SeriesEditor(OccurrenceEditor):
    """An editor that knows series.

    Changes of an event may hold ``recurrence``, and ``scope`` and ``force`` for an occurrence.
    """

    def remove(  # noqa: PLR0913  # which record, by whom, how far
        self,
        kind: Kind,
        record_id: int,
        caller: Caller,
        *,
        force: bool = False,
        revision: int | None = None,
        scope: str = THIS,
    ) -> Record:
        """Remove a record; ``scope`` says how many occurrences with it."""
        if kind is self._series:
            scope = ALL
        if scope == THIS or kind not in (self._events, self._series):
            return super().remove(kind, record_id, caller, force=force, revision=revision)

        def work() -> Record:
            record = self._removable(kind, record_id, caller, force=force)
            require_revision(record, revision)
            series = record if kind is self._series else self._stored.series_of(record)
            if series is None:
                return self._removed(kind, record, force=force)
            self._removable(self._series, series["_id"], caller, force=True)
            since = series if scope == ALL else record
            self._stored.require_rights(caller, series, may_delete, since=since, force=force)
            return self._removed_in(scope, series, record, force=force)

        return self._attempt(caller, work)

    def remove_translation(  # noqa: PLR0913  # which language of what, by whom, how far
        self,
        kind: Kind,
        record_id: int,
        caller: Caller,
        language: str,
        *,
        site: Collection[str],
        revision: int | None = None,
        scope: str = THIS,
    ) -> Record:
        """Take one language away; with another scope from the whole series."""
        if kind is not self._series and (scope == THIS or kind is not self._events):
            return super().remove_translation(
                kind, record_id, caller, language, site=site, revision=revision
            )
        other_languages = [tag for tag in site if tag != language]

        def work() -> Record:
            record = self._editable(kind, record_id, caller)
            require_revision(record, revision)
            series = record if kind is self._series else self._stored.series_of(record)
            if series is None:
                return self._untranslated(kind, record, language, other_languages)
            series = self._editable(self._series, series["_id"], caller)
            self._stored.require_rights(caller, series, may_edit, since=series)
            return self._untranslated_series(series, record, language, other_languages)

        return self._attempt(caller, work)

    def _create_within(self, kind: Kind, changes: Record, caller: Caller, language: str) -> Record:
        rest, request = split_request(changes)
        if kind is self._events and request.begins:
            return self._begin({}, SeriesChange(rest, request, caller, language))
        return super()._create_within(kind, rest, caller, language)

    def _change_once(
        self, kind: Kind, record_id: int, changes: Record, caller: Caller, language: str
    ) -> Record:
        rest, request = split_request(changes)
        change = SeriesChange(rest, request, caller, language)
        if kind is self._series:
            series = self._editable(kind, record_id, caller)
            self._stored.require_rights(caller, series, may_edit, since=series)
            return self._change_all(series, series, change)
        if kind is not self._events:
            return super()._change_once(kind, record_id, rest, caller, language)
        event = self._editable(kind, record_id, caller)
        own_series = self._stored.series_of(event)
        if own_series is not None:
            request.require_scope()
            return self._change_in_scope(own_series, event, change)
        if request.begins:
            return self._begin(event, change)
        return self._change_record(kind, event, rest, caller, language)

    def _change_in_scope(self, series: Record, event: Record, change: SeriesChange) -> Record:
        if change.request.scope == THIS:
            return self._change_one(series, event, change)
        series = self._editable(self._series, series["_id"], change.caller)
        since = series if change.request.scope == ALL else event
        self._stored.require_rights(change.caller, series, may_edit, since=since)
        if series["status"] == TRASH != event["status"]:
            # The event came back alone: else the change would trash it with its series.
            change = replace(change, changes={"status": event["status"], **change.changes})
        if change.request.scope == ALL or self._stored.is_first(series, event):
            return self._change_all(series, event, change)
        if not change.changes and change.request.recurrence is None:
            return event
        return self._change_following(series, event, change)

    def _begin(self, event: Record, change: SeriesChange) -> Record:
        """Make a series of an event, or of a new one where it is empty."""
        series = self._built(template_of(event), change)
        series |= times(as_written(series, change.changes))
        if change.request.recurrence is not None:
            series = with_recurrence(series, change.request.recurrence, self._schedule)
        if series["status"] == TRASH:
            raise InvalidParameters({"status": _BEGINS_IN_TRASH})
        self._lock_terms(event, series)
        dates = self._schedule.dates(series)
        if not dates:
            reason = Message("The exceptions leave no date of the series.")
            raise InvalidParameters({"recurrence": reason})
        start = min(dates)
        members = [Member(event, {**event, RECURRENCE_ID: start, "overrides": []})] if event else []
        occurrences = self.writer.write({}, series, members, change.edit)
        if event:
            self._recorder.note(self._events, event, occurrences[event["_id"]])
        note_change("update" if event else "create", self._events, series["_id"])
        return occurrences[series["_id"]]

    def _built(self, series: Record, change: SeriesChange) -> Record:
        return self._build(self._series, series, change.changes, change.caller, change.language)

    def _change_all(self, series: Record, addressed: Record, change: SeriesChange) -> Record:
        """Change a series; ``addressed`` is one of its occurrences, or itself."""
        if change.request.clears and addressed is not series:
            return self._dissolve(series, addressed, change)
        if change.changes.get("status") == TRASH:
            return self._removed_in(ALL, series, addressed, force=False)
        target = with_date(series, addressed) if restores(addressed, change) else series
        after = self._changed(target, addressed, change)
        members = members_of(self._stored.occurrences(series), step=step_between(series, after))
        occurrences_by_id = self.writer.write(
            series, after, yielding(members, addressed, change.changes), change.edit
        )
        note_change("update", self._series, series["_id"])
        return after if addressed is series else occurrences_by_id.get(addressed["_id"], addressed)

    def _change_following(self, series: Record, event: Record, change: SeriesChange) -> Record:
        """End a series before an occurrence, and begin a new one with it."""
        if change.changes.get("status") == TRASH:
            return self._removed_in(change.request.scope, series, event, force=False)
        ended, begun = split(series, event)
        after = self._changed(begun, begun, change)
        occurrences = self._stored.occurrences(series)
        start = event[RECURRENCE_ID]
        earlier = [each for each in occurrences if each[RECURRENCE_ID] < start]
        later = [each for each in occurrences if each[RECURRENCE_ID] >= start]
        self.writer.write(series, ended, members_of(earlier), Edit())
        members = members_of(later, step=step_between(begun, after))
        occurrences_by_id = self.writer.write(
            {}, after, yielding(members, event, change.changes), change.edit
        )
        note_change("update", self._series, series["_id"])
        note_change("create", self._series, after["_id"])
        return occurrences_by_id.get(event["_id"], event)

    def _changed(self, series: Record, addressed: Record, change: SeriesChange) -> Record:
        """Return a series after a change; times that are sent are those of ``addressed``."""
        own = RECURRENCE_ID not in addressed
        shown_span = span_of(addressed)
        old = shown_span if own else span_on(series, addressed[RECURRENCE_ID])
        new = old
        if not own:
            change = replace(change, changes=without_date_slugs(change.changes, addressed))
        built = self._built({**series, **times(shown_span)}, change)
        # Times that are not sent are those of the series; others that are, begin with the shown.
        if not SENT_TIMES.isdisjoint(change.changes) and span_of(built) != old:
            new = as_written(built, change.changes)
            old = old if own else unskipped(old, Moment(addressed[RECURRENCE_ID]))
        after = moved({**built, **times(span_of(series))}, old, new)
        if change.request.recurrence is not None:
            after = with_recurrence(after, change.request.recurrence, self._schedule)
        self._lock_terms(series, after)
        return after

    def _dissolve(self, series: Record, event: Record, change: SeriesChange) -> Record:
        """Make a series a single event again; its other occurrences go to the trash."""
        other_occurrences = [
            each for each in self._stored.occurrences(series) if each["_id"] != event["_id"]
        ]
        single = detached(event)
        single["variants"] = {
            tag: texts | {"slug": series["variants"][tag]["slug"]}
            if texts.get("slug") == slug_in(series, event, tag) != ""
            else texts
            for tag, texts in event["variants"].items()
        }
        index_slugs(single)
        # Under the UID of the series SEQUENCE goes on.
        for each in (single, *other_occurrences):
            each["revision"] = max(each["revision"], generation_of(series))
        self.writer.release([(event, single)], other_occurrences, force=change.request.force)
        self._recorder.note(self._events, event, single)
        self.writer.forget(series)
        note_change("delete", self._series, series["_id"])
        return super()._change_once(
            self._events, event["_id"], change.changes, change.caller, change.language
        )

    def _removed_in(self, scope: str, series: Record, record: Record, *, force: bool) -> Record:
        """Trash or delete an occurrence and its followers, or a whole series."""
        if record is not series and scope != ALL and not self._stored.is_first(series, record):
            after = ended_at(series, record)
            note_change("update", self._series, series["_id"])
        elif force:
            self.writer.delete(series, members_of(self._stored.occurrences(series)))
            note_change("delete", self._series, series["_id"])
            return record
        elif series["status"] == TRASH:
            raise AlreadyTrashed(self._series.singular)
        else:
            after = self._removal.trashed(self._series, series)
            note_change("trash", self._series, series["_id"])
        members = members_of(self._stored.occurrences(series))
        occurrences_by_id = self.writer.write(series, after, members, Edit(force=force))
        return after if record is series else occurrences_by_id.get(record["_id"], record)

    def _untranslated_series(
        self, series: Record, record: Record, language: str, other_languages: Collection[str]
    ) -> Record:
        after = self._without_language(self._series, series, language, other_languages)
        members = without_override(self._stored.occurrences(series), f"variants.{language}")
        occurrences_by_id = self.writer.write(series, after, members, Edit())
        note_change("update", self._series, series["_id"])
        return after if record is series else occurrences_by_id.get(record["_id"], record)

    def _lock_terms(self, before: Record, series: Record) -> None:
        """Remove added terms that were deleted meanwhile; events are counted by the writer."""
        uncounted = {**series, "status": DRAFT}
        count_terms(self._store, {**before, "status": DRAFT} if before else {}, uncounted)
        series |= {name: uncounted[name] for name in ("categories", "tags")}

    def _recheck_after_commit(self, kind: Kind, record: Record, changes: Record) -> None:
        super()._recheck_after_commit(kind, record, changes)
        picture = changes.get("image")
        if isinstance(picture, int) and (kind is self._series or "series" in record):
            on_commit(partial(self._shown_pictures.withdraw_missing, picture, self._now()))
