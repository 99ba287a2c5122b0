"""Use cases of webhooks: manage, test and monitor them, and send deliveries again."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from calendar_app.accounts.callers import Caller
from calendar_app.accounts.policy import require_webhook_manager
from calendar_app.changes.webhooks.attempting import Attempts
from calendar_app.changes.webhooks.deliveries import Deliveries, Delivery
from calendar_app.changes.webhooks.sending import Sender
from calendar_app.changes.webhooks.webhook import (
    MOST_WEBHOOKS,
    SETTINGS,
    WEBHOOKS,
    Secret,
    Standing,
    Webhook,
    WebhookReferences,
    checked,
)
from calendar_app.domain.kind import Index, Record
from calendar_app.domain.moments import Now
from calendar_app.errors import NotFound, TooManyWebhooks
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import EVERYTHING, all_of, equals
from calendar_app.storage.query.list_query import Page, Window

WEBHOOK_INDEXES = (Index((("name", 1),), "the list of webhooks"),)
RESULTS = ("taken", "refused", "failed")


@dataclass(frozen=True, slots=True)
class WebhookStatus:
    """A webhook, and how many deliveries wait."""

    webhook: Webhook
    waiting: int = 0


@dataclass(frozen=True, slots=True)
class WebhookFigures:
    """Attempts by result, how many deliveries wait, and for how many seconds the oldest does."""

    attempts: Mapping[str, int] = field(default_factory=dict)
    waiting: int = 0
    oldest: float = 0.0


class Webhooks:
    """The webhooks of one calendar, and the records that their settings name."""

    def __init__(
        self,
        store: Store,
        existing: WebhookReferences,
        sender: Callable[[], Sender],
        now: Now,
    ) -> None:
        self._store = store
        self._webhooks = store[WEBHOOKS]
        self._deliveries = Deliveries(store, now)
        self._attempts = Attempts(store, now)
        self._existing = existing
        self._sender = sender
        self._now = now

    # Manage.

    def list(self, caller: Caller) -> list[WebhookStatus]:
        """Return all webhooks by name, each with how it stands."""
        require_webhook_manager(caller)
        webhooks = self._webhooks.find(EVERYTHING, order=[("name", 1), ("_id", 1)])
        waiting = self._deliveries.waiting([each["_id"] for each in webhooks])
        return [WebhookStatus(Webhook.of(each), waiting.get(each["_id"], 0)) for each in webhooks]

    def get(self, webhook_id: int, caller: Caller) -> WebhookStatus:
        require_webhook_manager(caller)
        webhook = self._find(webhook_id)
        return WebhookStatus(webhook, self._deliveries.waiting([webhook_id]).get(webhook_id, 0))

    def add(self, values: Mapping[str, Any], token: str, caller: Caller) -> Webhook:
        """Store a new webhook with its first secret; it gets the changes behind a token.

        Raises ``InvalidParameters`` naming what cannot be, and ``TooManyWebhooks``.
        """
        require_webhook_manager(caller)
        usual = {"owner": caller.id, "secrets": (Secret.new(self._now()),)}
        draft = checked(Webhook(id=0, **{**usual, **values}), self._existing)
        if self._webhooks.count(EVERYTHING) >= MOST_WEBHOOKS:
            raise TooManyWebhooks
        number = self._store.next_id(WEBHOOKS)
        webhook = replace(draft, id=number, token=token)
        self._webhooks.insert(webhook.document)
        return webhook

    def change(self, webhook_id: int, values: Mapping[str, Any], caller: Caller) -> Webhook:
        """Change the submitted settings; an ended webhook goes on when it is switched on."""
        require_webhook_manager(caller)
        before = self._find(webhook_id)
        webhook = checked(replace(before, **values), self._existing)
        document = webhook.document
        changed: Record = {name: document[name] for name in SETTINGS if name in values}
        if values.get("off") is False:
            changed |= {"ended": "", "ended_at": None, "due": self._now()}
            changed |= {"standing": asdict(Standing())}
        self._webhooks.change(equals("_id", webhook_id), {"$set": changed})
        return webhook

    def remove(self, webhook_id: int, caller: Caller) -> Webhook:
        """Remove a webhook with its deliveries."""
        require_webhook_manager(caller)
        webhook = self._find(webhook_id)
        self._webhooks.remove(equals("_id", webhook_id))
        self._deliveries.forget(webhook_id)
        return webhook

    def rotate(self, webhook_id: int, caller: Caller, *, keep: bool = True) -> str:
        """Return a new secret; the one before signs as well for a day, unless it is not to."""
        require_webhook_manager(caller)
        secrets = self._find(webhook_id).rotated(self._now(), keep=keep)
        stored = {"secrets": [asdict(each) for each in secrets]}
        self._webhooks.change(equals("_id", webhook_id), {"$set": stored})
        return secrets[0].value

    # Deliveries.

    def test(self, webhook_id: int, caller: Caller) -> Delivery:
        """Send a test now, and return it with the answer."""
        require_webhook_manager(caller)
        webhook = self._find(webhook_id)
        return self._send(webhook, self._deliveries.test(webhook))

    def send_again(self, webhook_id: int, delivery_id: str, caller: Caller) -> Delivery:
        """Send a delivery again, in any state; return it with the response."""
        require_webhook_manager(caller)
        webhook = self._find(webhook_id)
        return self._send(webhook, self._deliveries.find(webhook_id, delivery_id))

    def delivery(self, webhook_id: int, delivery_id: str, caller: Caller) -> Delivery:
        require_webhook_manager(caller)
        return self._deliveries.find(webhook_id, delivery_id)

    def deliveries(self, webhook_id: int, caller: Caller, window: Window, state: str = "") -> Page:
        """Return a page of the deliveries of 30 days, the latest first."""
        require_webhook_manager(caller)
        self._find(webhook_id)
        return self._deliveries.page(webhook_id, window, state)

    # For those who look after the service.

    def ended(self) -> Iterator[Webhook]:
        """Yield each ended webhook once, to notify its owner."""
        for document in self._webhooks.find(equals("told", False)):
            own = all_of([equals("_id", document["_id"]), equals("told", False)])
            if self._webhooks.change(own, {"$set": {"told": True}}):
                yield Webhook.of(document)

    def figures(self) -> WebhookFigures:
        """Return the figures of all webhooks together."""
        webhooks = [Webhook.of(each) for each in self._webhooks.find(EVERYTHING)]
        attempts = {name: sum(each.counts.get(name, 0) for each in webhooks) for name in RESULTS}
        waiting = sum(self._deliveries.waiting([each.id for each in webhooks]).values())
        oldest = self._deliveries.oldest()
        age = (self._now() - oldest).total_seconds() if oldest else 0.0
        return WebhookFigures(attempts, waiting, max(age, 0.0))

    def _send(self, webhook: Webhook, delivery: Delivery) -> Delivery:
        with closing(self._sender()) as sender:
            self._attempts.make_on_request(webhook, delivery, sender)
        return self._deliveries.find(webhook.id, delivery.id)

    def _find(self, webhook_id: int) -> Webhook:
        document = self._webhooks.first(equals("_id", webhook_id))
        if document is None:
            raise NotFound("webhook", webhook_id)
        return Webhook.of(document)
