"""Attempts: a delivery is sent once, and what follows from the answer is stored."""

from dataclasses import asdict
from datetime import datetime

from calendar_app.changes.webhooks.deliveries import FAILED, TAKEN, WAITING, Deliveries, Delivery
from calendar_app.changes.webhooks.retrying import judge
from calendar_app.changes.webhooks.sending import Attempt, Sender, Signed
from calendar_app.changes.webhooks.webhook import WEBHOOKS, Standing, Webhook
from calendar_app.domain.kind import Record
from calendar_app.domain.moments import Now
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import equals


class Attempts:
    """Sends deliveries of one store."""

    def __init__(self, store: Store, now: Now) -> None:
        self._webhooks = store[WEBHOOKS]
        self._deliveries = Deliveries(store, now)
        self._now = now

    def make(self, webhook: Webhook, delivery: Delivery, sender: Sender) -> bool:
        """Send a delivery, and store its fate; return whether it was accepted."""
        attempt = self._send(webhook, delivery, sender)
        verdict = judge(webhook.standing, attempt, delivery.tried + 1, delivery.created)
        state = TAKEN if attempt.is_taken else FAILED if verdict.is_given_up else WAITING
        self._deliveries.note(delivery, attempt, state, verdict.due)
        values: Record = {"standing": asdict(verdict.standing)}
        if not attempt.is_taken:
            values["due"] = verdict.standing.rests_until or verdict.due
        if verdict.ends:
            values |= ended(verdict.ends, attempt.at)
        self._note(webhook, delivery, attempt, values)
        return attempt.is_taken

    def make_on_request(self, webhook: Webhook, delivery: Delivery, sender: Sender) -> None:
        """Send a delivery because somebody asks; that it fails does not count."""
        attempt = self._send(webhook, delivery, sender)
        state = TAKEN if attempt.is_taken else delivery.state
        self._deliveries.note(delivery, attempt, state, None if attempt.is_taken else delivery.due)
        answers = {"standing": asdict(Standing()), "due": self._now()}
        self._note(webhook, delivery, attempt, answers if attempt.is_taken else {})

    def _send(self, webhook: Webhook, delivery: Delivery, sender: Sender) -> Attempt:
        signing = webhook.signing(self._now())
        return sender.send(webhook.address, Signed(delivery.id, delivery.body, signing))

    def _note(self, webhook: Webhook, delivery: Delivery, attempt: Attempt, values: Record) -> None:
        """Store the last attempt of a webhook, count it, and store some ``values``."""
        entry = {name: getattr(attempt, name) for name in ("at", "status", "reason", "detail")}
        last = {"delivery": delivery.id, **entry}
        result = "taken" if attempt.is_taken else "refused" if attempt.is_refused else "failed"
        update = {"$set": {"last": last, **values}, "$inc": {f"counts.{result}": 1}}
        self._webhooks.change(equals("_id", webhook.id), update)


def ended(reason: str, now: datetime) -> Record:
    """Return the stored fields of an ended webhook, with a notice due to its owner."""
    return {"ended": reason, "ended_at": now, "told": False}
