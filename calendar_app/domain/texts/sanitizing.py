"""Sanitising of names, lines, HTML texts and addresses."""

import re
from collections import Counter
from collections.abc import Callable
from functools import cache, partial
from typing import Any
from urllib.parse import urlsplit

import nh3

from calendar_app.domain.addresses import in_ascii
from calendar_app.domain.richtext import decoded, escape, legible, paragraphs, without_tags

ATTRIBUTES = {"allow", "allowfullscreen", "height", "loading", "sandbox", "src", "width"}

_FRAME = re.compile(
    r'(?P<opening><iframe(?P<attributes>(?: [^\s"=<>]+="[^"]*")*)>).*?</iframe>', re.DOTALL
)
# Browsers pass over some of these in addresses, and take others for slashes.
_MISLEADING = re.compile(r"[\x00-\x20\x7f\\]")
_PATH = re.compile(r"/(?!/)")


def is_own(address: str, site: str) -> bool:
    """Return whether an address leads to a page of ``site``, which may be empty."""
    if _MISLEADING.search(address):
        return False
    root = site.rstrip("/")
    return bool(_PATH.match(address)) or (bool(root) and f"{address}/".startswith(f"{root}/"))


def without_empty_frames(html: str) -> str:
    """Drop frames without an address, and the contents of all others."""
    return _FRAME.sub(_without_content, html) if "<iframe" in html else html


def _without_content(frame: re.Match[str]) -> str:
    return f"{frame['opening']}</iframe>" if ' src="' in frame["attributes"] else ""


# Sanitising of names, lines, HTML texts and addresses.

_TAGS = nh3.ALLOWED_TAGS | {"big", "font", "main", "section", "tfoot"}
_MEDIA_TAGS = {"address", "audio", "menu", "picture", "search", "source", "track", "video"}
# What stands inside these is no text for readers.
_DROPPED_WHOLE = {"iframe", "math", "noembed", "noframes", "script", "style", "svg", "template"}
_ATTRIBUTES: dict[str, set[str]] = nh3.ALLOWED_ATTRIBUTES | {
    "*": {"class", "dir", "lang", "role", "style", "title"},
    "a": {"href", "hreflang", "rel", "target"},
    "details": {"open"},
    "font": {"color", "face", "size"},
    "img": {"align", "alt", "decoding", "height", "loading", "sizes", "src", "srcset", "width"},
    "li": {"value"},
    "ol": {"reversed", "start", "type"},
    "time": {"datetime"},
}
_MEDIA_ATTRIBUTES: dict[str, set[str]] = _ATTRIBUTES | {
    "*": _ATTRIBUTES["*"] | {"hidden", "id", "itemprop", "itemscope", "itemtype", "tabindex"},
    "a": _ATTRIBUTES["a"] | {"download", "name", "type"},
    "area": {"alt", "coords", "href", "shape", "target"},
    "audio": {"autoplay", "controls", "loop", "muted", "preload", "src"},
    "data": {"value"},
    "iframe": ATTRIBUTES,
    "map": {"name"},
    "source": {"height", "media", "sizes", "src", "srcset", "type", "width"},
    "table": {"align", "border", "cellpadding", "cellspacing", "summary", "width"},
    "track": {"default", "kind", "label", "src", "srclang"},
    "video": {"autoplay", "controls", "height", "loop", "muted", "playsinline", "poster"}
    | {"preload", "src", "width"},
}
_STYLES = {"color", "font-style", "font-weight", "text-align", "text-decoration", "vertical-align"}
_SCHEMES = {"ftp", "geo", "http", "https", "mailto", "sms", "tel", "webcal", "xmpp"}
_SCRIPT = re.compile(r"(?:java|vb)script\s*:|data:text", re.IGNORECASE)
_SCRIPT_BEGINS = re.compile(r"<(?:script|style)\b", re.IGNORECASE)
_SCRIPT_ENDS = re.compile(r"</(?:script|style)\s*>", re.IGNORECASE)
_DATA = re.compile(r"[\x00-\x20]*d\s*a\s*t\s*a\s*:", re.IGNORECASE)
_PICTURE = re.compile(r"data:image/(?:avif|gif|jpeg|png|webp)[;,]", re.IGNORECASE)
# The parser drops the first line end in <pre>, each time it reads the text.
_PRE = re.compile(r'(<pre(?: [^\s"=<>]+="[^"]*")*+>)\n+')
# Paragraphs of nothing but words, as every reading leaves them.
_PARAGRAPH = r"<p>[^<>&\x00-\x1f\x7f-\xa0]*+(?:&amp;[^<>&\x00-\x1f\x7f-\xa0]*+)*+</p>"
_HARMLESS = re.compile(f"{_PARAGRAPH}(?:\n{_PARAGRAPH})*+")
# Markup that a parser rearranges comes to rest after one or two readings.
_READINGS = 8
# Deep nesting and ampersands cost a parser time that grows with their square, and what browsers do
# with inline elements that stay open multiplies the text. Nobody writes so much of any of these.
_DEEPEST = 100
_MOST_AMPERSANDS = 20_000
_MOST_GROWTH = 8
_NESTING = re.compile(r"<(/?)([a-z][^\s/<>]*)", re.IGNORECASE)
_NEVER_NESTED = re.compile("area|br|col|d[dt]|hr|img|li|option|p|source|t[dhr]|tbody|track|wbr")

