"""Whether a translation has kept the markup of its source: tags in place, links untouched."""

import re
from collections import Counter
from dataclasses import dataclass, field
from html.parser import HTMLParser

# These may change their places: words have another order in another language.
_INLINE = re.compile(
    "a|abbr|b|bdi|bdo|big|br|cite|code|data|del|dfn|em|font|i|img|ins|kbd|mark|q|s|samp|small|span"
    "|strong|sub|sup|time|tt|u|var|wbr"
)
_VOID = re.compile("area|br|col|embed|hr|img|input|source|track|wbr")
# A tag with its attributes.
_Tag = tuple[str, tuple[tuple[str, str | None], ...]]


@dataclass
class _Outline:
    """The tags of a text: blocks in their order, inline ones by number."""

    blocks: list[_Tag | str] = field(default_factory=list)
    inline: Counter[_Tag] = field(default_factory=Counter)


class _Parser(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.outline = _Outline()
        self.is_broken = False
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        whole = (tag, tuple(sorted(attrs, key=lambda each: (each[0], each[1] or ""))))
        if _INLINE.fullmatch(tag):
            self.outline.inline[whole] += 1
        else:
            self.outline.blocks.append(whole)
        if not _VOID.fullmatch(tag):
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if _VOID.fullmatch(tag):
            return
        if not self._open or self._open.pop() != tag:
            self.is_broken = True
        elif not _INLINE.fullmatch(tag):
            self.outline.blocks.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_comment(self, data: str) -> None:
        del data
        self.is_broken = True

    def handle_decl(self, decl: str) -> None:
        del decl
        self.is_broken = True

    def handle_pi(self, data: str) -> None:
        del data
        self.is_broken = True

    def unknown_decl(self, data: str) -> None:
        del data
        self.is_broken = True

    def close(self) -> None:
        super().close()
        self.is_broken = self.is_broken or bool(self._open)


def keeps_markup(source: str, translation: str) -> bool:
    """Say whether a translation is well-formed and has the tags of its source, and no others."""
    before, after = _parsed(source), _parsed(translation)
    return not after.is_broken and before.outline == after.outline


def _parsed(html: str) -> _Parser:
    parser = _Parser()
    parser.feed(html)
    parser.close()
    return parser
