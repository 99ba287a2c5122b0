import pytest

from calendar_app.domain.words import Search, fold, read_search


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("ZÜRICH", "zurich"),
        ("Straße", "strasse"),
        ("Œuvre, Ærø, Łódź", "oeuvre, aero, lodz"),
        ("  viele \n  Wörter\t", "viele worter"),
        ("l\u2019été", "l'ete"),
        ("ﬁn", "fin"),
    ],
)
def test_case_and_accents_do_not_count(text, folded):
    assert fold(text) == folded


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Ὅμηρος", "ομηροσ"),
        ("ёлка, за\u0301мок", "елка, замок"),  # noqa: RUF001
        ("אִמָּא", "אמא"),
        ("مُحَمَّد أحمد", "محمد احمد"),
        ("फ़िल्म", "फिल्म"),
        ("ﾊﾟﾊﾟ", "パパ"),
    ],
)
def test_marks_that_are_often_left_out_do_not_count(text, folded):
    assert fold(text) == folded


@pytest.mark.parametrize(
    ("text", "similar"),
    [
        ("パパ", "ハハ"),
        ("か\u309a", "か"),
        ("Ной", "Нои"),
        ("їжа", "іжа"),
        ("ў", "у"),  # noqa: RUF001
        ("क्या", "कया"),
        ("ข้าว", "ข่าว"),
        ("য়", "য"),
        ("강", "가"),
    ],
)
def test_distinct_letters_are_not_folded_like_accents(text, similar):
    assert fold(text) != fold(similar)


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("الـمـوسـيـقـى", "الموسيقى"),
        ("می\u200cخواهم", "میخواهم"),  # noqa: RUF001
        ("Kon\u00adzert\u200b", "konzert"),
        ("葛\U000e0100城", "葛城"),
    ],
)
def test_signs_that_cannot_be_seen_do_not_count(text, folded):
    assert fold(text) == folded


def test_words_are_separated_by_white_space():
    assert read_search("Kon  Zürich").wanted == ("kon", "zurich")


def test_phrase_in_quotes_is_one_word():
    assert read_search('"Rote  Fabrik" jazz').wanted == ("rote fabrik", "jazz")


def test_quote_never_closed_makes_a_phrase_of_the_rest():
    assert read_search('jazz "rote Fabrik am See').wanted == ("jazz", "rote fabrik am see")


def test_minus_excludes_words_and_phrases():
    read = read_search('jazz -Rock -"free style"')
    assert read == Search(wanted=("jazz",), unwanted=("rock", "free style"))


def test_minus_inside_a_word_is_part_of_it():
    assert read_search("hip-hop").wanted == ("hip-hop",)


def test_nothing_is_searched_by_a_minus_or_quotes_alone():
    assert read_search(' - "" -"" ') == Search((), ())


def test_word_given_twice_counts_once():
    assert read_search("Jazz jazz").wanted == ("jazz",)


def test_half_a_character_is_dropped():
    assert fold("a\ud800b") == "ab"
