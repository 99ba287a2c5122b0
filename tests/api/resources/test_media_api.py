import re
from base64 import b64encode
from io import BytesIO

import pytest
from calling import SECRET, SITE
from keeping import kept
from PIL import Image

from calendar_app.settings import Settings

MEDIA = "/calendar/events/v1/media"
LIMIT = 2_000_000
SETTINGS = Settings.load(
    environment={},
    site_url=SITE,
    languages=["de", "rm"],
    default_language="de",
    max_body=1000,
    max_upload=LIMIT,
)


@pytest.fixture
def settings():
    return SETTINGS


@pytest.fixture
def client(app):
    return app.test_client()


def signed_in(name):
    """Return the headers of a user."""
    return {"Authorization": "Basic " + b64encode(f"{name}:{SECRET}".encode()).decode()}


@pytest.fixture
def author():
    return signed_in("author")


@pytest.fixture
def poster():
    file = BytesIO()
    Image.new("RGB", (1200, 800), "navy").save(file, "PNG")
    return file.getvalue()


@kept
def uploaded(client, author, poster):
    """Return the path of a picture that was taken in."""
    answer = client.post(MEDIA, data=poster, content_type="image/png", headers=author)
    return answer.json["url"].removeprefix(SITE)


def test_a_bare_picture_is_taken_in_under_its_name(client, author, poster):
    headers = {"Content-Disposition": 'attachment; filename="Sommer Fest.png"'}
    answer = client.post(MEDIA, data=poster, content_type="image/png", headers=author | headers)
    assert answer.status_code == 201
    record = answer.json
    number = record["id"]
    folder, name = record["url"].rsplit("/", 1)
    assert re.fullmatch(rf"{SITE}/media/{number}/[\w-]{{22}}", folder)
    assert name == "sommer-fest.png"
    assert record["source_url"] == record["url"]
    assert (record["extension"], record["width"], record["height"]) == ("png", 1200, 800)
    assert record["filesize"] == len(poster)
    assert list(record["sizes"]) == ["medium", "large", "thumbnail", "medium_large"]
    assert record["sizes"]["medium"]["mime-type"] == "image/png"
    assert record["sizes"]["medium"]["url"] == f"{folder}/sommer-fest-300x200.png"


def test_a_picture_in_a_form_is_taken_in(client, author, poster):
    form = {"file": (BytesIO(poster), "poster.png")}
    answer = client.post(MEDIA, data=form, headers=author)
    assert answer.status_code == 201
    assert answer.json["url"].endswith("/poster.png")


def test_a_language_in_the_address_changes_nothing_about_the_files(client, author, poster):
    answer = client.post(f"/rm{MEDIA}", data=poster, content_type="image/png", headers=author)
    assert answer.status_code == 201
    assert answer.json["url"].startswith(f"{SITE}/media/")


def test_the_language_parameter_is_accepted(client, author, poster):
    accepted, unknown = (
        client.post(
            f"{MEDIA}?translation_language={language}",
            data=poster,
            content_type="image/png",
            headers=author,
        )
        for language in ("rm", "xx")
    )
    assert accepted.status_code == 201
    assert unknown.status_code == 400
    assert unknown.json["code"] == "rest_invalid_param"


def test_upload_requires_the_permission(client, poster):
    for headers, status in [
        ({}, 401),
        (signed_in("subscriber"), 403),
        (signed_in("contributor"), 403),
        (signed_in("editor"), 201),
    ]:
        answer = client.post(MEDIA, data=poster, content_type="image/png", headers=headers)
        assert answer.status_code == status


def test_strangers_get_a_www_authenticate_header(client, poster):
    answer = client.post(MEDIA, data=poster, content_type="image/png")
    assert answer.headers["WWW-Authenticate"] == 'Basic realm="calendar"'


def test_file_that_is_no_picture_is_refused(client, author):
    svg = client.post(MEDIA, data=b"<svg/>", content_type="image/svg+xml", headers=author)
    assert svg.status_code == 400
    assert svg.json["code"] == "rest_invalid_param"
    assert svg.json["data"]["params"].keys() == {"file"}


def test_a_form_without_a_file_is_refused(client, author):
    form = {"title": (BytesIO(b"x"), "poster.png")}
    answer = client.post(MEDIA, data=form, headers=author)
    assert answer.status_code == 400
    assert answer.json["data"]["params"].keys() == {"file"}


@pytest.mark.parametrize("kind", ["application/json", "text/plain"])
def test_body_of_a_type_other_than_its_content_is_refused(client, author, poster, kind):
    answer = client.post(MEDIA, data=poster, content_type=kind, headers=author)
    assert answer.status_code == 415
    assert answer.json["code"] == "unsupported_media_type"


@pytest.mark.parametrize("kind", ["application/octet-stream", ""])
def test_body_without_a_type_is_accepted(client, author, poster, kind):
    answer = client.post(MEDIA, data=poster, content_type=kind, headers=author)
    assert (answer.status_code, answer.json["mime_type"]) == (201, "image/png")


