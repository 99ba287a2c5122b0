"""The cost of an event, read from a text, a number or a list of them."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Any, Protocol, Self

from calendar_app.domain.richtext import decoded, legible, without_tags
from calendar_app.domain.slugs import slugify

# Currencies: their signs, their names in prices, and their ISO 4217 codes.

# Without the two that are common English words in capitals.
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
# By sign or by word, in lower case and without a full stop.
_CODE_OF = {"€": "EUR", "£": "GBP", "₹": "INR", "₺": "TRY", "₽": "RUB", "zł": "PLN"} | {
    **dict.fromkeys(("franken", "sfr"), "CHF"),
    **dict.fromkeys(("euro", "euros"), "EUR"),
}
_DOLLARS = (
    "ARS AUD BBD BMD BND BSD BZD CAD CLP COP FJD GYD HKD JMD KYD LRD MXN NAD NZD SBD SGD SRD"
    " TTD TWD USD UYU XCD"
)
_FRANCS = "BIF CDF CHF DJF GNF KMF RWF XAF XOF XPF"
# Signs of several currencies: the site's own is meant if it is one of them.
_SHARED = {
    **dict.fromkeys(("$", "dollar", "dollars"), _DOLLARS),
    **dict.fromkeys(("fr", "francs"), _FRANCS),
    "\xa5": "CNY JPY",
    "kr": "DKK ISK NOK SEK",
}
# They stand apart from the number, as people write them: "20 Franken", "Fr. 20".
_WORDS = frozenset({"dollar", "dollars", "euro", "euros", "fr", "francs", "franken", "sfr"})
_SIGN = r"[A-Za-z]{0,3}[$\xa2-\xa5\u20a0-\u20c0]"
_NAMES = r"(?i:(?:kr|s?fr|rs)\.?|zł|zl|kč|ft|lei|eur|chf|usd|gbp|euros?|franken|francs|dollars?)"


class CurrencySettings(Protocol):
    """Settings that say in which currency a site has its prices."""

    @property
    def currency_symbol(self) -> str: ...

    @property
    def currency_code(self) -> str: ...

    @property
    def currency_position(self) -> str: ...


@dataclass(frozen=True)
class Currency:
    """The site's own: a sign, its ISO 4217 code, and "prefix" or "postfix"."""

    symbol: str
    code: str
    position: str

    @classmethod
    def of(cls, settings: CurrencySettings) -> Self:
        return cls(settings.currency_symbol, settings.currency_code, settings.currency_position)

    def code_of(self, symbol: str) -> str:
        """Return the ISO 4217 code that a symbol stands for, else ""."""
        if symbol.upper() in CODES:
            return symbol.upper()
        if symbol == self.symbol.strip() and self.code:
            return self.code
        name = symbol.lower().removesuffix(".")
        is_shared = self.code in _SHARED.get(name, "").split()
        return self.code if is_shared else _CODE_OF.get(name, "")


def symbol_pattern(own_symbol: str) -> str:
    """Return the regular expression of a symbol, a name or a code, ``own_symbol`` included."""
    symbols = [re.escape(own_symbol)] if own_symbol else []
    words = "|".join([*symbols, *sorted(CODES), _NAMES])
    return rf"(?:{_SIGN}|(?<![^\W\d_])(?:{words})(?![^\W\d_]))"


# Find prices in texts: "10-20", "CHF 10.- bis 20.-", "1.000,50 EUR".

