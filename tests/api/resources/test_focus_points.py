"""Which point of a picture all crops keep."""

import pytest
from browsing import Browser


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


def test_thumbnail_stays_as_it_was_cut(upload, as_author):
    picture = upload()
    changed = as_author.patch(f"/media/{picture['id']}", focus="0% 0%").json
    assert changed["sizes"] == picture["sizes"]
