"""Which collation sorts the texts of a language."""

import pytest

from calendar_app.domain.words import LOCALES, collations
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
        ("zh", "zh"),
        ("zh-CN", "zh"),
        ("zh-TW", "zh_Hant"),
        ("zh-HK", "zh_Hant"),
        ("zh-MO", "zh_Hant"),
        ("zh-Hans-HK", "zh"),
        ("no", "nb"),
        ("no-NO", "nb"),
        ("sr-ME", "sr_Latn"),
        ("iw", "he"),
    ],
)
def test_a_language_is_sorted_by_its_own_collation(language, locale):
    assert collations([language], []) == {language: locale}


def test_language_without_collation_uses_the_chosen_one():
    assert collations(["de", "rm"], ["rm=de"]) == {"de": "de", "rm": "de"}


def test_a_language_may_be_sorted_otherwise():
    assert collations(["de"], ["de=de_AT"]) == {"de": "de_AT"}


def test_a_language_without_any_is_sorted_all_the_same():
    assert collations(["rm"], [])["rm"] in LOCALES


def test_every_language_has_a_collation_that_there_is():
    languages = ["yue", "sh", "tl", "prs", "cmn", "in", "ji", "mo"]
    assert set(collations(languages, []).values()) <= LOCALES - {"en"}


@pytest.mark.parametrize("choice", ["rm", "rm=", "rm=xx", "=", "rm:de", ""])
def test_a_choice_that_makes_no_sense_is_refused(choice):
    with pytest.raises(ConfigurationError, match="collations"):
        collations(["rm"], [choice])
