"""Names of roles at the desk."""

from collections.abc import Mapping
from types import MappingProxyType

from calendar_app.domain.texts.messages import catalogs
from calendar_app.errors import Message

ROLE_NAMES: Mapping[str, Message] = MappingProxyType(
    {
        "subscriber": Message("Subscriber"),
        "contributor": Message("Contributor"),
        "author": Message("Event author"),
        "editor": Message("Editor"),
        "administrator": Message("Administrator"),
    }
)


def role_words() -> set[str]:
    """Return the names of all roles in all languages of the desk."""
    languages = catalogs("desk").values()
    return {
        language.gettext(name.pattern) for language in languages for name in ROLE_NAMES.values()
    }
