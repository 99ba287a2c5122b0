from decimal import Decimal

import pytest

from calendar_app.domain.cost import Cost, Currency, parse_cost

DOLLARS = Currency("$", "", "prefix")
FRANCS = Currency("CHF", "CHF", "prefix")


def read(sent, currency=DOLLARS):
    cost = parse_cost(sent, currency)
    assert cost is not None
    return cost


@pytest.mark.parametrize(
    ("sent", "symbol", "position", "text", "values"),
    [
        ("20", "", "", "$20", ["20"]),
        ("$20", "$", "prefix", "$20", ["20"]),
        ("20$", "$", "postfix", "20$", ["20"]),
        ("€20", "€", "prefix", "€20", ["20"]),
        ("20 EUR", "EUR", "postfix", "20EUR", ["20"]),
        (["0$", "20$", "30$"], "$", "postfix", "Free \u2013 30$", ["0", "20", "30"]),
        (["10", "20"], "", "", "$10 \u2013 $20", ["10", "20"]),
        (["Free", "20"], "", "", "$20", ["free", "20"]),
        ("10 - 20", "", "", "$10 \u2013 $20", ["10", "20"]),
        ("10-20", "", "", "$10 \u2013 $20", ["10", "20"]),
        ("Free", "", "", "Free", ["free"]),
        ("Donation", "", "", "Donation", ["donation"]),
        ("0$", "$", "postfix", "Free", ["0"]),
        ("10.50", "", "", "$10.50", ["10.50"]),
        ("10,50", "", "", "$10,50", ["10.50"]),
        ("1,000", "", "", "$1,000", ["1000"]),
    ],
)
def test_simple_costs_are_read_as_the_reference_does(sent, symbol, position, text, values):
    cost = read(sent)
    assert (cost.symbol, cost.position) == (symbol, position)
    assert (cost.text, list(cost.values)) == (text, values)


@pytest.mark.parametrize(
    ("sent", "text", "values"),
    [
        ("0.00", "Free", ["0.00"]),
        ("10", "$10", ["10"]),
        ("CHF 10.50", "CHF10.50", ["10.50"]),
        ("10 CHF", "10CHF", ["10"]),
        ("10 €", "10€", ["10"]),
        ("5 or 10", "$5 \u2013 $10", ["5", "10"]),
        (10.5, "$10.5", ["10.5"]),
        ("10 USD", "10USD", ["10"]),
        ("<b>10</b>", "$10", ["10"]),
        ("\xa51000", "\xa51000", ["1000"]),
    ],
)
def test_recorded_costs_are_shown_as_recorded(sent, text, values):
    cost = read(sent)
    assert (cost.text, list(cost.values)) == (text, values)


@pytest.mark.parametrize(
    ("sent", "text", "values"),
    [
        ("₹1,00,000", "₹1,00,000", ["100000"]),
        ("₹ 1,50,000.50", "₹1,50,000.50", ["150000.50"]),
        ("1,00,000", "$1,00,000", ["100000"]),
        ("Rs. 12,34,567", "Rs.12,34,567", ["1234567"]),
        ("12,34,56,789 INR", "12,34,56,789INR", ["123456789"]),
        ("₹1,00,000-2,50,000", "₹1,00,000 \u2013 ₹2,50,000", ["100000", "250000"]),
        ("10,20,100", "$10 \u2013 $100", ["10", "20", "100"]),
        ("10,20,100.50", "$10 \u2013 $100.50", ["10", "20", "100.50"]),
        ("₹10, ₹20, ₹100", "₹10 \u2013 ₹100", ["10", "20", "100"]),
        ("Rs1,20,500", "Rs1,20,500", ["120500"]),
        ("1,20,500INR", "1,20,500INR", ["120500"]),
        ("10,20,100 Rupees", "10,20,100Rupees", ["1020100"]),
    ],
)
def test_costs_in_lakhs_are_read_as_in_india(sent, text, values):
    cost = read(sent)
    assert (cost.text, list(cost.values)) == (text, values)


def test_bare_prices_are_a_list_where_rupees_are_usual_too():
    assert list(read("10,20,100", Currency("₹", "INR", "prefix")).values) == ["10", "20", "100"]


@pytest.mark.parametrize(
    ("sent", "text", "values"),
    [
        ("1,000.50", "$1,000.50", ["1000.50"]),
        ("1.000,50", "$1.000,50", ["1000.50"]),
        ("1'000.50", "$1'000.50", ["1000.50"]),
        ("1\u202f000,50 €", "1 000,50€", ["1000.50"]),
        ("1.000.000", "$1.000.000", ["1000000"]),
        ("0,500", "$0,500", ["0.500"]),
        ("$.50", "$0.50", ["0.50"]),
    ],
)
def test_both_notations_and_thousands_are_read(sent, text, values):
    cost = read(sent)
    assert (cost.text, list(cost.values)) == (text, values)


