"""Converts bodies and errors of writes between WordPress and the calendar."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from calendar_app.accounts.callers import Caller
from calendar_app.api.http.errors.refusals import Refusal, refusal_of
from calendar_app.api.http.fields.schema import Values
from calendar_app.api.http.request import current
from calendar_app.api.http.request.current import Context
from calendar_app.api.http.views.loading import Refused
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.statuses import DRAFT
from calendar_app.errors import (
    AlreadyTrashed,
    CalendarError,
    InvalidParameters,
    Message,
    NotAllowed,
    NotAuthenticated,
    NotFound,
    PasswordRequired,
)
from calendar_app.parts.wordpress.names import LINKS, META, ContentType

_RAW, _RENDERED = "raw", "rendered"
_DATES = ("date", "date_gmt")


def sent_names(type_: ContentType) -> dict[str, str]:
    """Return the names that clients send, by the names of our fields."""
    meta = {own: f"{META}.{name}" for name, own in type_.meta.items()}
    return meta | {own: name for name, own in type_.fields.items()}


def own_values(type_: ContentType, context: Context, *, is_new: bool) -> Values:
    """Return a body in the names of this interface, without unknown ones."""
    sent = context.parameters
    values = {own: _plain(name, sent[name]) for name, own in type_.fields.items() if name in sent}
    values = {own: value for own, value in values.items() if not _is_no_date(own, value)}
    values |= _meta_values(type_, sent.get(META))
    if is_new and type_.kind.has_status:
        values.setdefault("status", DRAFT)
    return Values(values, context)


def _meta_values(type_: ContentType, meta: Any) -> Record:
    if meta in (None, []) or not type_.meta:
        return {}
    if not isinstance(meta, Mapping):
        raise InvalidParameters({META: Message("{name} must be an object.", name=META)})
    return {
        own: _single(meta[name]) if name in LINKS else meta[name]
        for name, own in type_.meta.items()
        if name in meta
    }


def _single(ids: Any) -> Any:
    """Return the single id of a shown list."""
    return ids[0] if isinstance(ids, list) and len(ids) == 1 else ids


def _plain(name: str, value: Any) -> Any:
    """Return a value without the objects that WordPress puts around texts, in our notation."""
    if isinstance(value, Mapping) and (_RAW in value or _RENDERED in value):
        return value.get(_RAW, value.get(_RENDERED))
    if name == "featured_media" and value in (0, "0", None):
        return False
    return value.replace("T", " ", 1) if name in _DATES and isinstance(value, str) else value


def _is_no_date(own: str, value: Any) -> bool:
    """Say whether a value is the date that a draft has not got yet."""
    return value is None and own in ("date", "date_utc")


@contextmanager
def refusing_as_wordpress(type_: ContentType, action: str) -> Iterator[None]:
    """Raise ``Refused`` with WordPress' own codes where records and rights are lacking."""
    try:
        yield
    except (NotAuthenticated, NotAllowed) as error:
        raise _coded(error, f"rest_cannot_{action}") from error
    except PasswordRequired as error:
        current.context().exchange.refused_secret = True
        raise _coded(error, "rest_post_incorrect_password") from error
    except AlreadyTrashed as error:
        raise _coded(error, "rest_already_trashed") from error
    except NotFound as error:
        raise unknown(type_) from error


def forbidden_context(caller: Caller) -> Refused:
    """Return the refusal of the context of editors."""
    error = NotAllowed() if caller.known else NotAuthenticated()
    return _coded(error, "rest_forbidden_context")


def _coded(error: CalendarError, code: str) -> Refused:
    return Refused(replace(refusal_of(error), code=code))


def unknown(type_: ContentType) -> Refused:
    """Return the refusal of a record that the caller cannot read, there or not."""
    return unknown_record(type_.kind)


def unknown_record(kind: Kind) -> Refused:
    """Return the refusal of a record of a kind: a post, a picture among them, or a term."""
    code = "rest_post_invalid_id" if kind.has_status or kind.is_picture else "rest_term_invalid"
    return Refused(Refusal(404, code, Message("There is no such {kind}.", kind=kind.singular)))
