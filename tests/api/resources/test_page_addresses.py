"""Where people find a page of each record: at the site in front, not here."""

import pytest
from api.resources.five_collections import PLURALS, REQUIRED
from calling import BASE, SITE

pytestmark = pytest.mark.without_mongodb


@pytest.fixture
def page_of(as_admin):
    def make(singular):
        collection, name = PLURALS[singular]
        sent = {**REQUIRED[collection], name: "Old Mill"}
        return as_admin.send("POST", f"/{collection}", json=sent).json["url"]

    return make


@pytest.mark.parametrize("singular", PLURALS)
def test_record_has_the_url_of_its_page(page_of, singular):
    assert page_of(singular) == f"{SITE}/{singular}/old-mill/"


@pytest.fixture
def in_both_languages(as_admin):
    def make(singular):
        collection, name = PLURALS[singular]
        variants = {"de": {name: "Alte Mühle"}, "rm": {name: "Mulin vegl"}}
        sent = {**REQUIRED[collection], "variants": variants}
        sent.pop(name, None)
        return f"/{collection}/{as_admin.send('POST', f'/{collection}', json=sent).json['id']}"

    return make


@pytest.mark.parametrize("singular", PLURALS)
def test_the_page_is_in_the_language_of_the_reader(as_admin, in_both_languages, singular):
    path = in_both_languages(singular)

    german = as_admin.get(path).json
    romansh = as_admin.get(path, translation_language="rm").json

    assert german["url"] == f"{SITE}/{singular}/{german['slug']}/"
    assert romansh["url"] == f"{SITE}/rm/{singular}/mulin-vegl/"


@pytest.mark.parametrize("singular", PLURALS)
def test_page_url_is_the_same_in_every_field(as_admin, in_both_languages, singular):
    path = in_both_languages(singular)

    for language in ("de", "rm"):
        record = as_admin.get(path, translation_language=language).json
        translations = as_admin.get(path).json["translations"]
        assert (
            record["url"]
            == record["translations"][language]["url"]
            == translations[language]["url"]
        )


def test_who_names_the_language_in_the_path_gets_pages_that_do(app, in_both_languages):
    path = in_both_languages("venue")

    record = app.test_client().get(f"/de{BASE}{path}").json

    assert (
        record["url"] == record["translations"]["de"]["url"] == f"{SITE}/de/venue/{record['slug']}/"
    )
    assert record["translations"]["rm"]["url"] == f"{SITE}/rm/venue/mulin-vegl/"


def test_a_draft_is_previewed_in_the_language_of_the_reader(as_admin, in_both_languages):
    path = in_both_languages("event")
    as_admin.patch(path, status="draft")

    record = as_admin.get(path, translation_language="rm").json

    assert record["url"].startswith(f"{SITE}/rm/?post_type=")
