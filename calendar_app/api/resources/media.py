"""Pictures, and the records that show them."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from flask import Response

from calendar_app.api.http.errors.refusals import refusal_of
from calendar_app.api.http.fields.changes import ChangeSchema
from calendar_app.api.http.fields.scalars import Flag, FocusPoint, PositiveInteger, Text
from calendar_app.api.http.fields.schema import RequestSchema
from calendar_app.api.http.lists.filtering import (
    Ids,
    ListRequest,
    ListSchema,
    SearchText,
    by,
    search_in,
)
from calendar_app.api.http.presentation import page_of
from calendar_app.api.http.request import current
from calendar_app.api.http.request.current import Context
from calendar_app.api.http.request.forms import MULTIPART
from calendar_app.api.http.views import records
from calendar_app.api.http.views.blueprint import Blueprint
from calendar_app.api.http.views.guarding import existing, load_record, require_permission
from calendar_app.api.http.views.history import add_history
from calendar_app.api.http.views.loading import Refused
from calendar_app.api.http.views.resource_view import ResourceView
from calendar_app.api.presentation import media as presentation
from calendar_app.api.presentation.records import RecordView
from calendar_app.api.presentation.shapes import JSONObject
from calendar_app.api.resources.media_files import accept_upload, read_upload
from calendar_app.domain.kind import Record
from calendar_app.domain.kinds import MEDIA
from calendar_app.errors import NotReadable, PictureInUse
from calendar_app.storage.query.clauses import Clause, equals, one_of
from calendar_app.storage.query.list_query import AnyOrder


class MediaChangeSchema(ChangeSchema):
    """Texts of a picture, sent beside its file."""

    kind = MEDIA

    title = Text(blank=True, allow_none=True, description="Words by which people find the picture.")
    alt_text = Text(
        blank=True,
        allow_none=True,
        description="A description for people who cannot see the picture (alternative text).",
    )
    credit = Text(blank=True, allow_none=True, description="The credit: who made it.")
    license = Text(
        blank=True,
        allow_none=True,
        description="The license: an address, or a name such as CC BY 4.0.",
    )
    focus = FocusPoint(
        allow_none=True,
        description="The focus point that crops keep, as CSS `object-position`: `30% 20%` is 30% "
        "from the left and 20% from the top; empty: the center.",
    )


class MediaReadSchema(RequestSchema):
    """Parameters of a read of one picture."""


class MediaRemoveSchema(RequestSchema):
    """Parameters of a delete of a picture."""

    force = Flag(
        load_default=False,
        description="Delete it even if records show it; they then have no picture.",
    )
    translation_only = Flag(
        load_default=False,
        description="Remove the texts in the language of the request.",
    )


_BINARY: Mapping[str, Any] = MappingProxyType({"type": "string", "format": "binary"})
_TEXT: Mapping[str, Any] = MappingProxyType({"type": "string"})
_MULTIPART: Mapping[str, Any] = MappingProxyType(
    {
        "type": "object",
        "required": ["file"],
        "properties": {
            "file": {**_BINARY, "description": "The picture."},
            "title": {**_TEXT, "description": "The title; else the name of the file."},
            "alt_text": {**_TEXT, "description": "What the picture shows."},
            "credit": {**_TEXT, "description": "Who made the picture."},
            "license": {**_TEXT, "description": "The license of the picture."},
            "focus": {**_TEXT, "description": "The focus point that crops keep: `30% 20%`."},
        },
    }
)
# The body of an upload; a bare file is taken too.
UPLOAD_BODY: Mapping[str, Any] = MappingProxyType(
    {"required": True, "content": {MULTIPART: {"schema": dict(_MULTIPART)}}}
)


_NEWEST_FIRST = (("_id", -1),)


def _used_clause(flag: bool, context: Context) -> Clause:
    return context.services.shown_pictures.used(context.caller, is_used=flag)


class MediaListSchema(ListSchema):
    """Parameters of the picture list; callers see their own pictures only."""

    kind = MEDIA

    search = SearchText(metadata=by(search_in(MEDIA), "Words in title, alt text or file name."))
    include = Ids(metadata=by(lambda ids, _: one_of("_id", ids), "Only the terms with these ids."))
    author = PositiveInteger(
        metadata=by(
            lambda author, _: equals("author", author), "Only pictures that this user uploaded."
        )
    )
    used = Flag(
        metadata=by(
            _used_clause, "true: only pictures that a record shows; false: only unused ones."
        )
    )

    def clauses(self, values: Record, context: Context) -> dict[str, Clause]:
        visible = context.services.shown_pictures.seen_by(context.caller)
        return super().clauses(values, context) | {"": visible}

    def sorting(self, _values: Record, _context: Context) -> AnyOrder:
        return _NEWEST_FIRST


_MOST_USES = 100

blueprint = Blueprint("media", __name__, description="Pictures")


def _present(record: Record, view: RecordView, *, single: bool = False) -> JSONObject:
    """Present a picture; alone with its uses."""
    body = presentation.present_media(record, view)
    return body | _used(record, view) if single else body


def _used(record: Record, view: RecordView) -> JSONObject:
    shown_pictures = current.context().services.shown_pictures
    uses = shown_pictures.uses(record["_id"], view.context.caller, most=_MOST_USES)
    return presentation.present_uses(uses, view)


@blueprint.route("/media")
class Pictures(ResourceView):
    @blueprint.arguments(MediaListSchema, location="query")
    @blueprint.response(200, page_of(presentation.MEDIA_SHAPE, MEDIA.name))
    def get(self, list_request: ListRequest) -> Response:
        """List pictures, the newest first."""
        return records.answer_list(MEDIA, list_request, _present)

    @accept_upload
    @blueprint.arguments(MediaChangeSchema, location="query")
    @blueprint.doc(requestBody=dict(UPLOAD_BODY))
    @blueprint.response(201, presentation.MEDIA_SHAPE)
    def post(self, changes: Record) -> Response:
        """Upload a picture; other records refer to its id in ``image``.

        The body is a form with the field `file`; the bare file is taken as well, with its own
        `Content-Type` and, where it has a name, with `Content-Disposition`.
        """
        context = current.context()
        upload = read_upload(changes, context)
        record = context.services.pictures.upload(upload, context.caller, context.language)
        location = {"Location": context.addresses.record(MEDIA.name, record["_id"])}
        view = records.view_of(MEDIA, [record])
        return records.answer_write(record, view, _present, 201, location)


@blueprint.route("/media/<digits:id>")
class Picture(ResourceView):
    @load_record(MEDIA)
    @blueprint.arguments(MediaReadSchema, location="query")
    @blueprint.response(200, presentation.MEDIA_SHAPE)
    def get(self, sent: Record, **_: object) -> Response:
        """Read a picture, with the records that show it."""
        record, context = existing(MEDIA), current.context()
        if not context.services.shown_pictures.may_see(record, context.caller):
            raise NotReadable(MEDIA.singular)
        return records.read(MEDIA, record, _present, sent)

    @require_permission("edit", MEDIA)
    @load_record(MEDIA, _present)
    @blueprint.arguments(MediaChangeSchema(partial=True))
    @blueprint.response(200, presentation.MEDIA_SHAPE)
    def post(self, changes: Record, **_: object) -> Response:
        """Change the texts of a picture; omitted fields stay."""
        return records.change(MEDIA, existing(MEDIA), changes, _present)

    put = patch = post

    @require_permission("delete", MEDIA)
    @load_record(MEDIA)
    @blueprint.arguments(MediaRemoveSchema, location="query")
    @blueprint.response(200, presentation.MEDIA_SHAPE)
    def delete(self, sent: Record, **_: object) -> Response:
        """Delete a picture and its files for good, unless it is in use."""
        record = existing(MEDIA)
        try:
            return records.remove(MEDIA, record, sent, _present)
        except PictureInUse as error:
            refusal = refusal_of(error)
            refusal.data.update(_used(record, records.view(records.read_context({}))))
            raise Refused(refusal) from error


add_history(blueprint, MEDIA, presentation.MEDIA_SHAPE, _present)
