"""Taking in records from elsewhere, without writing anything."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from xxhash import xxh3_64_intdigest

from calendar_app.access.caller import Caller
from calendar_app.catalogue.bulk.batches import Bulk
from calendar_app.catalogue.bulk.foreign import Foreign
from calendar_app.catalogue.bulk.numbering import Numbering
from calendar_app.catalogue.bulk.renaming import Renaming, Waiting, Wish
from calendar_app.catalogue.places.points_of_many import PlacesOfMany
from calendar_app.catalogue.reading.links import LINKS
from calendar_app.catalogue.search.vocabulary import Vocabulary
from calendar_app.catalogue.slugs.naming import slug_key
from calendar_app.catalogue.slugs.naming_many import NamingOfMany
from calendar_app.catalogue.writing.parents import Parents
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.moments import Now
from calendar_app.domain.site import Site
from calendar_app.query.clauses import identified
from calendar_app.storage.store import Store

# The id of every record that would be there by now.
_PRETENDED = -1
# Bits of a digest that are too many for an id of MongoDB.
_SPARE = 2


class PlacesRehearsed(PlacesOfMany):
    """Knows them for what is never written, and writes nothing itself."""

    def _shared(self, venues: Collection[int], turn: int) -> dict[int, Any]:
        del turn
        return self._seen(venues)


class ParentsRehearsed(Parents):
    """Looks them up for what is never written, and holds none."""

    def parent(self, name: str, record_id: int, field: str) -> Record | None:
        return self._store[name].first(identified(record_id), [field])


class NumberingRehearsed(Numbering):
    """Gives each source an id that no record has, and keeps none free."""

    def reserve(self, kind: Kind, highest: int) -> None:
        pass

    def ids(self, kind: Kind, batch: Sequence[Foreign]) -> dict[str, int]:
        del kind
        return {one.source: _pretended_id(one.source) for one in batch}


class NamingRehearsed(NamingOfMany):
    """Remembers which slugs were given and given up, as that is never written."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        # By collection and key: the record that has it by now, if one does.
        self._moved: dict[tuple[str, str], int | None] = {}

    def expect(self, kind: Kind, keys: Collection[str]) -> None:
        super().expect(kind, keys)
        for key in {*keys, *self._owners}:
            owner = self._moved.get((kind.name, key), self._owners.get(key))
            self._owners.pop(key, None)
            if owner is not None:
                self._owners[key] = owner

    def name(self, kind: Kind, record: Record, changes: Record) -> None:
        before = {*record.get("slugs", ())}
        super().name(kind, record, changes)
        now = {*record.get("slugs", ())}
        self._moved |= dict.fromkeys((kind.name, key) for key in before - now)
        self._moved |= dict.fromkeys(((kind.name, key) for key in now - before), record["_id"])

    def owner(self, key: str) -> int | None:
        """Return the record that has a slug that was expected."""
        return self._owners.get(key)

    def move(self, kind: Kind, record_id: int, former: str, key: str) -> None:
        """Give a record a slug in place of one that it has given up already."""
        self._moved.setdefault((kind.name, former))
        if self._moved[kind.name, former] == record_id:
            self._moved[kind.name, former] = None
        self._moved[kind.name, key] = self._owners[key] = record_id

    def _taken(self, kind: Kind, record: Record, keys: Collection[str]) -> set[str]:
        taken = super()._taken(kind, record, keys)
        for key in keys:
            if key not in self._looked_up and (kind.name, key) in self._moved:
                is_taken = self._moved[kind.name, key] not in (None, record["_id"])
                taken = taken | {key} if is_taken else taken - {key}
        return taken


class RenamingRehearsed(Renaming):
    """Gives slugs to what is never written, so that none has to be set aside."""

    _slugs: NamingRehearsed

    def _set_aside(self, keys: Mapping[int, str]) -> None:
        pass

    def _given(self, wish: Wish) -> str:
        former = self._key(self._present(wish))
        self._slugs.move(self._kind, wish.record["_id"], former, self._key(wish.slug))
        return ""


class Rehearsal(Bulk):
    """Says what ``Bulk`` would do; the rules are tried, and what they make is thrown away."""

    _numbering_of = NumberingRehearsed
    _slugs_of = NamingRehearsed
    _slugs: NamingRehearsed
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

    def ids_of(self, kind: Kind, sources: Sequence[str]) -> dict[str, int]:
        pretended = {one: self._pretended[one] for one in sources if one in self._pretended}
        return pretended | super().ids_of(kind, sources)

    def make(self, kind: Kind, batch: Sequence[Foreign], caller: Caller, language: str) -> None:
        """Make nothing that could be stored."""

    def _still_waiting(
        self, kind: Kind, waiting: Sequence[Waiting], language: str
    ) -> Iterator[tuple[Foreign, Record]]:
        del kind
        for one in waiting:
            texts = {language: {"slug": one.present}}
            owner = self._slugs.owner(slug_key(language, one.present))
            if owner is not None:
                yield one.foreign(language), {"_id": owner, "variants": texts, "imported": []}

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


def _pretended_id(source: str) -> int:
    return _PRETENDED - 1 - (xxh3_64_intdigest(source.encode()) >> _SPARE)
