"""The feed of changes: what came, changed and went in a list of events, since a token."""

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

import marshmallow as ma
from flask import Response

from calendar_app.api.http.answers.answering import answer
from calendar_app.api.http.fields.scalars import Text, Unvalidated
from calendar_app.api.http.lists.filtering import (
    ExistingId,
    ExistingIds,
    ExistingTerms,
    ListRequest,
)
from calendar_app.api.http.request import current
from calendar_app.api.http.request.current import Context
from calendar_app.api.http.views import records
from calendar_app.api.http.views.blueprint import Blueprint
from calendar_app.api.presentation.events import EVENT_SHAPE, present_event
from calendar_app.api.presentation.records import RecordView
from calendar_app.api.presentation.shapes import ABSENT, Field, JSONObject, Shape
from calendar_app.api.resources.events.filters import EventListSchema
from calendar_app.changes.feed import Cursor
from calendar_app.changes.followed import Followed, LinkFilter
from calendar_app.changes.written_records import Changed
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.kinds import CATEGORY, EVENT, ORGANIZER, SERIES, TAG, VENUE
from calendar_app.domain.statuses import PUBLISH
from calendar_app.domain.uids import event_uid
from calendar_app.errors import Message
from calendar_app.readmodel.events import ReadEvent
from calendar_app.settings import Settings
from calendar_app.storage.query.list_query import AnyOrder, Window

START = "start"
UPSERT, DELETE = "upsert", "delete"
_WHERE_PUBLIC = "Where it was public."
_NO_TOKEN = Message("since is not a token of this calendar. Begin with since=start.")
_RETRY_AFTER = 5  # seconds
_MOST = 100
# Filters by what events link to, with the field of events and the kind that it links to.
_LINK_FILTERS = {
    "venue": ("venues", VENUE),
    "organizer": ("organizers", ORGANIZER),
    "categories": ("categories", CATEGORY),
    "tags": ("tags", TAG),
    "series": ("series", SERIES),
    "post_parent": ("parent", EVENT),
}
# Filters by what changes without the event: its links are hidden, moved or deleted.
_BY_LINKS = frozenset({*_LINK_FILTERS, "geoloc", "geoloc_lat", "geoloc_lng", "geoloc_bbox"})


@dataclass(frozen=True, slots=True)
class ChangesRequest:
    """A list of events that is followed, from a cursor on; without one from now on."""

    followed: Followed
    cursor: Cursor | None
    size: int


def _follows(context: Context) -> str:
    """Return the token of a request that follows already; empty where it begins."""
    token = context.parameters.get("since")
    return token if isinstance(token, str) and token != START else ""


class _FollowedIds(ExistingIds):
    """Ids of records; after the first request, hidden and deleted ones stay valid."""

    def resolve(self, value: list[int], context: Context) -> list[int]:
        return value if _follows(context) else super().resolve(value, context)


class _FollowedId(ExistingId):
    """The id of a record, with the same exception."""

    def resolve(self, value: int, context: Context) -> int:
        return value if _follows(context) else super().resolve(value, context)


class _FollowedTerms(ExistingTerms):
    """Terms by slug, id or name; after the first request, deleted ones stay valid."""

    def resolve(self, value: list[int | str], context: Context) -> list[int]:
        token = _follows(context)
        if not token:
            return super().resolve(value, context)
        terms = context.reader.terms.named(self.kind, value, as_filter=True)
        unknown = [entry for entry in value if entry not in terms]
        ids = {*terms.values(), *(entry for entry in unknown if isinstance(entry, int))}
        if slugs := [entry for entry in unknown if isinstance(entry, str)]:
            ids |= _former_terms(self.kind, slugs, token, context)
        return sorted(ids)


def _former_terms(kind: Kind, slugs: list[str], token: str, context: Context) -> set[int]:
    """Return the ids of terms that were deleted or renamed since a token."""
    changes = context.services.changes
    with suppress(ValueError):  # What is no token is refused as ``since``.
        return context.reader.in_snapshot(lambda: {*changes.former_terms(token, kind, slugs)})
    return set()


_DECLARED = EventListSchema().fields


