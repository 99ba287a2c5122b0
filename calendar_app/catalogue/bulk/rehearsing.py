"""Taking in records from elsewhere, without writing anything."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from calendar_app.access.caller import Caller
from calendar_app.catalogue.bulk.batches import Bulk
from calendar_app.catalogue.bulk.foreign import Foreign
from calendar_app.catalogue.bulk.renaming import Renaming
from calendar_app.catalogue.places.points_of_many import PlacesOfMany
from calendar_app.catalogue.reading.links import LINKS
from calendar_app.catalogue.search.vocabulary import Vocabulary
from calendar_app.catalogue.writing.parents import Parents
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.moments import Now
from calendar_app.domain.site import Site
from calendar_app.query.clauses import identified
from calendar_app.storage.store import Store

# The id of every record that would be there by now.
_PRETENDED = -1


class PlacesRehearsed(PlacesOfMany):
    """Knows them for what is never written, and writes nothing itself."""

    def _shared(self, venues: Collection[int], turn: int) -> dict[int, Any]:
        del turn
        return self._seen(venues)


class ParentsRehearsed(Parents):
    """Looks them up for what is never written, and holds none."""

    def parent(self, name: str, record_id: int, field: str) -> Record | None:
        return self._store[name].first(identified(record_id), [field])


class RenamingRehearsed(Renaming):
    """Gives slugs to what is never written, so that none has to be set aside."""

    def _set_aside(self, keys: Mapping[int, str]) -> None:
        pass


class Rehearsal(Bulk):
    """Says what ``Bulk`` would do; the rules are tried, and what they make is thrown away."""

    _points_of = PlacesRehearsed
    _parents_of = ParentsRehearsed
    _renaming_of = RenamingRehearsed

    def __init__(
        self,
        store: Store,
        kinds: Mapping[str, Kind],
        now: Now,
        site: Site,
        vocabulary: Vocabulary,
    ) -> None:
        super().__init__(store, kinds, now, site, vocabulary)
        # By source: what would be there by now, or be known by another source.
        self._pretended: dict[str, int] = {}

    def reserve(self, kind: Kind, highest: int) -> None:
        pass

    def ids_of(self, kind: Kind, sources: Sequence[str]) -> dict[str, int]:
        pretended = {one: self._pretended[one] for one in sources if one in self._pretended}
        return pretended | super().ids_of(kind, sources)

    def make(self, kind: Kind, batch: Sequence[Foreign], caller: Caller, language: str) -> None:
        """Make nothing that could be stored."""

    def _ids(self, kind: Kind, batch: Sequence[Foreign]) -> dict[str, int]:
        del kind
        return {foreign.source: foreign.id or 1 for foreign in batch}

    def _insert(self, kind: Kind, made: Sequence[Record]) -> None:
        if kind.name in LINKS:
            notes = (note for record in made for note in record["imported"])
            self._pretended |= {note["source"]: _PRETENDED for note in notes}

    def _change_once(
        self, kind: Kind, record_id: int, changes: Record, caller: Caller, language: str
    ) -> Record:
        before = self._existing(kind, record_id)
        self._pretended |= {note["source"]: record_id for note in changes.get("imported", ())}
        return self._composed(kind, before, changes, caller, language)

    def _resolved(self, changes: Record, caller: Caller, language: str) -> Record:
        links = {
            name: [link for link in changes[name] if link != _PRETENDED]
            for name in LINKS
            if name in changes
        }
        if changes.get("parent") == _PRETENDED:
            links["parent"] = []
        return super()._resolved({**changes, **links}, caller, language)
