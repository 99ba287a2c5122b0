"""Where people find a page of each record: at the site in front, not here."""

import pytest
from calling import SITE
from unit.resources.five_collections import PLURALS, REQUIRED


@pytest.fixture
def page_of(as_admin):
    def make(singular):
        collection, name = PLURALS[singular]
        sent = {**REQUIRED[collection], name: "Old Mill"}
        return as_admin.send("POST", f"/{collection}", json=sent).json["url"]

    return make


@pytest.mark.parametrize("singular", PLURALS)
def test_a_record_tells_the_address_of_its_page(page_of, singular):
    assert page_of(singular) == f"{SITE}/{singular}/old-mill/"


@pytest.mark.parametrize("singular", PLURALS)
def test_pages_for_people_are_not_shown_by_the_service(app, page_of, singular):
    answer = app.test_client().get(page_of(singular).removeprefix(SITE))

    assert (answer.status_code, answer.json["code"]) == (404, "rest_no_route")
