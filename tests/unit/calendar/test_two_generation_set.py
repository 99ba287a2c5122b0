"""What comes up again and again is remembered, and never too much."""

import pytest

from calendar_app.search.two_generation_set import TwoGenerationSet

MOST = 10


@pytest.fixture
def lately():
    return TwoGenerationSet(MOST)


def test_what_was_added_is_known(lately):
    lately.add({"fest", "markt"})
    assert lately.missing({"fest", "tanz"}) == {"tanz"}


def test_so_much_is_remembered_at_least(lately):
    for number in range(100):
        lately.add([str(number)])
        last = {str(one) for one in range(max(0, number - MOST + 1), number + 1)}
        assert lately.missing(last) == set()


def test_never_more_than_twice_as_much_is_remembered(lately):
    everything = {str(number) for number in range(100)}
    for number in range(100):
        lately.add([str(number)])
        assert len(everything - lately.missing(everything)) <= 2 * MOST + 1


def test_what_comes_up_again_and_again_stays(lately):
    for number in range(100):
        lately.add([str(number)])
        lately.add(["fest"])
        assert lately.missing({"fest"}) == set()
