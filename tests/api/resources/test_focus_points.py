"""Which point of a picture all crops keep."""

from io import BytesIO
from urllib.parse import urlsplit

import pytest
from browsing import Browser
from PIL import Image


def test_focus_point_comes_with_the_upload_and_can_be_changed(upload, as_author):
    picture = upload(focus="30% 20%")
    assert picture["focus"] == "30% 20%"
    path = f"/media/{picture['id']}"
    assert as_author.patch(path, focus="0% 100%").json["focus"] == "0% 100%"
    assert as_author.patch(path, focus=None).json["focus"] == ""


@pytest.mark.parametrize("focus", ["30", "30% 101%", "left top", "-1% 5%", "30%  20%", 7])
def test_what_is_no_point_of_a_picture_is_refused(upload, as_author, focus):
    picture = upload(focus="30% 20%")
    answer = as_author.patch(f"/media/{picture['id']}", focus=focus)
    assert answer.status_code == 400
    assert list(answer.json["data"]["params"]) == ["focus"]
    assert as_author.get(f"/media/{picture['id']}").json["focus"] == "30% 20%"


def test_records_and_pages_have_the_focus_point_of_their_picture(upload, make_event, app):
    event = make_event(image=upload(focus="34% 100%")["id"], slug="konzert")
    assert event["image"]["focus"] == "34% 100%"
    browse = Browser(app)
    (shown,) = browse("/event/konzert/").tree.xpath("//figure[contains(@class, 'picture')]/img")
    assert shown.get("class") == "focus-x3 focus-y10"
    listed = browse("/events/").tree.xpath("//*[contains(@class, 'event-picture')]/img")
    assert [each.get("class") for each in listed] == ["focus-x3 focus-y10"]


def test_picture_without_focus_point_is_cut_in_its_middle(upload, make_event, app):
    make_event(image=upload()["id"], slug="konzert")
    (shown,) = Browser(app)("/event/konzert/").tree.xpath("//figure/img")
    assert "class" not in shown.attrib


@pytest.fixture
def colors(app):
    """Return a function that reads the color in the middle of a picture's thumbnail."""

    def read(picture):
        path = urlsplit(picture["sizes"]["thumbnail"]["url"]).path
        answer = app.test_client().get(path)
        assert answer.status_code == 200
        with Image.open(BytesIO(answer.data)) as image:
            assert image.size == (150, 150)
            return image.convert("RGB").getpixel((75, 75))

    return read


@pytest.fixture
def png():
    """Return a wide picture: red on the left, green in the middle, blue on the right."""
    image = Image.new("RGB", (900, 300), "green")
    image.paste("red", (0, 0, 300, 300))
    image.paste("blue", (600, 0, 900, 300))
    body = BytesIO()
    image.save(body, "PNG")
    return body.getvalue()


RED, GREEN, BLUE = (255, 0, 0), (0, 128, 0), (0, 0, 255)


@pytest.mark.parametrize(("focus", "color"), [("0% 50%", RED), ("", GREEN), ("100% 0%", BLUE)])
def test_thumbnail_of_an_upload_is_cut_around_the_point(upload, colors, focus, color):
    assert colors(upload(focus=focus)) == color


def test_thumbnail_is_cut_anew_around_another_point(upload, as_author, colors):
    picture = upload()
    changed = as_author.patch(f"/media/{picture['id']}", focus="100% 50%").json
    assert colors(changed) == BLUE
    again = as_author.patch(f"/media/{picture['id']}", focus=None).json
    assert colors(again) == GREEN
    addresses = {each["sizes"]["thumbnail"]["url"] for each in (picture, changed, again)}
    assert len(addresses) == 3


def test_sizes_that_show_the_whole_picture_stay(upload, as_author):
    picture = upload()
    changed = as_author.patch(f"/media/{picture['id']}", focus="100% 50%").json
    for each in (picture, changed):
        del each["sizes"]["thumbnail"]
    assert changed["sizes"] == picture["sizes"]


def test_thumbnail_stays_where_something_else_changes(upload, as_author):
    picture = upload(focus="0% 50%")
    changed = as_author.patch(f"/media/{picture['id']}", alt_text="Stripes", focus="0% 50%").json
    assert changed["sizes"] == picture["sizes"]


def test_events_show_the_thumbnail_that_was_cut_anew(upload, make_event, as_author, anyone, colors):
    picture = upload()
    event = make_event(image=picture["id"])
    assert colors(event["image"]) == GREEN
    as_author.patch(f"/media/{picture['id']}", focus="0% 0%")
    assert colors(anyone.get(f"/events/{event['id']}").json["image"]) == RED


def test_refused_change_leaves_no_file(upload, as_author, database):
    picture = upload()
    files = database["files.files"].count_documents({})
    answer = as_author.patch(f"/media/{picture['id']}", focus="0% 0%", alt_text=7)
    assert answer.status_code == 400
    assert database["files.files"].count_documents({}) == files
