"""Invitations: links at which a user sets the password for the desk, once and in time.

An invitation is stored as ``{_id, user, expires}``. Its id is the digest of a random token that
stands in the link alone, so that who reads the database cannot follow it.
"""

import hashlib
import secrets
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta

from calendar_app.domain.kind import Index, Record
from calendar_app.errors import InvitationOver
from calendar_app.mongo.store import Store
from calendar_app.query.clauses import Clause, after, all_of, equals, one_of

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
