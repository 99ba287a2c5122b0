"""Tell the numbers in a cost that are no prices: ages, hours, and how many there are of a thing."""

import re

from calendar_app.domain.cost_tokens import Token

# "CHF 20 und 1 Getränk" and "$20 until 30 April" have one price, "CHF 20 oder 25" two.
_NO_MORE = re.compile("and|e|et|u|und|until")
_UP_TO = re.compile("bis|fin|to|until")
_AGED = re.compile("ages?|aged|over|under|ab|alter|unter|über|âges?|dès|età|sotto|sopra")
_AND_OLDER = re.compile("over|under|up|above|older|younger|älter|jünger|plus|più|moins|meno")


def joins(tokens: list[Token], place: int, last: int, *, sure: bool) -> bool:
    """Tell whether the token at ``place`` joins the number that ends at ``last`` to the one before.

    ``sure`` says that the one before can only be a price.
    """
    token, after, two_after = tokens[place], *tokens[last + 1 : last + 3]
    if token.kind == "link":
        return not (sure and _NO_MORE.fullmatch(token.text.lower()))
    return token.kind == "dash" or (token.text == "/" and not _is_open_ended(after, two_after))


def is_age(tokens: list[Token], first: int, last: int) -> bool:
    """Tell the tokens from ``first`` to ``last`` from a price: "18+", "under 12", "(6-16)"."""
    two_before, before = tokens[first - 2 : first] if first > 1 else (tokens[0], tokens[0])
    after, two_after = tokens[last + 1 : last + 3]
    if _AGED.fullmatch(before.text.lower()) or _is_open_ended(after, two_after):
        return True
    behind_price = two_before.kind in ("currency", "number")
    in_brackets = (before.text, after.text) == ("(", ")") and first < last
    return not behind_price and (in_brackets or bool(_UP_TO.fullmatch(before.text.lower())))


def _is_open_ended(after: Token, two_after: Token) -> bool:
    if after.text == "+" and not after.spaced:
        return two_after.kind != "number" or two_after.spaced
    return after.kind in ("link", "list") and bool(_AND_OLDER.fullmatch(two_after.text.lower()))


def counts_things(tokens: list[Token], last: int) -> bool:
    """Tell the number that ends at ``last`` from a price by what follows: "2 drinks", "3-Gang"."""
    after, two_after = tokens[last + 1 : last + 3]
    if after.kind == "dash":
        return two_after.kind == "word" and not two_after.spaced
    return after.kind in ("word", "free", "currency") or after.text == ":"
