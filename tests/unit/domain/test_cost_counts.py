"""Which of the numbers in a cost are prices, and which ages, hours and numbers of things."""

import pytest

from calendar_app.domain.cost import Currency, parse_cost

DOLLARS = Currency("$", "", "prefix")


def read(sent):
    cost = parse_cost(sent, DOLLARS)
    assert cost is not None
    return cost


@pytest.mark.parametrize(
    ("sent", "text", "values"),
    [
        ("CHF 15-20 nach Ermessen", "CHF15 \u2013 CHF20", ["15", "20"]),
        ("$15 to 20 sliding", "$15 \u2013 $20", ["15", "20"]),
        ("$15 - 20 sliding", "$15 \u2013 $20", ["15", "20"]),
        ("$15-20 or 25 at the door", "$15 \u2013 $25", ["15", "20", "25"]),
        ("£10/8/6 conc", "£6 \u2013 £10", ["6", "8", "10"]),
        ("CHF 20 / 15 AHV", "CHF15 \u2013 CHF20", ["15", "20"]),
        ("CHF 20.- Erwachsene, 10.- Kinder", "CHF10 \u2013 CHF20", ["10", "20"]),
        ("20.- / 15.- (AHV, Stud.)", "$15 \u2013 $20", ["15", "20"]),
        ("VVK 18 / AK 22", "$18 \u2013 $22", ["18", "22"]),
        ("15.- par personne", "$15", ["15"]),
        ("CHF 20 (15)", "CHF15 \u2013 CHF20", ["15", "20"]),
        ("CHF 15/20 Abend", "CHF15 \u2013 CHF20", ["15", "20"]),
        ("$15-20 evenings", "$15 \u2013 $20", ["15", "20"]),
        ("10-20.- pers.", "$10 \u2013 $20", ["10", "20"]),
        ("CHF 20 (15/12)", "CHF12 \u2013 CHF20", ["12", "15", "20"]),
        ("Kinder (15/12), CHF 20", "CHF12 \u2013 CHF20", ["12", "15", "20"]),
        ("CHF 20 (12.50-15)", "CHF12.50 \u2013 CHF20", ["12.50", "15", "20"]),
        ("CHF 5 (4-12), CHF 10 (13+)", "CHF5 \u2013 CHF10", ["5", "10"]),
        ("15 € AVS/AI bis 25", "15€ \u2013 25€", ["15", "25"]),
        ("8.- Adultes bis 10 sur place", "$8 \u2013 $10", ["8", "10"]),
        ("$8 plus fees to 15", "$8 \u2013 $15", ["8", "15"]),
        ("20.-, 10 Kinder", "$10 \u2013 $20", ["10", "20"]),
    ],
)
def test_a_price_stays_one_with_a_word_behind_it(sent, text, values):
    cost = read(sent)
    assert (cost.text, list(cost.values)) == (text, values)


@pytest.mark.parametrize(
    ("sent", "text"),
    [
        ("18+ $10", "$10"),
        ("21+ / $15", "$15"),
        ("$15 / 21+", "$15"),
        ("$10, 21+", "$10"),
        ("Seniors (65+) $8", "$8"),
        ("Ages 6-12 $5", "$5"),
        ("Ages 6 to 12: $5", "$5"),
        ("$5 for ages 3-12", "$5"),
        ("Kids 12 and under free, adults $15", "$15"),
        ("Kinder (6-16) CHF 5", "CHF5"),
        ("Kinder 6-16 CHF 5", "CHF5"),
        ("Kinder bis 12, CHF 5", "CHF5"),
        ("Kinder (6-16 J.) CHF 5", "CHF5"),
        ("ab 6 J., 5.-", "$5"),
        ("Eintritt 15.-, Kinder bis 12 Jahre frei", "$15"),
        ("Enfants 6-16 ans: 5.-", "$5"),
        ("uffants fin 16 onns CHF 5", "CHF5"),
        ("da 6 a 16 anni CHF 5", "CHF5"),
        ("CHF 20 ab 18:30", "CHF20"),
        ("CHF 20 (ab 18.30)", "CHF20"),
        ("ab 19 Uhr, 20.-", "$20"),
        ("3-Gang-Menü CHF 65", "CHF65"),
        ("$10 for 2 or 3 people", "$10"),
        ("$50/2 hours", "$50"),
        ("CHF 20 und 1 Getränk", "CHF20"),
        ("$20 until 30 April", "$20"),
        ("5€ - 6-12 ans", "5€"),
        ("CHF 5 (6\u201316)", "CHF5"),
        ("CHF 5 (6 bis 16)", "CHF5"),
        ("20.- (6-12)", "$20"),
        ("CHF 5 (bis 16)", "CHF5"),
        ("CHF 5 Kinder bis 16", "CHF5"),
        ("CHF 8, Lernende bis 20", "CHF8"),
    ],
)
def test_ages_hours_and_numbers_of_things_are_no_prices(sent, text):
    cost = read(sent)
    assert (cost.text, len(cost.values)) == (text, 1)


@pytest.mark.parametrize(
    ("sent", "text"),
    [
        ("CHF 80 / 2 Tage", "CHF80"),
        ("CHF 80 - 2 Tage", "CHF80"),
        ("CHF 80 oder 2 Tage", "CHF80"),
        ("CHF 80 / 1 Tag", "CHF80"),
        ("CHF 80 / 8 Abende", "CHF80"),
        ("CHF 250 / 10 Lektionen", "CHF250"),
        ("CHF 250 / 10er-Abo", "CHF250"),
        ("CHF 65 / 3-Gang-Menü", "CHF65"),
        ("CHF 20 / 1 Getränk", "CHF20"),
        ("20.- / 2 Getränke", "$20"),
        ("$15/2 drinks", "$15"),
        ("$80 / 3 days", "$80"),
        ("$200 / 2 nights", "$200"),
        ("60 € / 3 soirs", "60€"),
        ("CHF 60 / 3 dis", "CHF60"),
        ("$50-60/2 hours", "$50 \u2013 $60"),
        ("$15-20 - 2 drinks", "$15 \u2013 $20"),
        ("CHF 10-20 und 1 Getränk", "CHF10 \u2013 CHF20"),
        ("$10 or 3 for $25", "$10 \u2013 $25"),
    ],
)
def test_what_a_price_is_for_is_no_price(sent, text):
    assert read(sent).text == text


@pytest.mark.parametrize("sent", ["ab 18 Uhr", "Gratuit jusqu'à 16 ans", "18:30"])
def test_a_text_of_hours_and_ages_alone_is_shown_as_it_is(sent):
    assert read(sent).text == sent
