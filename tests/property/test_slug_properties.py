import re
from urllib.parse import unquote

from hypothesis import given, settings
from hypothesis import strategies as st

from calendar_app.domain.slugs import numbered, slugify
from calendar_app.domain.words import fold, read_search

texts = st.text(max_size=300) | st.text(alphabet="aZé日%e69<b>&;-_ .\u0308", max_size=300)


@settings(max_examples=200)
@given(texts)
def test_slug_of_a_slug_is_unchanged(text):
    slug = slugify(text)
    assert slugify(slug) == slug


@settings(max_examples=200)
@given(texts, st.integers(min_value=2, max_value=10_000))
def test_slug_has_legal_characters_and_length(text, n):
    for slug in (slugify(text), numbered(slugify(text), n)):
        assert re.fullmatch("(?:[a-z0-9_-]|%[0-9a-f]{2})*", slug)
        assert len(slug) <= 200


@settings(max_examples=100)
@given(texts, st.integers(min_value=2, max_value=10_000))
def test_numbered_slug_is_a_slug(text, n):
    slug = numbered(slugify(text), n)
    assert slugify(slug) == slug


@settings(max_examples=200)
@given(texts)
def test_slug_comes_back_from_the_text_that_it_encodes(text):
    slug = slugify(text)
    assert slugify(unquote(slug)) == slug


@settings(max_examples=200)
@given(texts | st.text(alphabet="иһаі\u0301\u0306\u0308かハ\u3099\u0627\u0654\u1100\u1161\u200d"))
def test_folding_twice_changes_nothing(text):
    assert fold(fold(text)) == fold(text)


@settings(max_examples=100)
@given(texts)
def test_case_never_matters_to_slugs_of_latin_text(text):
    latin = "".join(letter for letter in text if letter.isascii())
    assert slugify(latin.upper()) == slugify(latin.lower())


@settings(max_examples=100)
@given(st.text(alphabet='aé "-', max_size=40))
def test_searched_parts_are_folded_and_not_empty(text):
    read = read_search(text)
    for part in (*read.wanted, *read.unwanted):
        assert part
        assert fold(part) == part
