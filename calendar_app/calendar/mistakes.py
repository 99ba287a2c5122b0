"""Mistakes in events as readers report them, and the editors' answers.

A report is stored as ``{_id, token, event, text, email, language, sent, state, expires}``. The
address is nobody's business but that of the answer, and goes with it; the report itself goes after
some days, decided or not. Who may decide about the event, as it is now, decides about its reports.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256

from calendar_app.accounts.callers import Caller
from calendar_app.accounts.policy import decidable_by, manages_sources, may_decide
from calendar_app.calendar.decision_letters import NO_LETTER, letters_due, waiting_letter
from calendar_app.domain.kind import Index, Kind, Record
from calendar_app.domain.moments import Now
from calendar_app.errors import NotAllowed, NotFound
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import (
    Clause,
    all_of,
    differs,
    equals,
    identified,
    one_of,
)
from calendar_app.storage.query.list_query import Page, Window
from calendar_app.storage.query.words import as_shown

MISTAKES = "mistake_reports"
OPEN, CORRECTED, NO_MISTAKE = "open", "corrected", "no_mistake"
ANSWERS = (CORRECTED, NO_MISTAKE)
STATES = (OPEN, *ANSWERS)
MISTAKE_INDEXES = (
    Index((("token", 1),), serves="the report of a form that is sent twice", unique=True),
    Index((("state", 1), ("_id", 1)), serves="the inbox: reports that wait"),
    Index((("expires", 1),), serves="forgetting reports", expire_after=0),
    Index((("told_at", 1),), serves="telling readers what was answered", having="told_at"),
)
_OPEN: Clause = equals("state", OPEN)


@dataclass(frozen=True, slots=True)
class SentReport:
    """A reader's report about an event, and an address for the answer; both plain text."""

    event: int
    text: str
    email: str = ""
    language: str = ""


@dataclass(frozen=True, slots=True)
class MistakeReport:
    """A report with its event, which is ``None`` once it is deleted for good."""

    id: int
    event_id: int
    event: Record | None
    text: str
    language: str
    sent: datetime
    state: str
    email: str = ""

    @property
    def is_open(self) -> bool:
        return self.state == OPEN


def _report(stored: Record, event: Record | None) -> MistakeReport:
    return MistakeReport(
        id=stored["_id"],
        event_id=stored["event"],
        event=event,
        text=stored["text"],
        language=stored["language"],
        sent=stored["sent"],
        state=stored["state"],
        email=stored["email"],
    )


class MistakeReports:
    """The reports about ``events``, each forgotten after so many ``days``."""

    def __init__(self, store: Store, events: Kind, now: Now, days: int) -> None:
        self._store = store
        self._events = events
        self._stored = store[MISTAKES]
        self._now = now
        self._life = timedelta(days=days)

    def take_in(self, report: SentReport, token: str) -> None:
        """Store a report, once for each ``token`` of a form."""
        now, digest = self._now(), sha256(token.encode()).hexdigest()
        values = {
            "_id": self._store.next_id(MISTAKES),
            "event": report.event,
            "text": report.text,
            "email": report.email,
            "language": report.language,
            "sent": now,
            "state": OPEN,
            "expires": now + self._life,
        }
        self._stored.upsert(equals("token", digest), {"$setOnInsert": values})

    def waiting(self, caller: Caller) -> int:
        """Return how many wait for a caller, counted once for each edition of the calendar."""
        key = repr(decidable_by(caller))
        count = self._store.cached_lookup(
            MISTAKES, [key], lambda _: {key: self._stored.count(self._waiting_for(caller))}
        )
        return count[key]

    def page(self, window: Window, caller: Caller) -> Page:
        """Return a page of ``{report}`` that wait for a caller, the earliest one first."""
        clause = self._waiting_for(caller)
        stored = self._stored.find(clause, order=[("_id", 1)], skip=window.skip, limit=window.size)
        ids = {each["event"] for each in stored}
        records = self._store.of(self._events).find(one_of("_id", ids), fields=as_shown())
        events = {each["_id"]: each for each in records}
        items = [{"report": _report(each, events.get(each["event"]))} for each in stored]
        return Page(items, window, lambda: self._stored.count(clause))

    def find(self, report_id: int, caller: Caller) -> MistakeReport:
        """Return a report for those who decide about it.

        Raises ``NotAllowed`` for everybody else, whether there is one or not, and ``NotFound``.
        """
        stored = self._stored.first(identified(report_id))
        events = self._store.of(self._events)
        event = events.first(identified(stored["event"]), as_shown()) if stored else None
        if not may_decide(caller, event or {}):
            raise NotAllowed
        if stored is None:
            raise NotFound("mistake", report_id)
        return _report(stored, event)

    def answer(self, report: MistakeReport, state: str, letter: Record | None) -> bool:
        """Decide about a report; return whether nobody else has done so before.

        The address is kept as long as the answer can be undone, whether a ``letter`` waits or
        not: an event that is hidden now may be public again then.
        """
        waits = all_of([identified(report.id), _OPEN])
        rest = waiting_letter(letter or {}, self._now) if report.email else {"email": ""}
        return self._stored.change(waits, {"$set": {"state": state, **rest}})

    def reopen(self, report: MistakeReport) -> None:
        """Let a report wait again; a letter that was not sent yet never is."""
        decided = all_of([identified(report.id), differs("state", OPEN)])
        self._stored.change(decided, {"$set": {"state": OPEN}, "$unset": NO_LETTER})

    def letters_due(self) -> Iterator[Record]:
        """Yield the letters to send now, each once, and forget to whom they go."""
        return letters_due(self._stored, self._now, {"email": ""})

    def _waiting_for(self, caller: Caller) -> Clause:
        """Match the open reports about events that a caller may edit at present."""
        if manages_sources(caller):
            return _OPEN
        grouped = self._stored.aggregate([{"$match": _OPEN}, {"$group": {"_id": "$event"}}])
        about = one_of("_id", [each["_id"] for each in grouped])
        own = self._store.of(self._events).find(
            all_of([about, decidable_by(caller)]), fields=["_id"]
        )
        return all_of([_OPEN, one_of("event", [each["_id"] for each in own])])
