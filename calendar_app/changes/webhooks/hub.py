"""Publishes changes of the feeds to a WebSub hub, which tells the subscribers.

https://www.w3.org/TR/websub/ leaves to hubs how they are told; all take ``hub.mode=publish``.
"""

from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import timedelta
from urllib.parse import urlencode

import structlog

from calendar_app.changes.webhooks.deliveries import ReportedChanges
from calendar_app.changes.webhooks.sending import Sender
from calendar_app.domain.moments import Now
from calendar_app.storage.mongo.leases import Leases
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import equals

HUB = "hub"
_HEADERS = (
    ("User-Agent", "calendar-app"),
    ("Content-Type", "application/x-www-form-urlencoded"),
)
_FIRST_PAUSE, _MOST_DOUBLINGS = timedelta(seconds=10), 9


class Hub:
    """The hub at an ``address``; ``topics`` are the feeds to publish."""

    def __init__(
        self, store: Store, address: str, topics: Sequence[str], sender: Callable[[], Sender]
    ) -> None:
        self._state = store[HUB]
        self._leases = Leases(store.database)
        self._own = equals("_id", address)
        self._address = address
        self._topics = topics
        self._sender = sender

    def publish(self, follow: Callable[[str], ReportedChanges], now: Now) -> None:
        """Notify the hub of changes; after a failure, try again later.

        ``follow`` gives the changes behind a token, as a stranger sees them; without one the token
        of now.
        """
        with self._leases.held_if_free(HUB) as hold:
            state = self._state.first(self._own) or {"token": "", "failures": 0, "due": now()}
            if not hold or state["due"] > now():
                return
            changes = follow(state["token"])
            is_changed = bool(changes.items)
            while changes.more:
                changes = follow(changes.token)
                is_changed = is_changed or bool(changes.items)
            failures = 0 if not is_changed or self._notify() else state["failures"] + 1
            values = {"failures": failures, "due": now() + _pause(failures)}
            if not failures:
                values["token"] = changes.token
            self._state.upsert(self._own, {"$set": {"token": state["token"], **values}})

    def _notify(self) -> bool:
        with closing(self._sender()) as sender:
            for topic in self._topics:
                form = {"hub.mode": "publish", "hub.url": topic, "hub.topic": topic}
                attempt = sender.post(self._address, _HEADERS, urlencode(form).encode())
                if not attempt.is_taken:
                    structlog.get_logger().warning(
                        "hub", status=attempt.status, reason=attempt.reason, detail=attempt.detail
                    )
                    return False
        return True


def _pause(failures: int) -> timedelta:
    return _FIRST_PAUSE * 2 ** min(failures - 1, _MOST_DOUBLINGS) if failures else timedelta()
