"""Lines of iCalendar: no octet is lost, no character broken, no line too long."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calendar_app.feeds.content_lines import escape_text, fold

TEXTS = st.text(st.sampled_from("aä€🎉 \t\\;,^x") | st.characters(codec="utf-8"), max_size=400)


@given(TEXTS)
def test_a_folded_line_is_the_line_again(text):
    line = text.replace("\r", "").replace("\n", "").encode()
    pieces = fold(line).split(b"\r\n")
    assert pieces[0] + b"".join(piece[1:] for piece in pieces[1:]) == line
    assert all(piece.startswith(b" ") for piece in pieces[1:])
    assert all(len(piece) <= 75 for piece in pieces)
    for piece in pieces:
        piece.decode()


@given(st.text(st.sampled_from("abcäö€🎉, ;"), min_size=200, max_size=400))
def test_no_piece_begins_with_a_space_or_breaks_an_escape(text):
    line = escape_text(" ".join(text.split())).encode()
    for piece in fold(line).split(b"\r\n")[1:]:
        assert piece[1:2] != b" "
    assert all(not piece.endswith(b"\\") for piece in fold(line).split(b"\r\n")[:-1])


def test_a_line_of_spaces_alone_is_broken_all_the_same():
    assert max(map(len, fold(b" " * 500).split(b"\r\n"))) <= 75


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("a;b,c", r"a\;b\,c"),
        ("a\nb\r\nc\rd", r"a\nb\nc\nd"),
        (r"C:\New", r"C:\\New"),
        (r"\n", r"\\n"),
    ],
)
def test_special_characters_are_escaped(text, escaped):
    assert escape_text(text) == escaped
