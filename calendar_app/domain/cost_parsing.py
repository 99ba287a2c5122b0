"""Find the prices in what people write: "10-20", "CHF 10.- bis 20.-", "1.000,50 EUR"."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import NamedTuple

from calendar_app.domain.cost_counts import counts_things, is_age, is_counted, is_what_for, joins
from calendar_app.domain.cost_tokens import CODES, NONE, Token, tokens_in, value_of

_LINKS = (None, "dash", "link", "list")


@dataclass(frozen=True)
class Amount:
    """A number as it was written, its value in digits with a point, and the currency beside it."""

    written: str
    value: str
    negative: bool = False
    symbol: str = ""
    position: str = ""
    code: str = ""

    def number(self) -> Decimal:
        """Return the exact value; the operator "-" would round it."""
        value = Decimal(self.value)
        return value.copy_negate() if self.negative else value


class _Found(NamedTuple):
    """An amount, the places of its first and last tokens, and whether it can only be a price."""

    amount: Amount
    first: int
    last: int
    sure: bool


def amounts_in(text: str, own_symbol: str) -> list[Amount]:
    """Return the amounts in a text whose words are separated by single spaces.

    ``own_symbol`` is a currency's sign besides those that everybody knows.
    """
    tokens = tokens_in(text, own_symbol)
    amounts = list(_prices(tokens, list(_found(tokens))))
    if amounts and any(_is_free(tokens, place) for place in range(1, len(tokens) - 1)):
        amounts.append(Amount("0", "0"))
    return amounts


def _prices(tokens: list[Token], found: list[_Found]) -> Iterator[Amount]:
    """Yield what is no age, no hour and no number of things."""
    signed = any(one.amount.symbol for one in found)
    priced = any(one.sure for one in found)
    for row in _rows(tokens, found):
        first, last = row[0].first, row[-1].last
        doubtful = tokens[last + 1].kind == "unit"
        doubtful |= priced and (is_age(tokens, first, last) or is_counted(tokens, last))
        doubtful |= signed and counts_things(tokens, last)
        if not doubtful or any(one.sure for one in row):
            yield from (one.amount for one in row)


def _rows(tokens: list[Token], found: list[_Found]) -> Iterator[list[_Found]]:
    """Yield the amounts in rows such as "15-20", which are prices or none together."""
    row: list[_Found] = []
    for one in found:
        if row and not _is_joined(tokens, row, one):
            yield row
            row = []
        row.append(one)
    if row:
        yield row


def _is_joined(tokens: list[Token], row: list[_Found], right: _Found) -> bool:
    left, place = row[-1], row[-1].last + 1
    if right.amount.position == "prefix" or right.first != place + 1:
        return False
    rises = right.amount.number() > left.amount.number()
    if any(one.sure for one in row) and is_what_for(tokens, place, right.last, rises=rises):
        return False
    return joins(tokens, place, right.last, sure=left.sure)


def _found(tokens: list[Token]) -> Iterator[_Found]:
    last = 0
    for place in range(1, len(tokens) - 2):
        before, token, after = tokens[place - 1 : place + 2]
        if token.kind != "number" or after.text == "%" or _is_glued(before, token):
            continue
        first = place - (before.kind == "minus")
        symbol = tokens[first - 1] if first - 1 > last else NONE
        negative, last = first < place, place
        amount = Amount(token.text, value_of(token.text), negative=negative)
        if symbol.kind == "currency":
            negative, first = negative or tokens[first - 2].kind == "minus", first - 1
            amount = replace(amount, symbol=symbol.text, position="prefix", negative=negative)
            if after.text in CODES and tokens[place + 2].kind != "number":
                amount, last = replace(amount, code=after.text), place + 1
        elif after.kind == "currency" and not _leads(tokens, place + 1):
            amount, last = replace(amount, symbol=after.text, position="postfix"), place + 1
        yield _Found(amount, first, last, bool(amount.symbol) or token.marked)


def _leads(tokens: list[Token], place: int) -> bool:
    """Tell the sign of the number behind it, as in "Ages 6-12 $5", from that of the one before."""
    joint, _, sign, number = tokens[place - 2 : place + 2]
    if number.kind != "number" or sign.spaced != number.spaced:
        return number.kind == "number" and sign.spaced
    signs = [at for at, token in enumerate(tokens) if token.kind == "currency"]
    return sign.spaced and joint.kind == "dash" and tokens[signs[-1] + 1].kind == "number"


def _is_glued(before: Token, number: Token) -> bool:
    """Tell a number in a name, such as "U18", from a price."""
    named = before.kind in ("unit", "word") or (before.kind == "link" and before.text.isupper())
    return named and not number.spaced and not before.text.endswith(".")


def _is_free(tokens: list[Token], place: int) -> bool:
    """Tell whether "free" is one of several prices and not said of something."""
    around = (tokens[place - 1].kind, tokens[place + 1].kind)
    return tokens[place].kind == "free" and all(kind in _LINKS for kind in around)
