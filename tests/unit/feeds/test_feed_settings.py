"""The settings of feeds, valid and invalid."""

import pytest

from calendar_app.errors import ConfigurationError
from calendar_app.settings import Settings


@pytest.mark.parametrize(
    ("name", "value"),
    [("feed_limit", 0), ("feed_limit", -1), ("feed_color", "sehr rot"), ("feed_color", "#ff0000")],
)
def test_invalid_feed_setting_stops_the_start(name, value):
    with pytest.raises(ConfigurationError, match=name):
        Settings.load(environment={}, **{name: value})


@pytest.mark.parametrize("color", ["", "seagreen", "red"])
def test_a_color_has_its_name_in_css(color):
    assert Settings.load(environment={}, feed_color=color).feed_color == color
