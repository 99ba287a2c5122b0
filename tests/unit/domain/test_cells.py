"""The grid over the earth: whatever lies in a box lies in one of its cells."""

from hypothesis import example, given
from hypothesis import strategies as st

from calendar_app.domain.points import cell_of, cells_between

MANY = 64
latitudes = st.floats(-90, 90)
longitudes = st.floats(-180, 180)
# How far an edge is from a point.
aside = st.tuples(*[st.floats(0, 0.25)] * 4)


@given(latitudes, longitudes, aside)
@example(90, 180, (0, 0, 0, 0))
@example(-90, -180, (0, 0, 0.1, 0.1))
@example(46.8, 9.5, (0.1, 0.1, 0, 0))
def test_points_in_a_box_are_in_one_of_its_cells(latitude, longitude, aside):
    west, south = max(-180, longitude - aside[0]), max(-90, latitude - aside[1])
    east, north = min(180, longitude + aside[2]), min(90, latitude + aside[3])
    assert cell_of(latitude, longitude) in cells_between(west, south, east, north, MANY)


@given(latitudes)
def test_both_longitudes_of_the_antimeridian_share_a_cell(latitude):
    assert cell_of(latitude, 180) == cell_of(latitude, -180)


def test_neighboring_points_have_different_cells():
    there = {
        cell_of(46.85 + north / 10, 9.55 + east / 10) for north in range(3) for east in range(3)
    }
    assert len(there) == 9


def test_a_cell_is_a_tenth_of_a_degree():
    assert cell_of(46.81, 9.51) == cell_of(46.89, 9.59)
    assert len(cells_between(9.51, 46.81, 9.59, 46.89, MANY)) == 1
    assert len(cells_between(9.51, 46.81, 9.61, 46.91, MANY)) == 4


def test_of_too_many_cells_none_is_named():
    assert cells_between(9, 46, 10, 47, MANY) == []
