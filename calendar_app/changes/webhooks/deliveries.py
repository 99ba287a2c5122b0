"""Deliveries of changes to receivers, kept with their outcome for 30 days."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from typing import Any

import orjson

from calendar_app.changes.webhooks.sending import Attempt
from calendar_app.changes.webhooks.webhook import FULL, WEBHOOKS, Webhook
from calendar_app.domain.kind import Index, Record
from calendar_app.domain.moments import Now
from calendar_app.errors import NotFound
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import all_of, at_most, equals, one_of
from calendar_app.storage.query.list_query import Page, Window

DELIVERIES = "webhook_deliveries"
WAITING, TAKEN, FAILED, REPLACED = "waiting", "taken", "failed", "replaced"
STATES = (WAITING, TAKEN, FAILED, REPLACED)
TEST = "test"
_KEPT_SECONDS = 30 * 24 * 60 * 60  # seconds
_MOST_ATTEMPTS = 20  # that are remembered, the last ones
_WAITS = equals("state", WAITING)
DELIVERY_INDEXES = (
    Index((("webhook", 1), ("number", -1)), "the deliveries of a webhook, the latest first"),
    Index(
        (("webhook", 1), ("state", 1), ("number", 1)),
        "what a webhook is sent next, and the deliveries of one state",
    ),
    Index(
        (("webhook", 1), ("kind", 1), ("record", 1)),
        "what waits of a record",
        only={"state": WAITING},
    ),
    Index((("state", 1), ("created", 1)), "the delivery that waits longest"),
    Index((("created", 1),), "forgetting deliveries after 30 days", expire_after=_KEPT_SECONDS),
)


@dataclass(frozen=True, slots=True)
class ReportedChange:
    """A change in the view of a webhook's reader; ``data`` is its message."""

    kind: str
    record: int
    change: str
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ReportedChanges:
    """Changes behind a token, the ``token`` behind them, and whether there are more."""

    items: Sequence[ReportedChange]
    token: str = field(repr=False)
    more: bool = False


@dataclass(frozen=True, slots=True)
class Delivery:
    """One message to one receiver; ``body`` is the same in all attempts."""

    id: str
    webhook: int
    number: int
    kind: str
    record: int
    change: str
    created: datetime
    body: str
    state: str = WAITING
    due: datetime | None = None
    tried: int = 0
    attempts: Sequence[Record] = field(default_factory=tuple)

    @classmethod
    def of(cls, document: Record) -> "Delivery":
        own = {name: value for name, value in document.items() if name != "_id"}
        return cls(id=document["_id"], **own)

    @property
    def document(self) -> Record:
        own = asdict(self)
        return {"_id": own.pop("id"), **own}

    @property
    def type(self) -> str:
        return type_of(self.kind, self.change)


def type_of(kind: str, change: str) -> str:
    """Return the type of a message, as receivers tell messages apart."""
    return f"{kind}.{change}"


