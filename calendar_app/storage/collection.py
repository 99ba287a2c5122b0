"""The records of one kind, as a MongoDB collection."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any

from pymongo import ReturnDocument, UpdateOne
from pymongo.client_session import ClientSession
from pymongo.collection import Collection

from calendar_app.domain.kind import Record
from calendar_app.query.clauses import Clause
from calendar_app.query.window import Order
from calendar_app.storage.connection import Database
from calendar_app.storage.hasty import HastyWrites
from calendar_app.storage.reads import Fields, Reads, Stages
from calendar_app.storage.refusing import refusing
from calendar_app.storage.snapshots import make_sure
from calendar_app.storage.totals import WORTHWHILE, Totals
from calendar_app.storage.transactions import current_session

# What is added to a document that is to stay as it is: two who write to it meet.
HELD: Mapping[str, int] = MappingProxyType({"held": 1})


class RecordCollection:
    """Reads and writes documents; every operation joins the transaction that runs."""

    def __init__(
        self, database: Database, name: str, timeout: int = 0, worthwhile: int = WORTHWHILE
    ) -> None:
        self.name = name
        self._collection: Collection[Record] = database[name]
        self._hasty = HastyWrites(self._collection)
        self._unique: set[str] = set()
        self._limits: dict[str, Any] = {"maxTimeMS": timeout} if timeout else {}
        self._reads = Reads(self._collection, self._limits)
        self._totals = Totals(self._collection, self._limits, worthwhile)

    def find(
        self,
        wanted: Clause,
        *,
        order: Order = (),
        skip: int = 0,
        limit: int = 0,
        fields: Fields | None = None,
    ) -> list[Record]:
        """Return the documents that match, in ``order``; ``limit`` 0 means all."""
        with self._joining() as session:
            return self._reads.find(session, wanted, fields, order, (skip, limit))

    def stream(
        self, wanted: Clause, *, order: Order, fields: Fields | None = None
    ) -> Iterator[Record]:
        """Yield the documents that match without holding them all."""
        with refusing():
            yield from self._collection.find(wanted, fields).sort(list(order))

    def first(self, wanted: Clause, fields: Fields | None = None) -> Record | None:
        return next(iter(self.find(wanted, limit=1, fields=fields)), None)

    def hold(self, wanted: Clause, fields: Fields | None = None) -> Record | None:
        """Return a document that stays as it is until the transaction that runs has ended.

        To read it would not do: somebody else could change it meanwhile, and neither would know.
        """
        with self._writing() as session:
            held: Record | None = self._collection.find_one_and_update(
                wanted, {"$inc": HELD}, projection=fields, session=session
            )
            return held

    def aggregate(self, stages: Stages, **options: Any) -> list[Record]:
        """Return what the pipeline ``stages`` makes of the collection."""
        with self._joining() as session:
            return self._reads.aggregate(session, stages, options)

    def each(self, stages: Stages, **options: Any) -> Iterator[Record]:
        """Yield what the pipeline ``stages`` makes of the collection, without holding it all."""
        with self._joining() as session:
            yield from self._reads.each(session, stages, options)

    def count(self, wanted: Clause) -> int:
        """Return how many documents match; counted once, then brought up to date."""
        return self.counting(wanted, [{"$match": wanted}, {"$count": "total"}])()

    def counting(self, wanted: Clause, stages: Stages, otherwise: Stages = ()) -> Callable[[], int]:
        """Return what tells how many documents match, and may ask along with something else.

        ``stages`` tell the same: the ``total`` of one document, or of none. Where that is ``None``
        they do not, and ``otherwise`` does.
        """
        return self._totals.counting(wanted, stages, otherwise, self.aggregate)

    def last_count(self, wanted: Clause) -> int | None:
        """Return how many documents matched when they were last counted, at whatever moment."""
        return self._totals.last(wanted)

    def keeps_unique(self, field: str) -> bool:
        """Say whether an index refuses a document whose value of ``field`` another one has.

        mongomock has such indexes, but does not heed them where the value is a list.
        """
        if field not in self._unique and isinstance(self._collection, Collection):
            with refusing():
                indexes = self._collection.index_information().values()
            unique = [index["key"] for index in indexes if index.get("unique")]
            self._unique = {key[0][0] for key in unique if len(key) == 1}
        return field in self._unique

    def insert(self, record: Record) -> None:
        """Store a new document; ``DuplicateKey`` where a unique value of it is taken."""
        with self._writing() as session:
            self._collection.insert_one(record, session=session)

    def insert_many(self, records: Sequence[Record]) -> None:
        with self._writing() as session:
            self._collection.insert_many(records, session=session)

    def add_hastily(self, records: Sequence[Record]) -> None:
        """Store those documents whose ids are not there yet, at once, outside any transaction."""
        with refusing():
            self._hasty.add(records)

    def change(self, wanted: Clause, update: Mapping[str, Any]) -> bool:
        """Change one document; say whether there was one that matched."""
        with self._writing() as session:
            result = self._collection.update_one(wanted, update, session=session)
            return result.matched_count > 0

    def change_all(self, wanted: Clause, update: Mapping[str, Any] | Stages) -> int:
        """Change every document that matches; return how many did."""
        with self._writing() as session:
            return self._collection.update_many(wanted, update, session=session).matched_count

    def change_each(self, updates: Sequence[tuple[Clause, Mapping[str, Any]]]) -> int:
        """Change one document for each clause and its update; return how many were there."""
        changes = [UpdateOne(wanted, update) for wanted, update in updates]
        with self._writing() as session:
            return self._collection.bulk_write(
                changes, ordered=False, session=session
            ).matched_count

    def upsert(self, wanted: Clause, update: Mapping[str, Any] | Stages) -> Record:
        """Change the document that matches, or make it; return it as it is then."""
        with self._writing() as session:
            made = self._collection.find_one_and_update(
                wanted,
                update,
                upsert=True,
                return_document=ReturnDocument.AFTER,
                session=session,
            )
            return made or {}

    def upsert_hastily(self, wanted: Clause, update: Mapping[str, Any] | Stages) -> Record:
        """Do as ``upsert``, at once, outside any transaction."""
        with refusing():
            return self._hasty.upsert(wanted, update)

    def remove(self, wanted: Clause) -> int:
        """Delete what matches; return how many documents that were."""
        with self._writing() as session:
            return self._collection.delete_many(wanted, session=session).deleted_count

    @contextmanager
    def _writing(self) -> Iterator[ClientSession | None]:
        """Join the transaction that runs; where only reads are joined, writes stand outside."""
        session = current_session()
        if session is None or session.in_transaction:
            with refusing(in_transaction=session is not None):
                yield session
        else:
            with refusing():
                yield None

    @contextmanager
    def _joining(self) -> Iterator[ClientSession | None]:
        make_sure()
        session = current_session()
        with refusing(in_transaction=session is not None):
            yield session
