"""Edits single events and the occurrences of series, one at a time."""

from collections.abc import Mapping

from calendar_app.calendar.series.addressed import take_slugs
from calendar_app.calendar.series.changing import span_on
from calendar_app.calendar.series.occurrences import RECURRENCE_ID, derived, overrides_of
from calendar_app.calendar.series.request import SeriesChange
from calendar_app.calendar.series.schedule import Schedule
from calendar_app.calendar.series.stored import StoredSeries
from calendar_app.calendar.series.writer import SeriesWriter, restored
from calendar_app.calendar.writing.editor import Editor
from calendar_app.calendar.writing.record_builder import RecordBuilder
from calendar_app.calendar.writing.revising import difference
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.recurrence import changing
from calendar_app.domain.recurrence.rules import Recurrence, recurrence_of, to_document
from calendar_app.domain.statuses import TRASH
from calendar_app.mongo.store import Store
from calendar_app.search.vocabulary import Vocabulary


class OccurrenceEditor(Editor):
    """An editor of one event; its differences from the series become overrides."""

    def __init__(  # noqa: PLR0913  # the parts of an editor
        self,
        store: Store,
        kinds: Mapping[str, Kind],
        builder: RecordBuilder,
        vocabulary: Vocabulary,
        *,
        series: Kind,
        schedule: Schedule,
    ) -> None:
        super().__init__(store, kinds, builder, vocabulary)
        self._events, self._series = kinds["events"], series
        self._schedule = schedule
        self._stored = StoredSeries(store)
        self.writer = SeriesWriter(
            store,
            (self._events, series),
            schedule,
            vocabulary,
            self._removal,
            recorder=self._recorder,
        )

    def _change_one(self, series: Record, event: Record, change: SeriesChange) -> Record:
        """Override fields of one occurrence; restored ones take the fields of the series."""
        changes, caller, language = change.changes, change.caller, change.language
        if event["status"] != TRASH or changes.get("status", TRASH) == TRASH:
            return self._change_record(self._events, event, changes, caller, language)
        span = span_on(series, event[RECURRENCE_ID])
        renewed = derived(series, restored(event), span)
        slugs = {t: texts["slug"] for t, texts in renewed["variants"].items() if "slug" in texts}
        renewed |= {"status": TRASH, "slugs_before_trash": slugs}
        after = self._build(self._events, renewed, changes, caller, language)
        self._write(self._events, event, after)
        return after

    def _removed(self, kind: Kind, before: Record, *, force: bool) -> Record:
        after = super()._removed(kind, before, force=force)
        series = self._stored.series_of(before) if kind is self._events and force else None
        if series is not None:
            left_out = changing.without(recurrence_of(series), before[RECURRENCE_ID])
            self._set_recurrence(series, left_out)
            if not self._stored.occurrences(series):
                self.writer.forget(series)
        return after

    def _write(self, kind: Kind, before: Record, after: Record) -> None:
        """Write an event; note the overrides of an occurrence."""
        series = self._stored.series_of(after) if kind is self._events else None
        if series is not None:
            self._follow_trash(series, before, after)
            take_slugs(series, before, after)
            if before["status"] == TRASH or after["status"] != TRASH:
                span = span_on(series, after[RECURRENCE_ID])
                after["overrides"] = overrides_of(series, after, span)
        super()._write(kind, before, after)
        if series is not None and difference(before, after):
            self.writer.touch_for(series, [(before, after)])

    def _follow_trash(self, series: Record, before: Record, after: Record) -> None:
        """Take the date of an occurrence out of its series with it, and back."""
        if before["status"] != TRASH == after["status"]:
            left_out = changing.without(recurrence_of(series), after[RECURRENCE_ID])
            self._set_recurrence(series, left_out)
        elif before["status"] == TRASH != after["status"]:
            self._set_recurrence(series, self._schedule.with_date(series, after[RECURRENCE_ID]))

    def _set_recurrence(self, series: Record, recurrence: Recurrence) -> None:
        after = {**series, "recurrence": to_document(recurrence)}
        self.writer.save(series, after)
        series |= after
