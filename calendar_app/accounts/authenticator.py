"""Authentication of users by secrets, with limits on wrong attempts."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from calendar_app.accounts.attempts import Attempts
from calendar_app.accounts.caller import Caller, name_key
from calendar_app.accounts.credentials import Credentials
from calendar_app.accounts.limits import PER_ADDRESS
from calendar_app.accounts.rates import client_of
from calendar_app.accounts.recent_secrets import RecentSecrets
from calendar_app.accounts.secrets import bare, verify_hash
from calendar_app.domain.kind import Record
from calendar_app.errors import BlockedUser, UnknownUser, WrongSecret
from calendar_app.mongo.store import Store
from calendar_app.query.clauses import equals

USERS = "users"


class Authenticator:
    """Authenticates callers; a verified secret is not hashed again for ``remember_seconds``.

    The user is read each time, so a revoked secret, a new role and a block count at once.
    """

    def __init__(self, store: Store, clock: Callable[[], datetime], remember_seconds: int) -> None:
        self._users = store[USERS]
        self._clock = clock
        self._credentials = Credentials(store)
        self.attempts = Attempts(store, self._now)
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
        """Return the user whose secret it is; raise ``TooManyAttempts``.

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
    return Caller(user["_id"], user["name"], user["role"])
