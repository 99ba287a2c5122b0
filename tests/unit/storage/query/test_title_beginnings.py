"""Signs before the first word of a title count for nothing in the order of relevance."""

import re

import pytest

from calendar_app.domain.words import fold, words_of
from calendar_app.storage.query.relevance import begins_with

SIGNS = ["«", "… ", "★ ", "・", "⸺", "⸮", "؟", "״", "।", "՞"]


@pytest.mark.parametrize("sign", SIGNS)
def test_title_begins_with_its_first_word_whatever_sign_is_before(sign):
    title = fold(f"{sign}Jazz im Hof")
    # By this the index of words tells the beginning: both ways are to give one order.
    assert words_of(title)[0] == "jazz"
    (clause,) = begins_with("title", "jazz", ["de"]).values()
    assert re.search(clause["$regex"], title)
