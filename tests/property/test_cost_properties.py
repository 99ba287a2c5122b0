from decimal import Decimal

from hypothesis import given, settings
from hypothesis import strategies as st

from calendar_app.domain.cost import Currency, parse_cost
from calendar_app.domain.richtext import escape

DOLLARS = Currency("$", "", "prefix")
own = st.sampled_from([DOLLARS, Currency("CHF", "CHF", "prefix"), Currency("€", "EUR", "postfix")])
numbers = st.decimals(min_value=1, max_value=999_999, places=2).map(str)
symbols = st.sampled_from(["$", "€", "£", "CHF", "EUR", "kr", "zł", "Fr.", "US$"])
parts = st.sampled_from(
    ["10", "1.000,50", "$", "€", "CHF ", " - ", "-", "\u2013", ",", " ", "free", "bis ", "%", "x"],
)
texts = st.text(max_size=60) | st.lists(parts, max_size=12).map("".join)


@settings(max_examples=200)
@given(texts, own)
def test_shown_cost_is_shown_the_same_when_sent_back(text, currency):
    cost = parse_cost(text, currency)
    if cost is not None:
        again = parse_cost(escape(cost.text), currency)
        assert again is not None
        assert again.text == cost.text


@settings(max_examples=150)
@given(
    st.lists(numbers, min_size=1, max_size=2), symbols, st.booleans(), st.sampled_from("-,\u2013")
)
def test_cost_with_a_currency_comes_back_whole(amounts, symbol, before, between):
    priced = [symbol + amount if before else amount + symbol for amount in amounts]
    cost = parse_cost(f" {between} ".join(priced), DOLLARS)
    assert cost is not None
    assert (cost.symbol, cost.position) == (symbol, "prefix" if before else "postfix")
    assert set(map(Decimal, cost.values)) == set(map(Decimal, amounts))
    assert parse_cost(cost.text, DOLLARS) == cost


@settings(max_examples=100)
@given(st.lists(numbers, min_size=1, max_size=5), own)
def test_values_are_ascending(amounts, currency):
    cost = parse_cost(amounts, currency)
    assert cost is not None
    assert list(map(Decimal, cost.values)) == sorted(set(map(Decimal, amounts)))


@settings(max_examples=100)
@given(st.integers(min_value=1, max_value=10**9), own)
def test_thousands_are_read_in_every_notation(number, currency):
    for separator in (",", ".", "'", "\u2019", "\u202f"):
        cost = parse_cost(f"{number:,}".replace(",", separator), currency)
        assert cost is not None
        assert cost.values == (str(number),)
