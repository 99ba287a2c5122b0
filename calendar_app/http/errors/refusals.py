"""Every refusal as HTTP: status, code, message, data. One place, one shape.

The codes are those of ``docs/reference/interface.md``, section "Errors".
"""

from dataclasses import dataclass, field
from functools import singledispatch
from typing import Any

from calendar_app import errors
from calendar_app.errors import Message
from calendar_app.http.errors.problems import Missing, WrongType


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
NOT_ALLOWED = Message("Sorry, you are not allowed to do that.")


def missing_parameters(names: list[str]) -> Refusal:
    message = Message("Missing parameter(s): {names}", names=", ".join(names))
    return Refusal(400, "rest_missing_callback_param", message, {"params": names})


def invalid_parameters(reasons: dict[str, str]) -> Refusal:
    """Refuse parameters; ``details`` says more of those whose type is wrong."""
    details = {
        name: {"code": "rest_invalid_type", "message": reason, "data": {"param": name}}
        for name, reason in reasons.items()
        if isinstance(reason, WrongType)
    }
    data: dict[str, Any] = {"params": reasons, "details": details or []}
    message = Message("Invalid parameter(s): {names}", names=", ".join(reasons))
    return Refusal(400, "rest_invalid_param", message, data)


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
        return invalid_parameters({"id": Message("There is no such {kind}.", kind=error.kind)})
    message = (
        Message("Event with slug {slug} does not exist.", slug=error.slug)
        if error.slug
        else Message("Event with ID {id} does not exist.", id=error.id)
    )
    return Refusal(404, "rest-event-not-found", message)


@refusal_of.register
def _(error: errors.NoSuchPage) -> Refusal:
    message = Message("The requested {kind} archive page does not exist", kind=error.kind)
    return Refusal(404, f"{error.kind}-archive-page-not-found", message)


@refusal_of.register
def _(error: errors.WrongKind) -> Refusal:
    return Refusal(
        400, f"rest-invalid-{error.kind}-id", Message("The specified ID is not a valid event.")
    )


@refusal_of.register
def _(error: errors.NotReadable) -> Refusal:
    message = Message("The requested {kind} is not accessible", kind=error.kind)
    return Refusal(403, f"{error.kind}-not-accessible", message)


@refusal_of.register
def _(error: errors.NoLongerAvailable) -> Refusal:
    message = Message("This {kind} is no longer available", kind=error.kind)
    return Refusal(403, f"{error.kind}-no-longer-available", message)


@refusal_of.register
def _(error: errors.AlreadyTrashed) -> Refusal:
    message = Message("The {kind} is already trashed", kind=error.kind)
    return Refusal(410, f"{error.kind}-is-in-trash", message)


@refusal_of.register
def _(error: errors.PasswordRequired) -> Refusal:
    message = Message("The requested {kind} is not accessible without a password", kind=error.kind)
    return Refusal(403, f"{error.kind}-password-protected", message)


@refusal_of.register
def _(_error: errors.NotAuthenticated) -> Refusal:
    return Refusal(401, "rest_forbidden", NOT_ALLOWED, headers=CHALLENGE)


@refusal_of.register
def _(_error: errors.NotAllowed) -> Refusal:
    return Refusal(403, "rest_forbidden", NOT_ALLOWED)


@refusal_of.register
def _(_error: errors.CrossSiteRequest) -> Refusal:
    return Refusal(403, "cross_site_request", Message("Pages of other sites may not write here."))


@refusal_of.register
def _(_error: errors.UnknownUser) -> Refusal:
    return Refusal(
        401, "invalid_username", Message("There is no user of this name."), headers=CHALLENGE
    )


@refusal_of.register
def _(_error: errors.WrongSecret) -> Refusal:
    message = Message("The provided password is an invalid application password.")
    return Refusal(401, "incorrect_password", message, headers=CHALLENGE)


@refusal_of.register
def _(error: errors.TooManyAttempts) -> Refusal:
    message = Message(
        "Too many wrong passwords. Try again in {seconds} seconds.", seconds=error.retry_after
    )
    return _too_many_requests(message, error.retry_after)


@refusal_of.register
def _(error: errors.TooManyReads) -> Refusal:
    message = Message(
        "Too many requests. Try again in {seconds} seconds.", seconds=error.retry_after
    )
    return _too_many_requests(message, error.retry_after)


def _too_many_requests(message: Message, retry_after: int) -> Refusal:
    headers = {"Retry-After": str(retry_after)}
    return Refusal(429, "too_many_requests", message, headers=headers)


@refusal_of.register
def _(_error: errors.TermSlugTaken) -> Refusal:
    return Refusal(409, "duplicate_term_slug", Message("Another term has this slug."))


@refusal_of.register
def _(_error: errors.LastTranslation) -> Refusal:
    return Refusal(
        409, "last_translation", Message("This is the only language that the record has.")
    )


@refusal_of.register
def _(error: errors.PictureInUse) -> Refusal:
    message = Message("Records that show the picture: {uses}.", uses=error.uses)
    return Refusal(409, "media_in_use", message)


@refusal_of.register
def _(error: errors.NotWritten) -> Refusal:
    return invalid_parameters(
        {error.parameter: Message("The record has no text in {language}.", language=error.language)}
    )


@refusal_of.register
def _(error: errors.IdempotencyKeyInUse) -> Refusal:
    message = Message("A request with the same Idempotency-Key still runs.")
    headers = {"Retry-After": str(error.retry_after)}
    return Refusal(409, "idempotency_key_in_use", message, headers=headers)


@refusal_of.register
def _(_error: errors.IdempotencyKeyReused) -> Refusal:
    message = Message("Another request had the same Idempotency-Key.")
    return Refusal(422, "idempotency_key_reused", message)


@refusal_of.register
def _(_error: errors.Conflict) -> Refusal:
    return Refusal(409, "edit_conflict", Message("Others are changing this record. Try again."))


@refusal_of.register
def _(_error: errors.RecordTooLarge) -> Refusal:
    return Refusal(413, "request_too_large", Message("The record would be too large."))


@refusal_of.register
def _(_error: errors.NotHierarchical) -> Refusal:
    message = Message("Tags have no parents.")
    return Refusal(400, "rest_taxonomy_not_hierarchical", message)


@refusal_of.register
def _(_error: errors.PreconditionFailed) -> Refusal:
    return Refusal(412, "precondition_failed", Message("The record has changed since it was read."))


@refusal_of.register
def _(error: errors.TermExists) -> Refusal:
    message = (
        Message("A term with the name provided already exists with this parent.")
        if error.kind == "category"
        else Message("A term with the name provided already exists in this taxonomy.")
    )
    return Refusal(400, "term_exists", message, {"term_id": error.term_id})


@refusal_of.register
def _(error: errors.Unavailable) -> Refusal:
    headers = {"Retry-After": str(error.retry_after)}
    return Refusal(503, "service_unavailable", error.reason, headers=headers)
