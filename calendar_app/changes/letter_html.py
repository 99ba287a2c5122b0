"""The HTML of letters: their plain text, with the name and the color of the site.

It loads nothing: no picture tells who has read it. Styles stand in the elements, since programs
for e-mail drop others; those of dark screens are the exception.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from calendar_app.domain.texts.directions import direction

# A dot or a bracket behind an address belongs to the sentence.
_ADDRESS = re.compile(r"https?://[^\s<>\"“”«»]*[^\s<>\"“”«».,;:!?)]")
_PARAGRAPHS = re.compile(r"\n\s*\n")
_PAGE = """\
<!DOCTYPE html>
<html lang="{language}" dir="{direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{subject}</title>
<style>
@media (prefers-color-scheme: dark) {{
  .paper {{ background: #13171a !important; }}
  .text {{ background: #1b2125 !important; color: #eceff1 !important; }}
  .text a {{ color: #86d3d8 !important; }}
}}
</style>
</head>
<body class="paper" style="margin: 0; background: #f4f2ed;">
<table role="presentation" width="100%" cellspacing="0" cellpadding="0" border="0">
<tr><td align="center" style="padding: 24px 12px;">
<table role="presentation" width="100%" cellspacing="0" cellpadding="0" border="0" \
style="max-width: 560px; font-family: system-ui, 'Segoe UI', Roboto, Arial, sans-serif;">
<tr><td style="padding: 16px 24px; background: {color}; color: {ink}; font-size: 18px; \
line-height: 24px; font-weight: 700; border-radius: 12px 12px 0 0;">{site}</td></tr>
<tr><td class="text" style="padding: 8px 24px 16px; background: #ffffff; color: #1b2126; \
font-size: 16px; line-height: 25px; overflow-wrap: anywhere; border-radius: 0 0 12px 12px;">
{paragraphs}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
"""
_PARAGRAPH = '<p style="margin: 16px 0;">{}</p>'
_LINK = '<a href="{0}" style="color: {1}; font-weight: 600;">{0}</a>'


@dataclass(frozen=True, slots=True)
class LetterLook:
    """The head of letters: the name of the site on its ``color``, in an ``ink`` that is legible.

    Colors are as HTML writes them; ``color`` is legible on white too, for links.
    """

    site: str = ""
    color: str = "#0f5c63"
    ink: str = "#ffffff"


def letter_html(subject: str, text: str, language: str, look: LetterLook) -> str:
    """Return ``text`` as an HTML page with paragraphs and links."""
    return _PAGE.format(
        language=escape(language),
        direction=direction(language),
        subject=escape(subject),
        color=look.color,
        ink=look.ink,
        site=escape(look.site or subject),
        paragraphs="\n".join(_paragraphs(text, look)),
    )


def _paragraphs(text: str, look: LetterLook) -> Iterator[str]:
    for paragraph in _PARAGRAPHS.split(text.strip()):
        lines = (_with_links(line, look) for line in paragraph.split("\n"))
        yield _PARAGRAPH.format("<br>\n".join(lines))


def _with_links(line: str, look: LetterLook) -> str:
    pieces, end = [], 0
    for match in _ADDRESS.finditer(line):
        address = escape(match[0])
        pieces += [escape(line[end : match.start()]), _LINK.format(address, look.color)]
        end = match.end()
    return "".join([*pieces, escape(line[end:])])
