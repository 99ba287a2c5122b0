from decimal import Decimal

import pytest

from calendar_app.domain.cost import Cost, Currency, for_readers, in_language, parse_cost

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
def test_recorded_costs_are_formatted_like_the_reference(sent, text, values):
    cost = read(sent)
    assert (cost.text, list(cost.values)) == (text, values)


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
        ("10.-/15.-/20.- Fr.", "10 Fr. \u2013 20 Fr.", ["10", "15", "20"], "Fr."),
        (["€10", "20"], "€10 \u2013 €20", ["10", "20"], "€"),
    ],
)
def test_ranges_and_lists_keep_their_currency(sent, text, values, symbol):
    cost = read(sent)
    assert (cost.text, list(cost.values), cost.symbol) == (text, values, symbol)


@pytest.mark.parametrize(
    ("sent", "values", "symbol", "position"),
    [
        ("Adults $20, children $10", ["10", "20"], "$", "prefix"),
        ("Kinder 10, Erwachsene 20 CHF", ["20"], "CHF", "postfix"),
        ("CHF 20 ab 18 Jahren", ["20"], "CHF", "prefix"),
        ("CHF 15-20 nach Ermessen", ["15", "20"], "CHF", "prefix"),
        ("U18 gratis, sonst 20 CHF", ["20"], "CHF", "postfix"),
        ("Ages 6-12 $5", ["5"], "$", "prefix"),
        ("CHF 20, ab 18:30", ["20"], "CHF", "prefix"),
        ("1 Getränk inklusive: CHF 1'250.50", ["1250.50"], "CHF", "prefix"),
        ("CHF 10.\u2013 für Kinder, CHF 20.\u2013 sonst", ["10", "20"], "CHF", "prefix"),
        ("Free for members, 5 € for others", ["5"], "€", "postfix"),
    ],
)
def test_a_sentence_stays_a_text_and_its_prices_are_values(sent, values, symbol, position):
    cost = read(sent)
    assert cost.text == sent
    assert (list(cost.values), cost.symbol, cost.position) == (values, symbol, position)


@pytest.mark.parametrize(
    ("sent", "values"),
    [
        ("Eintritt 20", ["eintritt-20"]),
        ("2 x 5", ["2-x-5"]),
        ("10-20 Taler", ["10-20-taler"]),
        ("20% off", ["20-off"]),
        ("ab 18:30", ["ab-1830"]),
        ("30.4.2027", ["30-4-2027"]),
        ("Eintritt frei, Kollekte", ["eintritt-frei", "kollekte"]),
        ("Fish &amp; Chips", ["fish-chips"]),
        ("CHF 50% Rabatt", ["chf-50-rabatt"]),
        ("CHF 12.50%", ["chf-12-50"]),
        ("$18:30", ["1830"]),
    ],
)
def test_text_without_a_price_is_unchanged(sent, values):
    cost = read(sent)
    assert (cost.text, list(cost.values)) == (sent.replace("&amp;", "&"), values)
    assert (cost.symbol, cost.position, cost.code) == ("", "", "")


@pytest.mark.parametrize("word", ["free", "FREE", "Gratis", "gratuit", "kostenlos", "Frei"])
def test_free_is_understood_in_several_languages(word):
    assert read(word) == Cost("Free", ("free",))


@pytest.mark.parametrize(
    ("sent", "text"),
    [
        ("Free", "Gratuit"),
        ("0", "Gratuit"),
        ("0 - 20", "Gratuit \u2013 $20"),
        ("10 - 20", "$10 \u2013 $20"),
        ("Free \u2013 bring a friend", "Free \u2013 bring a friend"),
        ("Free \u2013 pay CHF 20 if you can", "Free \u2013 pay CHF 20 if you can"),
    ],
)
def test_free_is_shown_in_the_language_of_the_reader(sent, text):
    assert in_language(read(sent).document(), "Gratuit") == text


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
def test_cost_in_several_currencies_is_unchanged(sent, text, values):
    cost = read(sent)
    assert (cost.text, list(cost.values)) == (text, values)
    assert (cost.symbol, cost.code) == ("", "")
    assert read(cost.text).text == text


