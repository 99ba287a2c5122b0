"""Users as administrators see and change them; no secret and no hash leaves this module."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from calendar_app.accounts.authentication import USERS, email_key, has_email
from calendar_app.accounts.callers import name_key
from calendar_app.accounts.secrets import Invitations
from calendar_app.accounts.users import Accounts, display_name_fields, refuse_wrong
from calendar_app.domain.kind import Kind, Record
from calendar_app.errors import NotFound, UnknownPassword, WrongSecret
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import Clause, any_of, contains, equals, identified, one_of
from calendar_app.storage.query.list_query import Window

USER = Kind(name=USERS, singular="user", label="name", texts={}, sequence=USERS, has_status=False)


@dataclass(frozen=True, slots=True)
class Profile:
    """A user; ``labels`` name their application passwords, ``invited`` is when a link ends."""

    id: int
    name: str
    role: str
    email: str
    blocked: bool
    language: str
    labels: tuple[str, ...]
    has_desk_password: bool
    sessions: int
    invited: datetime | None
    display_name: str = ""
    saved_by: str = ""
    saved_at: datetime | None = None

    @property
    def shown_name(self) -> str:
        """Return the name by which people know the user."""
        return self.display_name or self.name


def named_like(text: str) -> Clause:
    """Match users with a part of a name or of the e-mail, in any letter case."""
    name = name_key(text)
    return any_of(
        [
            contains("key", name),
            contains("display_key", name),
            contains("email_key", email_key(text)),
        ]
    )


class Profiles:
    """The users, for those who may manage them."""

    def __init__(self, store: Store, accounts: Accounts, invitations: Invitations) -> None:
        self._store = store
        self._users = store[USERS]
        self._accounts = accounts
        self._invitations = invitations

    def page(self, clause: Clause, window: Window) -> list[Profile]:
        """Return a page of users, in the order of their names."""
        users = self._users.find(clause, order=[("key", 1)], skip=window.skip, limit=window.size)
        return self._profiles(users)

    def count(self, clause: Clause) -> int:
        return self._users.count(clause)

    def count_by_role(self, clause: Clause) -> dict[str, int]:
        """Return how many of these users have each role; without roles that none has."""
        stages = [{"$match": clause}, {"$group": {"_id": "$role", "total": {"$sum": 1}}}]
        return {each["_id"]: each["total"] for each in self._users.aggregate(stages)}

    def find(self, user_id: int) -> Profile:
        """Return a user; raise ``NotFound``."""
        return self._profiles([self._stored(user_id)])[0]

    def find_by_ids(self, user_ids: Iterable[int]) -> list[Profile]:
        """Return those of these users that there are."""
        return self._profiles(self._users.find(one_of("_id", set(user_ids))))

    def find_by_email(self, address: str) -> list[Profile]:
        """Return all users with this address, in any letter case."""
        return self._profiles(self._users.find(has_email(address))) if address else []

    def find_by_name_or_email(self, text: str) -> list[Profile]:
        """Return the user of this name, else all users with this address."""
        users = self._users.find(equals("key", name_key(text)))
        return self._profiles(users) if users else self.find_by_email(text)

    def shown_names(self, user_ids: Iterable[int]) -> dict[int, str]:
        """Return the names by which people know these users, in one query."""
        ids = {number for number in user_ids if number}
        fields = ["name", "display_name"]
        users = self._users.find(one_of("_id", ids), fields=fields) if ids else []
        return {user["_id"]: user.get("display_name") or user["name"] for user in users}

    def create(self, name: str, role: str, email: str = "", display_name: str = "") -> Profile:
        """Make a user without any password; raise ``InvalidParameters`` or ``DuplicateKey``."""
        return self.find(self._accounts.create(name, role, email, display_name))

    def change(self, user_id: int, changes: Mapping[str, Any], saved_by: str = "") -> Profile:
        """Change ``role``, ``email``, ``display_name`` or ``blocked`` of a user.

        A new role or a block ends their sessions, a block their invitation too. Raises
        ``NotFound``, ``InvalidParameters``, or ``LastAdministrator`` where nobody could manage
        users any more.
        """
        stored = self.find(user_id)
        # What earlier versions or an import have stored may be sent back.
        refuse_wrong({n: value for n, value in changes.items() if value != getattr(stored, n)})
        update = {**changes, "saved_by": saved_by, "saved_at": self._accounts.now()}
        if "email" in update:
            update["email_key"] = email_key(update["email"])
        if "display_name" in update:
            update |= display_name_fields(update["display_name"])
        self._store.transact(lambda: self._change(user_id, update))
        return self.find(user_id)

    def remove(self, user_id: int) -> Profile:
        """Remove a user and return them; raise ``NotFound`` or ``LastAdministrator``."""
        profile = self.find(user_id)
        self._store.transact(lambda: self._remove(user_id))
        return profile

    def revoke(self, user_id: int, label: str) -> Profile:
        """Revoke an application password.

        Raises ``NotFound``, ``UnknownPassword``, or ``LastAdministrator``.
        """
        try:
            self._accounts.revoke(self.find(user_id).name, label)
        except WrongSecret as error:
            raise UnknownPassword from error
        return self.find(user_id)

    def end_sessions(self, user_id: int) -> Profile:
        """End all sessions of a user at the desk; raise ``NotFound``."""
        self._accounts.sessions.end_all(self.find(user_id).id)
        return self.find(user_id)

    def _change(self, user_id: int, update: Mapping[str, Any]) -> None:
        user = self._stored(user_id)
        self._accounts.require_administrator(user, {**user, **update})
        self._users.change(identified(user_id), {"$set": update})
        if "role" in update or update.get("blocked"):
            self._accounts.sessions.end_all(user_id)
        if update.get("blocked"):
            self._invitations.withdraw(user_id)

    def _remove(self, user_id: int) -> None:
        self._accounts.require_administrator(self._stored(user_id), None)
        self._users.remove(identified(user_id))
        self._accounts.sessions.end_all(user_id)
        self._invitations.withdraw(user_id)

    def _stored(self, user_id: int) -> Record:
        user = self._users.first(identified(user_id))
        if user is None:
            raise NotFound(USER.singular, user_id)
        return user

    def _profiles(self, users: list[Record]) -> list[Profile]:
        ids = [user["_id"] for user in users]
        invited = self._invitations.expiries(ids)
        sessions = self._accounts.sessions.counts(ids)
        return [
            _profile(user, sessions.get(user["_id"], 0), invited.get(user["_id"])) for user in users
        ]


def _profile(user: Record, sessions: int, invited: datetime | None) -> Profile:
    return Profile(
        id=user["_id"],
        name=user["name"],
        role=user["role"],
        email=user["email"],
        blocked=bool(user.get("blocked")),
        language=user.get("language", ""),
        labels=tuple(secret["label"] for secret in user["secrets"]),
        has_desk_password=bool(user.get("desk_password")),
        sessions=sessions,
        invited=invited,
        display_name=user.get("display_name", ""),
        saved_by=user.get("saved_by", ""),
        saved_at=user.get("saved_at"),
    )
