"""What an event costs, read from what a client sent."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from typing import Any, Self

from calendar_app.domain.cost_parsing import Amount, amounts_in
from calendar_app.domain.cost_tokens import CODES
from calendar_app.domain.richtext import decoded, legible, without_tags
from calendar_app.domain.slugs import slugify
from calendar_app.settings import Settings

_CODE_OF = {"€": "EUR", "£": "GBP", "₹": "INR", "₺": "TRY", "₽": "RUB", "zł": "PLN"}
# Signs of several currencies: the site's own is meant if it is one of them.
_SHARED = {
    "$": "ARS AUD BBD BMD BND BSD BZD CAD CLP COP FJD GYD HKD JMD KYD LRD MXN NAD NZD SBD SGD SRD"
    " TTD TWD USD UYU XCD",
    "\xa5": "CNY JPY",
    "kr": "DKK ISK NOK SEK",
}
# In an entity's entity, the outer one says nothing.
_NESTED_ENTITY = re.compile("&(?:amp;)+", re.IGNORECASE)
_READINGS = 3
# No price is as long; what is, is shown as it was sent.
_LONGEST = 1000
# Most events of a calendar cost one of a few prices, and each reading asks what they say.
_MOST_READ = 1000


@dataclass(frozen=True)
class Currency:
    """The site's own: a sign, its ISO 4217 code, and "prefix" or "postfix"."""

    symbol: str
    code: str
    position: str

    @classmethod
    def of(cls, settings: Settings) -> Self:
        return cls(settings.currency_symbol, settings.currency_code, settings.currency_position)


@dataclass(frozen=True)
class Cost:
    """A cost as it is shown, without HTML escapes, and what it is made of.

    ``values`` are numbers as digits with a point, in ascending order, behind the slugs of texts.
    ``symbol``, ``position`` and ``code`` are those that the client gave, else "".
    """

    text: str
    values: tuple[str, ...]
    symbol: str
    position: str
    code: str

    def document(self) -> dict[str, Any]:
        """Return the cost as an event keeps it."""
        return vars(self) | {"values": list(self.values)}


def parse_cost(sent: object, currency: Currency) -> Cost | None:
    """Read a text, a number or a list of them; nothing, and ``False``, costs ``None``.

    Raises ``ValueError`` for everything else.
    """
    if sent is False:
        return None
    entries = sent if isinstance(sent, (list, tuple)) else (sent,)
    texts = [text for text in map(_text, entries) if text]
    amounts: list[Amount] = []
    words: list[str] = []
    for text in texts:
        found = amounts_in(text, currency.symbol.strip()) if len(text) <= _LONGEST else []
        amounts += found
        words += [] if found else [text]
    if not texts:
        return None
    if not amounts:
        return Cost(", ".join(words), _slugs(words), "", "", "")
    cost = _priced(amounts, words, currency)
    # A price in two currencies has no other form than the one it was given in.
    given = ", ".join(dict.fromkeys(texts))
    return replace(cost, text=given) if _disagree(amounts) else cost


def is_in_several_currencies(text: str, own_symbol: str) -> bool:
    """Say whether the text of a cost names currencies that disagree."""
    return len(text) <= _LONGEST and _disagree_in(text, own_symbol.strip())


@lru_cache(_MOST_READ)
def _disagree_in(text: str, own_symbol: str) -> bool:
    return _disagree(amounts_in(text, own_symbol))


def _disagree(amounts: Iterable[Amount]) -> bool:
    return len({amount.symbol for amount in amounts if amount.symbol}) > 1


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
    """Drop tags and entities, also those that appear when others are gone."""
    for _ in range(_READINGS):
        bare = without_tags(decoded(_NESTED_ENTITY.sub("&", text)))
        if bare == text:
            break
        text = bare
    return " ".join(legible(text).split())


def _slugs(words: Sequence[str]) -> tuple[str, ...]:
    parts = (slugify(part) for entry in words for part in entry.split(","))
    return tuple(dict.fromkeys(filter(None, parts)))


def _priced(amounts: list[Amount], words: Sequence[str], currency: Currency) -> Cost:
    distinct = {amount.number(): amount for amount in reversed(amounts)}
    ascending = [distinct[number] for number in sorted(distinct)]
    symbol = _common(amount.symbol for amount in amounts)
    position = _common(amount.position for amount in amounts) if symbol else ""
    place = position or currency.position
    ends = dict.fromkeys(
        _shown(amount, symbol or currency.symbol, place) for amount in (ascending[0], ascending[-1])
    )
    values = tuple(_signed(amount, amount.value) for amount in ascending)
    code = _code(symbol, amounts, currency)
    return Cost(" \u2013 ".join(ends), _slugs(words) + values, symbol, position, code)


def _common(given: Iterable[str]) -> str:
    """Return what all that say something agree on, else ""."""
    said = set(filter(None, given))
    return said.pop() if len(said) == 1 else ""


def _shown(amount: Amount, symbol: str, position: str) -> str:
    if not amount.number():
        return "Free"
    if position == "postfix":
        return _signed(amount, amount.written) + symbol
    return _signed(amount, symbol + amount.written)


def _signed(amount: Amount, text: str) -> str:
    return f"-{text}" if amount.negative and amount.number() else text


def _code(symbol: str, amounts: Iterable[Amount], currency: Currency) -> str:
    if not symbol:
        return ""
    if symbol.upper() in CODES:
        return symbol.upper()
    if symbol in _CODE_OF:
        return _CODE_OF[symbol]
    if currency.code in _SHARED.get(symbol.removesuffix("."), "").split():
        return currency.code
    return _common(amount.code for amount in amounts)
