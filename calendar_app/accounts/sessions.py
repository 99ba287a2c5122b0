"""Sessions of people who have logged in to the desk.

A session is stored as ``{_id, user, created, used, expires, agent, address, notices}``. Its id is
the digest of a random token that only the browser has, so that who reads the database cannot use
any session.
"""

import hashlib
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from calendar_app.accounts.caller import Caller
from calendar_app.domain.kind import Index, Record
from calendar_app.errors import Unavailable
from calendar_app.mongo.store import Store
from calendar_app.query.clauses import after, all_of, differs, equals, one_of

SESSIONS = "sessions"
SESSION_INDEXES = (
    Index((("expires", 1),), serves="forgetting sessions that are over", expire_after=0),
    Index((("user", 1), ("used", -1)), serves="the sessions of a user, the last used first"),
)
_TOKEN_BYTES = 32
_LONGEST_AGENT = 200
# Not at each request, lest every page that is read were a write.
_USES_NOTED_EVERY = timedelta(minutes=1)
_USERS = "users"


@dataclass(frozen=True, slots=True)
class Session:
    """A session with its user; ``notices`` wait to be shown on the next page."""

    id: str
    caller: Caller
    language: str
    created: datetime
    used: datetime
    agent: str
    address: str
    notices: tuple[Record, ...] = ()


class Sessions:
    """The sessions of all users; ``now`` gives the present in UTC, without a zone."""

    def __init__(self, store: Store, now: Callable[[], datetime]) -> None:
        self._sessions = store[SESSIONS]
        self._now = now

    def begin(self, user_id: int, lifetime: timedelta, agent: str = "", address: str = "") -> str:
        """Begin a session of a user; return its token."""
        token, now = secrets.token_urlsafe(_TOKEN_BYTES), self._now()
        self._sessions.insert(
            {
                "_id": _digest(token),
                "user": user_id,
                "created": now,
                "used": now,
                "expires": now + lifetime,
                "agent": agent[:_LONGEST_AGENT],
                "address": address,
            }
        )
        return token

    def find(self, token: str) -> Session | None:
        """Return the session of a token, unless it is over or its user may not come in."""
        now = self._now()
        alive = all_of([equals("_id", _digest(token)), after("expires", now)])
        session = next(iter(self._with_user(alive)), None)
        if session and now - session.used >= _USES_NOTED_EVERY:
            with suppress(Unavailable):  # a page can be read although nothing can be written
                self._sessions.change(equals("_id", session.id), {"$set": {"used": now}})
        return session

    def of_user(self, user_id: int) -> list[Session]:
        """Return the sessions of a user that are not over, the last used first."""
        alive = all_of([equals("user", user_id), after("expires", self._now())])
        return self._with_user(alive)

    def counts(self, user_ids: Sequence[int]) -> dict[int, int]:
        """Return how many sessions each of these users has; without those who have none."""
        alive = all_of([one_of("user", user_ids), after("expires", self._now())])
        stages = [{"$match": alive}, {"$group": {"_id": "$user", "total": {"$sum": 1}}}]
        return {each["_id"]: each["total"] for each in self._sessions.aggregate(stages)}

    def end(self, token: str) -> None:
        self._sessions.remove(equals("_id", _digest(token)))

    def end_others(self, session: Session) -> int:
        """End all other sessions of the user; return their number."""
        other_sessions = [equals("user", session.caller.id), differs("_id", session.id)]
        return self._sessions.remove(all_of(other_sessions))

    def end_all(self, user_id: int) -> int:
        """End all sessions of a user; return their number."""
        return self._sessions.remove(equals("user", user_id))

    def add_notice(self, session: Session, notice: Record) -> None:
        """Keep a notice for the next page of a session."""
        self._sessions.change(equals("_id", session.id), {"$push": {"notices": notice}})

    def clear_notices(self, session: Session) -> None:
        self._sessions.change(equals("_id", session.id), {"$unset": {"notices": ""}})

    def _with_user(self, clause: Record) -> list[Session]:
        with_user = {"from": _USERS, "localField": "user", "foreignField": "_id", "as": "user"}
        stages: Sequence[Record] = [
            {"$match": clause},
            {"$sort": {"used": -1}},
            {"$lookup": with_user},
        ]
        sessions = self._sessions.aggregate(stages)
        return [_session(each) for each in sessions if each["user"] and not _is_blocked(each)]


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode(errors="surrogatepass")).hexdigest()


def _is_blocked(document: Record) -> bool:
    return bool(document["user"][0].get("blocked"))


def _session(document: Record) -> Session:
    user = document["user"][0]
    return Session(
        id=document["_id"],
        caller=Caller(user["_id"], user["name"], user["role"]),
        language=user.get("language", ""),
        created=document["created"],
        used=document["used"],
        agent=document["agent"],
        address=document["address"],
        notices=tuple(document.get("notices", ())),
    )
