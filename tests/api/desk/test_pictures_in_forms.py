"""Pictures in the forms of the desk: chosen from those that are here, too large, kept."""

from io import BytesIO

import pytest
from desking import form_of, values_of

_TOO_LARGE = b"\0" * 11_000_000
_FORMS = {
    "/venues/new": ("variants[de][description]", "image_file", "image_file"),
    "/media/new": ("variants[de][title]", "file", "file"),
    "/events/new": ("description", "image_file", "event-image_file"),
}


@pytest.mark.parametrize(("path", "names"), _FORMS.items())
def test_too_large_picture_is_refused_beside_its_field_and_the_texts_stay(desk, path, names):
    text, file, control = names
    sent = {text: "Ein langer Text", file: (BytesIO(_TOO_LARGE), "gross.jpg")}
    answer = desk("editor").send(path, **sent)
    assert answer.status in (400, 422)
    field = answer.tree.get_element_by_id(control)
    assert field.get("aria-invalid") == "true"
    problem = answer.tree.get_element_by_id(field.get("aria-describedby"))
    assert "10 MB" in problem.text_content()
    assert values_of(form_of(answer))[text] == "Ein langer Text"


@pytest.mark.parametrize("name", ["subscriber", "contributor"])
def test_only_who_may_upload_sends_large_forms(desk, name):
    browser = desk(name)
    token = browser.token()
    sent = {"title": "Fest", "csrf_token": token, "image_file": (BytesIO(_TOO_LARGE), "gross.jpg")}
    assert browser.post("/events/new", **sent).status == 413


def test_contributor_keeps_a_text_that_is_too_long(desk):
    text = "Wort " * 300_000
    answer = desk("contributor").send("/events/new", title="Fest", description=text)
    assert answer.status == 422
    assert answer.tree.get_element_by_id("event-description-problem") is not None


def test_form_of_who_may_upload_has_an_end(desk):
    browser = desk("editor")
    token = browser.token()
    file = (BytesIO(b"\0" * (65 << 20)), "gross.jpg")
    assert browser.post("/events/new", csrf_token=token, image_file=file).status == 413


def test_picture_stays_chosen_when_a_field_is_too_long(desk, png, as_admin):
    browser = desk("editor")
    sent = {"variants[de][venue]": "Halle", "zip": "7" * 2000}
    refused = browser.send("/venues/new", **sent, image_file=(BytesIO(png), "halle.png"))
    assert refused.status == 400
    values = values_of(form_of(refused)) | {"zip": "7550"}
    saved = browser.post("/venues/new", **values)
    assert saved.status == 303, saved.text
    venue = as_admin.get(saved.headers["Location"].removeprefix("/desk")).json
    assert venue["image"]["id"] == int(values["image"])
    assert as_admin.get("/media").json["total"] == 1


def test_wrong_picture_is_told_together_with_other_wrong_fields(desk):
    sent = {"variants[de][venue]": "Halle", "geo_lat": "north", "geo_lng": "9"}
    file = (BytesIO(b"no picture"), "x.png")
    answer = desk("editor").send("/venues/new", **sent, image_file=file)
    wrong = {field.get("name") for field in answer.tree.xpath('//*[@aria-invalid="true"]')}
    assert {"geo_lat", "image_file"} <= wrong


@pytest.mark.parametrize(
    ("path", "name"), [("/venues/new", "variants[de][venue]"), ("/events/new", "title")]
)
def test_picture_that_is_here_is_chosen_by_its_thumbnail(desk, upload, as_admin, path, name):
    picture = upload(alt_text="Ein Chor")
    browser = desk("editor")
    choice = browser.get(path).tree.xpath(f"//label[input[@value='{picture['id']}']]")[0]
    assert choice.xpath("input/@name") == ["image_pick"]
    assert choice.xpath("img/@alt") == ["Ein Chor"]
    more = {"start_date": "12.5.2031", "all_day": "1"} if name == "title" else {}
    sent = {name: "Konzert", "image_pick": str(picture["id"])}
    saved = browser.send(path, **sent, **more)
    assert saved.status == 303, saved.text
    record = as_admin.get(saved.headers["Location"].removeprefix("/desk").partition("?")[0]).json
    assert record["image"]["id"] == picture["id"]


@pytest.mark.parametrize(
    ("path", "name"), [("/venues/new", "variants[de][venue]"), ("/events/new", "title")]
)
def test_pictures_are_searched_without_losing_what_is_typed(desk, upload, path, name):
    upload(alt_text="Ein Chor")
    upload(alt_text="Ein Schiff")
    sent = {name: "Konzert", "button": "pictures", "picture_search": "chor"}
    answer = desk("editor").send(path, **sent)
    assert answer.status == 200
    assert answer.tree.xpath("//label[@class='library-picture']/img/@alt") == ["Ein Chor"]
    assert values_of(form_of(answer))[name] == "Konzert"
    assert not answer.tree.xpath('//*[@role="alert"]')


def test_older_pictures_have_pages_of_their_own(desk, upload):
    for _ in range(13):
        upload()
    browser = desk("editor")
    first = browser.get("/venues/new").tree
    assert len(first.xpath("//label[@class='library-picture']")) == 12
    second = browser.send("/venues/new", picture_page="2").tree
    assert len(second.xpath("//label[@class='library-picture']")) == 1
    alone = browser.get("/media/library?picture_page=2").tree
    assert len(alone.xpath("//label[@class='library-picture']")) == 1


@pytest.mark.parametrize("path", ["/venues/new", "/events/new"])
@pytest.mark.parametrize("field", ["image", "image_pick"])
def test_form_shows_no_picture_that_its_writer_may_not_see(desk, upload, make_venue, path, field):
    hidden, public = upload(alt_text="Geheim"), upload(alt_text="Offen")
    make_venue(status="private", image=hidden["id"])
    make_venue(image=public["id"])
    for picture, is_shown in ((hidden, False), (public, True)):
        sent = {field: str(picture["id"]), "button": "pictures", "picture_search": "x"}
        answer = desk("contributor").send(path, **sent)
        page = answer.answer.get_data(as_text=True)
        assert answer.status == 200
        assert (f"/media/{picture['id']}/" in page) == is_shown
        assert "Geheim" not in page
