"""The steps that the routes of all kinds share: load, act, present."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import marshmallow as ma
import orjson
from flask import Response

from calendar_app.api.http.answers.answering import (
    JSON_LD,
    add_vary,
    answer,
    encoded,
    entity_tag,
    is_matched,
    plain_answer,
    preferred_type,
    selected_paths,
)
from calendar_app.api.http.answers.headers import feed_link_header
from calendar_app.api.http.fields.scalars import Flag, Text, Unvalidated
from calendar_app.api.http.fields.schema import Parameter, RequestSchema
from calendar_app.api.http.lists.filtering import ListRequest
from calendar_app.api.http.lists.paging import ListAddress, answer_page
from calendar_app.api.http.request import current
from calendar_app.api.http.request.current import Context
from calendar_app.api.presentation.nodes import Node
from calendar_app.api.presentation.records import RecordView, without_json_ld
from calendar_app.api.presentation.shapes import JSONObject
from calendar_app.calendar.reading.links import LINKED, CachedRecords, Linked, SeriesFacts
from calendar_app.calendar.reading.provenance import UNKNOWN, Provenance
from calendar_app.calendar.series.changing import THIS
from calendar_app.calendar.writing.references import NO_LINKS, LinkedIds
from calendar_app.domain.kind import Kind, Record
from calendar_app.errors import InvalidParameters, Message, NoSuchPage
from calendar_app.readmodel.fragments import Fragments
from calendar_app.readmodel.records import ReadContext

# Optimistic locking with ``If-Match``.
#
# The tag may be that of the record in the language of the request or in all languages, and
# narrowed to ``_fields`` or whole. A tag of another language proves nothing about the texts to be
# replaced.

Present = Callable[..., JSONObject]
Describe = Callable[[Record, ReadContext], Node]

_GLOSSARY = "X-Calendar-Glossary"
# Below all revisions, so that the write fails.
_NO_REVISION = 0


def expected_revision(kind: Kind, record: Record, view: RecordView, present: Present) -> int:
    """Return the revision that ``If-Match`` names."""
    if_match = current.context().request.if_match
    bodies = _tagged_bodies(kind, record, view, present)
    if if_match.star_tag or any(is_matched(if_match, body) for body in bodies):
        return int(record["revision"])
    return _NO_REVISION


def _tagged_bodies(
    kind: Kind, record: Record, view: RecordView, present: Present
) -> Iterator[bytes]:
    """Yield the bodies of answers that show the record, those first that are kept as a rule."""
    for origins in (False, True):
        shown = present_item(kind, record, present, replace(view, origins=origins), single=True)
        yield from _answered(shown)
    settings = view.context.settings
    # Kept fragments are of the language of the request.
    everything = replace(
        view.context, chain=settings.chain(settings.default_language), fragments=None
    )
    in_all_languages = replace(view, context=everything, variants=True)
    yield from _answered(present(record, in_all_languages, single=True))


def _answered(body: orjson.Fragment | JSONObject) -> Iterator[bytes]:
    """Yield a body narrowed to ``_fields``, where there are some, and whole."""
    if selected_paths():
        yield encoded(body)
    yield plain_answer(body).get_data()


class ReadSchema(RequestSchema):
    """Parameters of every read of one record."""

    password: Parameter = Unvalidated(description="Unlocks events that this password protects.")
    context = ma.fields.Raw(metadata={"description": "edit: includes who wrote each text."})


class RemoveSchema(RequestSchema):
    """Parameters of every delete."""

    force = Flag(load_default=False, description="Delete permanently.")
    translation_only = Flag(
        load_default=False,
        description="Remove only the texts in the language of the request.",
    )
    password: Parameter = Unvalidated(description="Accepted for compatibility; it has no effect.")


class LockedReadSchema(ReadSchema):
    """Parameters of a read of a record that may have a password."""

    password = Text(description="Unlocks events that this password protects.")


class LockedRemoveSchema(RemoveSchema):
    """Parameters of a delete of a record that may have a password."""

    password = Text(description="Accepted for compatibility; it has no effect.")


def read_context(
    linked: Linked,
    series: Mapping[int, SeriesFacts] = MappingProxyType({}),
    provenance: Provenance = UNKNOWN,
) -> ReadContext:
    """Return how the current caller reads records with these links, series and publishers."""
    context = current.context()
    caller, chain, addresses = context.caller, context.chain, context.addresses
    sent = context.parameters.get("password")
    password = sent if isinstance(sent, str) else None
    cache, fragments = context.services.fragments, None
    # Each guessed password would add a view to the cache.
    if cache.is_open and password is None:
        cached = context.reader.cached_values()
        fragments = Fragments(cache, cached, caller, chain, addresses.key)
    return ReadContext(
        caller=caller,
        chain=chain,
        addresses=addresses,
        settings=context.settings,
        zone=context.zone,
        linked=linked,
        series=series,
        provenance=provenance,
        password=password,
        fragments=fragments,
    )


def context_of(
    kind: Kind, records: Sequence[Record], prefetched: CachedRecords | None = None
) -> ReadContext:
    """Return how the current caller reads these records, with all that they link to."""
    reader, caller = current.context().reader, current.context().caller
    if not kind.has_links:
        return read_context(reader.pictures(records))
    series = reader.series_of(records, caller)
    series_records = [facts.record for facts in series.values()]
    linked = reader.linked([*records, *series_records], caller, prefetched)
    return read_context(linked, series, reader.provenance.of(records, caller, series_records))


def view(context: ReadContext, *, in_list: bool = False) -> RecordView:
    """Return the view of this request's answer."""
    asked = current.context()
    return RecordView(context, asked.includes_variants, asked.includes_origins, in_list)


