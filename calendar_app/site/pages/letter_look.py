"""How the letters of a site look: they have the color of its pages."""

import re

from calendar_app.changes.letter_html import LetterLook
from calendar_app.settings import Settings
from calendar_app.site.pages.rendering import theme_folder

# The first color is the one on light paper: light-dark(#1d5b4f, #8fd3bf).
_COLOR = r"--{}:\s*(?:light-dark\(\s*)?(#[0-9a-fA-F]{{6}}|#[0-9a-fA-F]{{3}})\b"
_ACCENT, _INK = (re.compile(_COLOR.format(name)) for name in ("accent", "accent-ink"))
_DARK = 0.04045  # up to it the light of a channel grows evenly
_LEGIBLE = 4.5  # the contrast that WCAG 2.2 asks of texts


def letter_look(settings: Settings) -> LetterLook:
    """Return the look of letters, with the color of the theme where that is legible on white."""
    plain = LetterLook(settings.site_name)
    folder = theme_folder(settings.theme)
    file = folder / "static" / "theme.css" if folder else None
    if file is None or not file.is_file():
        return plain
    styles = file.read_text(encoding="utf-8", errors="replace")
    accent, ink = _ACCENT.search(styles), _INK.search(styles)
    color, text = accent[1] if accent else plain.color, ink[1] if ink else plain.ink
    if min(contrast(color, "#ffffff"), contrast(color, text)) < _LEGIBLE:
        return plain
    return LetterLook(settings.site_name, color, text)


def contrast(first: str, second: str) -> float:
    """Return the contrast ratio of two colors such as ``#0f5c63``, 1 to 21 (WCAG 2.2)."""
    darker, lighter = sorted((_luminance(first), _luminance(second)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(color: str) -> float:
    digits = color[1:] if len(color) > len("#fff") else "".join(2 * each for each in color[1:])
    red, green, blue = (_linear(int(digits[start : start + 2], 16) / 255) for start in (0, 2, 4))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(channel: float) -> float:
    """Return the light that a channel of sRGB gives (IEC 61966-2-1)."""
    if channel <= _DARK:
        return channel / 12.92
    return float(((channel + 0.055) / 1.055) ** 2.4)