# The groups are counted, so that a long row of digits is not read again from each of them. No part
# of a number is one: neither the 5 of "CHF 50%" nor the 1 of "CHF 18:30".
_NUMBER = (
    r"(?:[0-9]{1,3}(?:[ ][0-9]{3}){1,5}(?:[.,][0-9]{1,2})?(?![.,'\u2019 ]?[0-9])"
    r"|\.?[0-9]++(?:[.,'\u2019][0-9]++)*+)"
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
    """A price: the ``numeral`` as typed, its ``value`` with a decimal point, and its currency."""

    numeral: str
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
    """Return the prices of a text with nothing but prices and separators, else ``None``."""
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
            numeral=f"0{number}" if number[0] == "." else number,
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
        (?![^\W\d_])(?!:[0-9])(?![ ]?%)""",
        re.VERBOSE,
    )


FREE = "Free"
# The values of what costs nothing, in the order in which a cost has them.
FREE_VALUES = ("free", "0")
_TO = " \u2013 "
# In an entity's entity, the outer one says nothing.
_NESTED_ENTITY = re.compile("&(?:amp;)+", re.IGNORECASE)
_READINGS = 3


@dataclass(frozen=True)
class Cost:
    """A cost in English, without HTML escapes, and its parts.

    ``values`` are numbers as digits with a point, in ascending order, behind the slugs of texts.
    ``symbol`` and ``position`` are "" where the client sent none.
    """

    text: str
    values: tuple[str, ...]
    symbol: str = ""
    position: str = ""
    code: str = ""

    def document(self) -> dict[str, Any]:
        """Return the cost as an event keeps it."""
        return vars(self) | {"values": list(self.values)}


def parse_cost(value: object, currency: Currency) -> Cost | None:
    """Read a text, a number or a list of them; nothing, and ``False``, costs ``None``.

    Raises ``ValueError`` for everything else.
    """
    if value is False:
        return None
    entries = value if isinstance(value, (list, tuple)) else (value,)
    texts = [text for text in map(_text, entries) if text]
    if not texts:
        return None
    readings = [read_prices(text, currency.symbol.strip()) for text in texts]
    words = [
        FREE if is_free(text) else text
        for text, reading in zip(texts, readings, strict=True)
        if not reading.prices
    ]
    prices = [price for reading in readings for price in reading.prices]
    if not prices:
        return Cost(", ".join(words), _slugs(words))
    cost = _priced(prices, words, currency)
    if _is_in_several(prices) or any(each.sentence and each.prices for each in readings):
        text = ", ".join(dict.fromkeys(texts))
        return replace(cost, text=text, code=cost.code if cost.symbol else "")
    return cost


def in_language(cost: Mapping[str, Any], free: str) -> str:
    """Return the text of a stored cost with the reader's word for ``Free``."""
    text: str = cost["text"]
    if text == FREE:
        return free
    if text.startswith(FREE + _TO) and any(map(_is_zero, cost["values"])):
        return free + text.removeprefix(FREE)
    return text


def for_readers(text: str, own_symbol: str) -> str:
    """Return the text of a cost with each currency apart from its amount, on the same line.

    A sign before an amount touches it: "$20", but "CHF 20" and "20 €" (CLDR, currencySpacing).
    """
    return _touching(own_symbol.strip()).sub(
        lambda match: f"{match['before'] or ''}\xa0{match['behind'] or ''}", text
    )


@lru_cache
def _touching(own_symbol: str) -> re.Pattern[str]:
    symbol = symbol_pattern(own_symbol)
    before = rf"(?P<before>{symbol})(?<=[\w.])[ ]?(?=[0-9])"
    return re.compile(rf"{before}|(?<=[0-9])[ ]?(?P<behind>{symbol})")


def is_in_several_currencies(text: str, own_symbol: str) -> bool:
    """Say whether the text of a cost names currencies that disagree."""
    return _is_in_several(read_prices(text, own_symbol.strip()).prices)


def _is_in_several(prices: Iterable[Price]) -> bool:
    return len({price.symbol for price in prices if price.symbol}) > 1


def _is_zero(value: str) -> bool:
    try:
        return Decimal(value) == 0
    except InvalidOperation:
        return False


def _text(entry: object) -> str:
    """Return one entry as a person would write it."""
    if entry is None:
        return ""
    if isinstance(entry, str):
        return _bare(entry)
    if isinstance(entry, float) and entry.is_integer():
        return str(int(entry))
    if isinstance(entry, (int, float, Decimal)) and not isinstance(entry, bool):
        number = Decimal(str(entry))
        if number.is_finite():
            return f"{number:f}"
    raise ValueError("A cost is a text, a finite number or a list of these.")


def _bare(text: str) -> str:
    """Drop tags and entities, repeatedly, since removing some may form others."""
    for _ in range(_READINGS):
        bare = without_tags(decoded(_NESTED_ENTITY.sub("&", text)))
        if bare == text:
            break
        text = bare
    return " ".join(legible(text).split())


def _slugs(words: Sequence[str]) -> tuple[str, ...]:
    """Return the slugs of texts; a mere percentage has none, as it would look like a price."""
    parts = [(part, slugify(part)) for entry in words for part in entry.split(",")]
    slugs = [slug for part, slug in parts if not ("%" in part and slug.isdecimal())]
    return tuple(dict.fromkeys(filter(None, slugs)))


def _priced(prices: list[Price], words: Sequence[str], currency: Currency) -> Cost:
    """Return the cost of prices in one currency; ``words`` count among the values alone."""
    distinct = {price.amount(): price for price in reversed(prices)}
    ascending = [distinct[amount] for amount in sorted(distinct)]
    symbol = _common(price.symbol for price in prices)
    position = _common(price.position for price in prices) if symbol else ""
    place = position or currency.position
    ends = dict.fromkeys(
        _formatted(price, symbol or currency.symbol, place)
        for price in (ascending[0], ascending[-1])
    )
    values = tuple(_signed(price, price.value) for price in ascending)
    code = currency.code_of(symbol) or _common(price.code for price in prices)
    if not symbol:
        code = currency.code if any(distinct) else ""
    return Cost(_TO.join(ends), _slugs(words) + values, symbol, position, code)


def _common(members: Iterable[str]) -> str:
    """Return the common value of all that are not empty, else ""."""
    distinct = set(filter(None, members))
    return distinct.pop() if len(distinct) == 1 else ""


def _formatted(price: Price, symbol: str, position: str) -> str:
    if not price.amount():
        return FREE
    gap = " " if symbol.lower().removesuffix(".") in _WORDS else ""
    if position == "postfix":
        return _signed(price, price.numeral) + gap + symbol
    return _signed(price, symbol + gap + price.numeral)


def _signed(price: Price, text: str) -> str:
    return f"-{text}" if price.negative and price.amount() else text
