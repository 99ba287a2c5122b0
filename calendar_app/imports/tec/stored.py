"""The records of this calendar to which translations may belong."""

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from calendar_app.calendar.bulk.records import at_host
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.statuses import TRASH
from calendar_app.imports.tec.likeness import Likeness, Mark, likeness_of, names_in
from calendar_app.imports.tec.records import number_of, site_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """What counts of one record: whether it has texts in the language, and from where.

    ``terms`` are the ids of an event's categories and tags, by the name of their kind, ``words``
    its names and slugs in all languages.
    """

    in_trash: bool
    written: bool
    text_from: str
    likeness: Likeness
    terms: Mapping[str, Sequence[int]]
    words: frozenset[str]


class StoredRecords:
    """All records of one kind, as they stand towards a language.

    ``sources`` are the ids of those that came from other sites, in any language.
    """

    def __init__(self, kind: Kind, records: Iterable[Record], language: str) -> None:
        self._language = language
        self.sources: dict[str, int] = {}
        self._records: dict[int, Stored] = {}
        self._marked: defaultdict[Mark, set[int]] = defaultdict(set)
        # By what a site calls them in another language: its number, or that of a group.
        self._called: defaultdict[Hashable, dict[str, set[int]]] = defaultdict(dict)
        self._sites: set[str] = set()
        self._at_hosts: defaultdict[str, set[int]] = defaultdict(set)
        for record in records:
            self._add(kind, record)

    def __getitem__(self, record_id: int) -> Stored:
        return self._records[record_id]

    def __contains__(self, record_id: int) -> bool:
        return record_id in self._records

    def at_host(self, source: str, words: Collection[str]) -> int:
        """Return the id of what has the same number at its host, and one of these words."""
        near = self._at_hosts.get(at_host(source), ())
        found = [one for one in near if not self._records[one].words.isdisjoint(words)]
        return found[0] if len(found) == 1 else 0

    def called(self, names: Iterable[Hashable], site: str) -> set[int]:
        """Return the ids of what a site calls so in other languages.

        Where nothing came from there under that name of the site, as a language may have a name
        of its own, all sites count.
        """
        found: set[int] = set()
        for name in names:
            places = self._called.get(name, {})
            some = [places.get(site, set())] if site in self._sites else places.values()
            found.update(*some)
        return found

    def like(self, likeness: Likeness, excepted: Collection[int]) -> list[int]:
        """Return the ids of what is alike and has no text in the language yet."""
        near = {one for mark in likeness.marks for one in self._marked.get(mark, ())}
        return sorted(
            one
            for one in near - set(excepted)
            if not self._records[one].likeness.contradicts(likeness)
        )

    def mark(self, likenesses: Mapping[int, Likeness]) -> None:
        """Recognise records by these likenesses too."""
        for record_id, likeness in likenesses.items():
            if record_id in self._records and self._is_open(self._records[record_id]):
                for mark in likeness.marks:
                    self._marked[mark].add(record_id)

    def _add(self, kind: Kind, record: Record) -> None:
        notes = record.get("imported", ())
        from_here = [note["source"] for note in notes if note["language"] == self._language]
        record_id = record["_id"]
        stored = self._records[record_id] = Stored(
            in_trash=record.get("status") == TRASH,
            written=self._language in record["variants"],
            text_from="".join(from_here[:1]),
            likeness=likeness_of(kind, record),
            terms={name: record[name] for name in ("categories", "tags") if name in record},
            words=frozenset().union(*(names_in(kind, one) for one in record["variants"].values())),
        )
        self.mark({record_id: stored.likeness})
        self.sources |= {note["source"]: record_id for note in notes}
        for note in notes:
            self._at_hosts[at_host(note["source"])].add(record_id)
        for note in notes:
            if note["language"] != self._language:
                self._note(note, record_id)

    def _is_open(self, stored: Stored) -> bool:
        return not (stored.in_trash or stored.written or stored.text_from)

    def _note(self, note: Record, record_id: int) -> None:
        site = site_of(note["source"])
        self._sites.add(site)
        for name in (number_of(note["source"]), note.get("group")):
            if name:
                self._called[name].setdefault(site, set()).add(record_id)
