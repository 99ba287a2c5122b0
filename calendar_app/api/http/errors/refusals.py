"""Error responses: status, code, message and data of every error.

The codes are those of ``docs/reference/errors.md``.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from types import MappingProxyType
from typing import Any

from calendar_app import errors
from calendar_app.api.http.errors.problems import Missing, WrongType, first_failed_stage
from calendar_app.errors import Message


@dataclass(frozen=True)
class Refusal:
    """An error response; ``data`` and ``headers`` are additions to the common ones."""

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
# Kinds that the reference does not have, and which are therefore missed as HTTP says.
_NOT_FOUND = (
    *("series", "source", "entry", "double"),
    *("submission", "mistake", "user", "webhook", "delivery"),
)
NOT_ALLOWED = Message("Sorry, you are not allowed to do that.")


def missing_parameters(names: list[str]) -> Refusal:
    message = Message("Missing parameter(s): {names}", names=", ".join(names))
    return Refusal(400, "rest_missing_callback_param", message, {"params": names})


def invalid_parameters(reasons: Mapping[str, str]) -> Refusal:
    """Report invalid parameters; ``details`` lists those of the wrong type."""
    typed = {name: each for name, each in reasons.items() if isinstance(each, WrongType)}
    data: dict[str, Any] = {"params": reasons, "details": _details(typed) or []}
    message = Message("Invalid parameter(s): {names}", names=", ".join(reasons))
    return Refusal(400, "rest_invalid_param", message, data)


def refused_parameters(reasons: Mapping[str, str]) -> Refusal:
    """Report the first failed stage; for missing parameters, ``details`` list later failures."""
    stage, failed = first_failed_stage(reasons)
    if stage is not Missing:
        return invalid_parameters(failed)
    refusal = missing_parameters(list(failed))
    later = _details({name: each for name, each in reasons.items() if name not in failed})
    return replace(refusal, data={**refusal.data, "details": later}) if later else refusal


def _details(reasons: Mapping[str, str]) -> dict[str, Any]:
    return {
        name: {
            "code": "rest_invalid_type" if isinstance(each, WrongType) else "rest_invalid_param",
            "message": each,
            "data": {"param": name},
        }
        for name, each in reasons.items()
    }


# Status, code and message by error; attributes of the error fill the gaps of both texts.
_RULES: Mapping[type[Exception], tuple[int, str, Message]] = MappingProxyType(
    {
        errors.NotAuthenticated: (
            401,
            "rest_forbidden",
            Message("Log in first: send your name and an application password by HTTP Basic."),
        ),
        errors.NotAllowed: (403, "rest_forbidden", NOT_ALLOWED),
        errors.NotOnBothSides: (
            403,
            "rest_forbidden",
            Message("One of these events is neither yours nor of a source that you keep."),
        ),
        errors.CrossSiteRequest: (
            403,
            "cross_site_request",
            Message("Pages of other sites may not write here."),
        ),
        errors.UnknownUser: (401, "invalid_username", Message("There is no user with this name.")),
        errors.WrongSecret: (
            401,
            "incorrect_password",
            Message("The provided password is an invalid application password."),
        ),
        errors.BlockedUser: (403, "user_blocked", Message("This user is blocked.")),
        errors.InvitationOver: (
            410,
            "invitation_over",
            Message("This link holds no longer. Ask for another one."),
        ),
        errors.UnknownPassword: (
            404,
            "rest-application-password-not-found",
            Message("The user has no application password of this name."),
        ),
        errors.TooManyAttempts: (
            429,
            "too_many_requests",
            Message("Too many wrong passwords. Try again in {retry_after} seconds."),
        ),
        errors.TooManyReads: (
            429,
            "too_many_requests",
            Message("Too many requests. Try again in {retry_after} seconds."),
        ),
        errors.TooManySubmissions: (
            429,
            "too_many_requests",
            Message("Too many contributions. Try again in {retry_after} seconds."),
        ),
        errors.TooManyReports: (
            429,
            "too_many_requests",
            Message("Too many reports of mistakes. Try again in {retry_after} seconds."),
        ),
        errors.WrongKind: (
            400,
            "rest-invalid-{kind}-id",
            Message("The specified ID is not a valid event."),
        ),
        errors.NoSuchPage: (
            404,
            "{kind}-archive-page-not-found",
            Message("The requested {kind} archive page does not exist"),
        ),
        errors.ChangesGone: (
            410,
            "changes_gone",
            Message("What has changed since then is not known any more. Begin with since=start."),
        ),
        errors.NotInHistory: (
            404,
            "not_in_history",
            Message("The history does not reach revision {revision}."),
        ),
        errors.NotReadable: (
            403,
            "{kind}-not-accessible",
            Message("The requested {kind} is not accessible"),
        ),
        errors.NoLongerAvailable: (
            403,
            "{kind}-no-longer-available",
            Message("This {kind} is no longer available"),
        ),
        errors.AlreadyTrashed: (
            410,
            "{kind}-is-in-trash",
            Message("The {kind} is already trashed"),
        ),
        errors.PasswordRequired: (
            403,
            "{kind}-password-protected",
            Message("The requested {kind} is not accessible without a password"),
        ),
        errors.NotHierarchical: (
            400,
            "rest_taxonomy_not_hierarchical",
            Message("Tags have no parents."),
        ),
        errors.TermSlugTaken: (409, "duplicate_term_slug", Message("Another term has this slug.")),
        errors.LastTranslation: (
            409,
            "last_translation",
            Message("This is the only language that the record has."),
        ),
        errors.MistakeAnswered: (
            409,
            "mistake_answered",
            Message("This report has been answered already."),
        ),
        errors.SubmissionDecided: (
            409,
            "submission_decided",
            Message("This contribution has been decided and can no longer be changed."),
        ),
        errors.PictureInUse: (
            409,
            "media_in_use",
            Message("Records that show the picture: {uses}."),
        ),
        errors.LastAdministrator: (
            409,
            "last_administrator",
            Message("No other administrator can log in. Make someone else an administrator first."),
        ),
        errors.SourceBusy: (
            409,
            "source_busy",
            Message("This source is being read at the moment."),
        ),
        errors.SourceHeld: (
            409,
            "source_held",
            Message(
                "More coming events would change or vanish than is done unasked. "
                "Send accept={reading} to apply it all the same."
            ),
        ),
        errors.TooManyWebhooks: (
            409,
            "too_many_webhooks",
            Message("There are 50 webhooks already. Remove one first."),
        ),
        errors.Conflict: (
            409,
            "edit_conflict",
            Message("Others are changing this record. Try again."),
        ),
        errors.PreconditionFailed: (
            412,
            "precondition_failed",
            Message("The record has changed since it was read."),
        ),
        errors.RecordTooLarge: (
            413,
            "request_too_large",
            Message("The record would be too large."),
        ),
        errors.IdempotencyKeyReused: (
            422,
            "idempotency_key_reused",
            Message("Another request had the same Idempotency-Key."),
        ),
        errors.IdempotencyKeyInUse: (
            409,
            "idempotency_key_in_use",
            Message("A request with the same Idempotency-Key still runs."),
        ),
    }
)


def refusal_of(error: errors.CalendarError) -> Refusal:
    """Return the response to ``error``."""
    match error:
        case errors.InvalidParameters():
            return invalid_parameters(dict(error.reasons))
        case errors.NotFound():
            return _not_found(error)
        case errors.NotWritten():
            reason = Message("The record has no text in {language}.", language=error.language)
            return invalid_parameters({error.parameter: reason})
        case errors.TermExists():
            return Refusal(400, "term_exists", str(error), {"term_id": error.term_id})
        case errors.Unavailable():
            headers = _headers(503, error)
            return Refusal(503, "service_unavailable", error.reason, headers=headers)
    status, code, message = next(_RULES[base] for base in type(error).__mro__ if base in _RULES)
    gaps = vars(error)
    headers = _headers(status, error)
    return Refusal(status, code.format(**gaps), Message(message.pattern, **gaps), headers=headers)


def _headers(status: int, error: errors.CalendarError) -> dict[str, str]:
    challenge = CHALLENGE if status == HTTPStatus.UNAUTHORIZED else {}
    retry_after = vars(error).get("retry_after")
    return challenge if retry_after is None else {"Retry-After": str(retry_after)}


def _not_found(error: errors.NotFound) -> Refusal:
    if error.kind in _NOT_FOUND:
        reason = Message("There is no such {kind}.", kind=error.kind)
        return Refusal(404, f"rest-{error.kind}-not-found", reason)
    if error.kind != "event":
        return invalid_parameters({"id": Message("There is no such {kind}.", kind=error.kind)})
    if error.slug:
        message = Message("Event with slug {slug} does not exist.", slug=error.slug)
    elif error.id:
        message = Message("Event with ID {id} does not exist.", id=error.id)
    else:
        message = Message("There is no such {kind}.", kind=error.kind)
    return Refusal(404, "rest-event-not-found", message)
