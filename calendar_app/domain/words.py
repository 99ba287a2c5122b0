"""Words of texts: folded, found by searches, and sorted."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache

from calendar_app.errors import ConfigurationError

# Texts without case and accents, and the words of a search.

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


# The words of a folded text, as searches find them: whole, by a part, or by how they begin or
# end.
#
# A word is a run of letters and digits. A part without any other sign stands in a text where it
# stands in one of the text's words. What else is searched for has parts of words in it at least.

_RUN = re.compile(r"[^\W_]+")
_SEPARATORS = {code: " " for code in range(128) if not chr(code).isalnum()}
# What is longer, and scripts without spaces write so, counts as words that overlap; so whatever
# is no longer than half of one still stands within one of them.
_LONGEST, _STEP = 64, 32


class PartPlace(Enum):
    """The place of a part within a word."""

    ANYWHERE = auto()
    BEGINNING = auto()
    END = auto()
    ALL = auto()


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a word."""

    text: str
    place: PartPlace


def words_of(text: str) -> list[str]:
    """Return the words of a folded text, some of them perhaps more than once."""
    words: list[str] = (
        # What a regular expression finds too, in a third of the time.
        text.translate(_SEPARATORS).split() if text.isascii() else _RUN.findall(text)
    )
    if max(map(len, words), default=0) <= _LONGEST:
        return words
    return [part for word in words for part in _overlapping(word)]


def _overlapping(word: str) -> Iterator[str]:
    if len(word) <= _LONGEST:
        yield word
    else:
        yield from (word[at : at + _LONGEST] for at in range(0, len(word) - _STEP, _STEP))


def shown_texts(
    folded: Mapping[str, Mapping[str, str]], fields: Iterable[str], chain: Sequence[str]
) -> tuple[str, ...]:
    """Return the texts that ``chain`` shows: each field in the first language that has it.

    ``folded`` has each language's texts by field.
    """
    by_language = [folded[language] for language in chain if language in folded]
    return tuple(
        next((texts[field] for texts in by_language if texts.get(field) is not None), "")
        for field in fields
    )


def endings(word: str) -> list[str]:
    """Return all that the word ends with: a part of it is what one of these begins with."""
    return [word[start:] for start in range(len(word))]


def parts_of(word: str) -> list[Part]:
    """Return parts that words of a text have, each of them, where ``word`` stands in the text."""
    return [_part(word, run) for run in _RUN.finditer(word)]


def has_part(word: str, part: Part) -> bool:
    """Return whether a word has a part at its place."""
    match part.place:
        case PartPlace.ANYWHERE:
            return part.text in word
        case PartPlace.BEGINNING:
            return word.startswith(part.text)
        case PartPlace.END:
            return word.endswith(part.text)
        case PartPlace.ALL:
            return word == part.text


def is_plain_part(word: str) -> bool:
    """Say whether ``word`` stands in a text where, and only where, it stands in a word of it."""
    return len(word) <= _STEP and _RUN.fullmatch(word) is not None


def _part(word: str, run: re.Match[str]) -> Part:
    text = run.group()
    if len(text) > _STEP:
        return Part(text[:_STEP], PartPlace.ANYWHERE)
    match run.start() > 0, run.end() < len(word):
        case False, False:
            return Part(text, PartPlace.ANYWHERE)
        case True, False:
            return Part(text, PartPlace.BEGINNING)
        case False, True:
            return Part(text, PartPlace.END)
        case _:
            return Part(text, PartPlace.ALL)


# How readers of a language sort: which of ICU's collations does for it.

_KNOWN_TO_MONGODB = """
af am ar as az be bg bn bo bs bs_Cyrl ca chr cs cy da de de_AT dsb dz ee el en en_US_POSIX eo es et
fa fa_AF fi fil fo fr fr_CA ga gl gu ha haw he hi hr hsb hu hy id ig is it ja ka kk kl km kn ko kok
ky lb lkt ln lo lt lv mk ml mn mr ms mt my nb ne nl nn om or pa pl ps pt ro ru se si sk sl smn sq sr
sr_Latn sv sw ta te th to tr ug uk ur vi wae yi yo zh zh_Hant zu
"""
LOCALES = frozenset(_KNOWN_TO_MONGODB.split())
# What the codes do not tell: the script that is usual in a place, and codes of the same language.
_ALIASES = {
    "zh_tw": "zh_Hant", "zh_hk": "zh_Hant", "zh_mo": "zh_Hant", "yue": "zh_Hant", "cmn": "zh",
    "sr_me": "sr_Latn", "sh": "sr_Latn", "no": "nb", "tl": "fil", "prs": "fa_AF",
    # Former codes.
    "iw": "he", "in": "id", "ji": "yi", "mo": "ro",
}  # fmt: skip
_ANY = "en"


def collations(languages: Iterable[str], chosen: Iterable[str]) -> dict[str, str]:
    """Return the locale by which texts of each language are sorted.

    ``chosen`` says ``language=locale`` of languages that have none of their own, or are to be
    sorted otherwise. Raises ``ConfigurationError`` on a locale that MongoDB does not know.
    """
    locales = {}
    for choice in chosen:
        language, _, locale = choice.partition("=")
        if locale not in LOCALES:
            raise ConfigurationError(
                f"The setting collations has {choice}, which is not language=locale."
            )
        locales[language] = locale
    return {language: locales.get(language) or _own(language) for language in languages}


def _own(language: str) -> str:
    """Return the locale of the language itself, the most exact one; of some other if none is."""
    locales = {locale.lower(): locale for locale in LOCALES} | _ALIASES
    subtags = language.lower().split("-")
    parts = ("_".join(subtags[:length]) for length in range(len(subtags), 0, -1))
    return next((locales[part] for part in parts if part in locales), _ANY)
