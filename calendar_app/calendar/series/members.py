"""The occurrences of a series: as they are stored, and as a change of the series leaves them."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from calendar_app.accounts.callers import Caller
from calendar_app.calendar.series.changing import NO_CHANGE, SeriesChange
from calendar_app.calendar.series.occurrences import (
    OF_OWN_TEXTS,
    RECURRENCE_ID,
    SENT_TIMES,
    TIME_PATHS,
    applying_to,
    derived,
    restored,
)
from calendar_app.calendar.series.schedule import Dates, Schedule
from calendar_app.calendar.slugs import index_slugs
from calendar_app.calendar.writing.changes import Plan
from calendar_app.calendar.writing.planner import trashed
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.statuses import TRASH
from calendar_app.domain.texts.composing import computed_fields, has_own_texts
from calendar_app.domain.timespan import TimeSpan
from calendar_app.errors import InvalidParameters, Message, NotAllowed
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import (
    Clause,
    all_of,
    differs,
    equals,
    given,
    identified,
    one_of,
)

# ``may_edit`` or ``may_delete``.
MayWrite = Callable[[Caller, Record], bool]
_NO_DATE = Message("The exceptions leave no date of the series.")
_DAY = len("2026-12-24")


@dataclass(frozen=True, slots=True)
class Member:
    """An occurrence as ``stored``, and as ``placed`` by the change."""

    stored: Record
    placed: Record

    @property
    def is_trashed(self) -> bool:
        return bool(self.stored["status"] == TRASH)


def members_of(occurrences: Iterable[Record], *, step: timedelta = timedelta()) -> list[Member]:
    """Return the occurrences as members, with dates moved by ``step``."""
    return [
        Member(stored, {**stored, RECURRENCE_ID: stored[RECURRENCE_ID] + step})
        for stored in occurrences
    ]


def yielding(members: Iterable[Member], addressed: Record, changes: Record) -> list[Member]:
    """Drop the overrides of the addressed occurrence that the change sends."""
    sent = {name for name in changes if name != "variants"}
    if SENT_TIMES & sent:
        sent |= set(TIME_PATHS)
    for tag, texts in changes.get("variants", {}).items():
        sent |= {f"variants.{tag}", *(f"variants.{tag}.{name}" for name in texts)}
    is_occurrence = RECURRENCE_ID in addressed
    return [
        without_overrides(member, sent)
        if is_occurrence and member.stored["_id"] == addressed["_id"]
        else member
        for member in members
    ]


def without_overrides(member: Member, paths: Collection[str]) -> Member:
    """Return a member that does not override these paths any more."""
    overrides = [path for path in member.placed.get("overrides", ()) if path not in paths]
    return Member(member.stored, member.placed | {"overrides": overrides})


class StoredSeries:
    """The series and occurrences of one store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def series_of(self, event: Record) -> Record | None:
        """Return the series of an event; ``None`` for a single event."""
        if "series" not in event:
            return None
        return self._store["series"].first(identified(event["series"]))

    def series_among(self, event_ids: Collection[int]) -> Record | None:
        """Return the series of the first of some events that has one."""
        own = all_of([one_of("_id", event_ids), given("series")])
        occurrence = self._store["events"].first(own, ["series"])
        return self.series_of(occurrence) if occurrence else None

    def occurrences(self, series: Record) -> list[Record]:
        """Return all occurrences of a series by date, trashed ones included."""
        clause = equals("series", series["_id"])
        return self._store["events"].find(clause, order=[(RECURRENCE_ID, 1)])

    def override(self, series: Record, paths: Iterable[str], clause: Clause) -> None:
        """Let some occurrences of a series keep their values at some paths."""
        own = all_of([equals("series", series["_id"]), clause])
        update = {"$addToSet": {"overrides": {"$each": sorted(paths)}}}
        self._store["events"].change_all(own, update)

    def is_last(self, series: Record, occurrence: Record) -> bool:
        """Return whether no other occurrence is left, not even in the trash."""
        siblings = [equals("series", series["_id"]), differs("_id", occurrence["_id"])]
        return self._store["events"].first(all_of(siblings), ["_id"]) is None


