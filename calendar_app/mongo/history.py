"""The snapshot history of an embedded MongoDB, in seconds."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from pymongo.errors import PyMongoError

from calendar_app.mongo.error_translation import translate_errors
from calendar_app.mongo.store import Store

_WINDOW = "minSnapshotHistoryWindowInSeconds"
USUAL = 300  # seconds, as MongoDB comes
# Most answers, each of one cluster time, take less. Where a thousand terms are counted four times
# a second, MongoDB would else write hundreds of kilobytes for each event that comes.
SHORT = 10
# A backup reads all documents as of one cluster time.
LONG = 4 * 3600


@contextmanager
def history(store: Store, seconds: int) -> Iterator[None]:
    """Let MongoDB keep earlier states for ``seconds`` within the block.

    Afterwards it keeps them as usual. What a process that was killed has set is set back too; at
    the latest MongoDB forgets it when it ends.
    https://www.mongodb.com/docs/manual/reference/parameters/
    """
    with translate_errors():
        _keep(store, seconds)
    try:
        yield
    finally:
        with suppress(PyMongoError):
            _keep(store, USUAL)


def _keep(store: Store, seconds: int) -> None:
    store.database.client.admin.command({"setParameter": 1, _WINDOW: seconds})
