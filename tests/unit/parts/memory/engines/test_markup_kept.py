"""A translation counts only with the markup of its source."""

import pytest

from calendar_app.parts.memory.engines.markup import keeps_markup

LINK = '<p>Mehr <a href="https://example.org/?a=1&amp;b=2">hier</a>.</p>'


@pytest.mark.parametrize(
    ("source", "translation"),
    [
        ("Konzert", "Concert"),
        ("", ""),
        (LINK, '<p>More <a href="https://example.org/?a=1&b=2">here</a>.</p>'),
        ("<p>Ein <b>rotes</b> <i>Haus</i></p>", "<p>Une <i>maison</i> <b>rouge</b></p>"),
        ("<p>5 &lt; 6</p>", "<p>5 < 6</p>"),
        ("<p>Zeile<br />Zeile</p>", "<p>Line<br>line</p>"),
        ('<p class="a" id="b">x</p>', '<p id="b" class="a">y</p>'),
        ("<ul><li>Ein <b>Wort</b></li></ul>", "<ul><li>A <b>word</b></li></ul>"),
    ],
)
def test_words_and_their_order_may_change(source, translation):
    assert keeps_markup(source, translation)


@pytest.mark.parametrize(
    ("source", "translation"),
    [
        (LINK, "<p>More here.</p>"),
        (LINK, '<p>More <a href="https://example.org/?a=1&amp;b=3">here</a>.</p>'),
        (LINK, '<p>More <a href="https://example.org/?a=1&amp;b=2">here.</p>'),
        (LINK, '<p>More <a href="https://example.org/?a=1&amp;b=2" onclick="x()">here</a>.</p>'),
        (LINK, '<p>More <a href="https://example.org/?a=1&amp;b=2">here</p></a>.'),
        (LINK, f"{LINK}<script>x()</script>"),
        (LINK, f"{LINK}<!-- translated -->"),
        ("<p>a</p><ul><li>b</li></ul>", "<ul><li>b</li></ul><p>a</p>"),
        ("<p>a</p>", "<p>a"),
        ("<p>a</p>", "a</p>"),
        ("<p>&lt;b&gt; a</p>", "<p><b> a</p>"),
        ("Konzert", "<p>Concert</p>"),
    ],
)
def test_a_lost_added_or_moved_tag_is_noticed(source, translation):
    assert not keeps_markup(source, translation)
