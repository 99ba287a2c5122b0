"""When a request is sent again, and after which pause."""

import random
from dataclasses import dataclass

import httpx

_BUSY = frozenset({429, 502, 503, 504})
# Somebody else is writing the same: the request itself is right.
_CONFLICTS = frozenset({"edit_conflict", "idempotency_key_in_use"})


@dataclass(frozen=True, slots=True)
class Retries:
    """How often a request is sent at most, and how long its pauses are, in seconds.

    A pause doubles each time, varies by chance, and is never shorter than the calendar asks for.
    One that is asked for and longer than ``longest`` is not waited for.
    """

    attempts: int = 5
    first: float = 0.5
    longest: float = 30.0

    def pause(self, attempt: int, response: httpx.Response | None) -> float | None:
        """Return the pause after an attempt, counted from 1; ``None`` where it was the last."""
        if attempt >= self.attempts or not (response is None or is_transient(response)):
            return None
        asked_for = _seconds(response)
        if asked_for > self.longest:
            return None
        usual = min(self.longest, self.first * 2.0 ** (attempt - 1))
        return max(asked_for, usual * random.uniform(0.5, 1.0))  # noqa: S311  # spreads clients


def is_transient(response: httpx.Response) -> bool:
    """Return whether the same request may succeed a little later."""
    if response.status_code == httpx.codes.CONFLICT:
        try:
            return str(response.json().get("code")) in _CONFLICTS
        except (ValueError, AttributeError):
            return False
    return response.status_code in _BUSY


def _seconds(response: httpx.Response | None) -> float:
    """Return what ``Retry-After`` asks for; dates count as nothing."""
    try:
        return float(response.headers["Retry-After"]) if response is not None else 0.0
    except (KeyError, ValueError):
        return 0.0
