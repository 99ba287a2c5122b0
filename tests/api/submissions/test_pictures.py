"""A contribution may have a picture, which nobody sees before it is published."""

from io import BytesIO

import pytest
from api.submissions.conftest import CONTRIBUTION
from browsing import Browser
from calling import SITE
from PIL import Image

from calendar_app.api.http.request.state import get_services

ALT = "Ein Haus am See"


def _picture(width=40, height=30):
    file = BytesIO()
    Image.new("RGB", (width, height), "teal").save(file, "PNG")
    return file.getvalue()


@pytest.fixture
def upload(anyone):
    """Return a function that sends a contribution with a file, or a change of one."""

    def post(token="", data=None, **changes):
        fields = changes if token else CONTRIBUTION | {"consent": "true"} | changes
        path = f"/submissions/sent?token={token}" if token else "/submissions"
        file = (BytesIO(data or _picture()), "../Haus am See.php.png")
        return anyone.send("POST", path, data=fields | {"image": file})

    return post


@pytest.fixture
def stored(database):
    """Return a function that counts the stored pictures, and their files."""
    return lambda: tuple(
        database[name].count_documents({}) for name in ("media", "files.files", "files.chunks")
    )


@pytest.fixture
def settle(app, clock):
    """Return a function that lets hours pass, after which the service tidies up."""

    def tidy():
        clock.advance(hours=2)
        get_services(app).submissions.pictures.settle()

    return tidy


@pytest.fixture
def image(as_editor):
    """Return a function that reads the picture of an event as an editor."""
    return lambda number: as_editor.get(f"/events/{number}").json["image"]


def test_file_is_public_when_the_event_is(upload, image, app, anyone, as_editor):
    number = upload(alt_text=ALT).json["id"]
    path = image(number)["url"].removeprefix(SITE)
    assert path.endswith("/haus-am-see-php.png")
    assert app.test_client().get(path).status_code == 404
    as_editor.post(f"/submissions/{number}/publish")
    assert app.test_client().get(path).status_code == 200
    assert anyone.get(f"/events/{number}").json["image"]["alt_text"] == ALT


def test_only_editors_find_it_before(upload, image, anyone, as_author, as_editor):
    picture = image(upload().json["id"])["id"]
    for caller in (anyone, as_author):
        assert caller.get("/media").json["media"] == []
        assert caller.get(f"/media/{picture}").status_code == 403
    assert as_editor.get("/media").json["total"] == 1
    event = {"title": "Eigenes", "start_date": "2030-03-10", "end_date": "2030-03-10"}
    assert as_author.post("/events", **event, image=picture).invalid_params == ["image"]


def test_no_author_publishes_it_by_its_address_before(upload, image, app, as_author):
    picture = image(upload().json["id"])
    folder, token, name = picture["url"].rsplit("/", 2)
    event = {"title": "Eigenes", "start_date": "2030-03-10", "end_date": "2030-03-10"}
    for address in (picture["url"], f"{folder}/{name}", f"{folder}/other.png"):
        image_of_event = as_author.post("/events", **event, image=address).json["image"]
        assert (image_of_event["id"], image_of_event["url"]) == (0, address)
    path = f"/media/{picture['id']}/{token}/{name}"
    assert app.test_client().get(path).status_code == 404


def test_sender_and_editors_see_it(upload, anyone, as_author, as_editor):
    sent = upload().json
    answers = [
        anyone.get("/submissions/sent/picture", token=sent["token"]),
        as_editor.get(f"/submissions/{sent['id']}/picture"),
    ]
    for answer in answers:
        assert (answer.status_code, answer.mimetype) == (200, "image/png")
        assert answer.headers["Cache-Control"] == "private, no-store"
        assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert anyone.get("/submissions/sent/picture", token="guess").status_code == 404
    assert as_author.get(f"/submissions/{sent['id']}/picture").status_code == 403


