"""Texts of VEVENTs by language, in the editor's words."""

import re
from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Any

from icalendar import Event

from calendar_app.calendar.bulk.calendar_events import UNTITLED
from calendar_app.content.messages import translated
from calendar_app.content.sanitizing import clean_html, is_url
from calendar_app.domain.addresses import in_ascii
from calendar_app.domain.kind import Record
from calendar_app.domain.richtext import escape
from calendar_app.domain.statuses import CANCELED, POSTPONED
from calendar_app.imports.ics.properties import parameter, text, value, values

# By STATUS; a COMMENT then says the reason.
UNPLANNED: Mapping[str, str] = MappingProxyType({"CANCELLED": CANCELED, "TENTATIVE": POSTPONED})
# Google writes HTML into DESCRIPTION.
_MARKUP = re.compile(r"</?(?:a|b|br|div|em|i|li|ol|p|span|strong|u|ul)\b[^<>]*>", re.IGNORECASE)
# The library unescapes no text of properties that RFC 5545 does not know.
_ESCAPED = re.compile(r"\\([nN,;\\])")
_BODY = re.compile(r".*<body[^>]*>|</body>.*", re.IGNORECASE | re.DOTALL)


class Languages:
    """The languages of the site, and the one of texts that name none of them."""

    def __init__(self, site: Collection[str], default: str) -> None:
        self._site = {tag.lower(): tag for tag in site}
        self._default = default

    def of(self, prop: Any) -> str:
        """Return the language of a property: ``de`` also where it says de-CH."""
        tag = parameter(prop, "LANGUAGE").lower()
        own = self._site.get(tag) or self._site.get(tag.partition("-")[0])
        return own or self._default


def texts_of(event: Event, master: Event, languages: Languages) -> tuple[str, Record]:
    """Return the language of the title, and all texts by language; ``None`` clears one.

    An event without a title has that of its ``master``.
    """
    titled = event if has_title(event) else master
    language = languages.of(value(titled, "SUMMARY"))
    title = text(titled, "SUMMARY") or translated(UNTITLED, (language,))
    website = address(text(event, "URL"))
    own = {"title": escape(title), "description": None, "website": website or None}
    variants: dict[str, Record] = {language: own}
    prop, html = _description(event)
    if html:
        variants.setdefault(languages.of(prop), {})["description"] = html
    own["status_reason"] = None
    if text(event, "STATUS").upper() in UNPLANNED and (reason := text(event, "COMMENT")):
        own_language = languages.of(value(event, "COMMENT"))
        variants.setdefault(own_language, {})["status_reason"] = reason
    return language, variants


def has_title(event: Event) -> bool:
    return bool(text(event, "SUMMARY"))


def address(words: str) -> str:
    """Return a web address in ASCII; empty for anything else."""
    try:
        url = in_ascii(words)
    except ValueError:
        return ""
    return url if url.startswith(("http://", "https://")) and is_url(url) else ""


def _description(event: Event) -> tuple[Any, str]:
    """Return the property with the description, and its HTML."""
    for prop in values(event, "X-ALT-DESC"):
        if parameter(prop, "FMTTYPE").lower() == "text/html":
            html = _BODY.sub("", _ESCAPED.sub(_unescaped, str(prop)))
            if cleaned := clean_html(html, trusted=False):
                return prop, cleaned
    words = text(event, "DESCRIPTION")
    html = words if _MARKUP.search(words) else escape(words)
    return value(event, "DESCRIPTION"), clean_html(html, trusted=False)


def _unescaped(match: re.Match[str]) -> str:
    return "\n" if match[1] in "nN" else match[1]
