"""The sources of events, and the events of sources."""

from collections.abc import Iterable, Mapping, Sequence

from calendar_app.domain.kind import Kind
from calendar_app.domain.provenance import notes_of
from calendar_app.sources.notes import NOTES
from calendar_app.sources.source import SOURCES
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import Clause, all_of, any_of, equals, given, one_of


class Provenance:
    """Finds sources for all who see events that come from them; ``kinds`` have the notes."""

    def __init__(self, store: Store, kinds: tuple[Kind, Kind]) -> None:
        self._store = store
        self._kinds = kinds
        self._sources = store[SOURCES]

    def names(self, source_ids: Iterable[int]) -> dict[int, str]:
        """Return the names of sources, for all who see events that come from them."""
        sources = self._sources.find(one_of("_id", set(source_ids)), fields=["name"])
        return {each["_id"]: each["name"] for each in sources}

    def of_events(self, series_of: Mapping[int, int]) -> dict[int, dict[int, str]]:
        """Return the sources of events by id, each with its name; ``series_of`` has their series.

        The sources of a series, of which there is 0 for a single event, are those of its dates.
        """
        events, series = self._kinds
        of_dates = self._sources_noted(events, series_of)
        of_series = self._sources_noted(series, {each for each in series_of.values() if each})
        ids = {n: (*of_dates.get(n, ()), *of_series.get(own, ())) for n, own in series_of.items()}
        names = self.names({each for own in ids.values() for each in own})
        return {n: {each: names[each] for each in own if each in names} for n, own in ids.items()}

    def _sources_noted(self, kind: Kind, ids: Iterable[int]) -> Mapping[int, Sequence[int]]:
        fields = [f"{NOTES}.{name}" for name in ("source", "of")]
        with_sources = all_of([one_of("_id", set(ids)), given(f"{NOTES}.source")])
        return {
            record["_id"]: [note["source"] for note in notes_of(record) if "of" not in note]
            for record in self._store.of(kind).find(with_sources, fields=fields)
        }

    def has(self, source_id: int) -> bool:
        return self._sources.first(equals("_id", source_id), ["_id"]) is not None

    def events_of(self, *source_ids: int) -> Clause:
        """Match the events of sources, and those of their series."""
        own = one_of(f"{NOTES}.source", source_ids)
        series = self._store.of(self._kinds[1]).find(own, fields=["_id"])
        return any_of([own, one_of("series", [each["_id"] for each in series])])
