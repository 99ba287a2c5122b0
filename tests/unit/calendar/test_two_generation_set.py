"""Frequent values stay in a set of bounded size."""

import pytest

from calendar_app.search.two_generation_set import TwoGenerationSet

MOST = 10


@pytest.fixture
def lately():
    return TwoGenerationSet(MOST)


def test_added_values_are_contained(lately):
    lately.add({"fest", "markt"})
    assert lately.missing({"fest", "tanz"}) == {"tanz"}


def test_so_much_is_remembered_at_least(lately):
    for number in range(100):
        lately.add([str(number)])
        last = {str(index) for index in range(max(0, number - MOST + 1), number + 1)}
        assert lately.missing(last) == set()


def test_never_more_than_twice_as_much_is_remembered(lately):
    everything = {str(number) for number in range(100)}
    for number in range(100):
        lately.add([str(number)])
        assert len(everything - lately.missing(everything)) <= 2 * MOST + 1


def test_frequent_values_stay(lately):
    for number in range(100):
        lately.add([str(number)])
        lately.add(["fest"])
        assert lately.missing({"fest"}) == set()
