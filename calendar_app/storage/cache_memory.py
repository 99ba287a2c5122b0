"""The memory that all caches of a process share.

Each cache has a name and entries of its own, and all have one room. Where it is full, the entry
that was used least recently goes first, whichever cache it is in. So no cache needs a bound.
"""

from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from itertools import count, islice
from sys import getsizeof
from threading import Lock
from typing import Any, NamedTuple

# What the places of an entry, and of its key, take beside what both hold.
_OF_AN_ENTRY = 300  # bytes
_LARGEST = 4  # parts of the room that an entry takes at most: one feed does not drop all others
_USUAL_ROOM = 16 << 20  # bytes, of commands
_STEP = 1 << 16  # bytes by which a size changes before it is reported
_MEASURED = 20  # members of a container that stand for all of them


@dataclass(frozen=True, slots=True)
class ContentKey:
    """The key of what was made of a content, whose reader sees whether it is still that one."""

    name: str
    place: Hashable


class _Entry(NamedTuple):
    """A kept ``value`` of so many bytes, and when it was ``used``, in uses of any cache."""

    value: Any
    size: int
    used: int


class CacheMemory:
    """At most ``room`` bytes for all caches of a process; 0 keeps nothing.

    ``report`` gets the bytes that the caches of a name take, when they have changed.
    """

    def __init__(
        self, room: int = _USUAL_ROOM, report: Callable[[str, int], object] | None = None
    ) -> None:
        self.room = room
        self._lock = Lock()
        self._uses = count()
        self._caches: list[Cache] = []
        self._report = report
        self._reported: Counter[str] = Counter()

    @property
    def largest(self) -> int:
        """The bytes that one entry may take."""
        return self.room // _LARGEST

    def cache(self, name: str) -> "Cache":
        """Return a new cache; several may have one name, by which their sizes are shown."""
        new = Cache(name, self, self._lock, self._uses)
        self._caches.append(new)
        return new

    def sizes(self) -> Mapping[str, int]:
        """Return the bytes that are kept, by the names of the caches."""
        sizes: Counter[str] = Counter()
        for each in self._caches:
            sizes[each.name] += each.size
        return sizes

    def make_room(self) -> None:
        """Drop the least recently used entries until the rest has room; the lock is held."""
        excess = sum(each.size for each in self._caches) - self.room
        while excess > 0:
            excess -= min(filter(len, self._caches), key=Cache.last_use).drop_oldest()

    def report_changes(self) -> None:
        """Report sizes that have changed, also of caches that made room for others."""
        if self._report is None:
            return
        for name, size in self.sizes().items():
            if abs(size - self._reported[name]) > _STEP:
                self._reported[name] = size
                self._report(name, size)


class Cache:
    """Entries by key, as long as the memory that they share has room for them."""

    def __init__(self, name: str, memory: CacheMemory, lock: Lock, uses: "count[int]") -> None:
        self.name = name
        self.size = 0
        self._memory = memory
        self._lock = lock
        self._uses = uses
        self._entries: OrderedDict[Hashable, _Entry] = OrderedDict()

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: Hashable) -> Any:
        """Return the value under a key; ``None`` where none is kept."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is None:
                return None
            self._entries[key] = entry._replace(used=next(self._uses))
            self._entries.move_to_end(key)
            return entry.value

    def keep(self, key: Hashable, value: Any, size: int | None = None) -> None:
        """Keep a value, unless it is too large.

        ``size`` says what key and value take, where not all that they refer to is their own.
        """
        own = _OF_AN_ENTRY + (size_of((key, value)) if size is None else size)
        with self._lock:
            self._remove(key)
            if own <= self._memory.largest:
                kept = trimmed(value) if isinstance(value, bytes) else value
                self._entries[key] = _Entry(kept, own, next(self._uses))
                self.size += own
                self._memory.make_room()
        self._memory.report_changes()

    def clear(self) -> None:
        """Drop all entries."""
        with self._lock:
            self._entries, self.size = OrderedDict(), 0
        self._memory.report_changes()

    def last_use(self) -> int:
        """Return when the entry was used that was used least recently; there is one."""
        return next(iter(self._entries.values())).used

    def drop_oldest(self) -> int:
        """Drop the entry that was used least recently; return its bytes."""
        _key, entry = self._entries.popitem(last=False)
        self.size -= entry.size
        return entry.size

    def _remove(self, key: Hashable) -> None:
        entry = self._entries.pop(key, None)
        if entry is not None:
            self.size -= entry.size


def trimmed(content: bytes) -> bytes:
    """Return the same bytes in memory of their own size.

    orjson encodes into a buffer with room for the longest form of each text, up to eight times
    what it needs, and leaves the bytes in it.
    """
    return memoryview(content).tobytes()


def size_of(value: Any) -> int:
    """Return the bytes of a value and its members; shared members count once.

    Followed are containers and frozen dataclasses. What else a value refers to is shared. Of many
    members some stand for all: to measure a thousand terms took longer than to show a page of them.
    """
    size, counted, rest = 0.0, set[int](), [(value, 1.0)]
    while rest:
        each, weight = rest.pop()
        if id(each) in counted:
            continue
        counted.add(id(each))
        size += weight * getsizeof(each)
        if isinstance(each, dict):
            step = _step(len(each))
            rest += [(key, weight * step) for key in islice(each, 0, None, step)]
            rest += [(member, weight * step) for member in islice(each.values(), 0, None, step)]
        elif isinstance(each, list | tuple | set | frozenset):
            step = _step(len(each))
            rest += [(member, weight * step) for member in islice(each, 0, None, step)]
        elif names := _fields_of(type(each)):  # type: ignore[arg-type]  # classes are hashable
            rest += [(getattr(each, name), weight) for name in names]
    return round(size)


def _step(number: int) -> int:
    """Return which of so many members are measured: each of few, every fifth of a hundred."""
    return max(1, number // _MEASURED)


@cache
def _fields_of(kind: type) -> tuple[str, ...]:
    """Return the fields of a frozen dataclass."""
    is_value = is_dataclass(kind) and kind.__dataclass_params__.frozen  # type: ignore[attr-defined]
    return tuple(each.name for each in fields(kind)) if is_value else ()
