"""Delivers changes to all receivers, in one process at a time, each at its own pace.

A lease names the process. There a thread for each webhook that has something to send waits for its
receiver alone, so that a slow or dead one holds up nobody; there are no more threads than webhooks,
and each holds one message at a time.
"""

import threading
import time
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass

import structlog

from calendar_app.changes.webhooks.attempting import Attempts, ended
from calendar_app.changes.webhooks.deliveries import Deliveries, ReportedChanges
from calendar_app.changes.webhooks.sending import Sender
from calendar_app.changes.webhooks.webhook import MOST_WEBHOOKS, ON, WEBHOOKS, Webhook
from calendar_app.domain.kind import Record
from calendar_app.domain.moments import Now
from calendar_app.errors import CalendarError
from calendar_app.storage.mongo.leases import Hold, Leases
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import all_of, differs, equals

LEASE = "webhooks"
_LEASE_SECONDS = 6.0
_POLL, _PAUSE = 0.5, 10.0  # seconds
_MOST_WAITING = 1000  # deliveries of one webhook; what follows waits in the outbox
_AT_ONCE = 20  # deliveries between two looks at the outbox
_NEVER = object()


@dataclass
class Unfollowable(CalendarError):
    """A webhook cannot go on, for one of the reasons that end it."""

    reason: str


# Returns the changes that a webhook is to be told of; raises ``Unfollowable``.
Follow = Callable[[Webhook], ReportedChanges]
# Says what changes with every write to the calendar.
Head = Callable[[], Hashable]


class Courier:
    """Delivers changes to webhooks."""

    def __init__(
        self, store: Store, follow: Follow, head: Head, sender: Callable[[], Sender], now: Now
    ) -> None:
        self._webhooks = store[WEBHOOKS]
        self._deliveries = Deliveries(store, now)
        self._attempts = Attempts(store, now)
        self._leases = Leases(store.database, _LEASE_SECONDS)
        self._follow = follow
        self._head = head
        self._sender = sender
        self._now = now
        self._seen: dict[int, Hashable] = {}

    def run(self, end: threading.Event) -> None:
        """Deliver until the ``end``, while this process has the lease."""
        while not end.is_set():
            try:
                with self._leases.held_if_free(LEASE) as hold:
                    if hold:
                        self._run_held(hold, end)
            except CalendarError as error:  # The database is away.
                structlog.get_logger().warning("webhooks", error=str(error) or repr(error))
            end.wait(_POLL)

    def deliver_due(self) -> int:
        """Send all due deliveries once, unless another process does; return how many were taken."""
        with self._leases.held_if_free(LEASE) as hold:
            return sum(self._serve(each.id, hold) for each in self._on()) if hold else 0

    def _run_held(self, hold: Hold, end: threading.Event) -> None:
        """Start a thread for each webhook that has something to send, again and again."""
        self._seen.clear()
        serving: set[int] = set()
        pausing: dict[int, float] = {}

        def serve(webhook_id: int) -> None:
            try:
                self._serve(webhook_id, hold)
            except Exception as error:  # noqa: BLE001  # It is tried again after a pause.
                pausing[webhook_id] = time.monotonic() + _PAUSE
                structlog.get_logger().error("webhook", id=webhook_id, exc_info=error)
            finally:
                serving.discard(webhook_id)

        threads = ThreadPoolExecutor(MOST_WEBHOOKS, "webhook")
        try:
            while hold.lasts and not end.is_set():
                head, now = self._head(), self._now()
                for webhook in self._on():
                    has_news = self._seen.get(webhook.id, _NEVER) != head
                    is_due = webhook.due is not None and webhook.due <= now
                    is_free = webhook.id not in serving
                    is_free = is_free and pausing.get(webhook.id, 0) < time.monotonic()
                    if is_free and (has_news or is_due):
                        serving.add(webhook.id)
                        threads.submit(serve, webhook.id)
                end.wait(_POLL)
        finally:
            hold.give_up()
            threads.shutdown(cancel_futures=True)

    def _on(self) -> list[Webhook]:
        on = all_of([differs("off", True), equals("ended", "")])
        return [Webhook.of(each) for each in self._webhooks.find(on, limit=MOST_WEBHOOKS)]

    # One webhook.

    def _serve(self, webhook_id: int, hold: Hold) -> int:
        """Send a webhook's deliveries in order; return the number of accepted ones."""
        delivered = 0
        with closing(self._sender()) as sender:
            while hold.lasts:
                webhook = self._find(webhook_id)
                if webhook is None or webhook.state != ON:
                    break
                head = self._head()
                is_behind = self._seen.get(webhook_id, _NEVER) != head
                if is_behind and self._take_over(webhook, head):
                    continue  # What has changed since would be sent as it was.
                sent, own = self._send_due(webhook_id, sender, hold)
                delivered += own
                if not sent:
                    break
        return delivered

    def _take_over(self, webhook: Webhook, head: Hashable) -> bool:
        """Queue the changes since the last ones; return whether there are more, and room."""
        if self._deliveries.waiting([webhook.id]).get(webhook.id, 0) >= _MOST_WAITING:
            return False
        try:
            changes = self._follow(webhook)
        except Unfollowable as error:
            self._set(webhook.id, ended(error.reason, self._now()))
            return False
        is_queued = changes.token == webhook.token or self._deliveries.queue(webhook, changes)
        if is_queued and not changes.more:
            self._seen[webhook.id] = head
        return changes.more or not is_queued

    def _send_due(self, webhook_id: int, sender: Sender, hold: Hold) -> tuple[int, int]:
        """Send some due deliveries; return their number, and that of accepted ones."""
        sent = delivered = 0
        while hold.lasts and sent < _AT_ONCE:
            webhook = self._find(webhook_id)
            if webhook is None or webhook.state != ON:
                break
            rests = webhook.standing.rests_until
            if rests and rests > self._now():
                break
            delivery = self._deliveries.next(webhook)
            if delivery is None:
                self._set(webhook.id, {"due": self._deliveries.next_due(webhook)})
                break
            delivered += self._attempts.make(webhook, delivery, sender)
            sent += 1
        return sent, delivered

    def _find(self, webhook_id: int) -> Webhook | None:
        document = self._webhooks.first(equals("_id", webhook_id))
        return Webhook.of(document) if document else None

    def _set(self, webhook_id: int, values: Record) -> None:
        self._webhooks.change(equals("_id", webhook_id), {"$set": values})
