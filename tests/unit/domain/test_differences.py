"""The difference of two texts, word by word."""

from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calendar_app.domain.differences import WordChange, difference, html_difference, marked

WORDS = st.lists(st.sampled_from(["Chor", "singt", "im", "Dom", "\n", "<b>", "&"])).map(" ".join)


def test_changed_word_is_marked_and_the_others_stay():
    stretches = difference("Beginn um 19 Uhr", "Beginn um 20 Uhr")
    assert marked(stretches) == "Beginn um <del>19 </del><ins>20 </ins>Uhr"


def test_word_at_the_end_that_goes_keeps_its_gap():
    assert marked(difference("Chor singt", "Chor")) == "Chor <del>singt</del>"


@pytest.mark.parametrize(
    ("before", "after", "marks"),
    [
        ("", "", ""),
        ("", "Chor", "<ins>Chor</ins>"),
        ("Chor", "", "<del>Chor</del>"),
        ("Chor  singt", "Chor singt", "Chor  singt"),
    ],
)
def test_empty_texts_and_white_space_are_no_change_of_words(before, after, marks):
    assert marked(difference(before, after)) == marks


def test_markup_of_html_does_not_count():
    assert marked(html_difference("<p>Der <b>Chor</b></p>", "<p>Der Chor</p>")) == "Der Chor"


def test_paragraphs_of_html_stay_apart():
    stretches = html_difference("<p>Eins</p><p>Zwei</p>", "<p>Eins</p><p>Drei</p>")
    assert marked(stretches) == "Eins\n\n<del>Zwei</del><ins>Drei</ins>"


def test_marked_difference_has_no_markup_of_the_texts():
    text = '<img src="x" onerror="alert(1)">'
    assert marked(difference("", text)) == f"<ins>{_escaped(text)}</ins>"


def _escaped(text):
    return (
        text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
    )


@given(WORDS, WORDS)
def test_kept_and_inserted_words_are_the_later_text(before, after):
    stretches = difference(before, after)
    later = "".join(s.text for s in stretches if s.change is not WordChange.DELETED)
    earlier = "".join(s.text for s in stretches if s.change is not WordChange.INSERTED)
    assert (later.split(), earlier.split()) == (after.split(), before.split())


def test_long_texts_without_a_word_in_common_are_compared_soon():
    before, after = (" ".join([word, *"abcdefg"] * 20_000) for word in ("x", "y"))
    begin = perf_counter()
    assert difference(before, after)
    assert perf_counter() - begin < 5
