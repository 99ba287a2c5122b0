"""The inbox: what waits for a decision, and what is said about it before and after."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from calendar_app.accounts.callers import SENDER, Caller
from calendar_app.accounts.policy import decidable_by
from calendar_app.domain.kind import Index, Kind, Record
from calendar_app.domain.moments import Now
from calendar_app.domain.statuses import DRAFT, PENDING
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import (
    EVERYTHING,
    Clause,
    all_of,
    any_of,
    at_least,
    at_most,
    before,
    differs,
    equals,
    identified,
    none_of,
    not_any,
    one_of,
)
from calendar_app.storage.query.list_query import Order, Page, Window
from calendar_app.storage.query.words import as_shown

# Conversations with those who hand something in.
#
# One is stored as ``{_id: "events 12", kind, record, revision, author, awaits, asked,
# remarks, expires}``, where ``awaits`` tells whose turn it is, ``revision`` which one of the record
# was talked about, and ``author`` is 0 for people without an account.

CONVERSATIONS = "conversations"
# The two sides of a conversation.
DESK, AUTHOR = "desk", "author"
CONVERSATION_INDEXES = (
    Index(
        (("asked", 1), ("author", 1)),
        serves="the inbox: what waits for an answer; what an author is asked",
        only={"awaits": AUTHOR},
    ),
    Index((("expires", 1),), serves="forgetting conversations", expire_after=0),
)
_MOST_ASKED = 500
_MOST_OWN = 5


@dataclass(frozen=True, slots=True)
class Remark:
    """A message of one side; ``user`` is who spoke for the desk."""

    by: str
    user: int
    text: str
    moment: datetime


@dataclass(frozen=True, slots=True)
class Conversation:
    """The messages about a record; ``awaits`` names the side that has to answer."""

    awaits: str = ""
    remarks: tuple[Remark, ...] = ()


class Conversations:
    """The conversations of one store, each forgotten so many ``days`` after its last word."""

    def __init__(self, store: Store, now: Now, days: int) -> None:
        self._stored = store[CONVERSATIONS]
        self._now = now
        self._life = timedelta(days=days)

    def say(self, kind: Kind, record: Record, remark: tuple[str, int, str], awaits: str) -> None:
        """Add a remark of a side, by a user: it then ``awaits`` the other side, or nobody."""
        by, user, text = remark
        now = self._now()
        message = {"by": by, "user": user, "text": text, "moment": now}
        values = {"kind": kind.name, "record": record["_id"], "author": record["author"]}
        values |= {"awaits": awaits, "asked": now, "expires": now + self._life}
        values |= {"revision": record["revision"]}
        update = {"$set": values, "$push": {"remarks": message}}
        self._stored.upsert({"_id": _key(kind, record["_id"])}, update)

    def settle(self, kind: Kind, record_id: int) -> None:
        """Let nobody's answer be awaited any more."""
        self._stored.change(equals("_id", _key(kind, record_id)), {"$set": {"awaits": ""}})

    def forget(self, kind: Kind, record_id: int) -> None:
        self._stored.remove(equals("_id", _key(kind, record_id)))

    def of(self, kind: Kind, record_ids: Collection[int]) -> dict[int, Conversation]:
        """Return the conversations about records of a kind, by their ids, in one query."""
        keys = [_key(kind, each) for each in record_ids]
        stored = self._stored.find(one_of("_id", keys)) if keys else []
        return {each["record"]: _conversation(each) for each in stored}

    def of_users(self, user_ids: Collection[int]) -> list[tuple[Record, Remark]]:
        """Return all messages of these users, each with the document of its conversation."""
        stored = self._stored.find(one_of("remarks.user", user_ids)) if user_ids else []
        return [
            (each, remark)
            for each in stored
            for remark in _conversation(each).remarks
            if remark.user in user_ids
        ]

    def awaiting(self, author: int | None = None) -> list[Record]:
        """Return the records that wait for an author, or for any, by the time of the question."""
        own = EVERYTHING if author is None else equals("author", author)
        awaited = all_of([equals("awaits", AUTHOR), own])
        return self._stored.find(awaited, order=[("asked", 1)], limit=_MOST_ASKED)


def _conversation(stored: Record) -> Conversation:
    return Conversation(stored["awaits"], tuple(Remark(**each) for each in stored["remarks"]))


def _key(kind: Kind, record_id: int) -> str:
    return f"{kind.name} {record_id}"


# What waits.


@dataclass(frozen=True, slots=True)
class InboxCounts:
    """How many records wait for the desk, and how many for an answer of their authors."""

    waiting: int
    asked: int


