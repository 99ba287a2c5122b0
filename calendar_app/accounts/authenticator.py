"""Authentication of users by secrets, with limits on wrong attempts."""

from collections.abc import Callable
from datetime import UTC, datetime

from calendar_app.accounts.attempts import Attempts
from calendar_app.accounts.caller import Caller, name_key
from calendar_app.accounts.credentials import Credentials, verify
from calendar_app.accounts.secrets import bare
from calendar_app.accounts.verified import Verified
from calendar_app.domain.kind import Record
from calendar_app.errors import BlockedUser, UnknownUser, WrongSecret
from calendar_app.mongo.store import Store
from calendar_app.query.clauses import equals

USERS = "users"


class Authenticator:
    """Authenticates callers; a verified secret is cached for ``remember_seconds``."""

    def __init__(self, store: Store, clock: Callable[[], datetime], remember_seconds: int) -> None:
        self._users = store[USERS]
        self._clock = clock
        self._credentials = Credentials(store)
        self.attempts = Attempts(store, self._now)
        self._verified = Verified(remember_seconds)

    def by_name(self, name: str, secret: str, address: str) -> Caller:
        """Raise ``UnknownUser``, ``WrongSecret`` or ``TooManyAttempts`` if it is nobody.

        Raises ``BlockedUser`` for a right secret of somebody who is blocked.
        """
        # The address is among the credentials, lest a secret could be guessed without being
        # counted while its user is remembered.
        return self._authenticated(
            (name, bare(secret), address),
            address,
            lambda: self._user_by_name(name, secret, address),
        )

    def by_secret(self, secret: str, address: str) -> Caller:
        """Raise ``WrongSecret`` or ``TooManyAttempts`` if it is nobody's, or ``BlockedUser``."""
        return self._authenticated(
            (bare(secret), address), address, lambda: self._user_by_secret(secret, address)
        )

    def forget(self) -> None:
        """Drop the cache of verified secrets after a secret has changed."""
        self._verified.forget()

    def _authenticated(
        self, credentials: tuple[str, ...], address: str, look_up: Callable[[], Record]
    ) -> Caller:
        caller = self._verified.find(credentials, self._now())
        if caller is None:
            self.attempts.refuse_throttled(address)
            user = look_up()
            if user.get("blocked"):
                raise BlockedUser
            caller = Caller(user["_id"], user["name"], user["role"])
            self._verified.keep(credentials, caller, self._now())
        return caller

    def _user_by_name(self, name: str, secret: str, address: str) -> Record:
        hinted = self._credentials.hint(secret)
        user = self._users.first(equals("key", name_key(name)))
        if user is not None and verify(secret, hinted, user["secrets"]):
            return user
        self.attempts.count_for_address(address)
        if user is None:
            raise UnknownUser(f"There is no user {name}.")
        self.attempts.count_for_user(user["_id"])
        raise WrongSecret

    def _user_by_secret(self, secret: str, address: str) -> Record:
        hinted = self._credentials.hint(secret)
        for user in self._users.find(equals("secrets.hint", hinted)):
            if verify(secret, hinted, user["secrets"]):
                return user
        self.attempts.count_for_address(address)
        raise WrongSecret

    def _now(self) -> datetime:
        return self._clock().astimezone(UTC).replace(tzinfo=None)
