"""Pieces inside a page: descriptions, JSON, icons."""

import re
from collections.abc import Mapping

import nh3
import orjson
from markupsafe import Markup

from calendar_app.readmodel.addresses import Addresses

# Descriptions are HTML that was sanitised, narrowed to what fits into a page.

_TAGS = {
    "a", "abbr", "b", "blockquote", "br", "caption", "cite", "code", "dd", "del", "dl", "dt", "em",
    "figcaption", "figure", "h3", "h4", "h5", "h6", "hr", "i", "img", "ins", "kbd", "li", "mark",
    "ol", "p", "pre", "q", "s", "small", "span", "strong", "sub", "sup", "table", "tbody", "td",
    "tfoot", "th", "thead", "time", "tr", "u", "ul",
}  # fmt: skip
_ATTRIBUTES = {
    "*": {"dir", "lang", "title"},
    "a": {"href", "hreflang"},
    "img": {"alt", "height", "src", "width"},
    "li": {"value"},
    "ol": {"reversed", "start"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan", "scope"},
    "time": {"datetime"},
}
# A page has its own title and sections; those of a text stand below them.
_HEADING = re.compile(r"<(/?)h([1-4])\b", re.IGNORECASE)
_LEVELS = {"1": "3", "2": "3", "3": "3", "4": "4"}


def prose(html: str, addresses: Addresses) -> Markup:
    """Return the HTML of a description as it stands in a page; only its own pictures stay."""

    def own_pictures(tag: str, name: str, value: str) -> str | None:
        """Drop the address of a picture that another host would have to give."""
        if (tag, name) != ("img", "src"):
            return value
        address = addresses.path(value)
        return address if address.startswith("/") and not address.startswith("//") else None

    lowered = _HEADING.sub(lambda match: f"<{match[1]}h{_LEVELS[match[2]]}", html)
    clean = nh3.clean(
        lowered,
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        attribute_filter=own_pictures,
        link_rel="noopener nofollow ugc",
        set_tag_attribute_values={"img": {"loading": "lazy"}},
    )
    return Markup(clean)  # noqa: S704  # it has just been sanitised


def json_in_html(value: object) -> Markup:
    """Return JSON that may stand inside ``<script>``, whatever texts it holds; twice too."""
    if isinstance(value, Markup):
        return value
    text = orjson.dumps(value).decode()
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)  # noqa: S704  # nothing in it ends the element


# The icons, drawn inline.

_ICON_PATHS = {
    "calendar": (
        "M7 3v3M17 3v3M4 9h16M5 5h14a1 1 0 0 1 1 1v13a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V6a1 "
        "1 0 0 1 1-1zM8 13h3v3H8z"
    ),
    "place": (
        "M12 21s7-6.1 7-11a7 7 0 1 0-14 0c0 4.900 7 11 7 11zM12 12.500a2.500 2.500 0 1 0 "
        "0-5 2.500 2.500 0 0 0 0 5z"
    ),
    "clock": "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3.500 2",
    "price": "M4 12V5a1 1 0 0 1 1-1h7l8 8-8 8zM8.500 8.500h.01",
    "person": (
        "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.500 20.500c.7-3.900 3.700-6 7.500-6s6.800 "
        "2.100 7.500 6"
    ),
    "people": (
        "M9 11a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7zM2.500 20c.5-3.600 3-5.500 "
        "6.500-5.500s6 1.900 6.500 5.500M15.500 4.500a3.500 3.500 0 0 1 0 6.200M17.500 "
        "14.800c2.300.7 3.700 2.500 4 5.200"
    ),
    "speech": (
        "M5 5h14a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-7l-4.500 4v-4H5a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1z"
    ),
    "accessible": (
        "M11 6a1.500 1.500 0 1 0 0-3 1.500 1.500 0 0 0 0 3zM11 8.500v6h5l3 5.500M11 11h4.500M8.500 "
        "12.500a5 5 0 1 0 6.500 6.500"
    ),
    "link": "M14 4h6v6M20 4l-9 9M18 14v5a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1h5",
    "online": (
        "M4 5h16a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1zM9 20h6M12 16v4"
    ),
    "close": "M6 6l12 12M18 6L6 18",
    "before": "M15 5l-7 7 7 7",
    "after": "M9 5l7 7-7 7",
    "check": "M5 12.500l4.500 4.500L19 7.500",
    "search": "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l4.500 4.500",
    "filter": "M4 6h16M7 12h10M10 18h4",
    "bell": "M6 17V11a6 6 0 1 1 12 0v6l1.500 2h-15zM10 21h4",
    "repeat": "M4 11V9a3 3 0 0 1 3-3h12M16 3l3 3-3 3M20 13v2a3 3 0 0 1-3 3H5M8 21l-3-3 3-3",
    "star": "M12 4l2.400 5 5.600.8-4 3.900 1 5.500-5-2.700-5 2.700 1-5.500-4-3.900 5.600-.8z",
    "phone": (
        "M6 3h3l1.500 5-2 1.500a12 12 0 0 0 6 6l1.500-2 5 1.500v3a2 2 0 0 1-2 2A16 16 0 "
        "0 1 4 5a2 2 0 0 1 2-2z"
    ),
    "menu": "M4 7h16M4 12h16M4 17h16",
    "picture": (
        "M4 5h16a1 1 0 0 1 1 1v12a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1zM3 "
        "16l5-5 4 4 3-3 6 6M15.500 9.500h.01"
    ),
    "mail": "M4 6h16v12H4zM4 7l8 6 8-6",
    "plus": "M12 5v14M5 12h14",
    "print": "M7 9V3h10v6M7 17H4v-7h16v7h-3M7 14h10v7H7z",
    "share": "M12 15V3M8 6.500L12 3l4 3.500M7 10H5v11h14V10h-2",
    "way": "M12 3l9 9-9 9-9-9zM9 14v-3h6M13 8.500L15.500 11 13 13.500",
}
ICONS: Mapping[str, Markup] = {
    name: Markup(
        '<svg class="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true"'
        ' focusable="false"><path d="{}"/></svg>'
    ).format(path)
    for name, path in _ICON_PATHS.items()
}
