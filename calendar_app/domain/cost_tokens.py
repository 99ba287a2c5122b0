"""The numbers, signs and words of which people make up a cost."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

# The groups are counted, so that a long row of digits is not read again from each of them.
_TOKEN = re.compile(
    r"""(?P<clock>(?<![0-9])[0-9]{1,2}:[0-9]{2}(?![0-9]))
    |(?P<number>
        [0-9]{1,3}(?:[ ][0-9]{3}){1,5}(?:[.,][0-9]{1,2})?(?![.,'\u2019 ]?[0-9])
        |(?:(?<![^\s$\xa3\u20ac-])\.)?[0-9]+(?:[.,'\u2019][0-9]+)*
    )(?:[.,][-\u2013\u2014]+(?![0-9]))?
    |(?P<sign>[A-Za-z]{0,3}[$\xa2-\xa5\u20a0-\u20c0])
    |(?P<dash>[-\u2013\u2014\u2212]+)
    |(?P<word>[^\W\d_]+\.?)
    |(?P<list>[,;|/&+])
    |(?P<other>\S)""",
    re.VERBOSE,
)
_GROUPED = re.compile(r"([1-9][0-9]{0,2})(?P<by>[., '\u2019])[0-9]{3}(?:(?P=by)[0-9]{3})*")
# In India: hundreds of thousands, and all above, by two digits.
_LAKHS = re.compile(r"[1-9][0-9]?(?:(?P<by>,)[0-9]{2})+,[0-9]{3}")
# As long as nobody speaks of rupees, this is a list, unless one of them began with a zero.
_SEVERAL = re.compile(r"[1-9][0-9]?(?:,[1-9][0-9])+,[1-9][0-9]{2}(?:\.[0-9]+)?")
_RUPEES = re.compile(r"[\u20a8\u20b9]|(?<![a-z])(?:rs|inr|rupees?)(?![a-z])", re.IGNORECASE)
_PLAIN = re.compile(r"[0-9]*(?:[.,][0-9]+)?")
# ISO 4217, without the two that are common English words in capitals.
CODES = frozenset(
    re.findall(
        "[A-Z]{3}",
        """AED AFN AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN
        BZD CAD CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP
        GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS
        KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR
        MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD
        RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SYP SZL THB TJS TMT TND TRY TTD
        TWD TZS UAH UGX USD UYU UZS VED VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG""",
    ),
)
_NAMES = re.compile(
    r"(?:kr|s?fr|rs)\.?|zł|zl|kč|ft|lei|eur|chf|usd|gbp|euros?|franken|francs|dollars?",
)
_FREE = re.compile("free|gratis|gratuite?|kostenlos|frei|umsonst")
_LINK = re.compile("a|à|and|bis|e|et|fin|o|oder|or|ou|to|u|und|until")
# What hours, ages and people are counted in.
_UNIT = re.compile(
    r"uhr|h|hrs?|hours?|std|stunden?|heures?|ore|uras?|mins?|minut\w*"
    r"|j|jahre?n?|yrs?|years?|yo|ans|ann[io]|onns?"
    r"|pers|persons?|personen|personnes?|persone|persunas?|people",
)


class Token(NamedTuple):
    """``kind`` is number, clock, currency, dash, minus, free, link, list, unit, word or other.

    A number is ``marked`` as a price by the dash for its decimals, as in "20.-".
    """

    kind: str | None
    text: str
    spaced: bool
    marked: bool = False


NONE = Token(None, "", True)


def tokens_in(text: str, own_symbol: str) -> list[Token]:
    """Return the tokens of a text whose words are separated by single spaces.

    ``own_symbol`` is a currency's sign besides those that everybody knows. An empty token before
    and two after spare the questions for the ends.
    """
    return _with_minus(_with_units([NONE, *_tokens(text, own_symbol), NONE, NONE]))


def _tokens(text: str, own_symbol: str) -> Iterator[Token]:
    end, rupees = 0, _RUPEES.search(text) is not None
    for match in _TOKEN.finditer(text):
        kind, word = match.lastgroup or "", match[match.lastgroup or 0]
        spaced = match.start() > end or not end
        end = match.end()
        if kind == "number":
            marked = end > match.end("number")
            for token in _numbers(word, spaced=spaced, rupees=rupees):
                yield token._replace(marked=marked)
        elif kind in ("word", "sign"):
            yield _word(word, own_symbol, spaced=spaced)
        else:
            yield Token(kind, word, spaced)


def _numbers(written: str, *, spaced: bool, rupees: bool) -> Iterator[Token]:
    """Yield one number, or several with commas between them; dates and the like are none."""
    one = value_of(written) and (rupees or not _SEVERAL.fullmatch(written))
    parts = [written] if one else written.split(",")
    if not all(map(value_of, parts)):
        yield Token("other", written, spaced)
        return
    for place, part in enumerate(parts):
        if place:
            yield Token("list", ",", spaced=False)
        yield Token("number", "0" + part if part[0] == "." else part, spaced)


def value_of(written: str) -> str:
    """Return the digits of a number with a point before its decimals, or "" for what is none.

    A comma or point before exactly three digits groups thousands, as long as it stands alone.
    """
    grouped = _GROUPED.match(written) or _LAKHS.match(written)
    if grouped and (grouped["by"] != written[grouped.end() : grouped.end() + 1]):
        whole, rest = re.sub("[^0-9]", "", grouped[0]), written[grouped.end() :]
        if not rest or (rest[0] in ".," and rest[1:].isdigit()):
            return whole + rest.replace(",", ".")
    if not _PLAIN.fullmatch(written):
        return ""
    return re.sub(r"^\.", "0.", written.replace(",", "."))


def _word(word: str, own_symbol: str, *, spaced: bool) -> Token:
    bare, folded = word.removesuffix("."), word.lower()
    if not bare.isalpha() or word == own_symbol or _NAMES.fullmatch(folded):
        return Token("currency", word, spaced)
    if bare in CODES or bare == own_symbol or _NAMES.fullmatch(folded.removesuffix(".")):
        return Token("currency", bare, spaced)
    if _FREE.fullmatch(folded.removesuffix(".")):
        return Token("free", bare, spaced)
    if _UNIT.fullmatch(folded.removesuffix(".")):
        return Token("unit", word, spaced)
    return Token("link" if _LINK.fullmatch(folded) else "word", word, spaced)


def _with_units(tokens: list[Token]) -> list[Token]:
    """Take the one unknown word behind each number ("10-20 Taler") for the currency."""
    words = {token.text for token in tokens if token.kind == "word"}
    known = {token.kind for token in tokens} & {"clock", "currency", "free", "other", "unit"}
    # Behind one of several numbers that is no marked price, as in "20.- / 2 drinks", it is a thing.
    marked = any(token.marked for token in tokens)
    behind = all(
        before.kind == "number" and before.marked == marked
        for before, token in pairwise(tokens)
        if token.kind == "word"
    )
    if known or not behind or len(words) != 1 or words.pop().endswith("."):
        return tokens
    return [token._replace(kind="currency") if token.kind == "word" else token for token in tokens]


def _with_minus(tokens: list[Token]) -> list[Token]:
    """Tell the dash that is a minus from the one between two prices; drop all others."""
    kept = [NONE]
    for place in range(1, len(tokens)):
        token, after, before = tokens[place], tokens[place + 1 : place + 2], kept[-1]
        if token.kind != "dash" or (before if before.kind != "currency" else kept[-2]).kind in (
            "number",
            "free",
        ):
            kept.append(token)
        elif after and not after[0].spaced and after[0].kind in ("number", "currency"):
            glued = before.kind in ("currency", "unit", "word") and before.text.isalpha()
            if token.spaced or not glued:
                kept.append(token._replace(kind="minus"))
    return kept
