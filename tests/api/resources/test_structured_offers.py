"""Prices of events as schema.org offers."""

import pytest

from calendar_app.settings import Settings

pytestmark = pytest.mark.without_mongodb

SCHEMA = "https://schema.org"


@pytest.fixture
def settings(settings):
    """Return the settings of a site with prices in francs."""
    return Settings.load(
        environment={},
        site_url=settings.site_url,
        languages=["de", "rm"],
        default_language="de",
        timezone="Europe/Zurich",
        currency_symbol="CHF",
        currency_code="CHF",
    )


@pytest.mark.parametrize(
    ("cost", "expected", "free"),
    [
        ("20 CHF", {"price": "20", "priceCurrency": "CHF"}, False),
        ("€ 12.50", {"price": "12.50", "priceCurrency": "EUR"}, False),
        ("20", {"price": "20", "priceCurrency": "CHF"}, False),
        ("$20", {"price": "20"}, False),
        ("Free", {"price": "0", "priceCurrency": "CHF"}, True),
        ("0", {"price": "0", "priceCurrency": "CHF"}, True),
        ("Kollekte", {"description": "Kollekte"}, None),
        ("10€ oder 12 CHF", {"description": "10€ oder 12 CHF"}, False),
        (["$10", "20€"], {"description": "$10, 20€"}, False),
        (
            "10-20 EUR",
            {
                "price": "10",
                "priceCurrency": "EUR",
                "priceSpecification": {
                    "@type": "PriceSpecification",
                    "minPrice": "10",
                    "maxPrice": "20",
                    "priceCurrency": "EUR",
                },
            },
            False,
        ),
        (
            ["Free", "30"],
            {
                "price": "0",
                "priceCurrency": "CHF",
                "priceSpecification": {
                    "@type": "PriceSpecification",
                    "minPrice": "0",
                    "maxPrice": "30",
                    "priceCurrency": "CHF",
                },
            },
            False,
        ),
    ],
)
def test_offer_prices_are_numbers(make_event, described, cost, expected, free):
    event = make_event(cost=cost)
    linked_data = described(event)

    assert linked_data["offers"] == expected | {
        "@type": "Offer",
        "url": event["url"],
        "category": "primary",
        "availability": f"{SCHEMA}/InStock",
        "validFrom": "2030-01-15T12:00:00+00:00",
    }
    assert linked_data.get("isAccessibleForFree") is free


def test_event_without_a_cost_has_no_offers(make_event, described):
    assert not {"offers", "isAccessibleForFree"} & described(make_event()).keys()


def test_offers_of_a_canceled_event_are_discontinued(make_event, described):
    event = make_event(cost="20", event_status="canceled")

    assert described(event)["offers"]["availability"] == f"{SCHEMA}/Discontinued"
