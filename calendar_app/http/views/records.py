"""What the routes of all kinds do: load, act, present."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import lru_cache
from typing import Any

import marshmallow as ma
from flask import Response, abort

from calendar_app.calendar.reading.links import Known, Linked
from calendar_app.calendar.reading.reader import readable
from calendar_app.calendar.writing.references import NO_LINKS, LinkedIds
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.numbers import is_reserved
from calendar_app.domain.slugs import slugify
from calendar_app.errors import InvalidParameters, Message, NoSuchPage, NotFound, WrongKind
from calendar_app.http.answers.answering import answer, depend_on, moved
from calendar_app.http.answers.conditional import entity_tag
from calendar_app.http.answers.feed_links import alternates
from calendar_app.http.answers.representation import JSON_LD, preferred
from calendar_app.http.fields.scalars import Flag, Parameter, Text, Unjudged
from calendar_app.http.lists.filtering import Wanted
from calendar_app.http.lists.paging import answer_page
from calendar_app.http.presentation.linked_data import Node
from calendar_app.http.presentation.presenting import Shown, View
from calendar_app.http.request import current
from calendar_app.http.views.if_match import seen_revision

Present = Callable[..., Shown]
Describe = Callable[[Record, View], Node]
_MOST_EYES = 64


class ReadSchema(ma.Schema):
    """What every read of one record takes."""

    class Meta:
        unknown = ma.EXCLUDE

    password: Parameter = Unjudged(metadata={"description": "Unlocks what this password protects."})
    context = ma.fields.Raw(metadata={"description": "Taken for the reference's sake."})


class RemoveSchema(ma.Schema):
    """What every delete takes."""

    class Meta:
        unknown = ma.EXCLUDE

    force = Flag(load_default=False, metadata={"description": "Delete for good."})
    translation_only = Flag(
        load_default=False,
        metadata={"description": "Take away one language, the one of the request."},
    )
    password: Parameter = Unjudged(metadata={"description": "Taken for the reference's sake."})


class LockedReadSchema(ReadSchema):
    """What a read takes of a record that may have a password."""

    password = Text(metadata={"description": "Unlocks what this password protects."})


class LockedRemoveSchema(RemoveSchema):
    """What a delete takes of a record that may have a password."""

    password = Text(metadata={"description": "Taken for the reference's sake."})


def view(linked: Linked, *, lasting: bool = False, in_list: bool = False) -> View:
    """Return how the current caller looks at records, and at the linked ones that they show.

    What is made of them is remembered if it is ``lasting``.
    """
    password = current.parameter("password")
    chain, addresses, variants = current.chain(), current.addresses(), current.wants_variants()
    return View(
        chain=chain,
        caller=current.caller(),
        addresses=addresses,
        settings=current.settings(),
        linked=linked,
        zone=current.site_zone(),
        password=password if isinstance(password, str) else None,
        variants=variants,
        in_list=in_list,
        made=current.reader().made() if lasting else {},
        eyes=_eyes(chain, addresses.site, addresses.root, variants),
    )


@lru_cache(_MOST_EYES)
def _eyes(*ways: Hashable) -> object:
    """Return what stands for these ways to look: the same for the same, and compared at once."""
    del ways
    return object()


def view_of(
    kind: Kind, records: list[Record], known: Known | None = None, *, in_list: bool = False
) -> View:
    """Return how the current caller looks at these records, and at what they show of others."""
    if kind.has_links:
        linked = current.reader().linked(records, current.caller(), known)
        return view(linked, lasting=True, in_list=in_list)
    # A record tells its distance in one list only.
    lasting = not any("distance" in record for record in records)
    return view(current.reader().pictures(records), lasting=lasting, in_list=in_list)


def present_one(kind: Kind, record: Record, present: Present, *, single: bool = False) -> Shown:
    return present(record, view_of(kind, [record]), single=single)


def answer_list(kind: Kind, wanted: Wanted, present: Present) -> Response:
    """Answer one page of what was asked for; posts have no page beyond their last one."""
    page = current.reader().search(kind, wanted.listing, current.caller())
    if kind.has_status and not page.items and page.window.number > max(page.pages, 1):
        raise NoSuchPage(kind.singular)
    seen = view_of(kind, page.items, in_list=True)
    shown = [present(item, seen) for item in page.items]
    return answer_page(kind, page, shown, wanted.echoed)


def read(
    kind: Kind, record: Record, present: Present, sent: Record, describe: Describe | None = None
) -> Response:
    """Answer one record, if the caller may read it.

    Where it can be described, that is the answer to clients that prefer linked data.
    """
    current.reader().admit(kind, record, current.caller(), sent.get("password"))
    if describe is None:
        return answer(present_one(kind, record, present, single=True))
    if preferred(current.request().headers.get("Accept", "")) == JSON_LD:
        described = describe(record, view_of(kind, [record]))
        response = answer(described, media_type=JSON_LD)
    else:
        shown = present_one(kind, record, present, single=True)
        response = answer(shown, headers=alternates(shown))
    depend_on(response, "Accept")
    return response


def create(kind: Kind, changes: Record, present: Present) -> Response:
    record = current.editor().create(kind, changes, current.caller(), current.language())
    headers = {}
    if not kind.has_status:
        headers["Location"] = current.addresses().record(kind.name, record["_id"])
    seen = view_of(kind, [record], current.known_links())
    return answer_write(record, seen, present, 201, headers)


def change(
    kind: Kind,
    before: Record,
    changes: Record,
    present: Present,
    unpublished: LinkedIds = NO_LINKS,
) -> Response:
    """Change a record, if it still is what ``If-Match`` says.

    What an event links to and is ``unpublished`` is published with it.
    """
    record = current.editor().change(
        kind,
        before["_id"],
        changes,
        current.caller(),
        current.language(),
        revision=_matched(kind, before, present),
        unpublished=unpublished,
    )
    return answer_write(record, view_of(kind, [record]), present)


def remove(kind: Kind, record: Record, sent: Record, present: Present) -> Response:
    """Trash or delete; show the record as it is then, or as it last was."""
    editor, caller = current.editor(), current.caller()
    revision = _matched(kind, record, present)
    if sent["translation_only"]:
        _require_language()
        after = editor.remove_translation(
            kind,
            record["_id"],
            caller,
            current.language(),
            site=current.settings().languages,
            revision=revision,
        )
        return answer_write(after, view_of(kind, [after]), present)
    before = present_one(kind, record, present)
    after = editor.remove(kind, record["_id"], caller, force=sent["force"], revision=revision)
    gone = sent["force"] or not kind.has_status
    return answer(before if gone else present_one(kind, after, present))


def answer_write(
    record: Record,
    seen: View,
    present: Present,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Answer a write, with the ``ETag`` that a read of the record would have."""
    # Only records with a status are shown with less than a read shows.
    response = answer(present(record, seen, single="status" not in record), status, headers)
    read_next = answer(present(record, seen, single=True))
    response.set_etag(entity_tag(read_next.get_data()))
    return response