class ChangesSchema(EventListSchema):
    """Parameters of the feed of changes: those of the list of events, without pages and order."""

    class Meta(EventListSchema.Meta):
        exclude = ("page", "order", "orderby", "first_in_series")

    venue = _FollowedIds(VENUE, metadata=_DECLARED["venue"].metadata)
    organizer = _FollowedIds(ORGANIZER, metadata=_DECLARED["organizer"].metadata)
    categories = _FollowedTerms(CATEGORY, metadata=_DECLARED["categories"].metadata)
    tags = _FollowedTerms(TAG, metadata=_DECLARED["tags"].metadata)
    series = _FollowedIds(SERIES, metadata=_DECLARED["series"].metadata)
    post_parent = _FollowedId(EVENT, metadata=_DECLARED["post_parent"].metadata)
    since = Text(
        description="A token; or start, for all current records. Default: changes from now on.",
        finds_locked=True,
    )
    wait = Unvalidated(
        description="Reserved: answers come at once. Retry-After says when to ask again.",
        finds_locked=True,
    )

    def default_bounds(self, _values: Record, _context: Context) -> Record:
        """Return no window: what is over stays in a copy."""
        return {}

    def page_window(self, values: Record, settings: Settings) -> Window:
        return Window(1, min(values.get("per_page", _MOST), settings.max_per_page))

    def sorting(self, _values: Record, _context: Context) -> AnyOrder:
        return [("_id", 1)]

    @ma.post_load(pass_original=True)
    def to_request(self, values: Record, sent: Any, **options: Any) -> ChangesRequest:
        """Compile the filters, and read the token."""
        context = sent.context
        listed: ListRequest = super().to_request(values, sent, **options)
        listing = listed.without(_LINK_FILTERS)
        without_links = replace(listed.without(_BY_LINKS), circle=None, search_query=None)
        password = context.parameters.get("password")
        secret = password if isinstance(password, str) else None
        filters = _link_filters(values)
        followed = Followed(EVENT, listing, without_links, context.caller, filters, secret)
        cursor = _cursor(values.get("since", ""), context)
        return ChangesRequest(followed, cursor, listed.listing.window.size)


def _link_filters(values: Record) -> tuple[LinkFilter, ...]:
    """Return the filters by links."""
    ids_by_filter = {
        name: ids if isinstance(ids := values[name], list) else [ids]
        for name in _LINK_FILTERS
        if name in values
    }
    return tuple(
        LinkFilter(*_LINK_FILTERS[name], tuple(ids)) for name, ids in ids_by_filter.items()
    )


def _cursor(token: str, context: Context) -> Cursor | None:
    """Return the cursor of a token, ``None`` without one."""
    changes = context.services.changes
    if token in ("", START):
        return changes.start() if token else None
    try:
        return changes.cursor(token)
    except ValueError as error:
        raise ma.ValidationError({"since": [_NO_TOKEN]}) from error


# What is answered.


@dataclass(frozen=True, slots=True)
class _ChangeView:
    """A change in its presentation; ``gone`` is the former state of a removed record."""

    changed: Changed
    view: RecordView
    gone: ReadEvent | None
    calendar: UUID

    @property
    def is_public(self) -> bool:
        return self.gone is not None and self.gone.record["status"] == PUBLISH

    @property
    def series(self) -> Any:
        """The id of its series, as far as that may be told; ``None`` of a single event."""
        if self.changed.record:
            facts = self.view.context.series.get(self.changed.record.get("series", 0))
            return facts.record["_id"] if facts else None
        return self.gone.record.get("series") if self.gone and self.is_public else ABSENT

    @property
    def uid(self) -> Any:
        """The UID in feeds; that of what has gone where it was public."""
        series = self.series
        if series is ABSENT:
            return ABSENT
        return str(event_uid(self.calendar, series or self.changed.id))

    @property
    def single_uid(self) -> Any:
        """The UID that a date of a series has, or had, as an event of its own."""
        is_date = isinstance(self.series, int)
        return str(event_uid(self.calendar, self.changed.id)) if is_date else ABSENT


def _public(it: _ChangeView, name: str) -> Any:
    return getattr(it.gone, name) if it.is_public else ABSENT


