"""How kinds and records are called at the desk."""

from collections.abc import Mapping

from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.languages import localize
from calendar_app.errors import Message
from calendar_app.http.request import current

KIND_NAMES: Mapping[str, str] = {
    "events": Message("Events"),
    "series": Message("Recurring events"),
    "venues": Message("Venues"),
    "organizers": Message("Organizers"),
    "categories": Message("Categories"),
    "tags": Message("Tags"),
    "media": Message("Pictures"),
}


def name_of(kind: Kind, record: Record) -> str:
    """Return the name of a record for the user, in any language that has one."""
    names = (kind.label,) if kind.label in kind.texts else (*kind.texts, kind.label)
    chain = (*current.chain(), *record["variants"])
    texts = localize(record["variants"], names, chain)
    own = (texts.get(name) or record.get(name) for name in names)
    return next((str(name) for name in own if name), f"{kind.singular} {record['_id']}")
