"""Digits of any length are a number that MongoDB can store; nothing else is one."""

import pytest

from calendar_app.domain.numbers import LARGEST, parse_digits


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0),
        ("12", 12),
        ("0012", 12),
        ("0" * 5000 + "7", 7),
        (str(LARGEST), LARGEST),
        (str(LARGEST + 1), LARGEST),
        ("9" * 30, LARGEST),
        ("9" * 5000, LARGEST),
        ("", None),
        ("-1", None),
        ("+1", None),
        (" 1", None),
        ("1\n", None),
        ("1.0", None),
        ("1_000", None),
        ("²", None),
        ("١٢", None),
    ],
)
def test_only_ascii_digits_are_a_number(text, number):
    assert parse_digits(text) == number