@dataclass(frozen=True, slots=True)
class _Shelf:
    """Records of a kind that wait, in their order; ``when`` is what tells it from another one."""

    kind: Kind
    clause: Clause
    order: Order
    when: Clause

    @property
    def records(self) -> tuple[Kind, Clause]:
        return self.kind, all_of([self.clause, self.when])


_BY_START: Order = (("start_local", 1), ("_id", 1))
_LATEST: Order = (("start_local", -1), ("_id", 1))
_BY_AGE: Order = (("published", 1), ("_id", 1))


class Inbox:
    """All that waits for a decision: what takes place first, then places, then what is over.

    Venues and organizers that people without an account name wait with their event. Keepers of
    sources see what waits of these.
    """

    def __init__(
        self, store: Store, kinds: Mapping[str, Kind], conversations: Conversations, now: Now
    ) -> None:
        self._store = store
        self._kinds = kinds
        self._conversations = conversations
        self._now = now

    def numbers(self, caller: Caller) -> InboxCounts:
        """Return how many wait for a caller, counted once for each edition of the calendar."""
        own = decidable_by(caller)
        key = repr(own)
        count = self._store.cached_lookup("inbox", [key], lambda _: {key: self._count(own)})
        return count[key]

    def page(self, window: Window, caller: Caller, *, asked: bool = False) -> Page:
        """Return a page of items that await the caller, or their authors: ``{kind, record}``."""
        shelves = self._shelves(decidable_by(caller))[asked]
        totals = self._store.counts([shelf.records for shelf in shelves])
        items: list[Record] = []
        skip = window.skip
        for shelf, total in zip(shelves, totals, strict=True):
            room = window.size - len(items)
            if skip < total and room:
                kind, clause = shelf.records
                records = self._store.of(kind).find(
                    clause, order=shelf.order, skip=skip, limit=room, fields=as_shown()
                )
                items += [{"kind": shelf.kind, "record": record} for record in records]
            skip = max(skip - total, 0)
        return Page(items, window, lambda: sum(totals))

    def questions_to(self, author: int) -> list[Record]:
        """Return the questions that an author has neither answered nor settled by a change."""
        awaited = self._conversations.awaiting(author)
        waiting: list[Record] = []
        for name, kind in self._kinds.items():
            own = [_is_asked(each) for each in awaited if each["kind"] == name]
            if own:
                clause = all_of([any_of(own), one_of("status", (PENDING, DRAFT))])
                records = self._store.of(kind).find(clause, limit=_MOST_OWN, fields=as_shown())
                waiting += [{"kind": kind, "record": record} for record in records]
        return waiting

    def _count(self, own: Clause) -> InboxCounts:
        """Count both at whatever time: indexes know who waits, and not until when."""
        waiting, awaited = (
            {shelf.kind.name: (shelf.kind, shelf.clause) for shelf in shelves}
            for shelves in self._shelves(own)
        )
        totals = self._store.counts([*waiting.values(), *awaited.values()])
        return InboxCounts(sum(totals[: len(waiting)]), sum(totals[len(waiting) :]))

    def _shelves(self, decidable: Clause) -> tuple[list[_Shelf], list[_Shelf]]:
        """Return the shelves of records that wait for the desk, and for their authors."""
        kinds, answers = self._kinds, self._conversations.awaiting()
        events, series = kinds["events"], kinds["series"]
        pending = equals("status", PENDING)
        # Their dates wait with them.
        whole = [each["_id"] for each in self._store.of(series).find(pending, fields=["_id"])]
        single = none_of("series", whole) if whole else EVERYTHING

        of_users = differs("author", SENDER.id)
        now = self._now()
        parts: list[tuple[Kind, Order, Clause, Clause]] = [
            (events, _BY_START, single, at_least("end", now)),
            (series, _BY_AGE, EVERYTHING, EVERYTHING),
            (kinds["venues"], _BY_AGE, of_users, EVERYTHING),
            (kinds["organizers"], _BY_AGE, of_users, EVERYTHING),
            (events, _LATEST, single, before("end", now)),
        ]
        waiting, awaited = [], []
        for kind, order, which, when in parts:
            if not (kind.has_links or decidable == EVERYTHING):
                continue  # Nothing but events and series comes from sources.
            own = [_is_asked(each) for each in answers if each["kind"] == kind.name]
            other_records = not_any(own) if own else EVERYTHING
            pending_here = all_of([pending, decidable, which])
            waiting.append(_Shelf(kind, all_of([pending_here, other_records]), order, when))
            awaited.append(_Shelf(kind, all_of([pending_here, any_of(own)]), order, when))
        return waiting, awaited


def _is_asked(conversation: Record) -> Clause:
    """Match the record of a question, unless its author has answered by changing it since."""
    own = identified(conversation["record"])
    if conversation["author"] == SENDER.id:
        return own
    return all_of([own, at_most("revision", conversation["revision"])])
