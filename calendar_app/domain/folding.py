"""Texts without case and accents, and the words of a search."""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

# To be raised when the same text folds to another one.
FOLDING_RULES = 2
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
_PLAIN = LATIN | _QUOTES
# The first words of the names of marks that writers may leave out, and so may who searches; in
# other scripts a mark is part of a letter, or a letter.
_ACCENTS = ("COMBINING ", "HEBREW ", "ARABIC ", "SYRIAC ", "VARIATION SELECTOR")
_NUKTA = "\u093c"
# They make another letter of a Japanese one, whatever they are called.
_VOICING = "\u3099\u309a"
# Of Cyrillic letters with a mark, those that are not letters of their own but also written without.
_ACCENTED_CYRILLIC = "\u0450ё\u045d"
_TATWEEL = "\u0640"
_UNSTORABLE = re.compile("[\x00-\x08\x0e-\x1f\ud800-\udfff]")
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
        text = unicodedata.normalize("NFKC", text)
        text = unicodedata.normalize("NFKC", text.casefold())
        text = unicodedata.normalize("NFC", text.translate(_FOLDING))
    return " ".join(text.split())


class _Folding(dict[int, str]):
    """The folded form of each letter; accents and invisible signs have none."""

    def __missing__(self, code: int) -> str:
        return _folded(chr(code))


_FOLDING = _Folding(zip(range(128), map(chr, range(128)), strict=True))


@lru_cache(1 << 12)
def _folded(letter: str) -> str:
    if unicodedata.name(letter, "").startswith("CYRILLIC ") and letter not in _ACCENTED_CYRILLIC:
        return letter
    parts = unicodedata.normalize("NFD", letter)
    letters = "".join(part for part in parts if not _is_left_out(part)).translate(_PLAIN)
    return unicodedata.normalize("NFC", letters)


def _is_left_out(part: str) -> bool:
    match unicodedata.category(part):
        case "Cf":
            return True
        case "Mn" | "Me":
            named_so = unicodedata.name(part, "").startswith(_ACCENTS)
            return part == _NUKTA or (named_so and part not in _VOICING)
        case _:
            return part == _TATWEEL


def read_search(text: str) -> Search:
    """Read words, ``"phrases in quotes"`` and, behind a minus, excluded words.

    A quote that is never closed makes a phrase of the rest.
    """
    words: dict[str, None] = {}
    unwanted: dict[str, None] = {}
    for part in _WORD.finditer(fold(text)):
        phrase = part["word"] if part["phrase"] is None else part["phrase"].strip()
        if phrase and (part["minus"] or phrase != "-"):
            (unwanted if part["minus"] else words)[phrase] = None
    return Search(tuple(words), tuple(unwanted))
