"""Slots for feeds: so many are made at once, and waiting clients take turns."""

from collections import OrderedDict, deque
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Lock

from prometheus_client import Gauge

from calendar_app.errors import Message, Unavailable

_PATIENCE = 20.0  # seconds
_RETRY_AFTER = 5  # seconds
# Each waiting request occupies a thread of the worker.
_MOST_OF_CLIENT = 8
_WAITING = Gauge(
    "calendar_feeds_waiting", "Feeds that wait to be made.", multiprocess_mode="livesum"
)


class FeedSlots:
    """Slots that go round the waiting clients; requests that wait too long are refused.

    A client with many requests waits for its own ones, and others only for one of them each turn.
    Nothing is stored of clients that do not wait.
    """

    def __init__(
        self, slots: int, patience: float = _PATIENCE, most_of_client: int = _MOST_OF_CLIENT
    ) -> None:
        self._free = slots
        self._patience = patience
        self._most_of_client = most_of_client
        # The turns of each client; the first client is next.
        self._waiting: OrderedDict[str, deque[Event]] = OrderedDict()
        self._lock = Lock()

    @contextmanager
    def slot(self, client: str) -> Iterator[None]:
        """Hold a slot as long as the context lasts; raise ``Unavailable`` where none gets free."""
        turn = self._join(client)
        if turn is None or not self._has_come(client, turn):
            reason = Message("Too many feeds are being read. Try again later.")
            raise Unavailable(reason, _RETRY_AFTER)
        try:
            yield
        finally:
            self._release()

    def _join(self, client: str) -> Event | None:
        """Return the turn of a request; ``None`` where its client has enough waiting."""
        turn = Event()
        with self._lock:
            if self._free:
                self._free -= 1
                turn.set()
                return turn
            turns = self._waiting.setdefault(client, deque())
            if len(turns) >= self._most_of_client:
                return None
            turns.append(turn)
        return turn

    def _has_come(self, client: str, turn: Event) -> bool:
        """Wait for a turn; return whether it has come in time."""
        with _WAITING.track_inprogress():
            return turn.wait(self._patience) or not self._withdraw(client, turn)

    def _withdraw(self, client: str, turn: Event) -> bool:
        """Stop waiting; return whether the turn had not come in the last moment."""
        with self._lock:
            if turn.is_set():
                return False
            turns = self._waiting[client]
            turns.remove(turn)
            if not turns:
                del self._waiting[client]
            return True

    def _release(self) -> None:
        """Hand the slot to the next client, which then goes to the end; free it if none waits."""
        with self._lock:
            if not self._waiting:
                self._free += 1
                return
            client, turns = self._waiting.popitem(last=False)
            turns.popleft().set()
            if turns:
                self._waiting[client] = turns
