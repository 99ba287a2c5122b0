"""Secrets of users and keys of the site: made, stored, recognized, and signed with."""

import hashlib
import hmac
import secrets
import string
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from secrets import token_urlsafe

from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError
from itsdangerous import BadData, URLSafeSerializer

from calendar_app.domain.kind import Index, Record
from calendar_app.errors import InvitationOver
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import Clause, after, all_of, equals, one_of

_KEYS = "keys"


class Keys:
    """The keys of a site, by name.

    A key is read each time, since a database can be replaced under a service that runs.
    """

    def __init__(self, store: Store) -> None:
        self._keys = store[_KEYS]

    def key(self, name: str, make: Callable[[], str]) -> str:
        """Return a key; the first who asks for it makes it."""
        by_name = equals("_id", name)
        document = self._keys.first(by_name)
        if document is None:
            document = self._keys.upsert(by_name, {"$setOnInsert": {"key": make()}})
        key: str = document["key"]
        return key


# Application passwords: how they are made, kept and recognized.
#
# White space in a secret never counts, so that it can be shown in groups and copied as it is
# shown.

_ALPHABET = string.ascii_letters + string.digits
_LENGTH = 24
# 95 bits of random letters and digits: no list of guesses is that long.
SHORTEST_SECRET = 16
_GROUP = 4
_HINT_BYTES = 2
_PEPPER_BYTES = 32
# RFC 9106 wants more memory; this is the least that OWASP recommends, and takes 17 ms.
_HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)


def new_secret() -> str:
    """Return 24 random letters and digits in groups of four."""
    text = "".join(secrets.choice(_ALPHABET) for _ in range(_LENGTH))
    return " ".join(text[start : start + _GROUP] for start in range(0, _LENGTH, _GROUP))


def bare(secret: str) -> str:
    """Return a secret without white space, ready to be compared."""
    return "".join(secret.split())


def hash_secret(secret: str) -> str:
    """Return the argon2id hash of a secret, with a random salt."""
    return _HASHER.hash(_encoded(secret))


def verify_hash(secret: str, stored: str) -> bool:
    """Return whether ``stored`` was made from ``secret``."""
    try:
        return _HASHER.verify(stored, _encoded(secret))
    except VerifyMismatchError:
        return False


def new_pepper() -> str:
    """Return a random key for hints, in hexadecimal."""
    return secrets.token_hex(_PEPPER_BYTES)


def hint(secret: str, pepper: str) -> str:
    """Return the lookup bits of a secret, to find its hash among those of all users.

    They spare hashing what is wrong anyway: a wrong secret shares its hint with one hash out of
    65,536. Of a secret with 143 bits they give away 16.
    """
    digest = hmac.digest(bytes.fromhex(pepper), _encoded(secret), "sha256")
    return digest[:_HINT_BYTES].hex()


def _encoded(secret: str) -> bytes:
    return bare(secret).encode(errors="surrogatepass")


# Keeps secrets so that their user is found, although only salted hashes are stored.

_PEPPER = "hints"


class Credentials:
    """Makes stored secrets, ``{label, hint, hash}``, and the hints to find them by."""

    def __init__(self, store: Store) -> None:
        self._keys = Keys(store)

    def hashed(self, secret: str, label: str) -> Record:
        return {"label": label, "hint": self.hint(secret), "hash": hash_secret(secret)}

    def hint(self, secret: str) -> str:
        return hint(secret, self._keys.key(_PEPPER, new_pepper))


# Stamps of forms that anybody may send: signed, and with the time at which a form was shown.
#
# A stamp tells robots that send at once, and forms that come from elsewhere, without a cookie.
# The secret of who sends a form follows from its stamp, so that a form sent twice is one.

_KEY = "forms"
_NONCE_BYTES = 16
# Nobody fills a form so fast, and who leaves one open for longer gets a new stamp.
SOONEST, LATEST = timedelta(seconds=3), timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class FormStamp:
    """A stamp that is genuine; ``age`` is the time since the form was shown."""

    age: timedelta
    token: str = field(repr=False)

    @property
    def is_hasty(self) -> bool:
        return self.age < SOONEST

    @property
    def is_stale(self) -> bool:
        return self.age > LATEST


