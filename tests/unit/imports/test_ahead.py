"""Work that other processes do is taken in its order, and only a few items ahead."""

import pytest

from calendar_app.imports.ahead import in_order

PROCESSES = pytest.mark.parametrize("processes", [0, 1], ids=["here", "elsewhere"])


@PROCESSES
def test_each_item_comes_with_its_result_in_order(processes):
    assert list(in_order(str.upper, iter("abcdef"), processes)) == [
        (one, one.upper()) for one in "abcdef"
    ]


@PROCESSES
def test_only_a_few_items_are_looked_at_before_the_first_is_taken(processes):
    looked_at = []

    def items():
        for number in range(100):
            looked_at.append(number)
            yield number

    results = in_order(abs, items(), processes)
    assert next(results) == (0, 0)
    assert len(looked_at) <= 1 + 2 * processes
    results.close()


@PROCESSES
def test_what_goes_wrong_elsewhere_goes_wrong_here(processes):
    results = in_order(int, ["1", "one", "2"], processes)
    assert next(results) == ("1", 1)
    with pytest.raises(ValueError, match="one"):
        next(results)
