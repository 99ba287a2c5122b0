"""JSON-LD in a page, in the pages of a site, or by itself, as programs really write it."""

import json
import re
from collections.abc import Iterator
from typing import Any

from calendar_app.errors import Message
from calendar_app.sources.charsets import decode
from calendar_app.sources.parsed import ParsedCalendar
from calendar_app.sources.readers.graphs import GraphNode, events_in
from calendar_app.sources.readers.markup import json_ld_scripts

_TRAILING_COMMA = re.compile(r",(\s*[}\]])")
# A quote behind a backslash is no JSON; PHP writes it.
_ESCAPED_APOSTROPHE = re.compile(r"(?<!\\)((?:\\\\)*)\\'")
_OPENINGS = ("<!--", "//<![CDATA[", "/*<![CDATA[*/", "<![CDATA[")
_CLOSINGS = ("-->", "//]]>", "/*]]>*/", "]]>", ";")
_JSON = ("{", "[")


def event_nodes(content: bytes, parsed: ParsedCalendar) -> Iterator[tuple[str, GraphNode]]:
    """Yield each event, with the address of its page where several were collected."""
    text = decode(content)
    for page, body in _pages(text, parsed):
        for number, (document, reason) in enumerate(json_ld_of(body), 1):
            if reason:
                parsed.refused.append((f"JSON-LD {number} {page}".strip(), reason))
            for node in events_in(document):
                yield page, node


def _pages(text: str, parsed: ParsedCalendar) -> Iterator[tuple[str, str]]:
    """Yield address and text of each page; those of a site are collected as lines of JSON."""
    if not text.startswith('{"address": '):
        yield "", text
        return
    for line in text.splitlines():
        page = json.loads(line)
        parsed.whole = parsed.whole and page.get("whole", True)
        parsed.refused += [(page["address"], reason) for reason in page.get("reasons", ())]
        parsed.left_out += [(page["address"], words) for words in page.get("left_out", ())]
        yield page["address"], json.dumps(page["documents"])


def json_ld_of(text: str) -> Iterator[tuple[Any, str]]:
    """Yield each JSON-LD document in a page, or why one cannot be read."""
    if text.lstrip().startswith(_JSON):
        yield _document(text)
        return
    for script in json_ld_scripts(text):
        if script.strip():
            yield _document(script)


def _document(text: str) -> tuple[Any, str]:
    """Return a document, or why there is none; usual slips of programs are forgiven."""
    bare = _unpacked(text)
    reason: str = Message("It is not JSON.")
    for attempt in (bare, _ESCAPED_APOSTROPHE.sub(r"\1'", _TRAILING_COMMA.sub(r"\1", bare))):
        try:
            return json.loads(attempt, strict=False), ""
        except json.JSONDecodeError as error:
            reason = Message(
                "It is not JSON: line {line}, column {column}.",
                line=error.lineno,
                column=error.colno,
            )
        except (ValueError, RecursionError):
            reason = "It is not JSON."
    return None, reason


def _unpacked(text: str) -> str:
    """Return a script without the comments, CDATA and semicolon around its JSON."""
    bare = text.strip()
    for opening in _OPENINGS:
        bare = bare.removeprefix(opening).lstrip()
    for closing in _CLOSINGS * 2:
        bare = bare.removesuffix(closing).rstrip()
    return bare