def test_a_picture_may_be_larger_than_other_bodies(client, author, poster):
    assert len(poster) > SETTINGS.max_body
    answer = client.post(MEDIA, data=poster, content_type="image/png", headers=author)
    assert answer.status_code == 201


def test_too_large_a_body_is_refused_before_anything_else(client, author):
    large = b"x" * (LIMIT + 1)
    for headers in (author, {}):
        answer = client.post(MEDIA, data=large, content_type="image/png", headers=headers)
        assert answer.status_code == 413
        assert answer.json["code"] == "request_too_large"


def test_too_large_body_without_a_length_is_refused(client, author):
    answer = client.post(
        MEDIA,
        input_stream=BytesIO(b"x" * (LIMIT + 1)),
        content_type="image/png",
        headers={**author, "Transfer-Encoding": "chunked"},
        environ_overrides={"wsgi.input_terminated": True},
    )
    assert answer.status_code == 413


def test_a_file_is_served_to_everybody_and_kept_for_good(client, uploaded, poster):
    answer = client.get(uploaded)
    assert (answer.status_code, answer.data) == (200, poster)
    assert answer.headers["Content-Type"] == "image/png"
    assert answer.headers["Content-Length"] == str(len(poster))
    assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Content-Disposition"] == "inline"
    assert answer.headers["ETag"]


def test_every_size_is_served(client, author, poster):
    answer = client.post(MEDIA, data=poster, content_type="image/png", headers=author)
    for size in answer.json["sizes"].values():
        served = client.get(size["url"].removeprefix(SITE))
        assert len(served.data) == size["filesize"]
        with Image.open(BytesIO(served.data)) as image:
            assert image.size == (size["width"], size["height"])


def test_head_tells_about_a_file_without_sending_it(client, uploaded, poster):
    answer = client.head(uploaded)
    assert (answer.status_code, answer.data) == (200, b"")
    assert answer.headers["Content-Length"] == str(len(poster))


def test_a_file_that_the_client_has_is_not_sent_again(client, uploaded):
    etag = client.get(uploaded).headers["ETag"]
    answer = client.get(uploaded, headers={"If-None-Match": etag})
    assert (answer.status_code, answer.data) == (304, b"")


def test_a_part_of_a_file_is_sent(client, uploaded, poster):
    answer = client.get(uploaded, headers={"Range": "bytes=10-19"})
    assert (answer.status_code, answer.data) == (206, poster[10:20])
    assert answer.headers["Content-Range"] == f"bytes 10-19/{len(poster)}"


def test_range_beyond_the_end_is_refused(client, uploaded, poster):
    answer = client.get(uploaded, headers={"Range": "bytes=99999999-"})
    assert answer.status_code == 416
    assert answer.headers["Content-Range"] == f"bytes */{len(poster)}"
    assert answer.json["code"] == "range_not_satisfiable"


@pytest.mark.parametrize(("part", "start"), [("bytes=-10", -10), ("BYTES=10-", 10)])
def test_the_end_of_a_file_is_sent(client, uploaded, poster, part, start):
    answer = client.get(uploaded, headers={"Range": part})
    assert (answer.status_code, answer.data) == (206, poster[start:])


@pytest.mark.parametrize(
    "part",
    [
        "bytes=0-0,2-3",
        "items=0-1",
        "bytes=5-2",
        "bytes=abc",
        "bytes=-",
        "bytes",
        "bytes=+1-2",
        "0-1",
    ],
)
def test_unusable_range_gets_the_whole_file(client, uploaded, poster, part):
    answer = client.get(uploaded, headers={"Range": part})
    assert (answer.status_code, answer.data) == (200, poster)
    assert answer.headers["Accept-Ranges"] == "bytes"


def test_file_read_with_a_wrong_if_match_is_refused(client, uploaded):
    answer = client.get(uploaded, headers={"If-Match": '"other"', "Range": "bytes=10-19"})
    assert (answer.status_code, answer.json["code"]) == (412, "precondition_failed")
    part = client.get(uploaded, headers={"If-Match": "*", "Range": "bytes=10-19"})
    assert part.status_code == 206


def test_files_that_are_not_there_are_not_found(client, uploaded):
    other_id = re.sub("/media/[0-9]+/", "/media/999/", uploaded)
    for path in (other_id, uploaded.replace(".png", ".gif"), "/media/x/y/a.png"):
        answer = client.get(path)
        assert answer.status_code == 404
        assert answer.json["code"] == "rest_no_route"


def test_the_address_of_a_file_cannot_be_guessed(client, author, poster, uploaded):
    other_url = client.post(MEDIA, data=poster, content_type="image/png", headers=author).json[
        "url"
    ]
    _, media, number, token, filename = uploaded.split("/")
    guesses = [
        f"/{media}/{number}/{filename}",
        f"/{media}/{number}//{filename}",
        f"/{media}/{number}/-/{filename}",
        f"/{media}/{number}/{token[:-1]}/{filename}",
        f"/{media}/{number}/{other_url.split('/')[-2]}/{filename}",
    ]
    assert client.get(uploaded).status_code == 200
    assert [client.get(guess).status_code for guess in guesses] == [404] * len(guesses)