@pytest.mark.parametrize(
    ("sent", "text", "values", "symbol"),
    [
        ("$10 - $20", "$10 \u2013 $20", ["10", "20"], "$"),
        ("$10-$20", "$10 \u2013 $20", ["10", "20"], "$"),
        ("CHF 10.\u2013 bis 20.\u2013", "CHF10 \u2013 CHF20", ["10", "20"], "CHF"),
        ("CHF 10.50 - CHF 20", "CHF10.50 \u2013 CHF20", ["10.50", "20"], "CHF"),
        ("10 à 20 €", "10€ \u2013 20€", ["10", "20"], "€"),
        ("20-10 EUR", "10EUR \u2013 20EUR", ["10", "20"], "EUR"),
        ("10$,20$", "10$ \u2013 20$", ["10", "20"], "$"),
        ("10,20,30", "$10 \u2013 $30", ["10", "20", "30"], ""),
        ("10, 20, 30", "$10 \u2013 $30", ["10", "20", "30"], ""),
        ("Free - 20", "Free \u2013 $20", ["0", "20"], ""),
        ("Gratis bis 20 CHF", "Free \u2013 20CHF", ["0", "20"], "CHF"),
        ("10.-/15.-/20.- Fr.", "10Fr. \u2013 20Fr.", ["10", "15", "20"], "Fr."),
        (["€10", "20"], "€10 \u2013 €20", ["10", "20"], "€"),
    ],
)
def test_ranges_and_lists_keep_their_currency(sent, text, values, symbol):
    cost = read(sent)
    assert (cost.text, list(cost.values), cost.symbol) == (text, values, symbol)


@pytest.mark.parametrize(
    ("sent", "text", "values"),
    [
        ("Eintritt 20", "$20", ["20"]),
        ("Adults $20, children $10", "$10 \u2013 $20", ["10", "20"]),
        ("Kinder 10, Erwachsene 20 CHF", "10CHF \u2013 20CHF", ["10", "20"]),
        ("1 Getränk inklusive: CHF 20", "CHF20", ["20"]),
        ("CHF 20 ab 18 Jahren", "CHF20", ["20"]),
        ("U18 gratis, sonst 20 CHF", "20CHF", ["20"]),
        ("10-20 Taler", "10Taler \u2013 20Taler", ["10", "20"]),
        ("20% off", "20% off", ["20-off"]),
        ("Eintritt frei, Kollekte", "Eintritt frei, Kollekte", ["eintritt-frei", "kollekte"]),
        ("Fish &amp; Chips", "Fish & Chips", ["fish-chips"]),
    ],
)
def test_texts_with_numbers_are_read_as_a_person_does(sent, text, values):
    cost = read(sent)
    assert (cost.text, list(cost.values)) == (text, values)


@pytest.mark.parametrize(
    ("sent", "text", "values"),
    [
        ("CHF 10 / EUR 9", "CHF 10 / EUR 9", ["9", "10"]),
        (["$10", "20€"], "$10, 20€", ["10", "20"]),
        (["20 €", "$10", "20 €"], "20 €, $10", ["10", "20"]),
        (
            ["10€", "12 CHF", "Kollekte", 5],
            "10€, 12 CHF, Kollekte, 5",
            ["kollekte", "5", "10", "12"],
        ),
    ],
)
def test_cost_in_several_currencies_stands_as_it_was_sent(sent, text, values):
    cost = read(sent)
    assert (cost.text, list(cost.values)) == (text, values)
    assert (cost.symbol, cost.code) == ("", "")
    assert read(cost.text).text == text


@pytest.mark.parametrize("sent", ["-5 €", "\u22125 €"])
def test_negative_cost_keeps_its_sign(sent):
    assert read(sent) == Cost("-5€", ("-5",), "€", "postfix", "EUR")


@pytest.mark.parametrize("sent", ["-$5", "$-5"])
def test_sign_stands_before_the_symbol(sent):
    assert read(sent) == Cost("-$5", ("-5",), "$", "prefix", "")


def test_negative_range_is_ascending():
    assert read("-5 - -10").values == ("-10", "-5")


@pytest.mark.parametrize("sent", [0, "0", 0.0, -0.0, Decimal(0)])
def test_nothing_to_pay_is_free(sent):
    assert (read(sent).text, read(sent).values) == ("Free", ("0",))


@pytest.mark.parametrize("sent", ["", None, False, [], "  ", [""], [None, " "], "<b></b>"])
def test_empty_values_are_no_cost(sent):
    assert parse_cost(sent, DOLLARS) is None


@pytest.mark.parametrize("sent", [{}, {"cost": 1}, True, [True], [["1"]], float("nan"), 1e999])
def test_other_types_are_refused(sent):
    with pytest.raises(ValueError, match="cost"):
        parse_cost(sent, DOLLARS)


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        ("20 EUR", "EUR"),
        ("eur 20", "EUR"),
        ("CHF 20", "CHF"),
        ("€20", "EUR"),
        ("£20", "GBP"),
        ("₹20", "INR"),
        ("₺20", "TRY"),
        ("₽20", "RUB"),
        ("20 zł", "PLN"),
        ("$20 USD", "USD"),
        ("$20", ""),
        ("\xa520", ""),
        ("20 kr", ""),
        ("20", ""),
    ],
)
def test_code_is_filled_where_the_sign_tells_it(sent, code):
    assert read(sent).code == code


@pytest.mark.parametrize(
    ("sent", "own", "code"),
    [
        ("$20", "CAD", "CAD"),
        ("$20", "CHF", ""),
        ("\xa520", "JPY", "JPY"),
        ("20 kr", "SEK", "SEK"),
        ("20 kr.", "DKK", "DKK"),
    ],
)
def test_shared_sign_means_the_currency_of_the_site(sent, own, code):
    assert read(sent, Currency("$", own, "prefix")).code == code


def test_bare_number_gets_the_sign_of_the_site():
    assert read("20", FRANCS) == Cost("CHF20", ("20",), "", "", "")
    assert read("20", Currency("€", "EUR", "postfix")).text == "20€"


def test_equal_values_count_once():
    assert read("10, 10.00").text == "$10"


def test_long_text_is_shown_as_it_was_sent():
    text = "1-" * 400_000
    assert read(text).text == text
