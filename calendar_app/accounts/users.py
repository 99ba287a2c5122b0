"""The users of the service: their data, rules and authentication.

A user is stored as ``{_id, name, key, role, email, secrets}``, where ``key`` is the name as names
are compared; ``keeps`` are the ids of the sources of which they are a keeper.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from types import MappingProxyType
from typing import Any, Self

from calendar_app.accounts.authentication import (
    KEEPS,
    SESSION_INDEXES,
    SESSIONS,
    USERS,
    Authenticator,
    DeskPasswords,
    Sessions,
    caller_of,
    email_key,
)
from calendar_app.accounts.callers import ADMINISTRATOR, ROLES, Caller, Right, name_key
from calendar_app.accounts.limits import ATTEMPT_INDEXES, ATTEMPTS, READ_INDEXES, READS
from calendar_app.accounts.secrets import (
    INVITATION_INDEXES,
    INVITATIONS,
    SHORTEST_SECRET,
    Credentials,
    Keys,
    bare,
    new_secret,
)
from calendar_app.domain.addresses import is_email
from calendar_app.domain.kind import Index, Record
from calendar_app.domain.lookalikes import skeleton
from calendar_app.domain.statuses import new_salt, seal
from calendar_app.errors import (
    DuplicateKey,
    InvalidParameters,
    LastAdministrator,
    Message,
    UnknownUser,
    WrongSecret,
)
from calendar_app.settings import Settings
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import (
    EVERYTHING,
    all_of,
    differs,
    equals,
    none_of,
    one_of,
)

_LONGEST_DISPLAY_NAME = 100
LARGEST_ID = 2**53 - 1  # what JSON clients can still count to
# HTTP Basic ends the name at the first colon.
_NAME = re.compile(r"(?! )[^:\x00-\x1f\x7f\ud800-\udfff]{1,60}(?<! )")
_RULES: Mapping[str, tuple[Callable[[Any], bool], Message]] = MappingProxyType(
    {
        "name": (
            lambda name: _NAME.fullmatch(name) is not None,
            Message("A name has 1 to 60 characters, no colon, and no space at its ends."),
        ),
        "display_name": (
            lambda name: len(name) <= _LONGEST_DISPLAY_NAME and name.isprintable(),
            Message(
                "A display name has at most {most} characters, on one line.",
                most=_LONGEST_DISPLAY_NAME,
            ),
        ),
        "role": (
            lambda role: role in ROLES,
            Message("A role is one of {roles}.", roles=", ".join(ROLES)),
        ),
        "id": (
            lambda number: number is None or 0 < number <= LARGEST_ID,
            Message("An id is a number from 1 to {largest}.", largest=LARGEST_ID),
        ),
        "email": (
            lambda email: not email or is_email(email, public=False),
            Message("An e-mail address looks like name@example.org."),
        ),
        "application_password": (
            lambda secret: secret is None or len(bare(secret)) >= SHORTEST_SECRET,
            Message(
                "An application password has at least {shortest} characters, without spaces.",
                shortest=SHORTEST_SECRET,
            ),
        ),
    }
)


def refuse_wrong(profile: Mapping[str, Any]) -> None:
    """Raise ``InvalidParameters`` for invalid values; fields without a rule pass."""
    wrong = {
        name: _RULES[name][1]
        for name, value in profile.items()
        if name in _RULES and not _RULES[name][0](value)
    }
    if wrong:
        raise InvalidParameters(wrong)


ACCOUNT_INDEXES: Mapping[str, Sequence[Index]] = MappingProxyType(
    {
        USERS: (
            Index((("key", 1),), serves="finding a user by name", unique=True),
            Index((("secrets.hint", 1),), serves="finding the user of a Bearer secret"),
            Index((("role", 1), ("key", 1)), serves="listing users by role"),
            Index((("email_key", 1),), serves="finding users by e-mail"),
            Index((("email", 1),), serves="finding users of earlier versions by e-mail"),
            Index(((KEEPS, 1),), serves="naming the keepers of a source", having=KEEPS),
        ),
        ATTEMPTS: ATTEMPT_INDEXES,
        READS: READ_INDEXES,
        SESSIONS: SESSION_INDEXES,
        INVITATIONS: INVITATION_INDEXES,
    }
)
_SEQUENCE = "users"
_SALT = "seals"
# Beside the names of roles.
_OFFICIAL = ("admin", "root", "support", "system")
_LOOKS_ALIKE = Message("This looks like the name of another user or of a role. Choose another one.")
_LAST = "No other administrator can log in. Make someone else an administrator first."


@dataclass(frozen=True, slots=True)
class Doors:
    """Where users come in beside the interface: at the ``desk``, by an OpenID ``provider``."""

    desk: bool = True
    provider: bool = False

    @classmethod
    def of(cls, settings: Settings) -> Self:
        return cls(settings.desk, settings.desk and bool(settings.oidc_issuer))

    def admit(self, user: Record) -> bool:
        """Return whether a user can log in: by a password of any kind, or by the provider."""
        has_password = user["secrets"] or (self.desk and user.get("desk_password"))
        is_known = self.provider and user["email"]
        return bool(has_password or is_known) and not user.get("blocked")


_ALL_DOORS = Doors()


@dataclass(frozen=True, slots=True)
class User:
    """A user as operators see it; ``labels`` are the names of the secrets."""

    id: int
    name: str
    role: str
    email: str
    labels: tuple[str, ...]


class Accounts:
    """All users; ``clock`` gives the present as an aware datetime.

    A right secret is not hashed again for ``remember_seconds``.
    """

    def __init__(
        self,
        store: Store,
        clock: Callable[[], datetime],
        remember_seconds: int,
        doors: Doors = _ALL_DOORS,
    ) -> None:
        self._store = store
        self._doors = doors
        self._users = store[USERS]
        self._credentials = Credentials(store)
        self._keys = Keys(store)
        self._authenticator = Authenticator(store, clock, remember_seconds)
        attempts = self._authenticator.attempts
        self.now = attempts.now
        self.sessions = Sessions(store, attempts.now)
        self._desk_passwords = DeskPasswords(store, attempts, self.sessions)

    def add(
        self,
        name: str,
        role: str,
        *,
        id: int | None = None,  # noqa: A002 - every record calls it so
        secret: str | None = None,
        **profile: str,
    ) -> str:
        """Make a user; return their secret, a new one where none is given.

        ``profile`` is their ``email`` and ``display_name``, as far as they have one.

        Raises ``InvalidParameters`` for what no user can have and ``DuplicateKey`` where the name
        or the id is taken.
        """
        own = {"name": name, "role": role, "email": "", "display_name": "", **profile}
        refuse_wrong({**own, "id": id, "application_password": secret})
        self._require_free(name, id)
        secret = secret or new_secret()
        self._insert(own, id, [self._credentials.hashed(secret, _label(1))])
        return secret

    def create(self, name: str, role: str, email: str = "", display_name: str = "") -> int:
        """Make a user who has no secret yet; return their id.

        Raises ``InvalidParameters`` and ``DuplicateKey`` as ``add`` does.
        """
        own = {"name": name, "role": role, "email": email, "display_name": display_name}
        refuse_wrong(own)
        self._require_free(name)
        return self._insert(own, None, [])

    def users(self) -> list[User]:
        """Return all users in the order of their ids."""
        return [_user(user) for user in self._users.find(EVERYTHING, order=[("_id", 1)])]

    def change_role(self, name: str, role: str) -> None:
        """Give a user another role.

        Raises ``UnknownUser``, ``InvalidParameters`` or ``LastAdministrator``.
        """
        refuse_wrong({"role": role})

        def work() -> None:
            user = self._find(name)
            self.require_administrator(user, {**user, "role": role})
            update = {"role": role, "saved_by": "", "saved_at": self.now()}
            self._users.change(equals("_id", user["_id"]), {"$set": update})
            self.sessions.end_all(user["_id"])

        self._store.transact(work)

    def remove(self, name: str) -> None:
        """Remove a user; their records stay. Raises ``UnknownUser`` or ``LastAdministrator``."""

        def work() -> None:
            user = self._find(name)
            self.require_administrator(user, None)
            self._remove(user["_id"])

        self._store.transact(work)

    def undo_add(self, name: str) -> None:
        """Remove a user who was added a moment ago, before anybody got the password."""
        self._remove(self._find(name)["_id"])

    def require_administrator(self, user: Record, after: Record | None) -> None:
        """Raise ``LastAdministrator`` where a change leaves no administrator who can log in.

        ``after`` is the user after it, ``None`` one who is removed. Two who take away each other
        meet at the locks.
        """
        if not self._administers(user) or (after and self._administers(after)):
            return
        administrators = equals("role", ADMINISTRATOR)
        self._users.lock_documents(administrators)
        other_administrators = self._users.find(
            all_of([administrators, differs("_id", user["_id"])])
        )
        if not any(map(self._administers, other_administrators)):
            raise LastAdministrator(_LAST)

    def new_password(self, name: str, label: str = "") -> str:
        """Give a user one more secret and return it; without a label it gets a number.

        Raises ``UnknownUser``, and ``DuplicateKey`` where the label is taken.
        """
        labels = _user(self._find(name)).labels
        label = label or next(free for free in map(_label, count(1)) if free not in labels)
        secret = new_secret()
        added = self._users.change(
            all_of([equals("key", name_key(name)), differs("secrets.label", label)]),
            {"$push": {"secrets": self._credentials.hashed(secret, label)}},
        )
        if not added:
            raise DuplicateKey(f"{name} has a password {label} already.")
        return secret

    def revoke(self, name: str, label: str) -> None:
        """Revoke a secret.

        Raises ``UnknownUser``, ``WrongSecret`` for an unknown label, or ``LastAdministrator``.
        """

        def work() -> None:
            user = self._find(name)
            other_secrets = [secret for secret in user["secrets"] if secret["label"] != label]
            if len(other_secrets) == len(user["secrets"]):
                raise WrongSecret(f"{name} has no password {label}.")
            self.require_administrator(user, {**user, "secrets": other_secrets})
            self._revoke(user["_id"], label)

        self._store.transact(work)

    def undo_new_password(self, name: str) -> None:
        """Revoke the last password of a user, which nobody got to know."""
        user = self._find(name)
        self._revoke(user["_id"], user["secrets"][-1]["label"])

    def authenticate(self, name: str, secret: str, address: str) -> Caller:
        """Return who calls from ``address`` with this name and secret.

        Raises ``UnknownUser``, ``WrongSecret`` or ``TooManyAttempts``.
        """
        return self._authenticator.by_name(name, secret, address)

    def authenticate_bearer(self, secret: str, address: str) -> Caller:
        """Return the caller from ``address`` with nothing but this secret.

        Raises ``WrongSecret`` or ``TooManyAttempts``.
        """
        return self._authenticator.by_secret(secret, address)

    def change_desk_password(self, name: str, password: str) -> None:
        """Set the password of a user for the desk, and end all their sessions.

        Raises ``UnknownUser``, or ``InvalidParameters`` for a short password.
        """
        self._desk_passwords.change(self._find(name)["_id"], password)

    def authenticate_at_desk(self, name: str, password: str, address: str) -> int:
        """Return the id of the user with this password for the desk.

        Raises ``WrongSecret`` or ``TooManyAttempts``.
        """
        return self._desk_passwords.authenticate(name, password, address)

    def labels_of(self, user_id: int) -> tuple[str, ...]:
        """Return the labels of a user's application passwords."""
        user = self._users.first(equals("_id", user_id), ["secrets.label"]) or {"secrets": []}
        return tuple(secret["label"] for secret in user["secrets"])

    def choose_display_name(
        self, caller: Caller, display_name: str, role_words: Iterable[str] = ()
    ) -> None:
        """Keep the name by which others know a user; raise ``InvalidParameters``.

        Only those who manage users may take a name that looks like that of another user, or like
        one of the ``role_words``.
        """
        refuse_wrong({"display_name": display_name})
        if not caller.may(Right.MANAGE_USERS):
            self._refuse_lookalike(caller, display_name, role_words)
        saved = {"saved_by": display_name or caller.name, "saved_at": self.now()}
        self._users.change(
            equals("_id", caller.id), {"$set": display_name_fields(display_name) | saved}
        )

    def _refuse_lookalike(
        self, caller: Caller, display_name: str, role_words: Iterable[str]
    ) -> None:
        """Refuse a name by which people would take a user for somebody else."""
        own = skeleton(display_name)
        if display_name and not own:
            raise InvalidParameters({"display_name": _LOOKS_ALIKE})
        other_users = self._users.find(differs("_id", caller.id), fields=["name", "display_name"])
        names = [
            name for user in other_users for name in (user["name"], user.get("display_name", ""))
        ]
        if own and own in map(skeleton, (*names, *ROLES, *_OFFICIAL, *role_words)):
            raise InvalidParameters({"display_name": _LOOKS_ALIKE})

    def choose_language(self, user_id: int, language: str) -> None:
        """Keep the language in which a user wants the desk."""
        self._users.change(equals("_id", user_id), {"$set": {"language": language}})

    def seal(self, password: str) -> str:
        """Return the stored form of an event's password."""
        return seal(password, self._keys.key(_SALT, new_salt))

    def refuse_throttled(self, address: str) -> None:
        """Raise ``TooManyAttempts`` where too many wrong secrets came from ``address``."""
        self._authenticator.attempts.refuse_throttled(address)

    def count_wrong_password(self, address: str) -> None:
        """Count a wrong password of an event, as a wrong secret from ``address``."""
        self._authenticator.attempts.count_for_address(address)

    def caller(self, user_id: int) -> Caller | None:
        """Return a user with the present role; ``None`` where they are gone or blocked."""
        user = self._users.first(equals("_id", user_id))
        if user is None or user.get("blocked"):
            return None
        return caller_of(user)

    def set_keepers(self, source_id: int, user_ids: Collection[int]) -> None:
        """Let these users, and no others, keep a source; in the transaction that names them."""
        former = all_of([equals(KEEPS, source_id), none_of("_id", user_ids)])
        self._users.change_all(former, {"$pull": {KEEPS: source_id}})
        if user_ids:
            added = {"$addToSet": {KEEPS: source_id}}
            self._users.change_all(one_of("_id", user_ids), added)

    def exists(self, user_id: int) -> bool:
        if not 0 < user_id <= LARGEST_ID:
            return False
        return self._users.first(equals("_id", user_id), ["_id"]) is not None

    def id_of(self, name: str) -> int:
        """Return the id of a user; raise ``UnknownUser``."""
        return int(self._find(name)["_id"])

    def any_user(self) -> bool:
        return self._users.first(EVERYTHING, ["_id"]) is not None

    def _administers(self, user: Record) -> bool:
        return user["role"] == ADMINISTRATOR and self._doors.admit(user)

    def _remove(self, user_id: int) -> None:
        self._users.remove(equals("_id", user_id))
        self.sessions.end_all(user_id)

    def _revoke(self, user_id: int, label: str) -> None:
        revoked = {"$pull": {"secrets": {"label": label}}}
        self._users.change(equals("_id", user_id), revoked)

    def _find(self, name: str) -> Record:
        user = self._users.first(equals("key", name_key(name)))
        if user is None:
            raise _unknown(name)
        return user

    def _require_free(self, name: str, user_id: int | None = None) -> None:
        if self._users.first(equals("key", name_key(name))):
            raise DuplicateKey(f"There is a user {name} already.")
        if user_id is not None and self.exists(user_id):
            raise DuplicateKey(f"There is a user with id {user_id} already.")

    def _insert(self, profile: Record, user_id: int | None, secrets: Sequence[Record]) -> int:
        user = {"_id": self._next_id(user_id), **profile, "secrets": list(secrets)}
        keys = {"key": name_key(user["name"]), "email_key": email_key(user["email"])}
        self._users.insert(user | keys | display_name_fields(user.get("display_name", "")))
        return int(user["_id"])

    def _next_id(self, user_id: int | None) -> int:
        if user_id is None:
            return self._store.next_id(_SEQUENCE)
        self._store.advance_sequence(_SEQUENCE, user_id)
        return user_id


def display_name_fields(display_name: str) -> Record:
    """Return the fields for a display name, with the key to look it up by."""
    return {"display_name": display_name, "display_key": name_key(display_name)}


def _label(number: int) -> str:
    return f"password-{number}"


def _user(user: Record) -> User:
    labels = tuple(secret["label"] for secret in user["secrets"])
    return User(user["_id"], user["name"], user["role"], user["email"], labels)


def _unknown(name: str) -> UnknownUser:
    return UnknownUser(f"There is no user {name}.")
