"""The password with which a user comes to the desk, apart from those of programs.

It is stored in the field ``desk_password`` of the user, as an argon2id hash.
"""

import unicodedata
from functools import cache

from calendar_app.accounts.attempts import Attempts
from calendar_app.accounts.authenticator import USERS
from calendar_app.accounts.caller import name_key
from calendar_app.accounts.secrets import bare, hash_secret, new_secret, verify_hash
from calendar_app.accounts.sessions import Sessions
from calendar_app.errors import InvalidParameters, Message, WrongSecret
from calendar_app.mongo.store import Store
from calendar_app.query.clauses import equals

SHORTEST = 10
TOO_SHORT = Message("A password has at least 10 characters, without spaces.")
_FIELD = "desk_password"


class DeskPasswords:
    """Sets and verifies the passwords for the desk; white space in them never counts."""

    def __init__(self, store: Store, attempts: Attempts, sessions: Sessions) -> None:
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
        """Return the id of the user with this name and password.

        Raises ``WrongSecret``, for a name that nobody has too, or ``TooManyAttempts``.
        """
        self._attempts.refuse_throttled(address)
        user = self._users.first(equals("key", name_key(name))) or {}
        is_right = verify_hash(_normalized(password), user.get(_FIELD) or _hash_of_nobody())
        if user and is_right and not user.get("blocked"):
            user_id: int = user["_id"]
            return user_id
        self._attempts.count_for_address(address)
        if user:
            self._attempts.count_for_user(user["_id"])
        raise WrongSecret


@cache
def _hash_of_nobody() -> str:
    """Return a hash that no password has, so that unknown names take as long as known ones."""
    return hash_secret(new_secret())


def _normalized(password: str) -> str:
    """Return the password in one form: systems type the same letter differently."""
    return unicodedata.normalize("NFKC", password)
