"""Names of feeds: that of the site, and of what their filters name."""

from calendar_app.api.http.lists.filtering import ListRequest
from calendar_app.api.http.request.current import Context
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.kinds import CATEGORY, ORGANIZER, SERIES, TAG, VENUE
from calendar_app.domain.richtext import decoded, legible
from calendar_app.readmodel.records import local_text, shown

_NAMED_KINDS = (CATEGORY, TAG, VENUE, ORGANIZER, SERIES)
# Lists of calendars have little room.
_MOST_NAMES = 3
_MORE = "\u2026"


def subject_of(context: Context, list_request: ListRequest) -> str:
    """Return the names of the records and the words that a list is about; often none."""
    named_ids = list_request.named
    ids = {kind.name: set(named_ids[kind.name]) for kind in _NAMED_KINDS if kind.name in named_ids}
    records = context.reader.records_of(ids) if ids else {}
    names = [
        _name(context, kind, record)
        for kind in _NAMED_KINDS
        for each in named_ids.get(kind.name, ())
        if (record := records.get((kind.name, each)))
    ]
    words = legible(list_request.echoed.get("search", "")).strip()
    subjects = list(filter(None, [*names, words]))
    rest = [_MORE] if len(subjects) > _MOST_NAMES else []
    return ", ".join([*subjects[:_MOST_NAMES], *rest])


def _name(context: Context, kind: Kind, record: Record) -> str:
    text = local_text(shown(record, context.settings), kind.label, context.chain).text
    return legible(decoded(text))