def require_rights(
    caller: Caller,
    occurrences: Iterable[Record],
    may: MayWrite,
    *,
    since: Record,
    force: bool = False,
) -> None:
    """Refuse a write of occurrences ``since`` one, or of a whole series, if one is protected.

    ``may`` is ``may_edit`` or ``may_delete``. Trashed occurrences count with ``force`` alone.
    """
    start = since.get(RECURRENCE_ID)
    written = (each for each in occurrences if start is None or each[RECURRENCE_ID] >= start)
    if not all(may(caller, each) for each in written if force or each["status"] != TRASH):
        raise NotAllowed


def is_first(occurrences: Iterable[Record], occurrence: Record) -> bool:
    """Return whether no earlier one of all occurrences is left outside the trash."""
    start = occurrence[RECURRENCE_ID]
    return all(each[RECURRENCE_ID] >= start or each["status"] == TRASH for each in occurrences)


class Expanded(NamedTuple):
    """A series with its dates, and the fields that follow from these."""

    series: Record
    dates: Dates
    fields: Record


class OccurrencePlanner:
    """Plans series with their occurrences; ``kinds`` are those of events and of series."""

    def __init__(self, store: Store, kinds: tuple[Kind, Kind], schedule: Schedule) -> None:
        self._store = store
        self._events, self._series = kinds
        self._schedule = schedule

    def plan(
        self,
        plan: Plan,
        before: Record,
        series: Record,
        members: Sequence[Member],
        change: SeriesChange = NO_CHANGE,
    ) -> dict[int, Record]:
        """Plan a series, empty ``before`` if it is new, and all its occurrences.

        Return the occurrences after the write, by id.
        """
        if before.get("status") == TRASH == series["status"]:
            # Events that came back alone stay.
            members = [member for member in members if member.is_trashed]
        placed = {member.placed[RECURRENCE_ID] for member in members}
        expanded = Expanded(series, *self._schedule.expansion(series, placed))
        return self._plan_expanded(plan, before, expanded, members, change)

    def begin(
        self, plan: Plan, series: Record, event: Record, change: SeriesChange
    ) -> dict[int, Record]:
        """Plan a new series as ``plan`` does; an event, if there is one, is its first date.

        Raises ``InvalidParameters`` where its recurrence leaves no date.
        """
        expanded = Expanded(series, *self._schedule.expansion(series))
        if not expanded.dates:
            raise InvalidParameters({"recurrence": _NO_DATE})
        first = {**event, RECURRENCE_ID: min(expanded.dates), "overrides": []}
        members = [Member(event, first)] if event else []
        return self._plan_expanded(plan, {}, expanded, members, change)

    def _plan_expanded(
        self,
        plan: Plan,
        before: Record,
        expanded: Expanded,
        members: Sequence[Member],
        change: SeriesChange,
    ) -> dict[int, Record]:
        series, dates, fields = expanded
        placed = {member.placed[RECURRENCE_ID] for member in members}
        slugs = with_date_slugs(members, dates)
        occurrences = self._plan_members(plan, expanded, members, slugs, change)
        ids = self._ids(series, members, len(dates.keys() - placed))
        for record in self._new(series, dates, placed, slugs, ids):
            plan.follow(self._events, {}, record)
            occurrences[record["_id"]] = record
        series.pop("dates_from", None)
        series |= fields if before else fields | {"modified": plan.now}
        is_trashed = before and before["status"] != TRASH == series["status"]
        action = "trash" if is_trashed else "update" if before else "create"
        plan.add(self._series, before, series, action)
        return occurrences

    def extensions(
        self, all_series: Sequence[Record], *, whole: bool
    ) -> list[tuple[list[Record], Record]]:
        """Return the occurrences that each series lacks today, and its own fields then.

        Without ``whole`` all that were due before count as there.
        """
        expansion = self._schedule.expansion if whole else self._schedule.further
        stored: dict[int, list[Member]] = {series["_id"]: [] for series in all_series}
        fields = ["series", RECURRENCE_ID, "date_slug", "status"]
        for event in self._store.of(self._events).find(one_of("series", stored), fields=fields):
            stored[event["series"]].append(Member(event, event))
        lacking = []
        for series in all_series:
            members = stored[series["_id"]]
            placed = {member.placed[RECURRENCE_ID] for member in members}
            lacking.append((members, placed, *expansion(series, placed)))
        number = sum(len(dates.keys() - placed) for _, placed, dates, _ in lacking)
        ids = iter(self._store.next_ids(self._events.sequence, number) if number else ())
        return [
            (self._new(series, dates, placed, with_date_slugs(members, dates), ids), fields_then)
            for series, (members, placed, dates, fields_then) in zip(
                all_series, lacking, strict=True
            )
        ]

    def _plan_members(
        self,
        plan: Plan,
        expanded: Expanded,
        members: Sequence[Member],
        slugs: Mapping[datetime, str],
        change: SeriesChange,
    ) -> dict[int, Record]:
        """Plan the change of each occurrence; those without a date go to the trash."""
        occurrences = {}
        series, dates, _ = expanded
        for member in members:
            start = member.placed[RECURRENCE_ID]
            placed = {**member.placed, "series": series["_id"], "date_slug": slugs[start]}
            if start in dates:
                after = self._kept(series, member, placed, dates[start], change)
            elif member.is_trashed:
                after = placed
            else:
                after = {} if change.request.force else trashed(plan, self._events, placed)
            plan.follow(self._events, member.stored, after)
            if after:
                occurrences[after["_id"]] = after
        return occurrences

    def _kept(
        self, series: Record, member: Member, placed: Record, span: TimeSpan, change: SeriesChange
    ) -> Record:
        """Return an occurrence as the series gives it, out of the trash if it was there."""
        after = derived(series, restored(placed), span)
        if has_own_texts(after):
            # Its translations and words are of its own texts.
            stored = member.stored
            after |= {name: stored[name] for name in OF_OWN_TEXTS if name in stored}
            changes = applying_to(after, change.changes)
            language = change.edit.language
            after |= computed_fields(self._events, stored, after, changes, language)
        index_slugs(after)
        return after

    def _ids(self, series: Record, members: Sequence[Member], number: int) -> Iterator[int]:
        """Yield ids for so many occurrences; the first one of a new series has its id."""
        if number and not members:
            yield series["_id"]
            number -= 1
        yield from self._store.next_ids(self._events.sequence, number) if number else ()

    def _new(
        self,
        series: Record,
        dates: Dates,
        placed: Collection[datetime],
        slugs: Mapping[datetime, str],
        ids: Iterator[int],
    ) -> list[Record]:
        """Return the occurrences that are not ``placed`` yet, with the next of the ``ids``."""
        now = self._schedule.now()
        starts = sorted(dates.keys() - placed)
        records = []
        for start in starts:
            own = {
                "_id": next(ids),
                "series": series["_id"],
                RECURRENCE_ID: start,
                "date_slug": slugs[start],
                "overrides": [],
                "modified": now,
            }
            record = derived(series, own, dates[start])
            index_slugs(record)
            records.append(record)
        return records


def with_date_slugs(members: Sequence[Member], dates: Dates) -> dict[datetime, str]:
    """Return the end of the slug on each date: "2026-12-24", "2026-12-24-2".

    ``2026-12-24``, and ``2026-12-24-2`` for the second one of a day. A member keeps its own.
    """
    slugs: dict[datetime, str] = {}
    for member in members:
        start, slug = member.placed[RECURRENCE_ID], member.stored.get("date_slug", "")
        if slug[:_DAY] == start.date().isoformat():
            slugs[start] = slug
    in_use = set(slugs.values())
    for start in sorted({*dates, *(member.placed[RECURRENCE_ID] for member in members)}):
        if start not in slugs:
            slugs[start] = _first_free(start.date().isoformat(), in_use)
            in_use.add(slugs[start])
    return slugs


def _first_free(day: str, in_use: set[str]) -> str:
    number = 1
    slug = day
    while slug in in_use:
        number += 1
        slug = f"{day}-{number}"
    return slug