def _record(it: _ChangeView) -> Any:
    record = it.changed.record
    return records.present_item(EVENT, record, present_event, it.view) if record else ABSENT


_TOMBSTONE = Shape[_ChangeView](
    "Tombstone",
    {
        "id": Field("integer", lambda it: it.changed.id, "The id of the record."),
        "slug": Field(
            "string", lambda it: _public(it, "shown_slug"), _WHERE_PUBLIC, sometimes=True
        ),
        "url": Field("string", lambda it: _public(it, "url"), _WHERE_PUBLIC, sometimes=True),
    },
)
_CHANGE = Shape[_ChangeView](
    "Change",
    {
        "kind": Field((EVENT.name,), lambda _: EVENT.name, "The kind of what has changed."),
        "id": Field("integer", lambda it: it.changed.id, "Its id."),
        "uid": Field(
            "string",
            lambda it: it.uid,
            "The UID in feeds, which the events of a series share; of a delete where it was "
            "public.",
            sometimes=True,
        ),
        "series": Field(
            "integer|null",
            lambda it: it.series,
            "The id of its series; null for a single event. Present together with `uid`.",
            sometimes=True,
        ),
        "single_uid": Field(
            "string",
            lambda it: it.single_uid,
            "For an event of a series: the UID it had as a single event, if it was one before.",
            sometimes=True,
        ),
        "change": Field(
            (UPSERT, DELETE),
            lambda it: UPSERT if it.changed.record else DELETE,
            "upsert: it is new or has changed; delete: it is gone.",
        ),
        "modified": Field(
            {"type": "string", "format": "date-time"},
            lambda it: it.changed.at.replace(tzinfo=None).isoformat(timespec="seconds") + "Z",
            "When the record, or a record that it shows, was changed, in UTC.",
        ),
        "record": Field(
            EVENT_SHAPE,
            _record,
            "For an upsert: the event as in the list.",
            sometimes=True,
        ),
        "tombstone": Field(
            _TOMBSTONE,
            lambda it: ABSENT if it.changed.record else _TOMBSTONE.present(it),
            "For a delete: what is gone from the list, or is no longer readable.",
            sometimes=True,
        ),
    },
)
CHANGES = Shape[object](
    "Changes",
    {
        "changes": Field([_CHANGE], meaning="The changes, the earliest one first."),
        "next": Field("string", meaning="The token for the next request."),
        "more": Field("boolean", meaning="Whether more changes are ready to be read."),
    },
)


blueprint = Blueprint("changes", __name__, description="For programs that keep a copy")


@blueprint.route("/changes")
@blueprint.arguments(ChangesSchema, location="query")
@blueprint.response(200, CHANGES)
def changes(changes_request: ChangesRequest) -> Response:
    """List the changes of events since a token.

    Changes come in the order of commits. Begin with `since=start`, then ask again with `next`. An
    event that leaves the list, or that the caller may no longer read, comes as a `delete`.
    """
    # Without an edition no answer is kept: one that comes again would tell that nothing was hidden.
    context = current.context()
    calendar = context.services.feeds.identity()
    return context.reader.in_snapshot(lambda: _answered(changes_request, calendar))


def _answered(changes_request: ChangesRequest, calendar: UUID) -> Response:
    feed = current.context().services.changes
    if changes_request.cursor is None:
        return _answer([], feed.token(feed.now()), more=False)
    page = feed.read(changes_request.cursor, changes_request.followed, changes_request.size)
    present = [each.record for each in page.changes if each.record]
    view = records.view_of(EVENT, present, in_list=True)
    body = [
        _CHANGE.present(_ChangeView(each, view, _gone(each, view), calendar))
        for each in page.changes
    ]
    return _answer(body, feed.token(page.next), more=page.more)


def _gone(changed: Changed, view: RecordView) -> ReadEvent | None:
    return ReadEvent(changed.was, view.context) if changed.was and not changed.record else None


def _answer(body: list[JSONObject], token: str, *, more: bool) -> Response:
    """Answer some changes; each answer has a token that no other one has, and is kept nowhere."""
    headers = {"Cache-Control": "no-store"} | ({} if more else {"Retry-After": str(_RETRY_AFTER)})
    return answer({"changes": body, "next": token, "more": more}, headers=headers)
