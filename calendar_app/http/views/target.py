"""The record that the path of a request names."""

from collections.abc import Callable, Iterable
from typing import Any

from flask import abort

from calendar_app.accounts.policy import Caller
from calendar_app.calendar.reading.reader import readable
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.numbers import is_reserved
from calendar_app.domain.slugs import shown_slug, slug_in_path
from calendar_app.errors import InvalidParameters, Message, NotFound, WrongKind
from calendar_app.http.answers.answering import redirect_permanently
from calendar_app.http.request import current
from calendar_app.query.clauses import Clause


def find_by_slug(
    kind: Kind, slug: str, visible: Callable[[Caller], Clause] | None = None
) -> Record | None:
    """Return the record of a slug, if the caller may read it or ``visible`` matches it."""
    caller = current.caller()
    clause = visible(caller) if visible else readable(kind, caller)
    return current.reader().find_by_slug(kind, slug_in_path(slug), current.chain(), clause)


def existing(kind: Kind, other_kinds: Iterable[Kind] = (), *, write: bool = False) -> Record:
    """Return the record of the path, or raise the error that the reference sends.

    An unknown event is 404, anything else 400; an unknown slug is 400, but 404 when writing.
    """
    record, _ = current.target_record()
    if record is not None:
        existing_record: Record = record
        return existing_record
    path: dict[str, Any] = current.path_arguments()
    if "slug" in path:
        if current.request().method in ("GET", "HEAD"):
            _redirect_former(kind, path["slug"])
        if write and kind.singular == "event":
            raise NotFound("event", slug=path["slug"])
        raise InvalidParameters(
            {"slug": Message("There is no {kind} of this slug.", kind=kind.singular)}
        )
    record_id = path["id"]
    if kind.singular == "event" and (
        is_reserved(kind.sequence, record_id)
        or current.reader().exists_elsewhere(other_kinds, record_id)
    ):
        raise WrongKind("event")
    raise NotFound(kind.singular, record_id)


def _redirect_former(kind: Kind, slug: str) -> None:
    """Redirect from a former slug of a record to its present one."""
    reader, caller = current.reader(), current.caller()
    present = reader.moved_to(kind, slug_in_path(slug), current.chain(), caller)
    if present is None:
        return
    request = current.request()
    query = request.query_string.decode("ascii", "replace")
    # The suffix behind the slug is the format of a feed.
    suffix = request.url_rule.rule.rpartition(">")[2].rstrip("/") if request.url_rule else ""
    address = f"{current.addresses().collection(kind.name)}/by-slug/{shown_slug(present)}{suffix}"
    abort(redirect_permanently(f"{address}?{query}" if query else address))
