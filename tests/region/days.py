"""The days of the region: what people there change, and what goes wrong with their feeds."""

from collections import Counter
from datetime import datetime, timedelta

from region.entries import THEMES, Entry
from region.feeds import ALL, CSV, ERROR, HALF, ICS, LOGIN, PAGE, PUSH
from region.region import Region

# Of the events that change on one day, in per cent of all.
_MOVED, _RENAMED, _RELOCATED, _CANCELED, _REMOVED, _ADDED = 0.5, 0.4, 0.3, 0.3, 0.3, 0.6
# No more events of a feed change on one day, so that its calendar is not held back.
_MOST_OF_A_FEED = 3
_HOURS = (-3, -1, 1, 2, 24, 48, 24 * 7)


class Days:
    """Changes a region day by day."""

    def __init__(self, region: Region, now: datetime) -> None:
        self._region = region
        self._random = region.random
        self._now = now
        self._changes: Counter[int] = Counter()

    def pass_one(self, now: datetime) -> None:
        """Let a day pass, which begins at ``now`` by the clock of the region."""
        region = self._region
        region.day += 1
        self._now = now
        self._changes.clear()
        for change, share in (
            (self._move, _MOVED),
            (self._rename, _RENAMED),
            (self._relocate, _RELOCATED),
            (self._cancel, _CANCELED),
            (self._remove, _REMOVED),
        ):
            for entry in self._chosen(share):
                change(entry)
                entry.changed = region.day
        for _ in range(self._number(_ADDED)):
            region.add(self._random.choice(region.towns))
        self._break_feeds()

    def _number(self, share: float) -> int:
        return max(1, round(len(self._region.entries) * share / 100))

    def _chosen(self, share: float) -> list[Entry]:
        """Return some coming events that have not changed today."""
        coming = [each for each in self._region.entries.values() if self._may_change(each)]
        chosen = []
        for entry in self._random.sample(coming, min(len(coming), 3 * self._number(share))):
            numbers = [feed.number for feed in self._region.feeds_of(entry)]
            if len(chosen) < self._number(share) and all(
                self._changes[each] + entry.count <= _MOST_OF_A_FEED for each in numbers
            ):
                chosen.append(entry)
                self._changes.update(dict.fromkeys(numbers, entry.count))
        return chosen

    def _may_change(self, entry: Entry) -> bool:
        is_fresh = entry.changed < self._region.day
        return is_fresh and entry.takes_place and entry.start > self._now + timedelta(days=9)

    def _move(self, entry: Entry) -> None:
        span = timedelta(hours=self._random.choice(_HOURS))
        if entry.all_day or entry.count > 1:
            span = timedelta(days=7 * self._random.choice((1, 2)))
        self._region.timetable.move(entry, entry.start + span, entry.place)

    def _rename(self, entry: Entry) -> None:
        if entry.theme:
            entry.theme = self._random.choice(THEMES)

    def _relocate(self, entry: Entry) -> None:
        halls = self._region.halls[entry.place.town]
        alone = [each for each in halls if sum(each.name == own.name for own in halls) == 1]
        self._region.timetable.move(entry, entry.start, self._random.choice(alone))

    def _cancel(self, entry: Entry) -> None:
        entry.canceled = True

    def _remove(self, entry: Entry) -> None:
        entry.removed = True

    def _break_feeds(self) -> None:
        """Give all events of some feeds new UIDs, cut others off, and let others fail."""
        feeds, day = [*self._region.feeds.values()], self._region.day
        number = max(1, len(feeds) // 100)
        lasting = {feed.number for feed in feeds if feed.fault == HALF and day % 2}
        for feed in feeds:
            feed.fault = HALF if feed.number in lasting else ""
        lists = [feed for feed in feeds if feed.kind in (ICS, CSV, PAGE) and feed.window == ALL]
        for feed in self._random.sample(lists, min(len(lists), number)):
            feed.generation += 1
        whole = [feed for feed in feeds if feed.kind != PUSH and not feed.fault]
        long = [feed for feed in whole if feed.can_be_halved(self._now)]
        for feed in self._random.sample(long, min(len(long), number)):
            feed.fault = HALF
        rest = [feed for feed in whole if not feed.fault]
        for feed, fault in zip(
            self._random.sample(rest, 2 * number), (ERROR, LOGIN) * number, strict=True
        ):
            feed.fault = fault