@pytest.mark.parametrize("sent", ["-5 €", "\u22125 €"])
def test_negative_cost_keeps_its_sign(sent):
    assert read(sent) == Cost("-5€", ("-5",), "€", "postfix", "EUR")


@pytest.mark.parametrize("sent", ["-$5", "$-5"])
def test_sign_precedes_the_symbol(sent):
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
def test_currency_code_is_filled_from_the_symbol(sent, code):
    assert read(sent).code == code


@pytest.mark.parametrize(
    ("sent", "own", "code"),
    [
        ("$20", "CAD", "CAD"),
        ("\xa520", "JPY", "JPY"),
        ("20 kr", "SEK", "SEK"),
        ("20 kr.", "DKK", "DKK"),
    ],
)
def test_shared_sign_means_the_currency_of_the_site(sent, own, code):
    assert read(sent, Currency("$", own, "prefix")).code == code


def test_bare_number_gets_the_symbol_and_the_code_of_the_site():
    assert read("20", FRANCS) == Cost("CHF20", ("20",), "", "", "CHF")
    assert read("20$", Currency("$", "USD", "prefix")).code == "USD"
    assert read("20", Currency("€", "EUR", "postfix")).text == "20€"


@pytest.mark.parametrize("sent", ["Free", "0", "Kollekte", "Eintritt 20", ["CHF 10", "20 EUR"]])
def test_no_currency_code_without_the_symbol_of_the_site(sent):
    assert read(sent, FRANCS).code == ""


def test_equal_values_count_once():
    assert read("10, 10.00").text == "$10"


def test_long_cost_text_is_unchanged():
    text = "1-" * 400_000
    assert read(text).text == text


@pytest.mark.parametrize(
    ("cost", "spaced"),
    [
        ("CHF14", "CHF~14"),
        ("CHF14.50 \u2013 CHF20", "CHF~14.50 \u2013 CHF~20"),
        ("Free \u2013 CHF20", "Free \u2013 CHF~20"),
        ("-CHF14", "-CHF~14"),
        ("Fr.20", "Fr.~20"),
        ("10CHF", "10~CHF"),
        ("20\u20ac", "20~\u20ac"),
        ("\u20ac20", "\u20ac20"),
        ("US$20", "US$20"),
        ("Kinder CHF 5, Erwachsene 15 Franken", "Kinder CHF~5, Erwachsene 15~Franken"),
        ("Taler14", "Taler~14"),
        ("Saal B12, ab 3. Reihe", "Saal B12, ab 3. Reihe"),
        ("", ""),
    ],
)
def test_readers_see_currencies_apart_from_their_amounts(cost, spaced):
    own_symbol = "Taler" if "Taler" in cost else "CHF"
    assert for_readers(cost, own_symbol) == spaced.replace("~", "\xa0")
    assert for_readers(for_readers(cost, own_symbol), own_symbol) == spaced.replace("~", "\xa0")


@pytest.mark.parametrize(
    ("text", "cost_text", "values", "code"),
    [
        ("20 Franken", "20 Franken", ["20"], "CHF"),
        ("20 bis 30 Franken", "20 Franken \u2013 30 Franken", ["20", "30"], "CHF"),
        ("Fr. 20.-", "Fr. 20", ["20"], "CHF"),
        ("20 Fr.", "20 Fr.", ["20"], "CHF"),
        ("20 Euro", "20 Euro", ["20"], "EUR"),
        ("50%", "50%", [], ""),
        ("50 % Rabatt", "50 % Rabatt", ["50-rabatt"], ""),
        ("10% Rabatt, CHF 20", "10% Rabatt, CHF 20", ["20"], "CHF"),
    ],
)
def test_words_for_currencies_stay_apart_and_per_cent_is_no_price(text, cost_text, values, code):
    cost = parse_cost(text, Currency("CHF ", "CHF", "prefix"))
    assert (cost.text, list(cost.values), cost.code) == (cost_text, values, code)
