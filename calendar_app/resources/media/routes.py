"""The media resource: pictures, and their uses."""

from flask import Response

from calendar_app.domain.kind import Record
from calendar_app.errors import NotReadable, PictureInUse
from calendar_app.http.errors.refusals import refusal_of
from calendar_app.http.lists.filtering import ListRequest
from calendar_app.http.request import current
from calendar_app.http.views import records
from calendar_app.http.views.blueprint import Blueprint, Refused
from calendar_app.http.views.guarding import existing, load_record, require_permission
from calendar_app.http.views.history import add_history
from calendar_app.http.views.resource_view import ResourceView
from calendar_app.kinds import MEDIA
from calendar_app.presentation import media as presentation
from calendar_app.presentation.records import JSONObject, View
from calendar_app.resources.media.filters import MediaListSchema
from calendar_app.resources.media.receiving import accept_upload, read_upload
from calendar_app.resources.media.schemas import (
    UPLOAD_BODY,
    MediaChangeSchema,
    MediaPageSchema,
    MediaReadSchema,
    MediaRemoveSchema,
    MediaSchema,
)

_MOST_USES = 100

blueprint = Blueprint("media", __name__, description="Pictures")


def _present(record: Record, view: View, *, single: bool = False) -> JSONObject:
    """Present a picture; alone with its uses."""
    body = presentation.present_media(record, view)
    return body | _used(record, view) if single else body


def _used(record: Record, view: View) -> JSONObject:
    shown_pictures = current.services().shown_pictures
    uses = shown_pictures.uses(record["_id"], view.context.caller, most=_MOST_USES)
    return presentation.present_uses(uses, view)


@blueprint.route("/media")
class Pictures(ResourceView):
    @blueprint.arguments(MediaListSchema, location="query")
    @blueprint.response(200, MediaPageSchema)
    def get(self, list_request: ListRequest) -> Response:
        """List pictures, the newest first."""
        return records.answer_list(MEDIA, list_request, _present)

    @accept_upload
    @blueprint.arguments(MediaChangeSchema, location="query")
    @blueprint.doc(requestBody=dict(UPLOAD_BODY))
    @blueprint.response(201, MediaSchema)
    def post(self, changes: Record) -> Response:
        """Upload a picture; other records refer to its id in ``image``.

        The body is a form with the field `file`; the bare file is taken as well, with its own
        `Content-Type` and, where it has a name, with `Content-Disposition`.
        """
        pictures = current.services().pictures
        record = pictures.upload(read_upload(changes), current.caller(), current.language())
        location = {"Location": current.addresses().record(MEDIA.name, record["_id"])}
        view = records.view_of(MEDIA, [record])
        return records.answer_write(record, view, _present, 201, location)


@blueprint.route("/media/<digits:id>")
class Picture(ResourceView):
    @load_record(MEDIA)
    @blueprint.arguments(MediaReadSchema, location="query")
    @blueprint.response(200, MediaSchema)
    def get(self, sent: Record, **_: object) -> Response:
        """Read a picture, with the records that show it."""
        record = existing(MEDIA)
        if not current.services().shown_pictures.may_see(record, current.caller()):
            raise NotReadable(MEDIA.singular)
        return records.read(MEDIA, record, _present, sent)

    @require_permission("edit", MEDIA)
    @load_record(MEDIA, _present)
    @blueprint.arguments(MediaChangeSchema(partial=True))
    @blueprint.response(200, MediaSchema)
    def post(self, changes: Record, **_: object) -> Response:
        """Change the texts of a picture; omitted fields stay."""
        return records.change(MEDIA, existing(MEDIA), changes, _present)

    put = patch = post

    @require_permission("delete", MEDIA)
    @load_record(MEDIA)
    @blueprint.arguments(MediaRemoveSchema, location="query")
    @blueprint.response(200, MediaSchema)
    def delete(self, sent: Record, **_: object) -> Response:
        """Delete a picture and its files for good, unless it is in use."""
        record = existing(MEDIA)
        try:
            return records.remove(MEDIA, record, sent, _present)
        except PictureInUse as error:
            refusal = refusal_of(error)
            refusal.data.update(_used(record, records.view(records.read_context({}))))
            raise Refused(refusal) from error


add_history(blueprint, MEDIA, MediaSchema, _present)
