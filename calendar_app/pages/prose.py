"""Descriptions inside a page: HTML that was sanitised, narrowed to what fits into ours."""

import re

import nh3
from markupsafe import Markup

from calendar_app.pages.links import path_of

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


def prose(html: str) -> Markup:
    """Return the HTML of a description as it stands in a page."""
    lowered = _HEADING.sub(lambda match: f"<{match[1]}h{_LEVELS[match[2]]}", html)
    clean = nh3.clean(
        lowered,
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        attribute_filter=_own_pictures,
        link_rel="noopener nofollow ugc",
        set_tag_attribute_values={"img": {"loading": "lazy"}},
    )
    return Markup(clean)  # noqa: S704  # it has just been sanitised


def _own_pictures(tag: str, name: str, value: str) -> str | None:
    """Drop the address of a picture that another host would have to give."""
    if (tag, name) != ("img", "src"):
        return value
    address = path_of(value)
    return address if address.startswith("/") and not address.startswith("//") else None
