"""Authentication of callers with a secret, a session or the password of the desk."""

import hashlib
import hmac
import secrets
import unicodedata
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from threading import Lock

from calendar_app.accounts.callers import Caller, name_key
from calendar_app.accounts.limits import PER_ADDRESS, WrongSecrets, client_of
from calendar_app.accounts.secrets import Credentials, bare, hash_secret, new_secret, verify_hash
from calendar_app.domain.kind import Index, Record
from calendar_app.errors import (
    BlockedUser,
    InvalidParameters,
    Message,
    Unavailable,
    UnknownUser,
    WrongSecret,
)
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import (
    Clause,
    after,
    all_of,
    any_of,
    differs,
    equals,
    one_of,
)

_SIZE = 1024


class RecentSecrets:
    """Secrets that were seen in this process during the last ``seconds``.

    They are kept as keyed digests: what is in memory is of no use elsewhere.
    """

    def __init__(self, seconds: int, size: int = _SIZE) -> None:
        self._life = timedelta(seconds=seconds)
        self._size = size
        self._key = secrets.token_bytes(32)
        self._expiries: OrderedDict[bytes, datetime] = OrderedDict()
        self._lock = Lock()

    def has(self, credentials: Sequence[str], now: datetime) -> bool:
        with self._lock:
            return self._expiries.get(self._digest(credentials), now) > now

    def keep(self, credentials: Sequence[str], now: datetime) -> None:
        digest = self._digest(credentials)
        with self._lock:
            self._expiries[digest] = now + self._life
            self._expiries.move_to_end(digest)
            while len(self._expiries) > self._size:
                self._expiries.popitem(last=False)

    def _digest(self, credentials: Sequence[str]) -> bytes:
        # The notation of a tuple keeps its members apart, whatever is in them.
        return hmac.digest(self._key, repr(tuple(credentials)).encode(), "sha256")


# Authentication of users by secrets, with limits on wrong attempts.

USERS = "users"
# The ids of the sources that a user keeps: rights are then known without a query of their own.
KEEPS = "keeps"


class Authenticator:
    """Authenticates callers; a verified secret is not hashed again for ``remember_seconds``.

    The user is read each time, so a revoked secret, a new role and a block count at once.
    """

    def __init__(self, store: Store, clock: Callable[[], datetime], remember_seconds: int) -> None:
        self._users = store[USERS]
        self._clock = clock
        self._credentials = Credentials(store)
        self.attempts = WrongSecrets(store, self._now)
        # Right secrets alone: whose each is, and whether it still is, the database says each time.
        self._verified = RecentSecrets(remember_seconds)
        self._refused = RecentSecrets(int(PER_ADDRESS.window.total_seconds()))

    def by_name(self, name: str, secret: str, address: str) -> Caller:
        """Raise ``UnknownUser``, ``WrongSecret`` or ``TooManyAttempts`` if it is nobody.

        Raises ``BlockedUser`` for a right secret of somebody who is blocked.
        """
        user = self._users.first(equals("key", name_key(name)))
        owner = self._owner([user] if user else [], secret, address)
        if owner:
            return _caller(owner)
        self.attempts.count_for_address(address)
        if user is None:
            raise UnknownUser(f"There is no user {name}.")
        self.attempts.count_for_user(user["_id"])
        raise WrongSecret

    def by_secret(self, secret: str, address: str) -> Caller:
        """Raise ``WrongSecret`` or ``TooManyAttempts`` if it is nobody's, or ``BlockedUser``."""
        hinted = self._credentials.hint(secret)
        users = self._users.find(equals("secrets.hint", hinted))
        owner = self._owner(users, secret, address)
        if owner:
            return _caller(owner)
        # A program that sends the same token of another system each time guesses nothing.
        guess = (secret, client_of(address))
        if not self._refused.has(guess, self._now()):
            self._refused.keep(guess, self._now())
            self.attempts.count_for_address(address)
        raise WrongSecret

    def _owner(self, users: Sequence[Record], secret: str, address: str) -> Record | None:
        """Return the user of a secret; raise ``TooManyAttempts``.

        The client is among what is remembered, lest secrets could be guessed from elsewhere
        without being counted.
        """
        client = client_of(address)
        stored = [(user, each) for user in users for each in user["secrets"]]
        for user, each in stored:
            if self._verified.has((bare(secret), each["hash"], client), self._now()):
                return user
        self.attempts.refuse_throttled(address)
        hinted = self._credentials.hint(secret) if stored else ""
        # A wrong secret is seldom hashed at all, so it costs as little as the name of nobody.
        for user, each in stored:
            if each["hint"] == hinted and verify_hash(secret, each["hash"]):
                self._verified.keep((bare(secret), each["hash"], client), self._now())
                return user
        return None

    def _now(self) -> datetime:
        return self._clock().astimezone(UTC).replace(tzinfo=None)


