"""Previews a joint change of events in words, before anything is written."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from calendar_app.api.http.request import current
from calendar_app.calendar.several import ChangedPair, RefusedRecords
from calendar_app.domain.differences import Stretch, WordChange
from calendar_app.domain.kind import Record
from calendar_app.domain.kinds import EVENT
from calendar_app.readmodel.events import ReadEvent
from calendar_app.site.desk.changes import FieldDifference, differences_of
from calendar_app.site.desk.several import refusal_in_words
from calendar_app.site.pages.events import read_events

# Characters that stand around a change, of words that stay.
_AROUND = 60
_CUT = "…"


@dataclass(frozen=True, slots=True)
class PreviewRow:
    """An event with its changes, or the reason for none; ``event`` may be unpublished."""

    id: int
    event: ReadEvent | None
    changes: Sequence[FieldDifference] = ()
    refusal: str = ""
    sources: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Preview:
    """The rows of all events: those that change, those that stay, those that are refused."""

    changed: Sequence[PreviewRow]
    same: Sequence[PreviewRow]
    refused: Sequence[PreviewRow]

    @property
    def others(self) -> Sequence[PreviewRow]:
        """The rows of events in which nothing changes."""
        return [*self.refused, *self.same]

    @property
    def seen(self) -> str:
        """The events that change, each with the revision that the preview shows."""
        return " ".join(
            f"{row.id}.{row.event.record['revision']}" for row in self.changed if row.event
        )


@dataclass(frozen=True, slots=True)
class EventChanges:
    """The differences that a change would make in an event."""

    id: int
    fields: Sequence[FieldDifference]


def changes_in_words(pairs: Sequence[ChangedPair]) -> list[EventChanges]:
    """Return the changes to each event, while its linked records exist."""
    return [
        EventChanges(before["_id"], [_shortened(each) for each in fields])
        for (before, _), fields in zip(pairs, differences_of(EVENT, pairs), strict=True)
    ]


def preview_of(
    ids: Sequence[int],
    readable: Mapping[int, Record],
    changed: Sequence[EventChanges],
    refused: RefusedRecords,
) -> Preview:
    """Return the rows of a preview, in the order of the events' dates."""
    context = current.context()
    reasons = {number: refusal_in_words(error) for number, error in refused}
    fields = {each.id: each.fields for each in changed if each.fields}
    events = {event.id: event for event in read_events(list(readable.values()))}
    series_of = {number: event.record.get("series", 0) for number, event in events.items()}
    sources = context.services.sources.provenance.of_events(series_of)
    rows = [
        PreviewRow(
            number,
            events.get(number),
            fields.get(number, ()),
            reasons.get(number, ""),
            list(sources.get(number, {}).values()),
        )
        for number in sorted(ids, key=lambda number: _place(readable.get(number), number))
    ]
    return Preview(
        [row for row in rows if row.changes and not row.refusal],
        [row for row in rows if not row.changes and not row.refusal],
        [row for row in rows if row.refusal],
    )


def _place(event: Record | None, number: int) -> tuple[bool, object, int]:
    return (event is None, event["start_local"] if event else number, number)


def _shortened(difference: FieldDifference) -> FieldDifference:
    """Return a difference with no more words that stay than show where it is."""
    stretches = difference.stretches
    last = len(stretches) - 1
    cut = (
        _cut(stretch, is_first=place == 0, is_last=place == last)
        for place, stretch in enumerate(stretches)
    )
    return replace(difference, stretches=list(chain.from_iterable(cut)))


def _cut(stretch: Stretch, *, is_first: bool, is_last: bool) -> Iterator[Stretch]:
    """Yield what stands beside a change: the end of what is before it, the begin of the rest."""
    text, around = stretch.text, (0 if is_last else _AROUND) + (0 if is_first else _AROUND)
    if stretch.change is not WordChange.UNCHANGED or len(text) <= around:
        yield stretch
        return
    head = "" if is_first else text[:_AROUND].rpartition(" ")[0] + " "
    tail = "" if is_last else " " + text[-_AROUND:].partition(" ")[2]
    yield Stretch(WordChange.UNCHANGED, f"{head}{_CUT}{tail}")