def _require_language() -> None:
    """Refuse to take away a language that the request does not name."""
    if not current.names_language():
        name = current.settings().translation_parameter
        reason = Message("translation_only needs {name}.", name=name)
        raise InvalidParameters({name: reason})


def _matched(kind: Kind, record: Record, present: Present) -> int | None:
    """Return the revision that the client has seen, if it says by ``If-Match`` that it has."""
    if not current.request().if_match:
        return None
    return seen_revision(record, view_of(kind, [record]), present)


def by_id(kind: Kind) -> Callable[..., Record | None]:
    """Return what finds a record by the id in the path."""
    return lambda record_id: current.reader().find(kind, record_id)


def by_slug(kind: Kind) -> Callable[..., Record | None]:
    """Return what finds a record by the slug in the path, if the caller may read it."""
    return lambda slug: current.reader().find_by_slug(
        kind, slugify(slug), current.chain(), readable(kind, current.caller())
    )


def existing(kind: Kind, others: Iterable[Kind] = (), *, write: bool = False) -> Record:
    """Return the record that the path names, or refuse as the reference does.

    An unknown event is 404, anything else 400; an unknown slug is 400, but 404 when writing.
    """
    record, _ = current.addressed()
    if record is not None:
        found: Record = record
        return found
    path: dict[str, Any] = current.path()
    if "slug" in path:
        if current.request().method in ("GET", "HEAD"):
            _redirect_former(kind, path["slug"])
        if write and kind.singular == "event":
            raise NotFound("event", slug=path["slug"])
        raise InvalidParameters(
            {"slug": Message("There is no {kind} of this slug.", kind=kind.singular)}
        )
    record_id = path["record_id"]
    if kind.singular == "event" and (
        is_reserved(kind.sequence, record_id)
        or current.reader().exists_elsewhere(others, record_id)
    ):
        raise WrongKind("event")
    raise NotFound(kind.singular, record_id)


def _redirect_former(kind: Kind, slug: str) -> None:
    """Lead from a slug that a record had once to the one that it has."""
    reader, caller = current.reader(), current.caller()
    present = reader.moved_to(kind, slugify(slug), current.chain(), caller)
    if present is None:
        return
    request = current.request()
    query = request.query_string.decode("ascii", "replace")
    # What stands behind the slug in the path is the format that is asked for.
    suffix = request.url_rule.rule.rpartition(">")[2] if request.url_rule else ""
    address = f"{current.addresses().collection(kind.name)}/by-slug/{present}{suffix}"
    abort(moved(f"{address}?{query}" if query else address))