class FormStamps:
    """Issues and reads stamps; ``now`` gives the present in UTC, without a zone."""

    def __init__(self, store: Store, now: Callable[[], datetime]) -> None:
        self._keys = Keys(store)
        self._now = now

    def issue(self, age: timedelta = timedelta()) -> str:
        """Return a stamp for a form that is shown now, or as if it had been shown before."""
        issued_at = (self._now() - age).isoformat()
        return self._serializer().dumps([token_urlsafe(_NONCE_BYTES), issued_at])

    def read(self, text: str) -> FormStamp | None:
        """Return the stamp of a submitted form; ``None`` for a foreign one."""
        try:
            nonce, issued_at = self._serializer().loads(text)
        except BadData:
            return None
        age = self._now() - datetime.fromisoformat(issued_at)
        digest = hmac.digest(self._key().encode(), nonce.encode(), "sha256")
        return FormStamp(age, digest.hex())

    def _serializer(self) -> URLSafeSerializer:
        return URLSafeSerializer(self._key(), salt="form")

    def _key(self) -> str:
        return self._keys.key(_KEY, new_pepper)


# Invitations: links at which a user sets the password for the desk, once and in time.
#
# An invitation is stored as ``{_id, user, expires}``. Its id is the digest of a random token that
# stands in the link alone, so that who reads the database cannot follow it.

INVITATIONS = "invitations"
INVITATION_INDEXES = (
    Index((("expires", 1),), serves="forgetting invitations that are over", expire_after=0),
    Index((("user", 1),), serves="the invitation of a user"),
)
LIFETIME = timedelta(days=1)
# Lest strangers fill the mailbox of a user whose name they know.
_PAUSE = timedelta(minutes=5)
_TOKEN_BYTES = 32


class Invitations:
    """The invitations of all users; ``now`` gives the present in UTC, without a zone."""

    def __init__(self, store: Store, now: Callable[[], datetime]) -> None:
        self._store = store
        self._invitations = store[INVITATIONS]
        self._now = now

    def invite(self, user_id: int) -> str:
        """Return the token of a new invitation; an earlier one of the user is void."""
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        invitation = {"_id": _digest(token), "user": user_id, "expires": self._now() + LIFETIME}
        self._store.transact(lambda: self._replace(user_id, invitation))
        return token

    def user_of(self, token: str) -> int | None:
        """Return the user of an invitation that still holds; it goes on holding."""
        invitation = self._invitations.first(self._valid(token))
        return None if invitation is None else int(invitation["user"])

    def redeem(self, token: str, set_password: Callable[[int], None]) -> int:
        """Set the password of an invitation's user, which ends it; return the id of the user.

        Raises ``InvitationOver``, so for the second of two at once. Where ``set_password`` raises,
        the invitation goes on holding.
        """

        def work() -> int:
            user_id = self.user_of(token)
            if user_id is None:
                raise InvitationOver
            set_password(user_id)
            self._invitations.remove(self._valid(token))
            return user_id

        return self._store.transact(work)

    def withdraw(self, user_id: int) -> None:
        """Void the invitation of a user."""
        self._invitations.remove(equals("user", user_id))

    def is_recent(self, user_id: int) -> bool:
        """Return whether a user has been invited within the last minutes."""
        ends = self.expiries([user_id]).get(user_id)
        return ends is not None and ends - LIFETIME > self._now() - _PAUSE

    def expiries(self, user_ids: Iterable[int]) -> dict[int, datetime]:
        """Return when the invitations of these users end."""
        valid = all_of([one_of("user", user_ids), after("expires", self._now())])
        return {each["user"]: each["expires"] for each in self._invitations.find(valid)}

    def _replace(self, user_id: int, invitation: Record) -> None:
        self.withdraw(user_id)
        self._invitations.insert(invitation)

    def _valid(self, token: str) -> Clause:
        return all_of([equals("_id", _digest(token)), after("expires", self._now())])


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode(errors="surrogatepass")).hexdigest()
