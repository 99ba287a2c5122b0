"""Each sentence of the interface's description has a test that fails where it is ignored."""

from collections import Counter

import pytest
from sentences import REFERENCE, existing_tests, sentences_of, table

PAGES = table()
SENTENCES = [
    (page, *sentence)
    for page in PAGES
    for sentence in sentences_of((REFERENCE / f"{page}.md").read_text(encoding="utf-8"))
]
TABLE = {
    (page, heading, words): tests
    for page, headings in PAGES.items()
    for heading, rows in headings.items()
    for words, tests in rows.items()
}


@pytest.mark.parametrize("page", PAGES)
def test_table_has_exactly_the_sentences_of_the_page(page):
    on_page = {sentence for sentence in SENTENCES if sentence[0] == page}
    listed = {sentence for sentence in TABLE if sentence[0] == page}
    assert sorted(on_page - listed) == []
    assert sorted(listed - on_page) == []


def test_no_two_sentences_under_a_heading_begin_alike():
    assert [words for words, times in Counter(SENTENCES).items() if times > 1] == []


def test_every_sentence_has_a_test_or_a_reason_why_not():
    assert all(TABLE.values())
    reasons = [tests for tests in TABLE.values() if isinstance(tests, str)]
    assert len(reasons) < len(TABLE) / 20


def test_every_named_test_exists():
    test_names = {test for tests in TABLE.values() if isinstance(tests, list) for test in tests}
    assert sorted(test_names - existing_tests()) == []


@pytest.mark.parametrize(
    ("page", "sentences"),
    [
        ("# Title\n\nNo promise.\n", []),
        ("## Dates\n\nOne `two`. Three four.", [("Dates", "One two"), ("Dates", "Three four")]),
        ("## Dates\n\n**Head.** One: two [three](x.md).\n", [("Dates", "One: two three")]),
        (
            "## A\n\n* One two three four five six seven eight.\n",
            [("A", "One two three four five six seven")],
        ),
        ("## A\n\n```\nNo promise.\n```\n\n## B\n\nOne.\n", [("B", "One")]),
        ("## A\n\n| Head | Meaning |\n|---|---|\n| `one` | two |\n", [("A", "one")]),
        ("## A\n\n| Status | Code |\n|---|---|\n| 400 | `one` | x |\n", [("A", "400 one")]),
    ],
)
def test_sentences_are_found_in_paragraphs_lists_and_tables(page, sentences):
    assert list(sentences_of(page)) == sentences
