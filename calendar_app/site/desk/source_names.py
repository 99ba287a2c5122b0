"""The names of sources beside what came from them, which may outlive its source."""

from collections.abc import Mapping

from calendar_app.errors import Message
from calendar_app.site.desk.rendering import message_text

_DELETED = Message("a source that is deleted")


def source_name(names: Mapping[int, str], source_id: int) -> str:
    """Return the name of a source; ``names`` has those of all that are there."""
    return names.get(source_id) or message_text(_DELETED)
