"""Texts of other programs: HTML, HTML escaped once more, plain text, and the links in it."""

import pytest

from calendar_app.domain.texts.foreign import description_html, links_in, title_html


@pytest.mark.parametrize(
    ("words", "html"),
    [
        ("Eintritt frei", "<p>Eintritt frei</p>"),
        ("<p>Hallo</p>", "<p>Hallo</p>"),
        ("&lt;p&gt;Hallo &lt;b&gt;du&lt;/b&gt;&lt;/p&gt;", "<p>Hallo <b>du</b></p>"),
        ("<h3>Programm</h3>", "<h3>Programm</h3>"),
        ("3 < 5 und a<b", "<p>3 &lt; 5 und a&lt;b</p>"),
        ("Anna <anna@example.org>", "<p>Anna &lt;anna@example.org&gt;</p>"),
        ("Wein &amp; Käse", "<p>Wein &amp; Käse</p>"),
        ("Wein & Käse", "<p>Wein &amp; Käse</p>"),
        ("Saal&nbsp;2", "<p>Saal&nbsp;2</p>"),
        ("<script>alert(1)</script>", ""),
        ("&lt;script&gt;alert(1)&lt;/script&gt;", ""),
    ],
)
def test_description_is_read_as_its_author_meant_it(words, html):
    assert description_html(words) == html


@pytest.mark.parametrize("words", ["Wein & Käse", "Wein &amp; Käse", "Wein  &#38;\nKäse"])
def test_title_is_escaped_once(words):
    assert title_html(words) == "Wein &amp; Käse"


@pytest.mark.parametrize(
    ("words", "addresses"),
    [
        ("https://example.org/a", ["https://example.org/a"]),
        ("Saal 2; https://example.org/j/2", ["https://example.org/j/2"]),
        ("(siehe https://example.org/j/2).", ["https://example.org/j/2"]),
        ("www.example.org und http://a.example", ["https://www.example.org", "http://a.example"]),
        ("javascript:alert(1) ftp://example.org", []),
        ("Saal 2", []),
    ],
)
def test_addresses_are_found_among_words(words, addresses):
    assert [address for _, address in links_in(words)] == addresses
