"""Where the links of an HTML text lead, told beside their words as a reader of plain text needs it.

This takes time linear in the length of the text, whatever the text is.
"""

import re

from calendar_app.domain.richtext import decoded, escape, plain

_LINK = re.compile(r"""<(?P<end>/?)a\b(?:[^<>"']++|"[^"]*+"|'[^']*+')*+>""", re.IGNORECASE)
_TARGET = re.compile(r"""\shref\s*=\s*(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE)
_SCHEMES = ("http://", "https://", "mailto:")
_SCHEME = re.compile(r"(?:https?://|mailto:)?(?:www\.)?", re.IGNORECASE)


def with_targets(html: str) -> str:
    """Return HTML with the address of each link behind its words, unless they say it."""
    parts, place, target = list[str](), 0, ""
    for tag in _LINK.finditer(html):
        inside = html[place : tag.start()]
        parts.append(inside)
        if target and tag["end"]:
            parts.append(_described(plain(inside), target))
        parts.append(tag[0])
        place, target = tag.end(), "" if tag["end"] else _target(tag[0])
    return "".join([*parts, html[place:]])


def _target(tag: str) -> str:
    match = _TARGET.search(tag)
    target = decoded(match[1] or match[2] or "").strip() if match else ""
    return target if target.lower().startswith(_SCHEMES) else ""


def _described(words: str, target: str) -> str:
    if not words or _bare(words) == _bare(target):
        return ""
    return f" ({escape(target.removeprefix('mailto:'))})"


def _bare(address: str) -> str:
    return _SCHEME.sub("", address, count=1).rstrip("/").casefold()
