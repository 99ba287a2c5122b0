"""HTML of clients as the service stores it: paragraphs, plain words, entities.

Everything here takes time linear in the length of the text, whatever the text is.
"""

import html as entities
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

# Quoted attribute values may hold ">"; an unclosed comment hides the rest, as in a browser.
_TAG = re.compile(
    r"""<!--(?:.*?-->|.*\Z)|<(?P<end>/?)(?P<name>[a-z][^\s/<>"']*+)"""
    r"""(?:[^<>"']++|"[^"]*+"|'[^']*+')*+>""",
    re.DOTALL | re.IGNORECASE,
)
# Bounded, because the number of a character never has more digits.
_ENTITY = re.compile(
    r"&(?:#[0-9]{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});",
    re.IGNORECASE,
)
_ILLEGIBLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
_BLANK_LINE = re.compile(r"\n[ \t]*\n\s*")
_WHITE = re.compile(r"\s+")
_MANY_ENDS = re.compile(r"\n{3,}")
_BLOCK = {
    "address", "article", "aside", "audio", "blockquote", "caption", "center", "col", "colgroup",
    "dd", "details", "dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure",
    "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup", "hr", "iframe",
    "legend", "li", "listing", "main", "menu", "nav", "object", "ol", "p", "pre", "search",
    "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul", "video",
    "xmp",
}  # fmt: skip
_VOID = {
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
}  # fmt: skip
_INLINE = {
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "button", "cite", "code", "data", "del",
    "dfn", "em", "font", "i", "ins", "kbd", "label", "map", "mark", "picture", "q", "rp", "rt",
    "ruby", "s", "samp", "script", "small", "span", "strike", "strong", "style", "sub", "sup",
    "svg", "time", "tt", "u", "var",
}  # fmt: skip
_PAGE = {"body", "head", "html", "title"}
_ELEMENTS = _BLOCK | _VOID | _INLINE | _PAGE


class _Piece(NamedTuple):
    """A tag or the text between two tags.

    ``depth`` counts the elements open before it, ``last`` says that none is open after it.
    """

    text: str
    is_tag: bool
    is_block: bool
    depth: int
    last: bool


def escape(text: str) -> str:
    """Return plain text as HTML text; quotes stay."""
    return entities.escape(text, quote=False)


def decoded(text: str) -> str:
    """Resolve the entities of ``text`` once; an ampersand without semicolon is no entity."""
    if "&" not in text:
        return text
    return _ENTITY.sub(lambda entity: entities.unescape(entity[0]), text)


def legible(text: str) -> str:
    """Drop NUL, other control characters, and halves of characters."""
    # What can be printed is legible, and this is known sooner.
    return text if text.isprintable() else _ILLEGIBLE.sub("", text)


def without_tags(text: str) -> str:
    """Drop the tags and keep the text between them; "5 < 6" has none."""
    if "<" not in text:
        return text
    bare = _TAG.sub("", text)
    # A tag in the midst of a tag must not make a new one.
    return bare.replace("<", "") if _TAG.search(bare) else bare


def has_elements(text: str) -> bool:
    """Return whether a text has an element of HTML; <anna@example.org> is none."""
    return "<" in text and any(
        tag["name"] is None or tag["name"].lower() in _ELEMENTS for tag in _TAG.finditer(text)
    )


def with_texts(html: str, change: Callable[[str], str]) -> str:
    """Return HTML with ``change`` made to each text between two tags; the tags stay.

    The change gets a text with its entities resolved. One that it leaves alone stays as written.
    """
    parts: list[str] = []
    end = 0
    for tag in _TAG.finditer(html):
        parts += _changed_text(html[end : tag.start()], change), tag[0]
        end = tag.end()
    return "".join((*parts, _changed_text(html[end:], change)))


def _changed_text(text: str, change: Callable[[str], str]) -> str:
    before = decoded(text)
    after = change(before)
    return text if after == before else escape(after)


def plain(html: str) -> str:
    """Return the words of an HTML text, separated by single spaces."""
    bare = _TAG.sub(_gap, html) if "<" in html else html
    return " ".join(decoded(bare).split())


def plain_lines(html: str) -> str:
    """Return the words of an HTML text in lines: paragraphs parted by blank ones, as in a mail."""
    broken = _TAG.sub(_line_end, _WHITE.sub(" ", html))
    lines = [" ".join(decoded(line).split()) for line in broken.split("\n")]
    return _MANY_ENDS.sub("\n\n", "\n".join(lines)).strip("\n")


