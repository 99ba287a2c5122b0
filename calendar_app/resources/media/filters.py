"""Parameters of the picture list."""

import marshmallow as ma

from calendar_app.domain.kind import Record
from calendar_app.http.fields.scalars import Flag, PositiveInteger
from calendar_app.http.lists.filtering import (
    Ids,
    ListRequest,
    ListSchema,
    SearchText,
    by,
    search_in,
)
from calendar_app.http.lists.paging import echo
from calendar_app.http.request import current
from calendar_app.kinds import MEDIA
from calendar_app.query.clauses import Clause, all_of, equals, one_of
from calendar_app.query.list_query import Listing

_NEWEST_FIRST = (("_id", -1),)


def _used(flag: bool) -> Clause:
    return current.services().shown_pictures.used(current.caller(), is_used=flag)


class MediaListSchema(ListSchema):
    """Parameters of the picture list; callers see their own pictures only."""

    search = SearchText(metadata=by(search_in(MEDIA), "Words in title, alt text or file name."))
    include = Ids(metadata=by(lambda ids: one_of("_id", ids), "Only these."))
    author = PositiveInteger(
        metadata=by(lambda author: equals("author", author), "Uploaded by this user.")
    )
    used = Flag(metadata=by(_used, "That a record shows, or that none does."))

    @ma.post_load
    def to_request(self, values: Record, **_: object) -> ListRequest:
        visible = current.services().shown_pictures.seen_by(current.caller())
        listing = Listing(values["window"], _NEWEST_FIRST, all_of([values["clause"], visible]))
        return ListRequest(listing, echo({}, values["window"], with_status=False))