def view_of(
    kind: Kind,
    records: Sequence[Record],
    prefetched: CachedRecords | None = None,
    *,
    in_list: bool = False,
) -> RecordView:
    """Return the current caller's view of these records and their links."""
    return view(context_of(kind, records, prefetched), in_list=in_list)


def present_one(
    kind: Kind, record: Record, present: Present, *, single: bool = False
) -> JSONObject:
    return present(record, view_of(kind, [record]), single=single)


def answer_list(
    kind: Kind, list_request: ListRequest, present: Present, address: str = ""
) -> Response:
    """Answer one page of a list; posts have no page beyond their last one.

    The list is at ``address`` below the base, else at that of its kind. What ``present`` shows of
    each record is kept, but for pictures: they tell where they are used.
    """
    context = current.context()
    with_ledger = context.includes_variants or context.includes_origins
    page = context.reader.search(
        kind, list_request.listing, context.caller, with_ledger=with_ledger
    )
    if kind.has_status and not page.items and page.window.number > max(page.pages, 1):
        raise NoSuchPage(kind.singular)
    view = view_of(kind, page.items, in_list=True)
    listed = ListAddress(address or kind.name, list_request.echoed, context)
    version = None
    if not kind.is_picture:
        described = (page.total, page.window, listed.path, listed.echoed, context.parameters)
        version = view.context.list_version(page.items, repr(described))
    return answer_page(
        kind,
        page,
        lambda: [present_item(kind, item, present, view) for item in page.items],
        listed,
        lambda render: view.kept(f"list of {kind.name}", version, render),
    )


def present_item(
    kind: Kind, record: Record, present: Present, view: RecordView, **route: bool
) -> orjson.Fragment:
    """Return the JSON of one record, in a list or on a ``route`` of its own.

    Its ``present`` is the same on all routes of its kind.
    """
    version = None if kind.is_picture else view.context.version(record)
    name = " ".join((kind.name, *route))
    return view.fragment(name, version, lambda: present(record, view, **route))


