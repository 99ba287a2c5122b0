import pytest

from calendar_app.domain.words import (
    Part,
    PartPlace,
    endings,
    is_plain_part,
    parts_of,
    shown_texts,
    words_of,
)

LONG = "".join(chr(0x3400 + number) for number in range(300))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", []),
        ("jazz im hof", ["jazz", "im", "hof"]),
        ("fruhlings-konzert, 100% gratis!", ["fruhlings", "konzert", "100", "gratis"]),
        ("l'ete d_ora", ["l", "ete", "d", "ora"]),
        ("夜の音楽会 19時", ["夜の音楽会", "19時"]),
    ],
)
def test_words_are_runs_of_letters_and_digits(text, words):
    assert list(words_of(text)) == words


@pytest.mark.parametrize("length", [1, 63, 64, 65, 95, 96, 97, 128, 129, 160, 300])
def test_short_part_of_a_long_word_is_in_an_indexed_part(length):
    long = LONG[:length]
    words = list(words_of(long))
    assert max(map(len, words)) <= 64
    for start in range(length):
        for end in range(start + 1, min(start + 32, length) + 1):
            part = long[start:end]
            assert is_plain_part(part)
            assert any(part in word for word in words)
            assert start > 0 or any(word.startswith(part) for word in words)
            assert end < length or any(word.endswith(part) for word in words)


@pytest.mark.parametrize("part", ["hip-hop", "100%", "rote fabrik", "", "-", "d_ora", LONG[:33]])
def test_part_that_may_span_words_is_not_plain(part):
    assert not is_plain_part(part)


@pytest.mark.parametrize(
    ("phrase", "parts"),
    [
        ("kon", [Part("kon", PartPlace.ANYWHERE)]),
        ("100%", [Part("100", PartPlace.END)]),
        ("#jazz", [Part("jazz", PartPlace.BEGINNING)]),
        ("(jazz)", [Part("jazz", PartPlace.ALL)]),
        (
            "rote fabrik am",
            [
                Part("rote", PartPlace.END),
                Part("fabrik", PartPlace.ALL),
                Part("am", PartPlace.BEGINNING),
            ],
        ),
        ("%", []),
        (f"-{LONG[:40]}-", [Part(LONG[:32], PartPlace.ANYWHERE)]),
    ],
)
def test_phrase_gives_word_beginnings_and_ends(phrase, parts):
    assert parts_of(phrase) == parts


def test_a_part_begins_one_of_the_endings_of_its_word():
    assert endings("hof") == ["hof", "of", "f"]


def test_each_text_gives_its_words_in_the_first_language_it_has():
    folded = {
        "de": {"title": "sommerfest", "description": "im park"},
        "rm": {"title": "festa", "excerpt": ""},
        "shared": {},
    }
    fields = ("title", "description", "excerpt")
    assert shown_texts(folded, fields, ("de", "rm")) == ("sommerfest", "im park", "")
    assert shown_texts(folded, fields, ("rm", "de")) == ("festa", "im park", "")
    assert shown_texts(folded, fields, ("rm",)) == ("festa", "", "")
    assert shown_texts(folded, fields, ("fr",)) == ("", "", "")
