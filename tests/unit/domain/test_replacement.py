"""A text replaced in all texts of a record: words of HTML, never its tags or addresses."""

import pytest

from calendar_app.domain.kinds import EVENT
from calendar_app.domain.replacement import Replacement


@pytest.mark.parametrize(
    ("html", "sought", "by", "expected"),
    [
        ("<p>Orgelkonzrt</p>", "Orgelkonzrt", "Orgelkonzert", "<p>Orgelkonzert</p>"),
        ("<p>ein p im p</p>", "p", "q", "<p>ein q im q</p>"),
        ('<a href="/alt">alt</a>', "alt", "neu", '<a href="/alt">neu</a>'),
        ('<img alt="a > alt"> alt', "alt", "neu", '<img alt="a > alt"> neu'),
        ("Kaffee &amp; Kuchen", "& Kuchen", "& Tee", "Kaffee &amp; Tee"),
        ("<p>a</p>", "a", "<b>", "<p>&lt;b&gt;</p>"),
        ("5 &lt; 6 &nbsp; alt", "nirgends", "neu", "5 &lt; 6 &nbsp; alt"),
        ("Kon<b>zrt</b>", "Konzrt", "Konzert", "Kon<b>zrt</b>"),
        ("alt alt", "alt", "", " "),
        (
            "alt: https://alt.example/alt und alt",
            "alt",
            "neu",
            "neu: https://alt.example/alt und neu",
        ),
        ("www.alt.example, alt@alt.example", "alt", "neu", "www.alt.example, alt@alt.example"),
        (
            "https://alt.example/x",
            "https://alt.example",
            "https://neu.example",
            "https://neu.example/x",
        ),
        ("um 8&nbsp;Uhr", "8 Uhr", "9 Uhr", "um 9 Uhr"),
        ("Cafe\u0301 alt", "Café", "Bar", "Bar alt"),
        ("Cafe\u0301 alt", "Bar", "Café", "Cafe\u0301 alt"),
    ],
)
def test_words_of_html_are_replaced_and_its_markup_stays(html, sought, by, expected):
    assert Replacement(sought, by).in_html(html) == expected


@pytest.mark.parametrize(
    ("variants", "expected"),
    [
        ({"de": {"title": "Das alt"}}, {"de": {"title": "Das neu"}}),
        ({"de": {"title": "ALT"}}, {}),
        ({"de": {"title": "alt", "slug": "alt"}}, {"de": {"title": "neu"}}),
        ({"de": {"website": "https://alt.example"}}, {}),
        ({"de": {"title": "A"}, "rm": {"title": "alt"}}, {"rm": {"title": "neu"}}),
        (
            {"de": {"excerpt": "<p>alt</p>", "status_reason": "alt <"}},
            {"de": {"excerpt": "<p>neu</p>", "status_reason": "neu <"}},
        ),
        (
            {"de": {"custom_fields": {"a": {"label": "alt", "value": "x"}, "b": {"value": "y"}}}},
            {"de": {"custom_fields": {"a": {"label": "neu", "value": "x"}}}},
        ),
    ],
)
def test_all_texts_of_each_language_are_searched(variants, expected):
    assert Replacement("alt", "neu").in_record(EVENT, {"variants": variants}) == expected