@pytest.mark.parametrize("end", ["refuse", "withdraw", "replace", "remove"])
def test_it_is_removed_with_its_contribution(upload, stored, anyone, as_editor, end):
    sent = upload(data=_picture(30, 30)).json
    assert stored()[0] == 1
    token = sent["token"]
    if end == "refuse":
        as_editor.post(f"/submissions/{sent['id']}/refuse", reason="Zu weit weg")
    elif end == "withdraw":
        anyone.delete("/submissions/sent", token=token)
    elif end == "remove":
        assert anyone.post("/submissions/sent", token=token, image=None).status_code == 200
    else:
        assert upload(token).status_code == 200
        assert as_editor.get(f"/submissions/{sent['id']}/picture").status_code == 200
        assert stored()[0] == 1
        return
    assert stored() == (0, 0, 0)


def test_it_is_removed_when_the_sender_is_forgotten(upload, stored, database, settle):
    upload()
    settle()
    assert stored()[0] == 1
    database["submissions"].delete_many({})
    settle()
    assert stored() == (0, 0, 0)


def test_published_picture_stays_as_any_other(upload, settle, image, app, as_editor):
    number = upload().json["id"]
    as_editor.post(f"/submissions/{number}/publish")
    settle()
    as_editor.post(f"/events/{number}", status="draft")
    settle()
    assert app.test_client().get(image(number)["url"].removeprefix(SITE)).status_code == 200


def _large_picture():
    """Return a picture that is larger than any body without one may be."""
    file = BytesIO()
    Image.effect_noise((1300, 1300), 90).save(file, "PNG")
    return file.getvalue()


def _bomb():
    """Return a small file that claims to be a picture of 10,000 megapixels."""
    data = bytearray(_picture())
    data[16:24] = (100_000).to_bytes(4, "big") * 2
    return bytes(data)


@pytest.mark.parametrize(
    "data", [b"<svg onload=alert(1)>", _bomb(), _picture()[:60]], ids=["none", "bomb", "cut"]
)
def test_what_is_no_picture_is_refused_and_nothing_is_stored(upload, stored, database, data):
    answer = upload(data=data)
    assert (answer.status_code, answer.invalid_params) == (400, ["image"])
    assert stored() == (0, 0, 0)
    assert database["events"].count_documents({}) == 0


def test_picture_of_a_refused_contribution_is_not_kept(upload, stored):
    assert upload(end_date="2030-03-09").status_code == 400
    assert stored() == (0, 0, 0)


def test_pictures_count_as_contributions(upload):
    token = upload().json["token"]
    statuses = [upload(token).status_code for _ in range(20)]
    assert statuses == [200] * 19 + [429]


def test_a_picture_is_no_address(send):
    for image in ("https://example.org/a.png", 1):
        assert "image" in send(400, image=image)["data"]["params"]


def test_form_takes_a_picture_with_its_words(app, clock, as_editor, settings):
    browse, large = Browser(app), _large_picture()
    assert len(large) > settings.max_body
    stamp = browse("/events/submit/").tree.xpath('//input[@name="form"]/@value')[0]
    clock.advance(seconds=60)

    def send(**changes):
        fields = {
            "form": stamp,
            "languages[]": ["de", "rm"],
            "title[de]": "Hausmusik",
            "title[rm]": "Musica",
            "alt_text[rm]": "Ina chasa",
            "start_day": "2030-03-10",
            "start_time": "19:00",
            "consent": "true",
        }
        file = (BytesIO(large), "haus.png")
        return browse("/events/submit/", method="POST", data=fields | {"image": file} | changes)

    page = send(start_time="")
    assert page.tree.xpath('//*[@id="problem-image"]')
    assert page.tree.xpath('//input[@name="alt_text[rm]"]/@value') == ["Ina chasa"]
    page = send(image=(BytesIO(b"x"), "haus.png"))
    assert page.tree.xpath('//*[@aria-invalid="true"]/@id') == ["image"]
    own = browse(send().headers["Location"])
    (address,) = own.tree.xpath('//figure[@class="sent-picture"]/img/@src')
    assert browse.client.get(address).mimetype == "image/png"
    (entry,) = as_editor.get("/submissions").json["submissions"]
    texts = as_editor.get(f"/media/{entry['event']['image']['id']}", translation_language="rm")
    assert texts.json["alt_text"] == "Ina chasa"


def test_form_that_is_too_large_says_how_to_go_on(app, settings):
    large = (BytesIO(b"x" * (settings.max_upload + 1)), "haus.png")
    page = Browser(app)("/events/submit/", method="POST", data={"image": large})
    assert page.status == 413
    assert "Gehen Sie eine Seite zurück" in page.text
