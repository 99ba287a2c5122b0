"""The list of pictures, and a single one, as WordPress shows attachments.

Uploads, changes and deletions below the same addresses are those of the interface.
"""

from typing import Any

from flask import Response

from calendar_app.accounts.callers import Right
from calendar_app.accounts.policy import editable_by
from calendar_app.api.http.answers.answering import answer
from calendar_app.api.http.fields.scalars import OneOf, Text
from calendar_app.api.http.fields.schema import RequestSchema
from calendar_app.api.http.lists.filtering import ListSchema, SearchText, by, search_in
from calendar_app.api.http.request import current
from calendar_app.api.http.request.current import Context
from calendar_app.api.http.views import records
from calendar_app.api.http.views.guarding import load_record
from calendar_app.api.http.views.loading import load_parameters
from calendar_app.api.http.views.resource_view import ResourceView
from calendar_app.domain.kind import Record
from calendar_app.domain.kinds import MEDIA
from calendar_app.parts.wordpress.attachments import filenames_of, present_attachment
from calendar_app.parts.wordpress.contexts import CONTEXTS, EDIT, VIEW
from calendar_app.parts.wordpress.lists import DIRECTIONS, Paged, Slugs, SomeIds
from calendar_app.parts.wordpress.pages import answer_page
from calendar_app.parts.wordpress.writing import forbidden_context, unknown_record
from calendar_app.storage.query.clauses import EVERYTHING, NOTHING, Clause, equals, one_of
from calendar_app.storage.query.list_query import AnyOrder, AsListed

_ORDERS = ("date", "id", "include", "relevance", "slug")
_MEDIA_TYPES = ("image", "video", "text", "application", "audio")


def _by_slugs(slugs: list[str], _context: Context) -> Clause:
    return one_of("filename", [name for slug in slugs for name in filenames_of(slug)])


class MediaListSchema(Paged, ListSchema):
    """Parameters of the picture list, which is limited to what the caller may read."""

    kind = MEDIA

    slug = Slugs(metadata=by(_by_slugs, "Only those whose file has one of these names."))
    search = SearchText(metadata=by(search_in(MEDIA), "Words in title, alt text or file name."))
    author = SomeIds(
        metadata=by(
            lambda ids, _: one_of("author", ids) if ids else EVERYTHING, "Uploaded by these users."
        )
    )
    media_type = OneOf(
        _MEDIA_TYPES,
        metadata=by(
            lambda name, _: EVERYTHING if name == _MEDIA_TYPES[0] else NOTHING,
            "image: all of them, as there are no other files.",
        ),
    )
    mime_type = Text(
        metadata=by(lambda name, _: equals("mime", name), "Only those with this media type.")
    )
    order = OneOf(DIRECTIONS, load_default="desc", description="Which way.")
    orderby = OneOf(_ORDERS, load_default="date", description="The field to sort by.")

    def clauses(self, values: Record, context: Context) -> dict[str, Clause]:
        clauses = super().clauses(values, context)
        clauses[""] = context.services.shown_pictures.seen_by(context.caller)
        if values.get("context") == EDIT:
            clauses["context"] = editable_by(context.caller)
        return clauses

    def sorting(self, values: Record, _context: Context) -> AnyOrder:
        direction = 1 if values["order"] == "asc" else -1
        match values["orderby"]:
            case "include" if values.get("include"):
                return AsListed(tuple(values["include"]))
            case "slug":
                return [("filename", direction), ("_id", direction)]
            case _:
                return [("_id", direction)]


class _ReadSchema(RequestSchema):
    context = OneOf(CONTEXTS, load_default=VIEW, description="What the picture is for.")


LIST, _READ = MediaListSchema(), _ReadSchema()


class Media(ResourceView):
    """The list of pictures."""

    def get(self) -> Response:
        context = current.context()
        list_request = load_parameters(LIST, context.parameters)
        purpose = str(context.parameters.get("context", VIEW))
        _require_editor(purpose)
        page = context.reader.search(MEDIA, list_request.listing, context.caller)
        view = records.view_of(MEDIA, page.items, in_list=True)
        items = [present_attachment(media, view, purpose) for media in page.items]
        return answer_page(MEDIA.name, page, items, refuses_beyond=True)


class Attachment(ResourceView):
    """One picture."""

    @load_record(MEDIA)
    def get(self, **_: Any) -> Response:
        context = current.context()
        sent = load_parameters(_READ, context.parameters)
        media = context.record
        if media is None or not context.services.shown_pictures.may_see(media, context.caller):
            raise unknown_record(MEDIA)
        _require_editor(sent["context"])
        return answer(present_attachment(media, records.view_of(MEDIA, [media]), sent["context"]))


def _require_editor(purpose: str) -> None:
    caller = current.context().caller
    if purpose == EDIT and not caller.may(Right.UPLOAD):
        raise forbidden_context(caller)
