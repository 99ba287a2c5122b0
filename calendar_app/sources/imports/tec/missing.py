"""Records of earlier imports that their site no longer has."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.kinds import EVENT
from calendar_app.domain.provenance import import_notes
from calendar_app.sources.imports.tec.counterparts import ImportedRecords
from calendar_app.sources.imports.tec.reading import ParsedRecord
from calendar_app.sources.site_names import at_host, site_of


class DisappearedSources:
    """Collects the sources of an import, to find records of earlier ones that it lacks.

    Only sites with records of a kind in this import can have lost others of that kind.
    """

    def __init__(self, imported: ImportedRecords, language: str) -> None:
        self._imported = imported
        self._language = language
        # Hashes take less memory: a site may have a million sources.
        self._hashes: set[int] = set()
        self._sites: defaultdict[str, set[str]] = defaultdict(set)

    def add(self, kind: Kind, records: Iterable[ParsedRecord]) -> None:
        """Collect the sources of records, refused ones too, and of those they link to."""
        for record in records:
            for name, sources in ((kind.name, [record.source]), *record.links.items()):
                for source in sources:
                    self._hashes |= {hash(source), hash(at_host(source))}
                self._sites[name].update(map(site_of, sources))

    def records(self, kind: Kind) -> Iterator[Record]:
        """Yield the missing records, with little more than their names."""
        sites = self._sites[kind.name]
        for record in self._imported.in_language(kind, self._language) if sites else ():
            notes = [each for each in import_notes(record) if each["language"] == self._language]
            sources = [note["source"] for note in notes if site_of(note["source"]) in sites]
            if sources and self._hashes.isdisjoint(map(hash, sources)):
                yield record
        if kind is EVENT:
            yield from self._dates(sites)

    def _dates(self, sites: Iterable[str]) -> Iterator[Record]:
        """Yield the dates of series that are missing: no address or name of theirs has the day."""
        for site in sites:
            for source, date in self._imported.dates(site, self._language):
                start = date["recurrence_id"]
                names = (f"{source}/{name}" for name in (start.date().isoformat(), str(start)))
                if self._hashes.isdisjoint(map(hash, names)):
                    yield date
