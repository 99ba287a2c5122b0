"""Which terms a text says, and which of them its translation says otherwise."""

import pytest

from calendar_app.domain.glossary import GlossaryTerm, merged, missed, terms_in

HOUSE, HALL = GlossaryTerm("Gemeindehaus", "chasa communala"), GlossaryTerm("Haus", "chasa")


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Fest beim Gemeindehaus", [HOUSE]),
        ("Fest beim GEMEINDEHAUSE", [HOUSE]),
        ("<p>Die <b>Gemeindehäuser</b> der Region</p>", [HOUSE]),
        ("Fest im Gemeindehausgarten", []),
        ("Haus und Gemeindehaus", [HOUSE, HALL]),
        ("Fest", []),
    ],
)
def test_terms_are_found_as_whole_words_with_their_endings(text, terms):
    assert terms_in([HALL, HOUSE], text) == terms


def test_longer_term_hides_the_shorter_one_in_it():
    long, short = GlossaryTerm("Altes Haus", "chasa veglia"), GlossaryTerm("Haus", "edifizi")
    assert terms_in([short, long], "Im alten Haus") == [short]
    assert terms_in([short, long], "Das alte Haus") == [short]
    assert terms_in([short, long], "Altes  Haus") == [long]


@pytest.mark.parametrize(
    ("translation", "is_missed"),
    [
        ("Festa tar la chasa communala", False),
        ("<p>Las <i>Chasas</i> communalas</p>", False),
        ("Festa tar la chasa da vischnanca", True),
        ("communala chasa", True),
        ("", True),
    ],
)
def test_translation_misses_a_term_that_it_says_otherwise(translation, is_missed):
    assert missed([HOUSE], translation) == ([HOUSE] if is_missed else [])


def test_terms_of_scripts_without_spaces_are_found():
    term = GlossaryTerm("音楽会", "concert")
    assert terms_in([term], "夜の音楽会です") == [term]


def test_inflected_vowels_count_as_said():
    assert missed([GlossaryTerm("Gemeindehaus", "casa comunale")], "le case comunali") == []


def test_changes_add_replace_and_take_away():
    terms = merged(
        [HOUSE, HALL], {"gemeindehaus": "chasa da vischnanca", "Haus": "", "Chor": "cor"}
    )
    assert [(each.term, each.translation) for each in terms] == [
        ("Chor", "cor"),
        ("gemeindehaus", "chasa da vischnanca"),
    ]