def read(
    kind: Kind, record: Record, present: Present, sent: Record, describe: Describe | None = None
) -> Response:
    """Answer one record, if the caller may read it.

    With ``describe`` the answer is JSON-LD for clients that prefer it.
    """
    context = current.context()
    context.reader.require_readable(kind, record, context.caller, sent.get("password"))
    view = view_of(kind, [record])
    if describe and preferred_type(context.request.headers.get("Accept", "")) == JSON_LD:
        response = answer(describe(record, view.context), media_type=JSON_LD)
    else:
        feeds = context.addresses.feeds_of(kind.name, record["_id"], context.language)
        headers = feed_link_header(feeds if kind.fed else {})
        response = answer(present_item(kind, record, present, view, single=True), headers=headers)
    if describe:
        add_vary(response, "Accept")
    return response


def create(kind: Kind, changes: Record, present: Present) -> Response:
    context = current.context()
    editor = context.services.editor
    record = editor.create(kind, changes, context.caller, context.language)
    headers = _glossary_header(kind, record, changes)
    if not kind.has_status:
        headers["Location"] = context.addresses.record(kind.name, record["_id"])
    view = view_of(kind, [record], _linked_records(changes))
    return answer_write(record, view, present, 201, headers)


def change(
    kind: Kind,
    before: Record,
    changes: Record,
    present: Present,
    unpublished: LinkedIds = NO_LINKS,
) -> Response:
    """Change a record, if ``If-Match`` allows it.

    Publishing an event also publishes its ``unpublished`` links.
    """
    context = current.context()
    record = context.services.editor.change(
        kind,
        before["_id"],
        changes,
        context.caller,
        context.language,
        revision=expected_revision_of(kind, before, present),
        unpublished=unpublished,
    )
    linked = None if unpublished else _linked_records(changes)
    headers = _glossary_header(kind, record, changes)
    return answer_write(record, view_of(kind, [record], linked), present, headers=headers)


def _glossary_header(kind: Kind, record: Record, changes: Record) -> dict[str, str]:
    """Return the header that names written texts which say terms of the glossary otherwise."""
    translation = current.context().services.translation
    misses = translation.missed(kind, record, changes.get("variants", {}).keys())
    return {_GLOSSARY: ", ".join(f"{tag}.{name}" for tag, name in misses)} if misses else {}


def _linked_records(changes: Record) -> CachedRecords | None:
    """Return the linked records that the write has read, unless it has changed one."""
    entries = (entry for name in LINKED for entry in changes.get(name) or ())
    makes_others = any(not isinstance(entry, int) for entry in entries)
    return None if makes_others else current.context().linked_records


def remove(kind: Kind, record: Record, sent: Record, present: Present) -> Response:
    """Trash or delete a record, and answer its state after or before."""
    context = current.context()
    editor, caller = context.services.editor, context.caller
    revision, scope = expected_revision_of(kind, record, present), sent.get("scope", THIS)
    if sent["translation_only"]:
        _require_language(context)
        after = editor.remove_translation(
            kind,
            record["_id"],
            caller,
            context.language,
            revision=revision,
            scope=scope,
        )
        return answer_write(after, view_of(kind, [after]), present)
    is_deleted = sent["force"] or not kind.has_status
    before = present_one(kind, record, present) if is_deleted else None
    after = editor.remove(
        kind, record["_id"], caller, force=sent["force"], revision=revision, scope=scope
    )
    return answer(present_one(kind, after, present) if before is None else before)


def answer_write(
    record: Record,
    view: RecordView,
    present: Present,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Answer a write, with the ``ETag`` that a read of the record would have."""
    body = present(record, view, single=True)
    # A write presents records with a status in the shorter form of lists.
    response = answer(without_json_ld(body) if "status" in record else body, status, headers)
    response.set_etag(entity_tag(encoded(body)))
    return response


def _require_language(context: Context) -> None:
    """Refuse to remove a language that the request does not name."""
    if not context.names_language:
        name = context.settings.translation_parameter
        reason = Message("translation_only needs {name}.", name=name)
        raise InvalidParameters({name: reason})


def expected_revision_of(kind: Kind, record: Record, present: Present) -> int | None:
    """Return the revision that ``If-Match`` names, if it is sent."""
    if not current.context().request.if_match:
        return None
    return expected_revision(kind, record, view_of(kind, [record]), present)
