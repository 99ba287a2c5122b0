"""The HTML of a letter says what its text says, and loads nothing."""

import pytest
from lxml import html

from calendar_app.changes.letter_html import LetterLook, letter_html

LOOK = LetterLook("Tal & Berg", "#1d5b4f", "#fffdf8")


def read(text, subject="Hello", language="de"):
    return html.fromstring(letter_html(subject, text, language, LOOK))


def words(element):
    return " ".join(element.text_content().split())


def test_text_stands_in_paragraphs_below_the_name_of_the_site():
    page = read("Dear Anna\n\nfirst\nsecond\n")
    assert [words(each) for each in page.iter("p")] == ["Dear Anna", "first second"]
    assert len(page.xpath("//p/br")) == 1
    assert page.xpath("//td[contains(@style, '#1d5b4f')]/text()") == ["Tal & Berg"]


@pytest.mark.parametrize(
    ("text", "addresses"),
    [
        ("https://example.org/x?y=z&a=b", ["https://example.org/x?y=z&a=b"]),
        ("See https://example.org/a. Or (http://example.org/b)?", None),
        ("“https://example.org/c”", ["https://example.org/c"]),
        ("javascript:alert(1) ftp://example.org https://", []),
    ],
)
def test_addresses_are_links_that_show_where_they_lead(text, addresses):
    links = read(text).xpath("//a")
    expected = ["https://example.org/a", "http://example.org/b"] if addresses is None else addresses
    assert [each.get("href") for each in links] == expected
    assert [each.text for each in links] == expected


def test_what_people_write_is_no_markup():
    page = read('<img src=x onerror=alert(1)> https://e.org/"><b>x</b>', subject="<b>Hi</b>")
    assert not page.xpath("//img | //b")
    assert page.findtext(".//title") == "<b>Hi</b>"
    assert page.xpath("//a/@href") == ["https://e.org/"]


def test_letter_loads_nothing():
    page = read("https://example.org/picture.png")
    assert not page.xpath("//*[@src] | //link | //script | //*[@background]")
    assert "url(" not in letter_html("Hello", "x", "de", LOOK)


@pytest.mark.parametrize(("language", "way"), [("de", "ltr"), ("ar", "rtl"), ("xx", "ltr")])
def test_language_and_direction_are_those_of_the_letter(language, way):
    page = read("x", language=language)
    assert (page.get("lang"), page.get("dir")) == (language, way)


def test_without_a_name_the_subject_stands_on_top():
    assert ">Hello</td>" in letter_html("Hello", "x", "de", LetterLook())
