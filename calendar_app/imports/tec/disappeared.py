"""Imported records that are missing from the source, or protected there now."""

from collections import defaultdict
from collections.abc import Iterator

from xxhash import xxh3_64_intdigest

from calendar_app.calendar.bulk.editor import BulkEditor
from calendar_app.calendar.bulk.records import at_host
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.statuses import PUBLISH
from calendar_app.imports.tec.reading import Batch
from calendar_app.imports.tec.records import site_of


class DisappearedSources:
    """Remembers the sources of one import, to find the records of earlier ones that it lacks.

    A record can have disappeared only from a site that has records of its kind in this import.
    """

    def __init__(self, editor: BulkEditor, language: str) -> None:
        self._editor = editor
        self._language = language
        # Digests of eight bytes: a site may have a million sources.
        self._digests: set[int] = set()
        self._protected: set[str] = set()
        self._sites: defaultdict[str, set[str]] = defaultdict(set)

    def add(self, kind: Kind, batch: Batch) -> None:
        """Remember the sources on some pages, refused ones and those of other languages too."""
        self._sites[kind.name].update(map(site_of, batch.passed_over))
        for record in batch.records:
            if record.protected:
                self._protected.add(record.source)
            self._add(kind.name, record.source)
            for name, sources in record.points_to.items():
                for source in sources:
                    self._add(name, source)

    def disappeared(self, kind: Kind) -> Iterator[Record]:
        """Yield the records, with little more than their names, that the site no longer has."""
        sites = self._sites[kind.name]
        for record, sources in self._imported(kind) if sites else ():
            own = [source for source in sources if site_of(source) in sites]
            if own and not any(_digest(source) in self._digests for source in own):
                yield record

    def protected(self, kind: Kind) -> Iterator[Record]:
        """Yield those that everybody can read here, and that a password protects there."""
        for record, sources in self._imported(kind) if self._protected else ():
            is_open = record.get("status") == PUBLISH and not record.get("password")
            if is_open and not self._protected.isdisjoint(sources):
                yield record

    def _add(self, collection: str, source: str) -> None:
        self._digests |= {_digest(source), _digest(at_host(source))}
        self._sites[collection].add(site_of(source))

    def _imported(self, kind: Kind) -> Iterator[tuple[Record, list[str]]]:
        for record in self._editor.came_in(kind, self._language):
            notes = [note for note in record["imported"] if note["language"] == self._language]
            yield record, [note["source"] for note in notes]


def _digest(source: str) -> int:
    return xxh3_64_intdigest(source.encode())