def _caller(user: Record) -> Caller:
    if user.get("blocked"):
        raise BlockedUser
    return Caller(user["_id"], user["name"], user["role"], sources=kept_sources(user))


def caller_of(user: Record) -> Caller:
    """Return the caller that a stored user is, with the name that others see."""
    name = user.get("display_name", "")
    return Caller(user["_id"], user["name"], user["role"], name, sources=kept_sources(user))


def kept_sources(user: Record) -> tuple[int, ...]:
    """Return the ids of the sources that a stored user keeps, in order."""
    return tuple(sorted(user.get(KEEPS, ())))


# Sessions of people who have logged in to the desk.
#
# A session is stored as ``{_id, user, created, used, expires, agent, address, notices}``. Its id
# is the digest of a random token that only the browser has, so that who reads the database cannot
# use any session.

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
        caller=caller_of(user),
        language=user.get("language", ""),
        created=document["created"],
        used=document["used"],
        agent=document["agent"],
        address=document["address"],
        notices=tuple(document.get("notices", ())),
    )


# The password with which a user comes to the desk, apart from those of programs.
#
# It is stored in the field ``desk_password`` of the user, as an argon2id hash.

SHORTEST = 10
TOO_SHORT = Message("A password has at least 10 characters, without spaces.")
_FIELD = "desk_password"
_AT = "@"


class DeskPasswords:
    """Sets and verifies the passwords for the desk; white space in them never counts."""

    def __init__(self, store: Store, attempts: WrongSecrets, sessions: Sessions) -> None:
        self._users = store[USERS]
        self._attempts = attempts
        self._sessions = sessions

    def change(self, user_id: int, password: str) -> None:
        """Set the password and end all sessions; raise ``InvalidParameters`` if it is short."""
        if len(bare(_normalized(password))) < SHORTEST:
            raise InvalidParameters({"password": TOO_SHORT})
        hashed = hash_secret(_normalized(password))
        self._users.change(equals("_id", user_id), {"$set": {_FIELD: hashed}})
        self._sessions.end_all(user_id)

    def authenticate(self, name: str, password: str, address: str) -> int:
        """Return the id of the user with this name, or e-mail, and password.

        Raises ``WrongSecret``, for a name that nobody has too, or ``TooManyAttempts``.
        """
        self._attempts.refuse_throttled(address)
        user = self._user_by_name(name.strip()) or {}
        is_right = verify_hash(_normalized(password), user.get(_FIELD) or _hash_of_nobody())
        if user and is_right and not user.get("blocked"):
            user_id: int = user["_id"]
            return user_id
        self._attempts.count_for_address(address)
        if user:
            self._attempts.count_for_user(user["_id"])
        raise WrongSecret

    def _user_by_name(self, name_or_email: str) -> Record | None:
        """Return the user of this name, else the only one with this address of e-mail."""
        user = self._users.first(equals("key", name_key(name_or_email)))
        if user or _AT not in name_or_email:
            return user
        users = self._users.find(has_email(name_or_email), limit=2)
        return users[0] if len(users) == 1 else None


def email_key(email: str) -> str:
    """Return an address of e-mail as addresses are compared: letter case does not count."""
    return email.casefold()


def has_email(address: str) -> Clause:
    """Match the users with an address, in any letter case."""
    key = email_key(address)
    # Users of earlier versions have no key.
    return any_of([equals("email_key", key), one_of("email", {address, key})])


@cache
def _hash_of_nobody() -> str:
    """Return a hash that no password matches: unknown names take as long as known ones."""
    return hash_secret(new_secret())


def _normalized(password: str) -> str:
    """Return the password in one form: systems type the same letter differently."""
    return unicodedata.normalize("NFKC", password)
