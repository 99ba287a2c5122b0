"""Programs for WordPress upload a picture to its own route first, and name it by its id."""

from base64 import b64encode
from dataclasses import replace
from io import BytesIO

import pytest
from calling import SECRET, SITE

MEDIA = "/wp-json/wp/v2/media"
EVENTS = "/wp-json/tribe/events/v1/events"
SIGNED_IN = {"Authorization": "Basic " + b64encode(f"author:{SECRET}".encode()).decode()}
EVENT = {"title": "Konzert", "start_date": "2030-03-10 19:00", "end_date": "2030-03-10 22:00"}


@pytest.fixture
def settings(settings):
    return replace(settings, api_prefix="/wp-json", namespace="tribe/events/v1")


@pytest.fixture
def client(app):
    return app.test_client()


@pytest.fixture
def uploaded(client, png):
    """Return a function that uploads the picture to a path as a bare file, like WordPress."""

    def upload(path):
        headers = {"Content-Disposition": 'attachment; filename="poster.png"'}
        return client.post(path, data=png, content_type="image/png", headers=SIGNED_IN | headers)

    return upload


@pytest.mark.parametrize(
    "path", [MEDIA, f"{MEDIA}/", f"/rm{MEDIA}", MEDIA.upper(), "/?rest_route=/wp/v2/media"]
)
def test_a_picture_for_wordpress_is_taken_in_and_shown(client, uploaded, path):
    answer = uploaded(path)
    assert answer.status_code == 201
    picture = answer.json
    assert picture["source_url"].startswith(f"{SITE}/media/{picture['id']}/")
    for image in (picture["id"], picture["source_url"]):
        event = client.post(EVENTS, json=EVENT | {"image": image}, headers=SIGNED_IN)
        assert event.json["image"]["id"] == picture["id"]


def test_a_picture_in_a_form_is_taken_in_too(client, png):
    form = {"file": (BytesIO(png), "poster.png"), "alt_text": "Ein Segel"}
    answer = client.post(MEDIA, data=form, headers=SIGNED_IN)
    assert (answer.status_code, answer.json["alt_text"]) == (201, "Ein Segel")


def test_a_picture_is_read_changed_and_deleted_there(client, uploaded):
    path = f"{MEDIA}/{uploaded(MEDIA).json['id']}"
    assert client.post(path, json={"alt_text": "Ein Segel"}, headers=SIGNED_IN).status_code == 200
    assert client.get(path, headers=SIGNED_IN).json["alt_text"] == "Ein Segel"
    assert client.delete(path, headers=SIGNED_IN).status_code == 200


def test_strangers_may_not_upload_there(client, png):
    assert client.post(MEDIA, data=png, content_type="image/png").status_code == 401


@pytest.mark.parametrize("path", [f"{MEDIA}/x", f"{MEDIA}/1/2", "/wp-json/wp/v2/posts"])
def test_nothing_else_of_wordpress_is_there(client, path):
    answer = client.get(path, headers=SIGNED_IN)
    assert (answer.status_code, answer.json["code"]) == (404, "rest_no_route")
