"""Language and translations of a record, in the shapes of several plug-ins."""

import pytest

from calendar_app.sources.imports.tec.reading import group_of, is_in_another, translation_ids

LANGUAGES = ("de", "rm", "pt-BR", "pt-PT", "zh-Hans", "zh-Hant")
REST = "https://site.example/wp-json/wp/v2/tribe_events"


def linked(**fields):
    return translation_ids({"id": 34, **fields}, "rm", LANGUAGES)


@pytest.mark.parametrize(
    "fields",
    [
        {"translations": {"de": 12, "rm": 34}},
        {"translations": {"de": "12"}},
        {"translations": {"de": {"id": 12}, "rm": {"id": 34}}},
        {"wpml_translations": [{"locale": "de_DE", "id": 12, "post_title": "Fest"}]},
        {"wpml_translations": {"de": {"element_id": "12", "language_code": "de"}}},
        {"wpml_translations": {"de": {"term_id": 12, "element_id": "99"}}},
        {"polylang_translations": [{"locale": "de", "id": 12}, {"locale": "rm", "id": 34}]},
        {"polylang_translations": [{"polylang_current_lang": "de", "id": 12}]},
        {"pll_translations": {"de": 12}},
        {"_links": {"translation": [{"href": f"{REST}/12", "lang": "de"}]}},
        {"_links": {"translation": [{"href": f"{REST}/12/?lang=de"}]}},
    ],
)
def test_links_are_read_in_the_shapes_of_all_plug_ins(fields):
    assert linked(**fields) == {12}


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"translations": {"rm": 35}},
        {"translations": [{"locale": "roh", "id": 35}]},
        {"translations": {"de": 34}},
        {"translations": []},
        {"translations": "de"},
        {"translations": {"de": None}},
        {"translations": {"de": True}},
        {"translations": {"de": {"status": "missing", "rest_url": f"{REST}/12"}}},
        {"translations": {"de": {"id": {"id": 12}}}},
        {"wpml_translations": [12, None]},
        {"_links": {"translation": [{"href": "https://site.example/fest/"}]}},
        {"_links": []},
    ],
)
def test_malformed_links_are_ignored(fields):
    assert linked(**fields) == set()


def test_all_other_languages_count():
    assert linked(translations={"de": 12, "pt": 13, "xx": 14}) == {12, 13, 14}


@pytest.mark.parametrize(
    ("fields", "languages"),
    [
        ({"lang": "rm"}, {"rm"}),
        ({"lang": "RM"}, {"rm"}),
        ({"language": {"code": "de", "locale": "de_DE"}}, {"de"}),
        ({"wpml_current_locale": "de_CH"}, {"de"}),
        ({"polylang_current_lang": "roh"}, {"rm"}),
        ({"lang": "xx", "locale": "de_CH"}, {"de"}),
        ({"locale": "pt_PT"}, {"pt-PT"}),
        ({"locale": "pt_PT_ao90"}, {"pt-PT"}),
        ({"locale": "pt"}, {"pt-BR", "pt-PT"}),
        ({"lang": "zh-hans"}, {"zh-Hans"}),
        ({"lang": "fr"}, set()),
        ({"lang": "English"}, {*LANGUAGES}),
        ({"lang": ""}, {*LANGUAGES}),
        ({"lang": 5}, {*LANGUAGES}),
        ({"lang": {"name": "Deutsch"}}, {*LANGUAGES}),
        ({"language": {"code": {"slug": ""}}, "locale": "de_CH"}, {"de"}),
        ({}, {*LANGUAGES}),
    ],
)
def test_language_of_a_record_is_recognized(fields, languages):
    assert {each for each in LANGUAGES if not is_in_another(fields, each, LANGUAGES)} == languages


def test_language_without_a_country_matches_unknown_countries():
    assert not is_in_another({"locale": "pt_AO"}, "pt", ("pt-BR", "pt"))
    assert is_in_another({"locale": "pt_AO"}, "pt-BR", ("pt-BR", "pt"))
    assert is_in_another({"locale": "pt_BR"}, "pt", ("pt-BR", "pt"))


def test_group_is_a_number_or_a_name():
    assert group_of({"trid": 7}) == "7"
    assert group_of({"translation_group": "pll_5f"}) == "pll_5f"
    assert group_of({"trid": None}) == ""
    assert group_of({}) == ""
