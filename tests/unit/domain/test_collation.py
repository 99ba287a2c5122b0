"""Which collation sorts the texts of a language."""

import pytest

from calendar_app.domain.collation import LOCALES, collations
from calendar_app.errors import ConfigurationError


@pytest.mark.parametrize(
    ("language", "locale"),
    [
        ("de", "de"),
        ("DE", "de"),
        ("fr", "fr"),
        ("fr-CH", "fr"),
        ("de-AT", "de_AT"),
        ("zh-Hant-TW", "zh_Hant"),
        ("pt-BR", "pt"),
        ("ja", "ja"),
    ],
)
def test_a_language_is_sorted_by_its_own_collation(language, locale):
    assert collations([language], []) == {language: locale}


def test_a_language_without_one_is_sorted_by_the_one_that_is_chosen():
    assert collations(["de", "rm"], ["rm=de"]) == {"de": "de", "rm": "de"}


def test_a_language_may_be_sorted_otherwise():
    assert collations(["de"], ["de=de_AT"]) == {"de": "de_AT"}


def test_a_language_without_any_is_sorted_all_the_same():
    assert collations(["rm"], [])["rm"] in LOCALES


@pytest.mark.parametrize("choice", ["rm", "rm=", "rm=xx", "=", "rm:de", ""])
def test_a_choice_that_makes_no_sense_is_refused(choice):
    with pytest.raises(ConfigurationError, match="collations"):
        collations(["rm"], [choice])


@pytest.mark.needs_mongodb
def test_mongodb_knows_every_locale(database):
    for locale in LOCALES:
        database["events"].find_one({}, collation={"locale": locale})
