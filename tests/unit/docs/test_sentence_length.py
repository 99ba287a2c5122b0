"""The documentation stays readable: no sentence is longer than 25 words."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[3] / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
MAX_WORDS = 25
_FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_NOT_PROSE = re.compile(r"^(?:#|\||!\[|<).*$", re.MULTILINE)
_ITEM = re.compile(r"^(?:\*|-|\d+\.) ", re.MULTILINE)
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_CODE = re.compile(r"`[^`]*`")
_RUN_IN_HEAD = re.compile(r"\*\*([^*]+)\*\*")
_ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e)\.")
_SENTENCE_END = re.compile(r"(?<=[.?!])\s+|\n{2,}")


def sentences_of(page):
    """Return the sentences of the prose: no headings, tables or code blocks."""
    prose = _NOT_PROSE.sub("", _FENCE.sub("", page))
    prose = _CODE.sub("code", _LINK.sub(r"\1", prose))
    prose = _RUN_IN_HEAD.sub(r"\1", _ITEM.sub("\n\n", prose))
    prose = _ABBREVIATION.sub("for example", prose)
    return [sentence for sentence in _SENTENCE_END.split(prose) if sentence.strip()]


def long_sentences(page):
    return [text for text in sentences_of(page) if len(text.split()) > MAX_WORDS]


def test_no_sentence_is_longer_than_25_words(subtests):
    for page in PAGES:
        with subtests.test(page=page.name):
            assert long_sentences(page.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("page", "count"),
    [
        ("# Title\n\n" + "word " * 25 + "end.\n", 1),
        ("word " * 24 + "end. One more.\n", 0),
        ("* " + "word " * 20 + "\n* " + "word " * 20 + "\n", 0),
        ("* " + "word " * 26 + "\n", 1),
        ("| " + "word " * 26 + " |\n", 0),
        ("```\n" + "word " * 26 + "\n```\n", 0),
        ("`" + "word " * 30 + "` is one word.\n", 0),
        ("word " * 13 + "\n" + "word " * 13 + "\n", 1),
        ("[" + "word " * 26 + "](page.md).\n", 1),
    ],
)
def test_words_are_counted_in_prose_alone(page, count):
    assert len(long_sentences(page)) == count


def test_the_glossary_has_fewer_than_twenty_terms():
    glossary = (DOCS / "explanation" / "glossary.md").read_text(encoding="utf-8")
    terms = re.findall(r"^\| \*\*(.+?)\*\* \| (.+) \|$", glossary, re.MULTILINE)
    assert 0 < len(terms) < 20
    assert [
        term for term, meaning in terms if len(re.findall(r"[.?!](?:\s|$)", meaning)) != 1
    ] == []
