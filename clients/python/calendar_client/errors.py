"""What a calendar refuses, one class for each remedy."""

from collections.abc import Mapping
from typing import Any

import httpx

# The reason of a parameter where the calendar names it and says no more.
_MISSING = "It is missing."


class CalendarError(Exception):
    """The calendar refused a request, or gave no answer.

    ``code`` is the one of the interface, such as ``term_exists``, ``data`` all else that it says.
    """

    def __init__(self, status: int, code: str, message: str, data: Mapping[str, Any]) -> None:
        super().__init__(f"{message} ({status} {code})" if code else message)
        self.status = status
        self.code = code
        self.message = message
        self.data = data


class NoAnswer(CalendarError):
    """The calendar was not reached, or did not answer in time; a write may have been done."""

    def __init__(self, cause: Exception) -> None:
        super().__init__(0, "", f"The calendar gave no answer: {cause}", {})


class InvalidRequest(CalendarError):
    """Parameters are missing or wrong; ``reasons`` says of each why it is refused.

    ``params`` are those of the first check alone: what is missing, or else what is wrong.
    """

    @property
    def params(self) -> dict[str, str]:
        params = self.data.get("params", {})
        return dict(params) if isinstance(params, Mapping) else dict.fromkeys(params, "")

    @property
    def reasons(self) -> dict[str, str]:
        """Return the reason of each parameter, also of those that a later check refuses."""
        details = self.data.get("details", {})
        later = details.items() if isinstance(details, Mapping) else ()
        reasons = {name: each["message"] for name, each in later if isinstance(each, Mapping)}
        own = {name: why or reasons.get(name) or _MISSING for name, why in self.params.items()}
        return {**own, **{name: why for name, why in reasons.items() if name not in own}}

    def __str__(self) -> str:
        reasons = "; ".join(f"{name}: {why}" for name, why in self.reasons.items())
        return " ".join(filter(None, (super().__str__(), reasons)))


class Unauthorized(CalendarError):
    """Nobody is signed in, or the credentials are wrong."""


class Forbidden(CalendarError):
    """The user may not do this."""


class NotFound(CalendarError):
    """There is no such record, or no such page."""


class Conflict(CalendarError):
    """The request contradicts what is stored, or others were changing the same for too long."""


class Gone(CalendarError):
    """The record is in the trash already, or the token of changes is too old."""


class PreconditionFailed(CalendarError):
    """The record has changed since it was read."""


class TooManyRequests(CalendarError):
    """There were too many requests; ``retry_after`` says in how many seconds they are taken."""

    @property
    def retry_after(self) -> float:
        return float(self.data.get("retry_after", 0))


class Unavailable(CalendarError):
    """The calendar cannot answer at the moment."""


_CLASSES: Mapping[int, type[CalendarError]] = {
    400: InvalidRequest,
    401: Unauthorized,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    410: Gone,
    412: PreconditionFailed,
    413: InvalidRequest,
    415: InvalidRequest,
    422: Conflict,
    429: TooManyRequests,
}


def error_of(response: httpx.Response) -> CalendarError:
    """Return the error that a response reports."""
    try:
        body = response.json()
    except ValueError:
        body = {}
    told: Mapping[str, Any] = body if isinstance(body, Mapping) else {}
    data = told.get("data")
    details = dict(data) if isinstance(data, Mapping) else {}
    if "Retry-After" in response.headers:
        details["retry_after"] = response.headers["Retry-After"]
    status = response.status_code
    usual = Unavailable if status >= httpx.codes.INTERNAL_SERVER_ERROR else CalendarError
    known = _CLASSES.get(status, usual)
    message = str(told.get("message") or response.reason_phrase)
    return known(status, str(told.get("code", "")), message, details)
