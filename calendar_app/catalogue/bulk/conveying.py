"""Takes batches in one after the other, and makes the next one while one is being stored.

What becomes of a record does not depend on that: a batch that has anything to do with the one
before is made again when that is stored, as is one whose ids, slugs or sources somebody else has
taken meanwhile. Only numbers that were meant for new records are left out then.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass

from calendar_app.access.caller import Caller
from calendar_app.catalogue.bulk.batches import Bulk
from calendar_app.catalogue.bulk.foreign import Foreign, Taken, slug_of
from calendar_app.catalogue.slugs.naming import slug_key
from calendar_app.domain.kind import Kind, Record
from calendar_app.errors import DuplicateKey

Then = Callable[[list[Taken]], None]


@dataclass(frozen=True, slots=True)
class _Batch:
    """Records of one kind from elsewhere, and who wants to know what became of them."""

    kind: Kind
    foreign: Sequence[Foreign]
    then: Then


@dataclass(frozen=True, slots=True)
class _Made:
    """What becomes of a batch; ``claims`` are what its records have for themselves."""

    records: list[Record]
    taken: list[Taken]
    claims: set[int | str]


@dataclass(frozen=True, slots=True)
class _Underway:
    """A batch that another thread stores."""

    batch: _Batch
    made: _Made
    stored: Future[None]


class Conveyor:
    """Takes in what ``caller`` brings in one language."""

    def __init__(self, bulk: Bulk, caller: Caller, language: str) -> None:
        self._bulk = bulk
        self._caller = caller
        self._language = language
        self._storing: ThreadPoolExecutor | None = None
        self._underway: _Underway | None = None
        self._waiting: list[Callable[[], None]] = []

    @contextmanager
    def ahead(self) -> Iterator[None]:
        """Make batches ahead in the block; at its end all are stored."""
        with ThreadPoolExecutor(1) as self._storing:
            yield
            self._finish()
        self._storing = None

    def take(self, kind: Kind, foreign: Sequence[Foreign], then: Then) -> None:
        """Take a batch in; ``then`` is told what became of each, in the order of the batches."""
        batch = _Batch(kind, foreign, then)
        made = self._made(batch) if self._storing else None
        # What was made beside a batch that met somebody else may not fit any more.
        if self._finish() and made and self._storing:
            stored = self._storing.submit(self._bulk.store, kind, made.records)
            self._underway = _Underway(batch, made, stored)
        else:
            self._take(batch)

    def take_at_once(self, kind: Kind, foreign: Sequence[Foreign], then: Then) -> None:
        """Do as ``take`` with what others point to, which is stored in the end."""
        self._finish()
        self._take(_Batch(kind, foreign, then))

    def in_turn(self, work: Callable[[], None]) -> None:
        """Run ``work`` once all that was taken before is stored, and whoever waits for it told."""
        if self._underway is None:
            work()
        else:
            self._waiting.append(work)

    def _made(self, batch: _Batch) -> _Made | None:
        """Return what becomes of a batch, unless that depends on the one that is underway."""
        others = self._underway.made.claims if self._underway else set()
        if not others.isdisjoint(_asked(batch.foreign, self._language)):
            return None
        made = self._bulk.make(batch.kind, batch.foreign, self._caller, self._language)
        if made is None:
            return None
        records, taken = made
        claims = _claims(records)
        return _Made(records, taken, claims) if others.isdisjoint(claims) else None

    def _finish(self) -> bool:
        """Wait for the batch that is underway, if any; say whether it was stored as it was made."""
        underway, self._underway = self._underway, None
        waiting, self._waiting = self._waiting, []
        if underway is None:
            return True
        fits = _is_stored(underway.stored)
        if fits:
            underway.batch.then(underway.made.taken)
        else:
            self._take(underway.batch)
        for work in waiting:
            work()
        return fits

    def _take(self, batch: _Batch) -> None:
        batch.then(self._bulk.take(batch.kind, batch.foreign, self._caller, self._language))


def _is_stored(stored: Future[None]) -> bool:
    try:
        stored.result()
    except DuplicateKey:
        return False
    return True


def _asked(batch: Sequence[Foreign], language: str) -> set[int | str]:
    """Return the ids, slugs and sources that records are to have."""
    slugs = {slug_key(language, slug_of(foreign, language)) for foreign in batch}
    return slugs | {each for foreign in batch for each in (foreign.id, foreign.source)}


def _claims(records: Sequence[Record]) -> set[int | str]:
    """Return ids, slugs and sources, each of which one record alone can have."""
    claims: set[int | str] = {record["_id"] for record in records}
    for record in records:
        claims.update(record.get("slugs", ()))
        claims.update(note["source"] for note in record["imported"])
    return claims
