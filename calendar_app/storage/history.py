"""How long MongoDB keeps what documents were before they were changed."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from pymongo.errors import PyMongoError

from calendar_app.storage.refusing import refusing
from calendar_app.storage.store import Store

_WINDOW = "minSnapshotHistoryWindowInSeconds"
# As long as an answer may take, which is of one moment.
_SHORT = 10


@contextmanager
def short_history(store: Store) -> Iterator[None]:
    """Let it keep that for seconds in the block, in place of five minutes.

    Where a thousand terms are counted anew four times a second, it would write hundreds of
    kilobytes for each event that comes. The setting is one of the whole MongoDB, which forgets it
    when it ends.
    https://www.mongodb.com/docs/manual/reference/parameters/
    """
    admin = store.database.client.admin
    with refusing():
        before = admin.command({"setParameter": 1, _WINDOW: _SHORT})["was"]
    try:
        yield
    finally:
        with suppress(PyMongoError):
            admin.command({"setParameter": 1, _WINDOW: before})
