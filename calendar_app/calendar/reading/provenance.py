"""Who publishes events: the publishers of sources, as far as readers may know of them.

An event comes from the sources that it notes; a date of a series comes from those of the series
too.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from calendar_app.accounts.callers import Caller, Right
from calendar_app.accounts.policy import readable_by
from calendar_app.domain.kind import Record
from calendar_app.domain.pictures import license_address
from calendar_app.domain.provenance import BY_LANGUAGE, NOTES, SOURCE_OF_NOTES, notes_of
from calendar_app.domain.slugs import slugify
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import (
    EVERYTHING,
    NOTHING,
    Clause,
    all_of,
    any_of,
    differs,
    given,
    missing,
    one_of,
)

SOURCES = "sources"
# The settings of a source that readers are shown.
SHOWN_OF_SOURCES = ("publisher", "license", "attribution", "show_provenance")
# What readers may learn of a note, and all that it takes to tell where an event comes from.
SHOWN_OF_NOTES = tuple(f"{NOTES}.{name}" for name in ("source", "url"))
# The rest of a note, which only editors may learn.
HIDDEN_OF_NOTES = tuple(
    f"{NOTES}.{name}"
    for name in (
        *("uid", "recurrence_id", "of", "read", "language", "lineage", "traits", "dates"),
        *("exdates", "digest", "text_digest", "rules", "revision", "said", "wrote", "kept"),
        *("translations", "missing", "accepted", "vanished", "incomplete", BY_LANGUAGE),
        *("begins", "unlisted"),
    )
)
_ALL = "all"


@dataclass(frozen=True, slots=True)
class Publisher:
    """The publisher of a source; of an event it has also the ``page`` of the event there."""

    source: int
    name: str
    url: str = ""
    license: str = ""
    attribution: str = ""
    is_shown: bool = True
    page: str = ""

    @property
    def license_address(self) -> str:
        """The web address of the license; empty where there is none."""
        return license_address(self.license)

    @property
    def slug(self) -> str:
        """The name in addresses; sources with the same one have the same publisher."""
        return slugify(self.name)


# By source the publishers that a caller may know of; by series, its notes.
Publishers = Mapping[int, Publisher]


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where some events come from."""

    publishers: Publishers
    series_notes: Mapping[int, Sequence[Record]]

    def of(self, record: Record) -> tuple[Publisher, ...]:
        """Return the publishers of an event or a series, each once, in the order of its notes."""
        if not self.publishers:
            return ()
        notes = [*notes_of(record), *self.series_notes.get(record.get("series", 0), ())]
        pages: dict[int, str] = {}
        for note in notes:
            pages[note["source"]] = pages.get(note["source"]) or note.get("url", "")
        named = ((self.publishers.get(source), page) for source, page in pages.items())
        return tuple(replace(each, page=page) for each, page in named if each)


UNKNOWN = Provenance({}, {})


class ProvenanceReader:
    """Reads the publishers of events; nothing is asked for events that come from no source."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def publishers(self, caller: Caller) -> Publishers:
        """Return the publishers that a caller may know of, by source.

        Those that a source does not show stay for editors.
        """
        publishers: Publishers = self._store.cached_lookup("publishers", [_ALL], self._read)[_ALL]
        if caller.may(Right.EDIT_OTHERS):
            return publishers
        return {number: each for number, each in publishers.items() if each.is_shown}

    def of(
        self,
        records: Collection[Record],
        caller: Caller,
        series: Iterable[Record] | None = None,
    ) -> Provenance:
        """Return where records come from, as far as the caller may know.

        ``series`` are those that the caller may read, where they have been read already.
        """
        ids = {record["series"] for record in records if record.get("series")}
        notes: Mapping[int, Sequence[Record]] = {}
        if series is not None:
            open_series = (each for each in series if each.get("password") is None)
            notes = {each["_id"]: each[NOTES] for each in open_series if each.get(NOTES)}
            ids = ids & notes.keys()
        if not ids and not any(NOTES in record for record in records):
            return UNKNOWN
        publishers = self.publishers(caller)
        if publishers and series is None:
            notes = self._series_notes(sorted(ids), caller)
        return Provenance(publishers, notes)

    def published_by(self, source_ids: Collection[int], caller: Caller) -> Clause:
        """Match the events that show one of these sources to the caller."""
        if not source_ids:
            return NOTHING
        series = self.series_of_sources(caller)
        ids = [number for number, own in series.items() if not own.isdisjoint(source_ids)]
        own = one_of(SOURCE_OF_NOTES, sorted(source_ids))
        return any_of([own, one_of("series", sorted(ids))]) if ids else own

    def series_of_sources(self, caller: Caller) -> Mapping[int, set[int]]:
        """Return the sources by series, of all series that show them on their dates."""
        series = self._store["series"].find(_shown_series(caller), fields=[SOURCE_OF_NOTES])
        return {each["_id"]: {note["source"] for note in each[NOTES]} for each in series}

    def _read(self, _keys: Collection[str]) -> dict[str, Publishers]:
        published = given("publisher.name")
        sources = self._store[SOURCES].find(published, fields=SHOWN_OF_SOURCES)
        return {_ALL: {each["_id"]: _publisher(each) for each in sources}}

    def _series_notes(self, ids: Sequence[int], caller: Caller) -> dict[int, Sequence[Record]]:
        """Return the notes of the series that show them on their dates."""

        def look_up(keys: Collection[int]) -> dict[int, Sequence[Record]]:
            own = all_of([one_of("_id", sorted(keys)), _shown_series(caller)])
            series = self._store["series"].find(own, fields=SHOWN_OF_NOTES)
            notes = {each["_id"]: each[NOTES] for each in series}
            return {number: notes.get(number, ()) for number in keys}

        return self._store.cached_lookup(f"notes of series for {caller}", ids, look_up)


def shown_sources(caller: Caller) -> Clause:
    """Match the sources with a publisher that the caller may know."""
    shown = EVERYTHING if caller.may(Right.EDIT_OTHERS) else differs("show_provenance", False)
    return all_of([given("publisher.name"), shown])


def _shown_series(caller: Caller) -> Clause:
    """Match the series that show their sources on their dates."""
    return all_of([given(SOURCE_OF_NOTES), readable_by(caller), missing("password")])


def _publisher(source: Record) -> Publisher:
    own = source["publisher"]
    return Publisher(
        source["_id"],
        own["name"],
        own.get("url", ""),
        source.get("license", ""),
        source.get("attribution", ""),
        source.get("show_provenance", True),
    )
