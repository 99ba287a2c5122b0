"""The parameters ``modified_after`` and ``modified_before``, as in WordPress."""

from datetime import datetime
from typing import Any

import marshmallow as ma

from calendar_app.domain.moments import Moment
from calendar_app.http.fields.changes import DATE_TIME, moment
from calendar_app.http.fields.scalars import Made
from calendar_app.http.lists.filtering import by
from calendar_app.http.request import current
from calendar_app.query.clauses import after, before


def _read(value: Any) -> Moment:
    """Return the moment, so that links repeat it as it was sent, with its offset."""
    read = moment(value)
    _instant(read)
    return read


def _instant(read: Moment) -> datetime:
    """Return the instant in UTC; without an offset it is in the zone of the site."""
    return read.instant(current.site_zone())


class ModifiedFilters(ma.Schema):
    """Records that were changed after or before an instant, both exclusive."""

    modified_after = Made(
        _read,
        DATE_TIME,
        metadata=by(lambda read: after("modified", _instant(read)), "Changed after this moment."),
    )
    modified_before = Made(
        _read,
        DATE_TIME,
        metadata=by(lambda read: before("modified", _instant(read)), "Changed before this moment."),
    )
