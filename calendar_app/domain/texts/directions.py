"""Which way texts of a language run."""

from functools import cache

from babel import Locale, UnknownLocaleError


@cache
def direction(language: str) -> str:
    """Return ``ltr`` or ``rtl``; languages unknown to CLDR run from left to right."""
    try:
        return str(Locale.parse(language, sep="-").text_direction)
    except (UnknownLocaleError, ValueError):
        return "ltr"


@cache
def turned(language: str, around: str) -> str:
    """Return the direction of a language within texts of another; empty if it is the same."""
    own = direction(language)
    return "" if own == direction(around) else own