_WHITE = re.compile(r"[ \t\r\n\x85\u2028\u2029]+")
_NOT_IN_ADDRESSES = re.compile(r"""[\s<>"{}\\^`\x00-\x20\x7f-\x9f]""")
# Escaped as often as it may be: no address means the entity.
_AMPERSAND = re.compile("&(?:(?:amp|#0?38|#x26);)+", re.IGNORECASE)
_ASCII_ADDRESS = re.compile(r"""[A-Za-z0-9$\-_.+!*'(),{}|\\^~\[\]`<>#%";/?:@&=]+""")
_HOST = re.compile(
    r"(?!.{254})(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*\.?"
    r"|[0-9a-f:.]*:[0-9a-f:.]*)",
    re.IGNORECASE,
)
_HOSTLESS = ("file", "mailto", "news")
_DANGEROUS = ("data", "javascript", "vbscript")


def clean_name(text: str) -> str:
    """Return the plain text of a title or name: no tags, entities resolved, one line."""
    return _one_line(decoded(without_tags(text) if "<" in text else text))


def clean_term(text: str) -> str:
    """Return the plain text of a term or a note, without scripts and their contents."""
    return clean_name(without_scripts(text))


def without_scripts(text: str) -> str:
    """Drop scripts and style sheets with all that stands inside them; other tags stay."""
    parts, place = [], 0
    while opening := _SCRIPT_BEGINS.search(text, place):
        parts.append(text[place : opening.start()])
        closing = _SCRIPT_ENDS.search(text, opening.end())
        place = closing.end() if closing else len(text)
    return "".join([*parts, text[place:]])


def clean_line(text: str) -> str:
    """Return the plain text of an address, a phone number and the like: no tags, one line."""
    return _one_line(without_tags(_one_line(text)))


def clean_html(
    text: str, trusted: bool, site: str = "", layout: Callable[[str], str] = paragraphs
) -> str:
    """Return sanitised HTML, laid out by ``layout``.

    Of ``trusted`` people's HTML only scripts, event handlers, addresses that run scripts, forms
    and frames with pages of other sites than ``site`` are lost; of everybody else's all that a
    post has no need of.
    """
    cleaner = _trusted(site) if trusted else _UNTRUSTED
    text = legible(text)
    if _is_too_deep(text) or text.count("&") > _MOST_AMPERSANDS:
        text = layout(_words(text))
    longest = _MOST_GROWTH * len(text)
    for _ in range(_READINGS):
        if _HARMLESS.fullmatch(bare := text.strip(" \n")):
            return bare
        cleaned = without_empty_frames(legible(cleaner.clean(text)))
        if "<pre" in cleaned:
            cleaned = _PRE.sub(r"\1", cleaned)
        if len(cleaned) > longest:
            cleaned = _words(text)
        before, text = text, layout(cleaned)
        if text == before.strip():
            break
    return text


def clean_url(text: str) -> str:
    """Drop the characters that no address may contain."""
    return _NOT_IN_ADDRESSES.sub("", legible(text))


def clean_website(text: str) -> str:
    """Return an address with each escaped ``&`` resolved."""
    return _AMPERSAND.sub("&", clean_url(text))


def web_url(text: str) -> str:
    """Return an address of the web in ASCII; empty for anything else."""
    try:
        url = in_ascii(text)
    except ValueError:
        return ""
    return url if url.startswith(("http://", "https://")) and is_url(url) else ""


def is_url(text: str) -> bool:
    """Return whether ``text`` is an absolute address in ASCII that runs no script."""
    text = text.strip()
    if not _ASCII_ADDRESS.fullmatch(text):
        return False
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        return False
    if not parts.scheme or parts.scheme in _DANGEROUS:
        return False
    if not host:
        return parts.scheme in _HOSTLESS
    return parts.scheme not in ("http", "https") or _HOST.fullmatch(host) is not None


def _one_line(text: str) -> str:
    if text.isprintable() and "  " not in text:
        return text.strip()
    # Spaces that do not break stay: French needs them.
    return _WHITE.sub(" ", legible(text)).strip()


def _is_too_deep(html: str) -> bool:
    """Return whether too many elements are open at some place, as a generous count has it."""
    if html.count("<") <= _DEEPEST:
        return False
    opened: Counter[str] = Counter()
    depth = 0
    for end, name in _NESTING.findall(html.lower()):
        if _NEVER_NESTED.fullmatch(name):
            continue
        step = 1 if not end else -1 if opened[name] else 0
        opened[name] += step
        depth += step
        if depth > _DEEPEST:
            return True
    return False


def _words(html: str) -> str:
    return escape(decoded(without_tags(html)).replace("<", " "))


def _checked(tag: str, attribute: str, value: str, *, site: str = "") -> str | None:
    """Drop addresses that run scripts where nh3 sees none; of ``data:`` keep only pictures."""
    if tag == "iframe" and attribute == "src":
        return value if is_own(value, site) else None
    if attribute in ("srcset", "style"):
        return None if _SCRIPT.search(value) else value
    if attribute in ("href", "poster", "src") and _DATA.match(value):
        return value if tag == "img" and _PICTURE.match(value) else None
    return value


def _cleaner(**differences: Any) -> nh3.Cleaner:
    return nh3.Cleaner(
        link_rel=None,
        generic_attribute_prefixes={"aria-", "data-"},
        **differences,
    )


_UNTRUSTED = _cleaner(
    tags=_TAGS,
    clean_content_tags=_DROPPED_WHOLE,
    attributes=_ATTRIBUTES,
    attribute_filter=_checked,
    url_schemes=_SCHEMES,
    filter_style_properties=_STYLES,
)


@cache
def _trusted(site: str) -> nh3.Cleaner:
    return _cleaner(
        tags=_TAGS | _MEDIA_TAGS | {"iframe"},
        clean_content_tags=_DROPPED_WHOLE - {"iframe"},
        attributes=_MEDIA_ATTRIBUTES,
        attribute_filter=partial(_checked, site=site),
        url_schemes=_SCHEMES | nh3.ALLOWED_URL_SCHEMES | {"data"},
    )
