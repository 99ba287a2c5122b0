"""A cache of rendered parts of records, by digests of their contents.

A fragment is never out of date: whatever is written, and whoever writes it, other content has
another digest. Nothing is ever dropped because of a write.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, MutableMapping, Sequence
from typing import Any
from uuid import uuid4

import orjson
from xxhash import xxh3_128_digest

from calendar_app.calendar.reading.links import LINKS, Linked, SeriesFacts
from calendar_app.domain.kind import Record
from calendar_app.domain.ledger import LEDGER
from calendar_app.storage.cache_memory import CacheMemory, ContentKey

Fragment = bytes | str
_ABSENT = bytes(16)


class FragmentCache:
    """A cache of fragments, in the memory of all caches."""

    def __init__(self, memory: CacheMemory) -> None:
        self._fragments = memory.cache("fragments")
        # Whether anything is kept at all.
        self.is_open = memory.room > 0

    def get(self, key: bytes) -> Any:
        """Return the fragment under a key; ``None`` where none is kept."""
        return self._fragments.get(key)

    def find(self, keys: Iterable[bytes]) -> dict[bytes, Any]:
        """Return the fragments under these keys that are kept."""
        fragments = ((key, self._fragments.get(key)) for key in keys)
        return {key: fragment for key, fragment in fragments if fragment is not None}

    def keep(self, key: bytes, fragment: Fragment) -> None:
        """Keep a fragment, unless it is too large."""
        self._fragments.keep(key, fragment)

    def clear(self) -> None:
        """Drop all fragments."""
        self._fragments.clear()


class Fragments:
    """The fragments of one view: a caller, a chain of languages, addresses.

    ``digests`` keeps those of records, and the ``state`` of the data.
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
        key = ContentKey("digest", place)
        entry = self._noted.get(key)
        if entry is None or entry[0] is not content:
            entry = self._noted[key] = (content, digest(content))
        noted_digest: bytes = entry[1]
        return noted_digest


def digest(content: object) -> bytes:
    """Digest a document, or several, with everything in them."""
    return xxh3_128_digest(orjson.dumps(content, default=repr))
