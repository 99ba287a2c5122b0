"""A pasted pair of numbers, or the address of a map, is read as a point."""

import pytest

from calendar_app.domain.texts.written_points import point_in

CHUR = ("46.85", "9.53")


@pytest.mark.parametrize(
    "text",
    [
        "46.85, 9.53",
        " 46.85,9.53 ",
        "46.85 9.53",
        "46.85; 9.53",
        "46,85 9,53",
        "46,85; 9,53",
        "46,85, 9,53",
        "geo:46.85,9.53?z=15",
        "https://www.openstreetmap.org/?mlat=46.85&mlon=9.53#map=15/46.0/9.0",
        "https://www.openstreetmap.org/#map=15/46.85/9.53",
        "https://www.google.com/maps/@46.85,9.53,15z",
        "https://www.google.com/maps/place/Chur/@46.0,9.0,13z/data=!3m1!4b1!3d46.85!4d9.53",
        "https://maps.google.com/?q=46.85,9.53",
        "https://www.google.com/maps/search/?api=1&query=46.85%2C9.53",
        "https://maps.apple.com/?ll=46.85,9.53&q=Halle",
        "https://www.bing.com/maps?cp=46.85~9.53&lvl=15",
    ],
)
def test_point_is_read(text):
    assert point_in(text) == CHUR


@pytest.mark.parametrize(("text", "point"), [("-33.9, 151", ("-33.9", "151")), ("0 0", ("0", "0"))])
def test_signs_and_whole_degrees_are_read(text, point):
    assert point_in(text) == point


@pytest.mark.parametrize(
    "text",
    [
        "",
        "46.85",
        "46,85",
        "-46",
        "Chur",
        "Chur 7000",
        "46.85, 9.53, 8",
        "https://example.org/46/9",
    ],
)
def test_anything_else_is_no_point(text):
    assert point_in(text) is None
