"""Addresses of lists: the parameters that their links carry."""

from urllib.parse import parse_qs

import pytest

from calendar_app.readmodel.addresses import Addresses, encode_query


def _ids(number):
    return ",".join(map(str, range(number)))


def test_query_of_a_link_is_encoded_as_forms_are():
    assert encode_query({"include": _ids(3), "search": "Tanz & Musik"}) == (
        "include=0%2C1%2C2&search=Tanz+%26+Musik"
    )


def test_long_list_of_ids_grows_by_no_encoded_commas():
    query = encode_query({"include": _ids(1000), "search": "a&b"})
    assert "%2C" not in query
    assert query.endswith("&search=a%26b")


@pytest.mark.parametrize("number", [3, 1000])
def test_query_of_a_link_has_what_was_asked(number):
    assert parse_qs(encode_query({"include": _ids(number)})) == {"include": [_ids(number)]}


@pytest.mark.parametrize(
    ("address", "path"),
    [
        ("https://calendar.example/rm/event/concert/", "/rm/event/concert/"),
        ("https://calendar.example.org/event/concert/", None),
        ("https://other.example/event/concert/", None),
    ],
)
def test_only_addresses_of_the_site_lose_their_host(settings, address, path):
    addresses = Addresses("https://calendar.example", "https://calendar.example", settings)
    assert addresses.path(address) == (path or address)
