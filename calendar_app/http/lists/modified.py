"""The parameters ``modified_after`` and ``modified_before``, as in WordPress."""

from datetime import datetime
from typing import Any

import marshmallow as ma

from calendar_app.domain.moments import Moment, parse_moment
from calendar_app.http.fields.changes import DATE_TIME
from calendar_app.http.fields.scalars import Converted
from calendar_app.http.lists.filtering import by
from calendar_app.http.request import current
from calendar_app.query.clauses import after, before


def _read(value: Any) -> Moment:
    """Return the moment with its offset, so that links repeat it as sent."""
    moment = parse_moment(value, current.site_now())
    _instant(moment)
    return moment


def _instant(moment: Moment) -> datetime:
    """Return the instant in UTC; without an offset in the zone of the site."""
    return moment.instant(current.site_zone())


class ModifiedFilters(ma.Schema):
    """Filters by the time of the last change, both ends exclusive."""

    modified_after = Converted(
        _read,
        DATE_TIME,
        metadata=by(
            lambda moment: after("modified", _instant(moment)), "Changed after this moment."
        ),
    )
    modified_before = Converted(
        _read,
        DATE_TIME,
        metadata=by(
            lambda moment: before("modified", _instant(moment)), "Changed before this moment."
        ),
    )
