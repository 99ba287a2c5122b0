"""Exports the translation memory as TMX, and imports TMX of other programs.

What comes from a file belongs to no record, and stays until ``forget``.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import IO

from xxhash import xxh3_128_hexdigest

from calendar_app.domain.kind import Record
from calendar_app.domain.memory import unit_keys
from calendar_app.domain.tmx import TmxUnit, read, tmx_parts
from calendar_app.parts.memory.remembering.following import MEMORY, store_documents
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import equals, one_of

# In the place of a kind: of what comes from a file.
TMX = "tmx"
_BATCH = 500


@dataclass(frozen=True, slots=True)
class TmxImport:
    """The numbers of new, known and unusable units of a file."""

    new: int = 0
    known: int = 0
    unused: int = 0


class TmxExchange:
    """Writes and reads files; ``languages`` are those of the site."""

    def __init__(self, store: Store, languages: Sequence[str]) -> None:
        self._store = store
        self._memory = store[MEMORY]
        self._tags = {tag.casefold(): tag for tag in languages}

    def export(self) -> Iterator[bytes]:
        """Yield the parts of a file with all that everybody may read."""
        return tmx_parts(self._units())

    def take(self, file: IO[bytes], *, replace: bool = False) -> TmxImport:
        """Import the units of a file; raise ``NoTmx``, and store nothing, for any other file.

        With ``replace`` those of earlier files are forgotten.
        """
        units = list(read(file))
        if replace:
            self.forget()
        usable = [usable for unit in units if (usable := self._usable(unit))]
        new = repeated = 0
        for first in range(0, len(usable), _BATCH):
            added = self._take(usable[first : first + _BATCH])
            new, repeated = new + added, repeated + len(usable[first : first + _BATCH]) - added
        return TmxImport(new, repeated, len(units) - len(usable))

    def forget(self) -> int:
        """Forget all that has come from files; return how many units that were."""
        return self._store.transact(lambda: self._memory.remove(equals("kind", TMX)))

    def _units(self) -> Iterator[TmxUnit]:
        for document in self._memory.stream(equals("author", None), order=[("_id", 1)]):
            for unit in document["units"]:
                field, place = unit["field"], unit["place"]
                name = f"{document['_id']}:{field}:{place}"
                kind = "" if document["kind"] == TMX else document["kind"]
                yield TmxUnit(unit["texts"], unit.get("of", kind), field, place, name)

    def _usable(self, unit: TmxUnit) -> TmxUnit | None:
        """Return a unit in languages of the site; none where fewer than two are left."""
        texts = {
            tag: text.strip()
            for code, text in sorted(unit.texts.items())
            if (tag := self._tag(code)) and text.strip()
        }
        return TmxUnit(texts, unit.kind, unit.field, unit.place) if len(texts) > 1 else None

    def _tag(self, code: str) -> str | None:
        """Return the language of the site for a longer code, for example ``de-CH``."""
        folded = code.casefold().replace("_", "-")
        return self._tags.get(folded) or self._tags.get(folded.partition("-")[0])

    def _take(self, units: Sequence[TmxUnit]) -> int:
        all_documents = map(_document, units)
        documents = {each["_id"]: each for each in all_documents if each["units"][0]["keys"]}

        def work() -> int:
            present = self._present(documents.values())
            fresh = [
                each for each in documents.values() if _content_of(each["units"][0]) not in present
            ]
            store_documents(self._store, fresh)
            return len(fresh)

        return self._store.transact(work)

    def _present(self, documents: Iterable[Record]) -> set[tuple[object, ...]]:
        """Return the units that are in the memory already."""
        keys = [document["units"][0]["keys"][0] for document in documents]
        present = self._memory.find(one_of("units.keys", keys))
        return {_content_of(unit) for document in present for unit in document["units"]}


def _content_of(unit: Record) -> tuple[object, ...]:
    return unit["field"], unit["place"], *sorted(unit["texts"].items())


def _document(unit: TmxUnit) -> Record:
    keys = unit_keys(unit.texts, unit.texts, is_public=True)
    stored_unit = {"field": unit.field, "place": unit.place, "texts": unit.texts, "keys": keys}
    digest = xxh3_128_hexdigest(repr(_content_of(stored_unit)).encode())
    whole = {"kind": TMX, "record": 0, "author": None, "units": [stored_unit | {"of": unit.kind}]}
    return {"_id": f"{TMX}:{digest}", **whole}
