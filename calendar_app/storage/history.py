"""How long a MongoDB of our own keeps what documents were before they were changed."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from pymongo.errors import PyMongoError

from calendar_app.storage.refusing import refusing
from calendar_app.storage.store import Store

_WINDOW = "minSnapshotHistoryWindowInSeconds"
_USUAL = 300
# Most answers, each of one moment, take less.
_SHORT = 10


@contextmanager
def history(store: Store, *, short: bool) -> Iterator[None]:
    """Let it keep that for seconds in the block, if that is to be ``short``, else as usual.

    Where a thousand terms are counted anew four times a second, it would write hundreds of
    kilobytes for each event that comes. What another process has set, and did not live to set
    back, is set back too; at the latest MongoDB forgets it when it ends.
    https://www.mongodb.com/docs/manual/reference/parameters/
    """
    with refusing():
        _keep(store, _SHORT if short else _USUAL)
    try:
        yield
    finally:
        with suppress(PyMongoError):
            _keep(store, _USUAL)


def _keep(store: Store, seconds: int) -> None:
    store.database.client.admin.command({"setParameter": 1, _WINDOW: seconds})
