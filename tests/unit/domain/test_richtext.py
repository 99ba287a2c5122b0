import pytest

from calendar_app.domain.richtext import (
    decoded,
    escape,
    legible,
    paragraphs,
    plain,
    plain_lines,
    without_tags,
)


@pytest.mark.parametrize(
    ("html", "rendered"),
    [
        ("text", "<p>text</p>"),
        ("a\nb", "<p>a<br />\nb</p>"),
        ("a\r\nb", "<p>a<br />\nb</p>"),
        ("a\n\nb", "<p>a</p>\n<p>b</p>"),
        ("a\n \n\n\nb\n", "<p>a</p>\n<p>b</p>"),
        ("We <b>swing</b>", "<p>We <b>swing</b></p>"),
        ("a<br>\nb<br/>c", "<p>a<br />\nb<br />c</p>"),
        ("<b>a\nb</b>", "<p><b>a<br />\nb</b></p>"),
        ('<a title="x\n\ny">z</a>', '<p><a title="x\n\ny">z</a></p>'),
        ("", ""),
        (" \n\n ", ""),
    ],
)
def test_text_gets_paragraphs_and_line_breaks(html, rendered):
    assert paragraphs(html) == rendered


@pytest.mark.parametrize(
    "html",
    [
        "<p>a</p>\n<p>b</p>",
        "<div>x\n\ny</div>",
        "<ul>\n<li>a</li>\n</ul>",
        "<h2>Title</h2>\n<table><tbody><tr><td>1</td></tr></tbody></table>",
        "<pre>\n  a\n\n<b>b</b><br>\n</pre>",
        "<blockquote>a\n<p>b</p></blockquote>",
        '<a href="/x"><div>a</div></a>',
        "<hr>",
    ],
)
def test_block_elements_stay_as_they_are(html):
    assert paragraphs(html) == html


def test_text_between_blocks_is_wrapped():
    assert paragraphs("a\n<hr>\nb<h2>c</h2>d") == "<p>a</p>\n<hr>\n<p>b</p>\n<h2>c</h2>\n<p>d</p>"


def test_end_tag_without_beginning_does_not_close_the_paragraph():
    assert paragraphs("a</p>b") == "<p>a&lt;/p&gt;b</p>"


@pytest.mark.parametrize(
    ("html", "words"),
    [
        ("<p>a</p><p>b</p>", "a b"),
        ("<p>a<br />\nb</p>", "a b"),
        ("We <b>sw</b>ing &amp; dance", "We swing & dance"),
        ('<img alt=">" src="x">  tail ', "tail"),
        ("a<!-- b > c -->d", "ad"),
    ],
)
def test_plain_gives_the_words(html, words):
    assert plain(html) == words


@pytest.mark.parametrize(
    ("html", "lines"),
    [
        ("<p>One</p><p>Two</p>", "One\n\nTwo"),
        ("<p>One<br />\nTwo</p>", "One\nTwo"),
        ("<ul>\n<li>One</li>\n<li>Two &amp; <b>three</b></li></ul>", "One\n\nTwo & three"),
        ("  One \n\n two  ", "One two"),
        ("<p>&nbsp;</p><p>One</p><p> </p><p></p><p>Two</p>", "One\n\nTwo"),
        ("", ""),
    ],
)
def test_plain_lines_keep_paragraphs_and_breaks(html, lines):
    assert plain_lines(html) == lines


def test_escape_leaves_quotes():
    assert escape("\"Fish\" & <chips> 'n'") == "\"Fish\" &amp; &lt;chips&gt; 'n'"


@pytest.mark.parametrize(
    ("text", "resolved"),
    [
        ("Fish &amp; Chips", "Fish & Chips"),
        ("&amp;lt;", "&lt;"),
        ("&#8217;&#x2019;", "\u2019\u2019"),
        ("R&D&notes", "R&D&notes"),
        (f"&#{'9' * 5000};", f"&#{'9' * 5000};"),
    ],
)
def test_entities_are_resolved_once(text, resolved):
    assert decoded(text) == resolved


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("<b>Bold</b>ly", "Boldly"),
        ("5 < 6 & 7 > 2", "5 < 6 & 7 > 2"),
        ("I <3 you", "I <3 you"),
        ("a<!-- never closed", "a"),
    ],
)
def test_only_real_tags_are_dropped(text, bare):
    assert without_tags(text) == bare


def test_dropping_tags_makes_no_new_ones():
    assert "<b>" not in without_tags("<<i>b>x")


def test_control_characters_are_dropped_and_line_ends_stay():
    assert legible("a\x00b\x1f\ud800\tc\r\n") == "ab\tc\r\n"
