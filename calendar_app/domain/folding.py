"""Texts without case and accents, and what somebody who searches wants."""

import re
import unicodedata
from dataclasses import dataclass
from typing import Any


class _Plain(dict[int, Any]):
    """What stands for a letter; for a mark above or below another one, nothing."""

    def __missing__(self, code: int) -> int | None:
        return None if unicodedata.combining(chr(code)) else code


# Latin letters that Unicode does not take apart into a letter and a mark.
LATIN = str.maketrans(
    {
        "ß": "ss",
        "ẞ": "ss",
        "æ": "ae",
        "œ": "oe",
        "ø": "o",
        "ł": "l",
        "đ": "d",
        "ð": "d",
        "þ": "th",
        "ħ": "h",
        "\u0131": "i",
        "ĸ": "k",
        "ŋ": "n",
        "ŧ": "t",
    },
)
# Telephones and word processors put these where keyboards have the plain ones.
_QUOTES = str.maketrans(dict.fromkeys("\u2018\u2019\u02bc", "'") | dict.fromkeys("“”„", '"'))
_PLAIN = _Plain(dict(enumerate(map(chr, range(128)))) | LATIN | _QUOTES)
_UNSTORABLE = re.compile("[\x00-\x08\x0e-\x1f\xad\u200b\ud800-\udfff]")
_WORD = re.compile(r'(?P<minus>-?)(?:"(?P<phrase>[^"]*)"?|(?P<word>\S+))')


@dataclass(frozen=True)
class Search:
    """Folded parts that a text must contain, and parts that it must not contain."""

    wanted: tuple[str, ...]
    unwanted: tuple[str, ...]


def fold(text: str) -> str:
    """Return ``text`` as searches compare it: no accents, no case, single spaces."""
    # What can be printed can be stored, and this is known sooner.
    text = (text if text.isprintable() else _UNSTORABLE.sub("", text)).casefold()
    if not text.isascii():
        text = unicodedata.normalize("NFKD", text)
        text = unicodedata.normalize("NFKD", text.casefold()).translate(_PLAIN)
    return " ".join(text.split())


def read_search(text: str) -> Search:
    """Read words, ``"phrases in quotes"`` and, behind a minus, what is excluded.

    A quote that is never closed makes a phrase of the rest.
    """
    wanted: dict[str, None] = {}
    unwanted: dict[str, None] = {}
    for part in _WORD.finditer(fold(text)):
        phrase = part["word"] if part["phrase"] is None else part["phrase"].strip()
        if phrase and (part["minus"] or phrase != "-"):
            (unwanted if part["minus"] else wanted)[phrase] = None
    return Search(tuple(wanted), tuple(unwanted))
