"""What came from a site before, and is no longer told by it, or no longer to everybody."""

from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator

from xxhash import xxh3_64_intdigest

from calendar_app.catalogue.bulk.batches import Bulk
from calendar_app.catalogue.bulk.hosts import at_host
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.statuses import PUBLISH
from calendar_app.imports.tec.reading import Batch
from calendar_app.imports.tec.records import site_of

_PARTS = 256


class Untold:
    """Remembers which sources were told in a language, to find those that are here besides."""

    def __init__(self, bulk: Bulk, language: str) -> None:
        self._bulk = bulk
        self._language = language
        self._told = _Sources()
        self._protected: set[str] = set()
        self._sites: defaultdict[str, set[str]] = defaultdict(set)

    def note(self, kind: Kind, batch: Batch) -> None:
        """Take what stands on some pages for told, be it taken over or not.

        What has no text in the language is not told in it.
        """
        self._sites[kind.name].update(map(site_of, batch.passed_over))
        told = set[tuple[str, str]]()
        for read in batch.records:
            if read.protected:
                self._protected.add(read.source)
            told.add((kind.name, read.source))
            told.update((name, one) for name, many in read.points_to.items() for one in many)
        for name, source in told:
            for one in {source, at_host(source)}:
                self._told.add(one)
            self._sites[name].add(site_of(source))

    def of(self, kind: Kind) -> Iterator[Record]:
        """Yield the records, with little more than their names, that are told no longer.

        Only sites that told something of the kind can have ceased to tell of a record.
        """
        sites = self._sites[kind.name] | self._hosts(kind)
        for record, sources in self._here(kind) if sites else ():
            own = [source for source in sources if site_of(source) in sites]
            if own and not any(source in self._told for source in own):
                yield record

    def protected(self, kind: Kind) -> Iterator[Record]:
        """Yield those that everybody can read here, and that a password protects there."""
        for record, sources in self._here(kind) if self._protected else ():
            is_open = record.get("status") == PUBLISH and not record.get("password")
            if is_open and not self._protected.isdisjoint(sources):
                yield record

    def _hosts(self, kind: Kind) -> set[str]:
        """Return the hosts of the sites of a kind by which it may have been noted before.

        What else was told comes from there: elsewhere another site may be at the host itself.
        """
        hosts = {site.partition("/")[0] for site in self._sites[kind.name]}
        return hosts & set[str]().union(*self._sites.values())

    def _here(self, kind: Kind) -> Iterator[tuple[Record, list[str]]]:
        """Yield what came in the language, with the sources that it came from."""
        for record in self._bulk.came_in(kind, self._language):
            notes = [note for note in record["imported"] if note["language"] == self._language]
            yield record, [note["source"] for note in notes]


class _Sources:
    """Texts in eight bytes each, as large sites have very many of them."""

    def __init__(self) -> None:
        self._parts = [array("Q") for _ in range(_PARTS)]
        self._sorted: dict[int, array[int]] = {}

    def add(self, source: str) -> None:
        digest = xxh3_64_intdigest(source.encode())
        self._parts[digest % _PARTS].append(digest)

    def __contains__(self, source: str) -> bool:
        """Say whether a text is among those that were added before the first question."""
        digest = xxh3_64_intdigest(source.encode())
        number = digest % _PARTS
        if number not in self._sorted:
            self._sorted[number] = array("Q", sorted({*self._parts[number]}))
        part = self._sorted[number]
        place = bisect_left(part, digest)
        return part[place : place + 1] == array("Q", [digest])
