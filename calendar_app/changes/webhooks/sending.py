"""Sends one signed message to a receiver, within limits of networks, time and size."""

import ssl
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from http import HTTPStatus

import httpcore
from standardwebhooks import Webhook as Signer

from calendar_app.domain.addresses import Network, networks_of
from calendar_app.domain.moments import Now, naive_clock, system_clock
from calendar_app.settings import Settings
from calendar_app.storage.network import ForbiddenAddress, PublicNetwork

# Why there is no answer, or none that counts.
NOT_PUBLIC, CERTIFICATE, NO_CONNECTION = "not_public", "certificate", "no_connection"
TOO_SLOW, BROKEN, REDIRECT = "too_slow", "broken", "redirect"
REASONS = (NOT_PUBLIC, CERTIFICATE, NO_CONNECTION, TOO_SLOW, BROKEN, REDIRECT)
_SECONDS = 15.0  # of a whole attempt
system_now = naive_clock(system_clock)
_MOST_OF_ANSWER = 1000  # bytes; the rest is not read
_LONGEST_DETAIL = 300
_TRYING_LATER = frozenset(
    {HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_EARLY, HTTPStatus.TOO_MANY_REQUESTS}
)
_CLIENT_ERRORS, _REDIRECTS, _SUCCESSES = range(400, 500), range(300, 400), range(200, 300)


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt: the answer with its beginning, or the ``reason`` why there is none."""

    at: datetime
    seconds: float
    status: int = 0
    reason: str = ""
    detail: str = ""
    answer: str = ""
    retry_after: int = 0

    @property
    def is_taken(self) -> bool:
        return self.status in _SUCCESSES

    @property
    def is_gone(self) -> bool:
        return self.status == HTTPStatus.GONE

    @property
    def is_refused(self) -> bool:
        """Whether the receiver refuses the message for good."""
        is_refusal = self.status in _CLIENT_ERRORS and self.status not in _TRYING_LATER
        return is_refusal or self.status in _REDIRECTS


@dataclass(frozen=True, slots=True)
class Signed:
    """A message with the secrets that sign it."""

    id: str
    body: str
    secrets: Sequence[str]

    def headers(self, now: datetime) -> list[tuple[str, str]]:
        """Return the headers of Standard Webhooks, with a signature by each secret."""
        signatures = [Signer(secret).sign(self.id, now, self.body) for secret in self.secrets]
        return [
            ("User-Agent", "calendar-app"),
            ("Content-Type", "application/json"),
            ("webhook-id", self.id),
            ("webhook-timestamp", str(int(now.timestamp()))),
            ("webhook-signature", " ".join(signatures)),
        ]


class Sender:
    """Sends messages one after another, only to public and ``permitted`` networks."""

    def __init__(
        self, permitted: Sequence[Network] = (), seconds: float = _SECONDS, now: Now = system_now
    ) -> None:
        self._seconds = seconds
        self._now = now
        self._network = PublicNetwork(permitted)
        self._pool = httpcore.ConnectionPool(max_connections=1, network_backend=self._network)

    def close(self) -> None:
        self._pool.close()

    def send(self, address: str, message: Signed) -> Attempt:
        """Send a message and return the attempt; redirects are not followed."""
        content = message.body.encode()
        return self.post(address, message.headers(datetime.now(UTC)), content)

    def post(self, address: str, headers: Sequence[tuple[str, str]], content: bytes) -> Attempt:
        """Send a POST and return the attempt."""
        begin = time.monotonic()
        self._network.deadline = begin + self._seconds
        status, reason, detail, answer, retry_after = 0, "", "", "", 0
        try:
            with self._pool.stream("POST", address, headers=headers, content=content) as response:
                status = response.status
                answer = _beginning(response)
                if status in _REDIRECTS:
                    reason, detail = REDIRECT, _header(response, b"location")
                delay = _header(response, b"retry-after")
                retry_after = int(delay) if delay.isdecimal() else 0
        except (ForbiddenAddress, httpcore.UnsupportedProtocol) as error:
            reason, detail = NOT_PUBLIC, str(error)
        except (httpcore.NetworkError, httpcore.TimeoutException, httpcore.ProtocolError) as error:
            reason, detail = _reason_of(error, is_late=self._network.is_late)
        seconds = round(time.monotonic() - begin, 3)
        detail = detail[:_LONGEST_DETAIL]
        return Attempt(self._now(), seconds, status, reason, detail, answer, retry_after)


def _beginning(response: httpcore.Response) -> str:
    """Return the beginning of an answer as text; the connection ends with a longer one."""
    data = b""
    # The status counts, whatever becomes of the rest.
    with suppress(httpcore.NetworkError, httpcore.TimeoutException, httpcore.ProtocolError):
        for part in response.iter_stream():
            data += part
            if len(data) >= _MOST_OF_ANSWER:
                break
    return data[:_MOST_OF_ANSWER].decode(errors="replace").replace("\0", "")


def _header(response: httpcore.Response, name: bytes) -> str:
    values = [value for key, value in response.headers if key.lower() == name]
    return values[0].decode("latin-1")[:_LONGEST_DETAIL] if values else ""


def _reason_of(error: Exception, *, is_late: bool) -> tuple[str, str]:
    cause = error.__context__  # httpcore raises from none.
    if isinstance(cause, ssl.SSLCertVerificationError):
        return CERTIFICATE, cause.verify_message
    if is_late or isinstance(error, httpcore.TimeoutException):
        return TOO_SLOW, ""
    if isinstance(error, httpcore.ConnectError):
        return NO_CONNECTION, str(error)
    return BROKEN, str(error)


def sender_of(settings: Settings, now: Now) -> Callable[[], Sender]:
    """Return a function that makes the sender of one webhook."""
    networks = networks_of("webhook_networks", settings.webhook_networks)
    return lambda: Sender(networks, now=now)
