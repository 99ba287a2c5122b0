"""Pictures that a calendar copies from another one which it follows."""

from datetime import timedelta

from agenda import png


def test_a_picture_that_failed_in_a_followed_calendar_is_tried_again(calendars, host):
    one, other = calendars(["one", "other"])
    one.make(image=host.put("/a.png", b"", 500))
    source = other.follow(one, pictures="copy")
    other.read(source)
    host.put("/a.png", png())
    other.clock.now += timedelta(days=2)
    assert other.read(source)["changed"] == 1
    assert isinstance(other.database["events"].find_one()["image"], int)
