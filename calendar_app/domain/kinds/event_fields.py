"""Declarations of the texts and flags of events, for all code that reads or writes them.

A plain one needs nothing but its line here. The others, and all fields that are neither text nor
flag, have code in their consumers beside it.
"""

from calendar_app.domain import custom_fields
from calendar_app.domain.kind import KindField, Markup
from calendar_app.errors import Message


def _own(
    name: str,
    label: Message,
    markup: Markup | None = None,
    *,
    stored: str = "",
    is_open: bool = False,
) -> KindField:
    """Return a field with code of its own; of these, sources decide on texts alone."""
    return KindField(
        name,
        label,
        markup,
        stored=stored,
        is_open=is_open,
        from_sources=markup is not None,
        is_plain=False,
    )


EVENT_FIELDS = (
    _own("title", Message("Title"), Markup.NAME, is_open=True),
    _own("description", Message("Description"), Markup.HTML),
    _own("excerpt", Message("Short text"), Markup.HTML),
    _own("website", Message("Website"), Markup.URL),
    _own("status_reason", Message("Reason"), Markup.NOTE),
    _own(custom_fields.NAME, Message("Further details"), Markup.FIELDS),
    _own("all_day", Message("All day")),
    _own("show_map", Message("Show a map")),
    _own("show_map_link", Message("Show a link to a map")),
    _own("hide_from_listings", Message("Left out of lists"), stored="hidden"),
    _own("sticky", Message("First on its day")),
    _own("featured", Message("Featured")),
    _own("ticketed", Message("There are tickets")),
)
TEXTS = tuple(field for field in EVENT_FIELDS if field.markup)
FLAGS = tuple(field for field in EVENT_FIELDS if not field.markup)
PLAIN_TEXTS = tuple(field for field in TEXTS if field.is_plain)
PLAIN_FLAGS = tuple(field for field in FLAGS if field.is_plain)
PLAIN = (*PLAIN_TEXTS, *PLAIN_FLAGS)
LABELS = {field.name: field.label for field in EVENT_FIELDS}
