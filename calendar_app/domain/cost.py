"""The cost of an event, read from a text, a number or a list of them."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Any

from calendar_app.domain.currencies import Currency, symbol_pattern
from calendar_app.domain.prices import Price, is_free, read_prices
from calendar_app.domain.richtext import decoded, legible, without_tags
from calendar_app.domain.slugs import slugify

FREE = "Free"
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
    parts = (slugify(part) for entry in words for part in entry.split(","))
    return tuple(dict.fromkeys(filter(None, parts)))


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
    if position == "postfix":
        return _signed(price, price.written) + symbol
    return _signed(price, symbol + price.written)


def _signed(price: Price, text: str) -> str:
    return f"-{text}" if price.negative and price.amount() else text
