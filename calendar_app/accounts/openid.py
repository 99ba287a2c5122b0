"""Login with OpenID Connect: the authorization code flow with PKCE.

https://openid.net/specs/openid-connect-core-1_0.html
"""

import hmac
import secrets
from dataclasses import dataclass, field
from typing import Protocol, Self

from calendar_app.errors import CalendarError

_SECRET_BYTES = 32


class ProviderUnavailable(CalendarError):
    """The provider is unreachable, or its answer is unreadable."""


class LoginRefused(CalendarError):
    """The provider, or its signed token, does not identify the user."""


class UnverifiedEmail(LoginRefused):
    """The provider has not verified an address of e-mail."""


@dataclass(frozen=True, slots=True)
class LoginAttempt:
    """The values of one login, derived from a secret that only the browser keeps."""

    secret: str = field(repr=False)

    @classmethod
    def begin(cls) -> Self:
        return cls(secrets.token_urlsafe(_SECRET_BYTES))

    @property
    def state(self) -> str:
        return self._derived("state")

    @property
    def nonce(self) -> str:
        return self._derived("nonce")

    @property
    def verifier(self) -> str:
        return self._derived("verifier")

    def is_state(self, state: str) -> bool:
        return hmac.compare_digest(state.encode(errors="replace"), self.state.encode())

    def _derived(self, purpose: str) -> str:
        return hmac.digest(self.secret.encode(errors="replace"), purpose.encode(), "sha256").hex()


class Provider(Protocol):
    """A provider of accounts that may log in; few calendars have one."""

    def authorization_url(self, attempt: LoginAttempt, redirect_uri: str) -> str:
        """Return where the browser goes to log in; raise ``ProviderUnavailable``."""

    def verified_email(self, attempt: LoginAttempt, code: str, redirect_uri: str) -> str:
        """Return the address of the user who logged in.

        Raises ``ProviderUnavailable``, ``LoginRefused`` or ``UnverifiedEmail``.
        """
