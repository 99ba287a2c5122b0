"""A cache of rendered parts of records, by digests of their contents.

A fragment is never out of date: whatever is written, and whoever writes it, other content has
another digest. Nothing is ever dropped because of a write.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, MutableMapping, Sequence
from sys import getsizeof
from threading import Lock
from typing import Any
from uuid import uuid4

import orjson
from cachetools import LRUCache
from xxhash import xxh3_128_digest

from calendar_app.calendar.reading.links import LINKS, Linked, SeriesFacts
from calendar_app.domain.kind import Record
from calendar_app.domain.ledger import LEDGER

Fragment = bytes | str
# What a key, and its places in the cache, take beside the fragment.
_OF_A_KEY = 400  # bytes
_ABSENT = bytes(16)


class FragmentCache:
    """An LRU cache of fragments, of at most ``room`` bytes."""

    def __init__(self, room: int) -> None:
        self._fragments: LRUCache[bytes, Any] = LRUCache(room, getsizeof=_size)
        self._lock = Lock()
        # Whether anything is kept at all.
        self.is_open = room > 0

    def get(self, key: bytes) -> Any:
        """Return the fragment under a key; ``None`` where none is kept."""
        with self._lock:
            return self._fragments.get(key)

    def find(self, keys: Iterable[bytes]) -> dict[bytes, Any]:
        """Return the fragments under these keys that are kept."""
        with self._lock:
            return {key: self._fragments[key] for key in keys if key in self._fragments}

    def keep(self, key: bytes, fragment: Fragment) -> None:
        """Keep a fragment, unless it is larger than all the room."""
        if _size(fragment) <= self._fragments.maxsize:
            with self._lock:
                self._fragments[key] = fragment


def _size(fragment: Fragment) -> int:
    return getsizeof(fragment) + _OF_A_KEY


class Fragments:
    """The fragments of one view: a caller, a chain of languages, addresses.

    ``digests`` keeps those of records, for one state of the data.
    """

    def __init__(
        self, cache: FragmentCache, digests: MutableMapping[Hashable, Any], *view: Hashable
    ) -> None:
        self._cache = cache
        self._noted = digests
        self._view = xxh3_128_digest(repr(view).encode())

    def of(self, name: str, version: bytes, render: Callable[[], Any]) -> Any:
        """Return the result of ``render``, cached for content of this ``version``.

        The ``name`` tells it from all else that is made of the same content.
        """
        key = b"".join((self._view, version, name.encode()))
        fragment = self._cache.get(key)
        if fragment is None:
            fragment = render()
            self._cache.keep(key, fragment)
        return fragment

    def state(self) -> bytes:
        """Return a version of all that is stored; another one follows whatever is written."""
        state: bytes = self._noted.setdefault("state", uuid4().bytes)
        return state

    def version(
        self,
        record: Record,
        linked: Linked,
        series: Mapping[int, SeriesFacts],
        *described: object,
    ) -> bytes | None:
        """Digest a record, with all records, facts and ``described`` parts that it shows.

        ``None`` where nothing of it is kept: each list by distance shows another one.
        """
        if "distance" in record:
            return None
        # Lists read no ledger; another one has another revision.
        read = {name: value for name, value in record.items() if name != LEDGER}
        parts = [digest(read), self._picture(record, linked)]
        parts += [
            self.linked_version(name, number, linked)
            for name in LINKS
            if name in record
            for number in record[name]
        ]
        number = record["_id"] if "recurrence" in record else record.get("series")
        facts = series.get(number) if number is not None else None
        if facts is not None:
            parts.append(self._noted_digest(("series", number), facts))
            # An event tells what it overrides of the links of its series.
            parts += [
                self.linked_version(name, each, linked)
                for name in LINKS
                for each in facts.record[name]
            ]
        if any(described):
            parts.append(digest(described))
        return xxh3_128_digest(b"".join(parts))

    def list_version(
        self,
        records: Sequence[Record],
        linked: Linked,
        series: Mapping[int, SeriesFacts],
        *described: object,
    ) -> bytes | None:
        """Digest the records of a list, with all shown fields and ``described`` parts.

        ``None`` where nothing of it is kept.
        """
        if any("distance" in record for record in records):
            return None
        parts = [digest((records, described))]
        for name, shown_records in (*linked.items(), ("series", series)):
            parts.append(name.encode())
            parts += [
                self._noted_digest((name, each), shown_records[each]) for each in shown_records
            ]
        return xxh3_128_digest(b"".join(parts))

    def linked_version(self, name: str, number: int, linked: Linked) -> bytes:
        """Digest a linked record with its picture; an unreadable one has a digest of its own."""
        record = linked[name].get(number)
        if record is None:
            return _ABSENT
        return self._noted_digest((name, number), record) + self._picture(record, linked)

    def _picture(self, record: Record, linked: Linked) -> bytes:
        image = record.get("image")
        media = linked.get("media", {}).get(image) if isinstance(image, int) else None
        return self._noted_digest(("media", image), media) if media else _ABSENT

    def _noted_digest(self, place: tuple[str, Any], content: Any) -> bytes:
        """Digest the fields shown of many records, once for each object."""
        key = ("digest", *place)
        entry = self._noted.get(key)
        if entry is None or entry[0] is not content:
            entry = self._noted[key] = (content, digest(content))
        noted_digest: bytes = entry[1]
        return noted_digest


def digest(content: object) -> bytes:
    """Digest a document, or several, with everything in them."""
    return xxh3_128_digest(orjson.dumps(content, default=repr))
