"""Paths are read in any letter case."""

import pytest
from calling import SITE

pytestmark = pytest.mark.without_mongodb


@pytest.fixture
def zurich(make_event):
    return make_event(title="Zürich", slug="日本")


@pytest.mark.parametrize("path", ["/Events", "/EVENTS/", "/events"])
@pytest.mark.usefixtures("zurich")
def test_a_list_is_found_in_any_letter_case(anyone, path):
    assert anyone.get(path).json["total"] == 1


def test_the_namespace_is_found_in_any_letter_case(app):
    assert app.test_client().get("/Calendar/EVENTS/v1/Tags").status_code == 200


@pytest.mark.parametrize(
    "path", ["/RM/calendar/events/v1/events", "/Rm/CALENDAR/events/v1/Events/"]
)
@pytest.mark.usefixtures("zurich")
def test_a_language_in_front_is_found_in_any_letter_case(app, path):
    answer = app.test_client().get(path)
    assert (answer.status_code, answer.headers["Content-Language"]) == (200, "rm")
    assert answer.json["rest_url"].startswith(f"{SITE}/rm/calendar/events/v1/events/")


def test_letters_of_other_scripts_stay_as_they_are(zurich, anyone):
    assert anyone.get("/events/BY-SLUG/日本").json["id"] == zurich["id"]
