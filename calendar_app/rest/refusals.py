"""Every refusal as HTTP: status, code, message, data. One place, one shape.

The codes are those of ``docs/reference/interface.md``, section "Errors".
"""

from dataclasses import dataclass, field
from functools import singledispatch
from typing import Any

from calendar_app import errors
from calendar_app.rest.problems import Missing, WrongType


@dataclass(frozen=True)
class Refusal:
    """What is answered; ``data`` besides the status, ``headers`` besides the usual ones."""

    status: int
    code: str
    message: str
    data: dict[str, Any] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def body(self) -> dict[str, Any]:
        data = {"status": self.status, **self.data}
        return {"code": self.code, "message": self.message, "data": data}


CHALLENGE = {"WWW-Authenticate": 'Basic realm="calendar"'}
NOT_ALLOWED = "Sorry, you are not allowed to do that."


def missing_parameters(names: list[str]) -> Refusal:
    message = f"Missing parameter(s): {', '.join(names)}"
    return Refusal(400, "rest_missing_callback_param", message, {"params": names})


def invalid_parameters(reasons: dict[str, str]) -> Refusal:
    """Refuse parameters; ``details`` says more of those whose type is wrong."""
    details = {
        name: {"code": "rest_invalid_type", "message": str(reason), "data": {"param": name}}
        for name, reason in reasons.items()
        if isinstance(reason, WrongType)
    }
    params = {name: str(reason) for name, reason in reasons.items()}
    data: dict[str, Any] = {"params": params, "details": details or []}
    return Refusal(400, "rest_invalid_param", f"Invalid parameter(s): {', '.join(reasons)}", data)


def staged_parameters(stage: type[str], reasons: dict[str, str]) -> Refusal:
    return missing_parameters(list(reasons)) if stage is Missing else invalid_parameters(reasons)


@singledispatch
def refusal_of(error: errors.CalendarError) -> Refusal:
    """Return how ``error`` is answered."""
    raise NotImplementedError(type(error).__name__)


@refusal_of.register
def _(error: errors.InvalidParameters) -> Refusal:
    return invalid_parameters(dict(error.reasons))


@refusal_of.register
def _(error: errors.NotFound) -> Refusal:
    if error.kind != "event":
        return invalid_parameters({"id": f"There is no such {error.kind}."})
    return Refusal(404, "rest-event-not-found", f"Event with ID {error.id} does not exist.")


@refusal_of.register
def _(error: errors.NoSuchPage) -> Refusal:
    message = f"The requested {error.kind} archive page does not exist"
    return Refusal(404, f"{error.kind}-archive-page-not-found", message)


@refusal_of.register
def _(error: errors.WrongKind) -> Refusal:
    return Refusal(400, f"rest-invalid-{error.kind}-id", "The specified ID is not a valid event.")


@refusal_of.register
def _(error: errors.NotReadable) -> Refusal:
    message = f"The requested {error.kind} is not accessible"
    return Refusal(403, f"{error.kind}-not-accessible", message)


@refusal_of.register
def _(error: errors.NoLongerAvailable) -> Refusal:
    message = f"This {error.kind} is no longer available"
    return Refusal(403, f"{error.kind}-no-longer-available", message)


@refusal_of.register
def _(error: errors.AlreadyTrashed) -> Refusal:
    return Refusal(410, f"{error.kind}-is-in-trash", f"The {error.kind} is already trashed")


@refusal_of.register
def _(error: errors.PasswordRequired) -> Refusal:
    message = f"The requested {error.kind} is not accessible without a password"
    return Refusal(403, f"{error.kind}-password-protected", message)


@refusal_of.register
def _(_error: errors.NotAuthenticated) -> Refusal:
    return Refusal(401, "rest_forbidden", NOT_ALLOWED, headers=CHALLENGE)


@refusal_of.register
def _(_error: errors.NotAllowed) -> Refusal:
    return Refusal(403, "rest_forbidden", NOT_ALLOWED)


@refusal_of.register
def _(_error: errors.UnknownUser) -> Refusal:
    return Refusal(401, "invalid_username", "There is no user of this name.", headers=CHALLENGE)


@refusal_of.register
def _(_error: errors.WrongSecret) -> Refusal:
    message = "The provided password is an invalid application password."
    return Refusal(401, "incorrect_password", message, headers=CHALLENGE)


@refusal_of.register
def _(error: errors.TooManyAttempts) -> Refusal:
    message = f"Too many wrong passwords. Try again in {error.retry_after} seconds."
    headers = {"Retry-After": str(error.retry_after)}
    return Refusal(429, "too_many_requests", message, headers=headers)


@refusal_of.register
def _(_error: errors.TermSlugTaken) -> Refusal:
    return Refusal(409, "duplicate_term_slug", "Another term has this slug.")


@refusal_of.register
def _(_error: errors.LastTranslation) -> Refusal:
    return Refusal(409, "last_translation", "This is the only language that the record has.")


@refusal_of.register
def _(error: errors.NotWritten) -> Refusal:
    return invalid_parameters({error.parameter: f"The record has no text in {error.language}."})


@refusal_of.register
def _(_error: errors.Conflict) -> Refusal:
    return Refusal(409, "edit_conflict", "Others are changing this record. Try again.")


@refusal_of.register
def _(_error: errors.NotHierarchical) -> Refusal:
    message = "Tags have no parents."
    return Refusal(400, "rest_taxonomy_not_hierarchical", message)


@refusal_of.register
def _(error: errors.TermExists) -> Refusal:
    where = "with this parent" if error.kind == "category" else "in this taxonomy"
    message = f"A term with the name provided already exists {where}."
    return Refusal(400, "term_exists", message, {"term_id": error.term_id})


@refusal_of.register
def _(error: errors.Unavailable) -> Refusal:
    headers = {"Retry-After": str(error.retry_after)}
    return Refusal(503, "service_unavailable", error.reason, headers=headers)
