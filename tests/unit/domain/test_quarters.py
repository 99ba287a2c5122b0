"""Quarters of years are numbered through."""

from datetime import datetime

import pytest

from calendar_app.domain.quarters import quarter_of


@pytest.mark.parametrize(
    ("last", "next_one"),
    [
        ("2030-03-31 23:59:59", "2030-04-01 00:00:00"),
        ("2030-09-30 23:59:59", "2030-10-01 00:00:00"),
        ("2030-12-31 23:59:59", "2031-01-01 00:00:00"),
        ("0001-12-31 23:59:59", "0002-01-01 00:00:00"),
    ],
)
def test_the_next_quarter_has_the_next_number(last, next_one):
    before, after = map(datetime.fromisoformat, (last, next_one))
    assert quarter_of(after) == quarter_of(before) + 1


def test_months_of_a_quarter_have_its_number():
    assert (
        len({quarter_of(datetime.fromisoformat(f"2030-0{month}-15")) for month in (7, 8, 9)}) == 1
    )
