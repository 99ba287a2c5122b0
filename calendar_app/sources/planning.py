"""Plans a reading: finds new, unchanged, changed and vanished events.

Nothing is stored here. A plan is made of the whole calendar before the first write, so that the
guard can hold it back.
"""

from collections import Counter, defaultdict
from collections.abc import (
    Callable,
    Collection,
    Hashable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import NamedTuple

from calendar_app.sources.site_dates import NO_DATES, SiteDates, compared
from calendar_app.sources.windows import ALL_TIMES, ListedWindow

# An event has vanished for good when it was missing for so long, in two readings.
APART = timedelta(days=1)
_PERCENT = 100
KEEP, CANCEL, TRASH = "keep", "cancel", "trash"


class EventKey(NamedTuple):
    """The identity of an event within its source."""

    uid: str
    recurrence_id: str = ""


class Traits(NamedTuple):
    """By which an event is known again under another UID: digests of what the source says."""

    start: str
    name: str
    place: str


@dataclass(frozen=True, slots=True)
class StoredSourceEvent:
    """An event that came from the source before.

    ``digest`` is that of all that the source said, empty where only an import has seen it so far,
    and ``text_digest`` that of its text, empty where that has to be parsed each time;
    ``is_edited`` where it was written since by others. ``missing`` is the moment of the first
    reading without it, ``accepted`` where a person has seen that; ``vanished`` is what was done.
    It is ``unlisted``
    where a list lacked it of which it may have been outside. It ``begins`` at the source then, in
    UTC. Of a series each coming date counts as an event: they
    have ``starts``, or are the ``dates`` where a site lists them. Coming is what has not begun.
    """

    key: EventKey
    record_id: int
    digest: str
    traits: Traits
    is_coming: bool
    is_edited: bool = False
    missing: datetime | None = None
    accepted: bool = False
    vanished: str = ""
    unlisted: bool = False
    text_digest: str = ""
    begins: datetime | None = None
    starts: tuple[datetime, ...] = ()
    dates: SiteDates = field(default_factory=lambda: NO_DATES)
    is_date: bool = False

    @property
    def coming_dates(self) -> int:
        """How many coming dates it has as a series."""
        return len(self.starts)

    @property
    def is_away(self) -> bool:
        """Whether the calendar did not have it last time."""
        return bool(self.missing or self.unlisted)

    @property
    def is_open(self) -> bool:
        """Whether it has to be looked at again where the source says the same."""
        is_missing = self.missing and self.is_coming and not self.vanished
        lacks_dates = any("missing" in each for each in self.dates.values())
        return bool(self.is_edited or is_missing or lacks_dates)

    def lies_in(self, window: ListedWindow) -> bool:
        """Say whether a calendar with this window would list it."""
        starts = self.starts or (self.begins,)
        return any(start is None or window.covers(start) for start in starts)

    @property
    def number(self) -> int:
        """How many coming events it is."""
        if not self.dates:
            return (self.coming_dates or 1) if self.is_coming and not self.vanished else 0
        return sum("vanished" not in each for each in self.dates.values())

    def missing_dates(self, names: Iterable[str]) -> "Iterator[StoredSourceEvent]":
        """Yield some of its dates, which the source has no more."""
        for name in sorted(names):
            own = self.dates[name]
            yield replace(
                self,
                key=EventKey(self.key.uid, name),
                missing=own.get("missing"),
                accepted=own.get("accepted", False),
                vanished=own.get("vanished", ""),
                unlisted="unlisted" in own,
                begins=own["start"],
                starts=(),
                dates=NO_DATES,
                is_date=True,
            )


@dataclass(frozen=True, slots=True)
class ReadSourceEvent:
    """An event in the calendar that was read; ``place`` is its place there.

    One that ``slides`` is a list of the coming dates alone, which changes as dates pass.
    """

    key: EventKey
    digest: str
    traits: Traits
    place: int
    slides: bool = False
    dates: SiteDates = field(default_factory=lambda: NO_DATES)
    text_digest: str = ""


@dataclass(slots=True)
class SourcePlan:
    """The outcome of a comparison; ``healed`` are known again under another UID.

    ``reworded`` are those of the unchanged events that have another text. ``fewer`` are the coming
    dates that changed series have no more, ``more`` those that they have not had yet. With
    ``other_settings`` the source may say the same as before, which is only read otherwise. What is
    ``due`` is taken away now. The ``unlisted`` lie outside of what the calendar lists, and so many
    lines of it are ``fresh``: they were not there last time. A source that tells ``only_changes``
    has made each of them: what counts is what it takes away. Of ``gone_uids`` it says so itself,
    which is evidence enough.
    """

    new: list[ReadSourceEvent] = field(default_factory=list)
    changed: list[tuple[ReadSourceEvent, StoredSourceEvent]] = field(default_factory=list)
    edited: list[tuple[ReadSourceEvent, StoredSourceEvent]] = field(default_factory=list)
    healed: list[tuple[ReadSourceEvent, StoredSourceEvent]] = field(default_factory=list)
    unchanged: list[StoredSourceEvent] = field(default_factory=list)
    reworded: list[tuple[ReadSourceEvent, StoredSourceEvent]] = field(default_factory=list)
    missing: list[StoredSourceEvent] = field(default_factory=list)
    unlisted: list[StoredSourceEvent] = field(default_factory=list)
    coming: int = 0
    fresh: int = 0
    fewer: int = 0
    more: int = 0
    only_changes: bool = False
    gone_uids: Collection[str] = frozenset()
    other_settings: bool = False
    due: frozenset[EventKey] = frozenset()

    def note_dates(self, stored_event: StoredSourceEvent, number: int) -> None:
        """Note that a changed event has so many coming dates now."""
        if stored_event.coming_dates:
            self.fewer += max(0, stored_event.number - number)
            self.more += max(0, number - stored_event.number)

    @property
    def present(self) -> list[tuple[ReadSourceEvent, StoredSourceEvent]]:
        """The events that have to be looked at one by one."""
        return [*self.changed, *self.edited, *self.healed]

    @property
    def alarming(self) -> int:
        """How many coming events it would change or take away."""
        if self.other_settings or self.only_changes:
            return self.vanishing
        pairs = [*self.changed, *(pair for pair in self.healed if _has_changed(*pair))]
        changed = sum(
            max(1, len(compared(stored_event.dates, read.dates).changed))
            for read, stored_event in pairs
            if stored_event.is_coming
        )
        return changed + self.more + self.vanishing

    @property
    def vanishing(self) -> int:
        """How many coming events are missing for the first time, or would be taken away now.

        What is outside of a list counts too, unless fresh lines may have pushed it out, each of
        them one event or a whole series. So do past events that the source itself has removed.
        """
        missing = sum(
            each.number or (each.key.uid in self.gone_uids and not each.vanished)
            for each in self.missing
            if not each.accepted and (each.missing is None or each.key in self.due)
        )
        outside = (e.number for e in self.unlisted if e.missing is None and not e.unlisted)
        return self.fewer + missing + sum(sorted(outside, reverse=True)[self.fresh :])


@dataclass(frozen=True, slots=True)
class Guard:
    """Holds a reading back that would touch more than ``percent`` of the coming events."""

    percent: int
    least: int = 5

    def holds(self, plan: SourcePlan, accepted: int = 0) -> bool:
        """Say whether a plan has to wait; so many events were ``accepted`` by a person."""
        bound = max(self.least, plan.coming * self.percent // _PERCENT, accepted)
        return plan.alarming > bound


def settled_texts(stored_events: Mapping[EventKey, StoredSourceEvent]) -> dict[str, str]:
    """Return the digest, by UID, of the text of each event that need not be looked at again."""
    events_of_uid = Counter(key.uid for key in stored_events)
    return {
        key.uid: each.text_digest
        for key, each in stored_events.items()
        if events_of_uid[key.uid] == 1 and not (each.is_open or each.is_away or each.vanished)
    }


def compare(
    stored_events: Mapping[EventKey, StoredSourceEvent],
    read: Sequence[ReadSourceEvent],
    unparsed_uids: Collection[str] = frozenset(),
    window: ListedWindow = ALL_TIMES,
) -> SourcePlan:
    """Return the fate of the events that came from a source before.

    Those with ``unparsed_uids`` are there, and stay as they are unless they were read. What lies
    outside the ``window`` of the calendar is not missing.
    """
    listed = (each for each in stored_events.values() if not each.is_away)
    plan = SourcePlan(coming=sum(each.number for each in listed))
    unknown, keys = [], set()
    for each in read:
        keys.add(each.key)
        earlier = stored_events.get(each.key)
        plan.fresh += _fresh_lines(each, earlier) if earlier else 0
        if earlier is None:
            unknown.append(each)
        elif earlier.vanished or _has_changed(each, earlier):
            plan.changed.append((each, earlier))
        elif earlier.is_open or earlier.is_away or earlier.digest != each.digest:
            plan.edited.append((each, earlier))
        else:
            plan.unchanged.append(earlier)
            if each.text_digest != earlier.text_digest:
                plan.reworded.append((each, earlier))
    unread = [each for key, each in stored_events.items() if key not in keys]
    plan.unchanged += [each for each in unread if each.key.uid in unparsed_uids]
    absent = [each for each in unread if each.key.uid not in unparsed_uids]
    rewritten = bool(absent) and len(absent) == len(stored_events)
    plan.healed = healed(unknown, absent, rewritten=rewritten)
    places = {each.place for each, _ in plan.healed}
    healed_keys = {each.key for _, each in plan.healed}
    plan.new = [each for each in unknown if each.place not in places]
    plan.fresh += sum(_fresh_lines(*pair) for pair in plan.healed)
    plan.fresh += sum(max(1, len(each.dates)) for each in plan.new)
    for lost in absent:
        if lost.key not in healed_keys:
            plan.missing += lost.missing_dates(lost.dates) if lost.dates else [lost]
    for each, earlier in plan.present:
        if each.slides:
            plan.missing += earlier.missing_dates(compared(earlier.dates, each.dates).gone)
    not_listed = plan.missing
    plan.missing = [each for each in not_listed if each.accepted or each.lies_in(window)]
    outside = (each for each in not_listed if not (each.accepted or each.lies_in(window)))
    plan.unlisted = [each for each in outside if each.number]
    return plan


def _fresh_lines(read: ReadSourceEvent, earlier: StoredSourceEvent) -> int:
    """Return how many lines a calendar has for an event beyond those of last time.

    A site lists each date of a series by itself.
    """
    if not read.dates:
        return int(earlier.is_away)
    gone = compared(earlier.dates, read.dates).gone
    remaining = [
        name
        for name, own in earlier.dates.items()
        if name not in gone and own.keys().isdisjoint(("missing", "unlisted"))
    ]
    return max(0, len(read.dates) - len(remaining))


def _has_changed(read: ReadSourceEvent, stored_event: StoredSourceEvent) -> bool:
    """Say whether the source says something else of an event than last time.

    A list of coming dates changes with one of them. Without digests the traits decide: of a list
    its name.
    """
    if read.slides and stored_event.dates:
        return bool(compared(stored_event.dates, read.dates).changed)
    if not read.slides and stored_event.digest:
        return read.digest != stored_event.digest
    last = read.traits.name != stored_event.traits.name
    return last or (not read.slides and read.traits.start != stored_event.traits.start)


def due_in(plan: SourcePlan, vanished: str, now: datetime) -> frozenset[EventKey]:
    """Return the missing events to take away now, unless ``vanished`` keeps them."""
    if vanished == KEEP:
        return frozenset()
    gone_uids = plan.gone_uids
    return frozenset(e.key for e in plan.missing if is_due(e, now) or e.key.uid in gone_uids)


def is_due(stored_event: StoredSourceEvent, now: datetime) -> bool:
    """Say whether a coming event was missing for a day, and nothing was done yet."""
    lasted = stored_event.missing is not None and now - stored_event.missing >= APART
    return lasted and stored_event.is_coming and not stored_event.vanished


def healed(
    unknown: Sequence[ReadSourceEvent], absent: Sequence[StoredSourceEvent], *, rewritten: bool
) -> list[tuple[ReadSourceEvent, StoredSourceEvent]]:
    """Match new with vanished events, one to one, by start, name and place.

    Where no UID is the same as last time, an event that moved or was renamed is matched by
    the other traits.
    """
    pairs: list[tuple[ReadSourceEvent, StoredSourceEvent]] = []
    rest, vanished = list(unknown), list(absent)
    rules: list[tuple[Callable[[Traits], Hashable], bool]] = [
        (lambda traits: traits, False),
        (lambda traits: traits[:2], False),
    ]
    if rewritten:
        rules += [
            (lambda traits: (traits.name, traits.place), True),
            (lambda traits: (traits.start, traits.place), True),
            (lambda traits: traits.name, True),
        ]
    for rule, is_unique in rules:
        matched = list(_matched(rest, vanished, rule, is_unique=is_unique))
        pairs += matched
        places = {read.place for read, _ in matched}
        keys = {stored_event.key for _, stored_event in matched}
        rest = [each for each in rest if each.place not in places]
        vanished = [each for each in vanished if each.key not in keys]
    return pairs


def _matched(
    unknown: Iterable[ReadSourceEvent],
    absent: Iterable[StoredSourceEvent],
    rule: Callable[[Traits], Hashable],
    *,
    is_unique: bool,
) -> Iterable[tuple[ReadSourceEvent, StoredSourceEvent]]:
    """Yield the pairs with the same traits; with ``is_unique`` only where no other has them."""
    by_traits: defaultdict[Hashable, list[StoredSourceEvent]] = defaultdict(list)
    for stored_event in absent:
        by_traits[stored_event.key.recurrence_id != "", rule(stored_event.traits)].append(
            stored_event
        )
    groups: defaultdict[Hashable, list[ReadSourceEvent]] = defaultdict(list)
    for read in unknown:
        groups[read.key.recurrence_id != "", rule(read.traits)].append(read)
    for traits, reads in groups.items():
        candidates = by_traits.get(traits, [])
        if not is_unique or len(reads) == len(candidates) == 1:
            yield from zip(reads, candidates, strict=False)
