"""Features of MongoDB for mongomock, so that the service needs no branch for it.

Transactions roll back, but are not isolated: a test has one thread. Snapshots are refused, as by a
MongoDB that has none, so that reads see the present.
"""

import copy
from functools import wraps

import mongomock
from mongomock import aggregate
from mongomock.gridfs import enable_gridfs_integration
from mongomock.not_implemented import ignore_feature
from pymongo.errors import OperationFailure
from pymongo.results import BulkWriteResult

_NO_SNAPSHOT, _NO_COMMAND = 246, 59


def install():
    """Add the features to mongomock, once for each process."""
    if mongomock.MongoClient.start_session is _start_session:
        return
    enable_gridfs_integration()
    ignore_feature("session")
    mongomock.MongoClient.start_session = _start_session
    mongomock.Database.command = _command
    mongomock.Database.aggregate = _aggregate
    mongomock.Collection.bulk_write = _bulk_write
    for name in ("insert_one", "insert_many"):
        _let_join(name, _inserting)
    for name in ("update_one", "update_many", "find_one_and_update", "delete_one", "delete_many"):
        _let_join(name, _changing)
    aggregate.process_pipeline = _processing(aggregate.process_pipeline)


# Sessions and transactions.


class _Session:
    """A session of which each transaction is stored whole, or not at all.

    ``undoing`` has what takes the writes of a transaction back, the last one at the end.
    """

    def __init__(self):
        self.in_transaction = False
        self.undoing = []

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass

    def with_transaction(self, work, **options):
        """Run ``work`` once, as no other transaction can meet it."""
        del options
        self.in_transaction, self.undoing = True, []
        try:
            return work(self)
        except BaseException:
            while self.undoing:
                self.undoing.pop()()
            raise
        finally:
            self.in_transaction = False


def _start_session(client, *, snapshot=False):
    del client
    if snapshot:
        raise OperationFailure("There are no snapshots.", _NO_SNAPSHOT)
    return _Session()


def _let_join(name, joining):
    """Let a write join the transaction of its session; without one it stands outside."""
    write = getattr(mongomock.Collection, name)

    @wraps(write)
    def run(self, subject, *args, session=None, **options):
        if session is None or not session.in_transaction:
            return write(self, subject, *args, **options)
        return joining(self, session, subject, lambda: write(self, subject, *args, **options))

    setattr(mongomock.Collection, name, run)


def _inserting(collection, session, documents, write):
    """Insert one document, or several one by one, since those before a refused one stay."""
    if not isinstance(documents, dict):
        return [collection.insert_one(each, session=session) for each in documents]
    result = write()
    session.undoing.append(lambda: collection.delete_one({"_id": result.inserted_id}))
    return result


def _changing(collection, session, clause, write):
    """Change or delete the documents that match, or insert one where none does."""
    before = list(collection.find(clause))
    result = write()

    def undo():
        for each in before:
            collection.replace_one({"_id": each["_id"]}, each, upsert=True)
        if not before and result:
            new = result["_id"] if isinstance(result, dict) else result.raw_result.get("upserted")
            collection.delete_many({"_id": new})

    session.undoing.append(undo)
    return result


def _bulk_write(self, requests, *, ordered=True, session=None):
    """Make updates of one document, one after the other; no other requests come."""
    del ordered
    results = []
    for each in requests:
        clause, update = each._filter, each._doc  # noqa: SLF001  # pymongo shows them nowhere else
        upsert = bool(each._upsert)  # noqa: SLF001
        results.append(self.update_one(clause, update, upsert=upsert, session=session))
    matched = sum(each.matched_count for each in results if each.upserted_id is None)
    return BulkWriteResult({"nMatched": matched}, acknowledged=True)


# Commands and pipelines.


def _command(self, command, *args, **options):
    """Answer that the server is there; no other command is known."""
    del self, args, options
    if command == "ping":
        return {"ok": 1.0}
    raise OperationFailure(f"no such command: {command}", _NO_COMMAND)


def _aggregate(self, pipeline, session=None, **options):
    """Return the result of a pipeline that begins with documents of its own."""
    del session, options
    return aggregate.process_pipeline([], self, pipeline, None)


def _processing(process):
    """Return a function that knows more stages than ``process``."""

    @wraps(process)
    def run(documents, database, pipeline, session):
        del session
        for stage in pipeline:
            match stage:
                case {"$documents": own}:
                    documents = copy.deepcopy(own)
                case {"$unionWith": {"coll": name, **rest}}:
                    others = database[name].aggregate(rest.get("pipeline", []))
                    documents = [*documents, *others]
                case {"$replaceWith": str(field)}:
                    documents = [each[field.removeprefix("$")] for each in documents]
                case {"$lookup": {"pipeline": stages, **rest}}:
                    documents = _looked_up(process, documents, database, rest, stages)
                case _:
                    documents = list(process(documents, database, [stage], None))
        return process(documents, database, [], None)

    return run


def _looked_up(process, documents, database, options, stages):
    """Look up with a pipeline, which may follow fields but has no variables."""
    name = options["as"]
    if "let" in options:
        raise NotImplementedError("No $lookup has variables.")
    if "localField" in options:
        documents = list(process(documents, database, [{"$lookup": options}], None))
    else:
        others = list(database[options["from"]].find())
        documents = [{**each, name: others} for each in documents]
    for each in documents:
        matching = copy.deepcopy(each[name])
        each[name] = list(aggregate.process_pipeline(matching, database, stages, None))
    return documents
