"""Slugs that records are to have instead of theirs, given when all else of a batch is written.

What one record gives up another one may ask for, and two may change places. So all slugs that are
about to be given up count as free. Who cannot have the slug that it wants keeps what it has.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from calendar_app.catalogue.bulk.foreign import Foreign, noting_slug, slug_instead, slug_of
from calendar_app.catalogue.slugs.naming import slug_key
from calendar_app.catalogue.slugs.naming_many import NamingOfMany
from calendar_app.domain.kind import Kind, Record
from calendar_app.query.clauses import all_of, equals
from calendar_app.storage.store import Store

Change = Callable[[int, Record], Record]


@dataclass(frozen=True, slots=True)
class Wish:
    """What a record is to be called, and it as it is."""

    foreign: Foreign
    record: Record
    slug: str


@dataclass(frozen=True, slots=True)
class Waiting:
    """A record that has the slug ``present`` only until it can have the one that is ``wanted``."""

    source: str
    wanted: str
    present: str

    def keys(self, language: str) -> tuple[str, str]:
        return slug_key(language, self.wanted), slug_key(language, self.present)

    def foreign(self, language: str) -> Foreign:
        """Return what the site says of the slug, and nothing else."""
        changes = {"variants": {language: {"slug": self.wanted}}}
        return Foreign(source=self.source, id=0, changes=changes)


class Renaming:
    """Takes the wishes of some records in one language; ``change`` writes to a record."""

    def __init__(
        self, store: Store, slugs: NamingOfMany, kind: Kind, language: str, change: Change
    ) -> None:
        self._store = store
        self._slugs = slugs
        self._kind = kind
        self._language = language
        self.change = change
        self._wishes: dict[int, Wish] = {}

    def wish(self, foreign: Foreign, record: Record) -> None:
        """Note that a record is to have the slug that its site tells, unless it has that."""
        if slug_instead(foreign, record, self._language):
            wish = Wish(foreign, record, slug_of(foreign, self._language))
            self._wishes[record["_id"]] = wish

    def run(self) -> dict[str, str]:
        """Give the slugs; return for each source that is concerned the slug kept, if one was."""
        wanted = {record_id: wish.slug for record_id, wish in self._wishes.items()}
        obtainable = self._slugs.obtainable(self._kind, self._language, wanted)
        self._let_go(obtainable)
        return {
            wish.foreign.source: self._given(wish) if record_id in obtainable else self._kept(wish)
            for record_id, wish in self._wishes.items()
        }

    def _let_go(self, record_ids: set[int]) -> None:
        """Free the slugs of those that are about to get others."""
        keys = {one: self._key(self._present(self._wishes[one])) for one in record_ids}
        wanted = {self._key(self._wishes[one].slug) for one in record_ids}
        self._slugs.give_up(keys.values())
        wanted_too = {one: key for one, key in keys.items() if key in wanted}
        if wanted_too:
            self._set_aside(wanted_too)

    def _set_aside(self, keys: Mapping[int, str]) -> None:
        """Put what is no slug of anybody in the place of slugs; the index keeps each unique."""
        self._store.of(self._kind).change_each(
            [
                (
                    all_of([equals("_id", record_id), equals("slugs", key)]),
                    {"$set": {"slugs.$": self._key(f"#{record_id}")}},
                )
                for record_id, key in keys.items()
            ]
        )

    def _given(self, wish: Wish) -> str:
        notes = noting_slug(wish.foreign, wish.record, self._language, "")
        texts = {self._language: {"slug": wish.slug}}
        self.change(wish.record["_id"], {"variants": texts, "imported": notes})
        return ""

    def _kept(self, wish: Wish) -> str:
        kept = self._present(wish)
        notes = noting_slug(wish.foreign, wish.record, self._language, kept)
        if notes != wish.record["imported"]:
            self.change(wish.record["_id"], {"imported": notes})
        return kept

    def _present(self, wish: Wish) -> str:
        return slug_instead(wish.foreign, wish.record, self._language)

    def _key(self, slug: str) -> str:
        return slug_key(self._language, slug)