class Deliveries:
    """The deliveries of one store; queued with the token up to which changes are."""

    def __init__(self, store: Store, now: Now) -> None:
        self._store = store
        self._webhooks = store[WEBHOOKS]
        self._deliveries = store[DELIVERIES]
        self._now = now

    def queue(self, webhook: Webhook, changes: ReportedChanges) -> bool:
        """Queue changes; false where another process has queued them meanwhile.

        A delivery that still waits of the same record is replaced, since the last state counts:
        receivers get those of one record in their order.
        """
        deliveries = self._in_order(webhook, changes.items)

        def work() -> bool:
            names = ("token", "number")
            as_read = [equals(name, getattr(webhook, name)) for name in names]
            own = all_of([equals("_id", webhook.id), *as_read])
            values: Record = {"token": changes.token, "number": webhook.number + len(changes.items)}
            if deliveries:
                values["due"] = self._now()
            if not self._webhooks.change(own, {"$set": values}):
                return False
            if deliveries:
                self._replace(webhook, deliveries)
                self._deliveries.insert_many([each.document for each in deliveries])
            return True

        return self._store.transact(work)

    def test(self, webhook: Webhook) -> Delivery:
        """Return a message for trying a receiver, which is stored, but waits for nobody."""
        test = ReportedChange(
            WEBHOOKS, webhook.id, TEST, {"webhook": webhook.id, "name": webhook.name}
        )
        number = self._webhooks.upsert(equals("_id", webhook.id), {"$inc": {"number": 1}})["number"]
        delivery = self._delivery(webhook, test, number, state=FAILED)
        self._deliveries.insert(delivery.document)
        return delivery

    def next(self, webhook: Webhook) -> Delivery | None:
        """Return the first delivery of a webhook that is due."""
        due = all_of([equals("webhook", webhook.id), _WAITS, at_most("due", self._now())])
        deliveries = self._deliveries.find(due, order=(("number", 1),), limit=1)
        return Delivery.of(deliveries[0]) if deliveries else None

    def next_due(self, webhook: Webhook) -> datetime | None:
        """Return when the next delivery that waits is due."""
        waits = all_of([equals("webhook", webhook.id), _WAITS])
        due = self._deliveries.aggregate(
            [{"$match": waits}, {"$group": {"_id": None, "due": {"$min": "$due"}}}]
        )
        moment: datetime | None = due[0]["due"] if due else None
        return moment

    def note(self, delivery: Delivery, attempt: Attempt, state: str, due: datetime | None) -> None:
        """Remember an attempt; a delivery that was replaced meanwhile stays so."""
        update: Record = {
            "$push": {"attempts": {"$each": [asdict(attempt)], "$slice": -_MOST_ATTEMPTS}},
            "$inc": {"tried": 1},
        }
        own = equals("_id", delivery.id)
        as_sent = all_of([own, equals("state", delivery.state)])
        if not self._deliveries.change(as_sent, {**update, "$set": {"state": state, "due": due}}):
            self._deliveries.change(own, update)

    def waiting(self, webhook_ids: Sequence[int]) -> dict[int, int]:
        """Return how many deliveries of webhooks wait."""
        waits = all_of([one_of("webhook", webhook_ids), _WAITS])
        grouped = self._deliveries.aggregate(
            [{"$match": waits}, {"$group": {"_id": "$webhook", "number": {"$sum": 1}}}]
        )
        return {each["_id"]: each["number"] for each in grouped}

    def oldest(self) -> datetime | None:
        """Return since when the delivery waits that waits longest."""
        deliveries = self._deliveries.find(
            _WAITS, order=(("created", 1),), limit=1, fields=["created"]
        )
        return deliveries[0]["created"] if deliveries else None

    def find(self, webhook_id: int, delivery_id: str) -> Delivery:
        own = all_of([equals("_id", delivery_id), equals("webhook", webhook_id)])
        document = self._deliveries.first(own)
        if document is None:
            raise NotFound("delivery")
        return Delivery.of(document)

    def page(self, webhook_id: int, window: Window, state: str = "") -> Page:
        """Return a page of the deliveries of a webhook, the latest first."""
        own = equals("webhook", webhook_id)
        own = all_of([own, equals("state", state)]) if state else own
        order = (("number", -1),)
        deliveries = self._deliveries.find(own, order=order, skip=window.skip, limit=window.size)
        return Page(deliveries, window, lambda: self._deliveries.count(own))

    def forget(self, webhook_id: int) -> None:
        """Forget the deliveries of a webhook."""
        self._deliveries.remove(equals("webhook", webhook_id))

    def _in_order(self, webhook: Webhook, items: Sequence[ReportedChange]) -> list[Delivery]:
        """Return deliveries of changes; of several of one record the last."""
        last = {(each.kind, each.record): place for place, each in enumerate(items)}
        return [
            self._delivery(webhook, each, webhook.number + place + 1)
            for place, each in enumerate(items)
            if last[each.kind, each.record] == place
        ]

    def _delivery(
        self, webhook: Webhook, change: ReportedChange, number: int, state: str = WAITING
    ) -> Delivery:
        now = self._now()
        data = change.data if webhook.content == FULL else _without_record(change.data)
        body = {
            "type": type_of(change.kind, change.change),
            "timestamp": f"{now.isoformat()}Z",
            "data": data,
        }
        return Delivery(
            id=f"msg_{secrets.token_hex(16)}",
            webhook=webhook.id,
            number=number,
            kind=change.kind,
            record=change.record,
            change=change.change,
            created=now,
            body=orjson.dumps(body).decode(),
            state=state,
            due=now if state == WAITING else None,
        )

    def _replace(self, webhook: Webhook, deliveries: list[Delivery]) -> None:
        """Let deliveries take the place and time of waiting ones for the same records."""
        places = {(each.kind, each.record): n for n, each in enumerate(deliveries)}
        ids_by_kind: dict[str, list[int]] = {}
        for kind, record in places:
            ids_by_kind.setdefault(kind, []).append(record)
        for kind, ids in ids_by_kind.items():
            clause = all_of(
                [equals("webhook", webhook.id), _WAITS, equals("kind", kind), one_of("record", ids)]
            )
            former = self._deliveries.find(clause, fields=["record", "due"])
            for each in former:
                place = places[kind, each["record"]]
                due = max(self._now(), each["due"])
                deliveries[place] = replace(deliveries[place], due=due)
            if former:
                self._deliveries.change_all(clause, {"$set": {"state": REPLACED, "due": None}})


def _without_record(data: Mapping[str, Any]) -> Record:
    return {name: value for name, value in data.items() if name != "record"}
