"""Find prices in texts: "10-20", "CHF 10.- bis 20.-", "1.000,50 EUR"."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from calendar_app.domain.currencies import CODES, symbol_pattern

# The groups are counted, so that a long row of digits is not read again from each of them.
_NUMBER = (
    r"(?:[0-9]{1,3}(?:[ ][0-9]{3}){1,5}(?:[.,][0-9]{1,2})?(?![.,'\u2019 ]?[0-9])"
    r"|\.?[0-9]+(?:[.,'\u2019][0-9]+)*)"
)
# "20.-" has no decimals.
_DASH = r"(?:[.,][-\u2013\u2014]+(?![0-9]))?"
_SEPARATOR = re.compile(
    r"[ ]?(?:[-\u2013\u2014\u2212,;|/&+]|\b(?:a|à|and|bis|e|et|fin|o|oder|or|ou|to|u|und)\b)[ ]?",
    re.IGNORECASE,
)
_FREE = re.compile(
    r"(?:free|gratis|gratuite?|gratuito|kostenlos|kostenfrei|frei|umsonst)(?!\w)", re.IGNORECASE
)
_GROUPED = re.compile(
    r"(?P<whole>[1-9][0-9]{0,2}(?P<by>[., '\u2019])[0-9]{3}(?:(?P=by)[0-9]{3})*)"
    r"(?:(?!(?P=by))[.,](?P<decimals>[0-9]+))?"
)
_PLAIN = re.compile(r"(?:0|[1-9][0-9]*)?(?:[.,][0-9]+)?")
# No price is as long; a longer text is no list of prices.
_LONGEST = 1000
_CACHE_SIZE = 1000


@dataclass(frozen=True, slots=True)
class Price:
    """A number as it was written, its value in digits with a point, and the currency beside it."""

    written: str
    value: str
    negative: bool = False
    symbol: str = ""
    position: str = ""
    code: str = ""

    def amount(self) -> Decimal:
        """Return the exact value; the operator "-" would round it."""
        value = Decimal(self.value)
        return value.copy_negate() if self.negative else value


_NOTHING = Price("0", "0")


@dataclass(frozen=True, slots=True)
class Prices:
    """The prices of a text; in a ``sentence`` only those beside a symbol or a code."""

    prices: tuple[Price, ...] = ()
    sentence: bool = False


def is_free(text: str) -> bool:
    """Say whether a text says "free", in one of a few languages, and nothing else."""
    return _FREE.fullmatch(text) is not None


# Most events of a calendar cost one of a few prices.
@lru_cache(_CACHE_SIZE)
def read_prices(text: str, own_symbol: str) -> Prices:
    """Return the prices of a text with single spaces."""
    if len(text) > _LONGEST or is_free(text):
        return Prices()
    pattern = _pattern(own_symbol)
    listed = _listed(text, pattern)
    if listed is not None:
        return Prices(tuple(listed))
    matches = pattern.finditer(text)
    priced = (match for match in matches if match["before"] or match["behind"])
    return Prices(tuple(price for match in priced for price in _prices(match)), sentence=True)


def _listed(text: str, pattern: re.Pattern[str]) -> list[Price] | None:
    """Return the prices of a text of prices and separators alone; else ``None``."""
    prices: list[Price] = []
    place = 0
    while True:
        if free := _FREE.match(text, place):
            prices.append(_NOTHING)
            place = free.end()
        elif match := pattern.match(text, place):
            if not (part_prices := list(_prices(match))):
                return None
            prices += part_prices
            place = match.end()
        if place == len(text):
            return prices
        separator = _SEPARATOR.match(text, place)
        if separator is None or separator.end() == place:
            return None
        place = separator.end()


def _prices(match: re.Match[str]) -> Iterator[Price]:
    """Yield the numbers of a match with their currency; dates and the like are none."""
    before, behind = match["before"], match["behind"]
    negative = bool(match["minus"] or match["inner_minus"])
    for number in _split(match["number"]) + _split(match["to"] or ""):
        yield Price(
            written=f"0{number}" if number[0] == "." else number,
            value=_value(number),
            negative=negative,
            symbol=before or behind or "",
            position="prefix" if before else "postfix" if behind else "",
            code=behind if before and behind in CODES else "",
        )


def _split(number: str) -> list[str]:
    """Return one number, or the several with commas between them."""
    parts = [number] if _value(number) else number.split(",")
    return parts if all(map(_value, parts)) else []


def _value(number: str) -> str:
    """Return the digits of a number with a point before its decimals, or "" for none.

    A comma or point before exactly three digits groups thousands, as long as it stands alone.
    """
    if grouped := _GROUPED.fullmatch(number):
        whole, decimals = re.sub("[^0-9]", "", grouped["whole"]), grouped["decimals"]
        return f"{whole}.{decimals}" if decimals else whole
    if not _PLAIN.fullmatch(number):
        return ""
    return re.sub(r"^\.", "0.", number.replace(",", "."))


@lru_cache
def _pattern(own_symbol: str) -> re.Pattern[str]:
    """Return the pattern of a price, or of a range without spaces.

    A symbol between two numbers belongs to the second one, unless it touches the first alone.
    """
    symbol = symbol_pattern(own_symbol)
    return re.compile(
        rf"""(?<!\w)(?<![0-9]:)(?P<minus>[-\u2212](?=\S))?
        (?:(?P<before>{symbol})(?:\.?[ ])?)?(?P<inner_minus>[-\u2212])?
        (?P<number>{_NUMBER}){_DASH}
        (?:[-\u2013\u2014](?P<to>{_NUMBER}){_DASH})?
        (?:(?P<gap>[ ])?(?P<behind>{symbol})(?:\.(?![0-9]))?(?(gap)(?![ ]?[0-9])|(?![0-9])))?
        (?![^\W\d_])(?!:[0-9])""",
        re.VERBOSE,
    )