def paragraphs(html: str) -> str:
    """Give text and inline HTML ``<p>`` for each block of lines and ``<br />`` for line breaks.

    Block elements stay as they are, and so do paragraphs that were made before. The parts are
    separated by line ends.
    """
    blocks: list[str] = []
    nodes = _nodes(html.replace("\r\n", "\n").replace("\r", "\n"))
    for is_block, group in groupby(nodes, key=lambda node: any(piece.is_block for piece in node)):
        if is_block:
            blocks += ["".join(piece.text for piece in node).strip() for node in group]
        else:
            blocks += _wrapped(piece for node in group for piece in node)
    return "\n".join(blocks).strip()


def _gap(tag: re.Match[str]) -> str:
    name = (tag["name"] or "").lower()
    return " " if name == "br" or name in _BLOCK else ""


def _line_end(tag: re.Match[str]) -> str:
    name = (tag["name"] or "").lower()
    if name == "p":
        return "\n\n"
    return "\n" if name == "br" or name in _BLOCK else ""


def _nodes(html: str) -> Iterator[list[_Piece]]:
    """Yield the outermost elements and the texts between them."""
    node: list[_Piece] = []
    for piece in _pieces(html):
        node.append(piece)
        if piece.last:
            yield node
            node = []
    if node:
        yield node


def _pieces(html: str) -> Iterator[_Piece]:
    elements = _Elements()
    position = 0
    for tag in _TAG.finditer(html):
        if tag.start() > position:
            yield elements.text(html[position : tag.start()])
        yield elements.tag(tag)
        position = tag.end()
    if position < len(html):
        yield elements.text(html[position:])


class _Elements:
    """The elements that are open at a place in an HTML text."""

    def __init__(self) -> None:
        self._open: list[str] = []
        self._count: Counter[str] = Counter()

    def text(self, text: str) -> _Piece:
        depth = len(self._open)
        return _Piece(text, is_tag=False, is_block=False, depth=depth, last=not depth)

    def tag(self, tag: re.Match[str]) -> _Piece:
        name, text, depth = (tag["name"] or "").lower(), tag[0], len(self._open)
        preserved = self._count["pre"] > 0
        if tag["end"] and self._count[name]:
            self._close(name)
        elif tag["end"]:
            # An end without a beginning would close the paragraph put round it.
            text = text if preserved else escape(text)
            return self.text(text)
        elif name and name not in _VOID:
            self._open.append(name)
            self._count[name] += 1
        if text in ("<br>", "<br/>") and not preserved:
            text = "<br />"
        is_block = name in _BLOCK
        return _Piece(text, is_tag=True, is_block=is_block, depth=depth, last=not self._open)

    def _close(self, name: str) -> None:
        closed = ""
        while closed != name:
            closed = self._open.pop()
            self._count[closed] -= 1


def _wrapped(pieces: Iterable[_Piece]) -> Iterator[str]:
    """Make paragraphs of a stretch of inline HTML; blank lines outside of elements part them."""
    parts: list[_Piece] = []
    for piece in pieces:
        if piece.is_tag or piece.depth:
            parts.append(piece)
            continue
        first, *paragraphs_after = _BLANK_LINE.split(piece.text)
        parts.append(piece._replace(text=first))
        for stretch in paragraphs_after:
            yield from _paragraph(parts)
            parts = [piece._replace(text=stretch)]
    yield from _paragraph(parts)


def _paragraph(parts: list[_Piece]) -> Iterator[str]:
    """Make one paragraph; of nothing but white space there is none."""
    filled = [number for number, part in enumerate(parts) if part.text.strip()]
    if not filled:
        return
    parts = parts[filled[0] : filled[-1] + 1]
    parts[0] = parts[0]._replace(text=parts[0].text.lstrip())
    parts[-1] = parts[-1]._replace(text=parts[-1].text.rstrip())
    yield f"<p>{''.join(_lines(parts))}</p>"


def _lines(parts: Iterable[_Piece]) -> Iterator[str]:
    after_break = False
    for part in parts:
        yield part.text if part.is_tag else _marked(part.text, after_break=after_break)
        after_break = part.is_tag and part.text.lower().startswith("<br")


def _marked(text: str, *, after_break: bool) -> str:
    """Mark the line breaks in ``text``, except behind a ``<br />``."""
    head, end, tail = text.partition("\n")
    if after_break and end and not head.strip():
        return "\n" + _marked(tail, after_break=False)
    *lines, last = text.split("\n")
    return "".join(line.rstrip(" \t") + "<br />\n" for line in lines) + last


# Where the links of an HTML text lead, told beside their words as a reader of plain text needs
# it.
#
# This takes time linear in the length of the text, whatever the text is.

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
