"""Schemas of writes to events, venues and organizers: author, status, publication date."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import marshmallow as ma

from calendar_app.accounts.policy import may_sign_as
from calendar_app.domain.kind import Record
from calendar_app.domain.statuses import REGISTERED
from calendar_app.domain.zones import with_wall_everywhere
from calendar_app.errors import Message
from calendar_app.http.errors.problems import refuse_type
from calendar_app.http.fields.changes import DATE_TIME, ChangeSchema, moment
from calendar_app.http.fields.notations import finite_number, whole_number
from calendar_app.http.fields.scalars import Converted, OneOf
from calendar_app.http.request import current
from calendar_app.http.request.parameters import read_query
from calendar_app.presentation.records import NEVER

_DATES = ("date", "date_utc")


def _publication_date(value: Any, *, utc: bool) -> datetime | None:
    if value == NEVER:
        return None
    return with_wall_everywhere(moment(value).instant(UTC if utc else current.site_zone()))


def _existing_author(value: Any) -> int:
    number = finite_number(value)
    author = None if number is None else whole_number(int(number))
    if author is None:
        raise ValueError(Message("author must be the id of a user."))
    # To those who sign for themselves alone the editor refuses everybody else alike.
    is_open = author < 1 or may_sign_as(current.caller(), author)
    if is_open and not current.services().accounts.exists(author):
        raise ValueError(Message("There is no user {id}.", id=author))
    # The reference validates the whole part of a fraction first, and its type later.
    if number != author:
        refuse_type("author", "integer")
    return author


class PostSchema(ChangeSchema):
    """Fields that events, venues and organizers share."""

    author = Converted(
        _existing_author,
        {"type": ["integer", "string"]},
        description="The id of the user who signs as author.",
    )
    date = Converted(
        lambda value: _publication_date(value, utc=False),
        DATE_TIME,
        description="The publication date, in the zone of the site.",
    )
    date_utc = Converted(
        lambda value: _publication_date(value, utc=True),
        DATE_TIME,
        description="The publication date in UTC.",
    )
    status = OneOf(REGISTERED, description="The state of the record.")

    def drop_unchanged(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Keep the presented date of a draft that changes its state.

        It may be the one of its making, but beside the state it is sent on purpose, unless both
        dates are: then all of the draft may have been sent back.
        """
        dates = {name: body[name] for name in _DATES if name in body}
        if body.get("date") is not None:
            body = {name: value for name, value in body.items() if name != "date_utc"}
        changed = super().drop_unchanged(body)
        record, _ = current.target_record()
        if record is None or record.get("dated") or "status" not in changed:
            return changed
        if dates.keys() & changed:
            return changed
        return changed | dates if len(dates) == 1 else changed

    @ma.post_load
    def merge_publication_dates(self, values: Record, **_: Any) -> Record:
        """Merge ``date`` and ``date_utc`` into one publication date."""
        dates = [values.pop(name, None) for name in _DATES]
        published = next((date for date in dates if date is not None), None)
        return values | ({"published": published} if published else {})


class LockedChangeSchema(PostSchema):
    """Base schema of a write to a record that may have a password."""

    @ma.validates_schema(skip_on_field_errors=False)
    def validate_unlocking_password(self, *_: Any, **__: Any) -> None:
        """Reject an empty password in the query of an update, as reads do."""
        query = read_query(current.request()).merged if self.partial else {}
        if "password" in query and not (query["password"] and isinstance(query["password"], str)):
            needed = Message("{name} must be a text that is not empty.", name="password")
            raise ma.ValidationError([needed], "password")
