"""The charset of a content: from byte order mark, header or markup, else by a guess."""

import codecs

import pytest

from calendar_app.sources.charsets import as_utf8, decode, is_guess

CZECH, RUSSIAN, JAPANESE = "Přednáška v Žižkově", "Концерт", "音楽会"


@pytest.mark.parametrize(
    ("text", "charset", "content_type"),
    [
        (CZECH, "iso-8859-2", "text/calendar; charset=ISO-8859-2"),
        (CZECH, "cp1250", 'text/csv; header=present; charset="windows-1250"'),
        (RUSSIAN, "koi8-r", "text/html;charset=koi8-r"),
        (RUSSIAN, "cp1251", "text/calendar; charset=windows-1251"),
        (JAPANESE, "shift_jis", "text/calendar; charset=Shift_JIS"),
        (JAPANESE, "iso2022_jp", "text/calendar; charset=ISO-2022-JP"),
        ("Eintritt 5 €", "cp1252", "text/calendar; charset=iso-8859-1"),
        (JAPANESE, "cp932", "text/calendar; charset='x-sjis'"),
        # What a server adds to each file that it sends, and JSON, which has one charset.
        (CZECH, "utf-8", "text/csv; charset=iso-8859-1"),
        (CZECH, "utf-8", "application/ld+json; charset=us-ascii"),
        (CZECH, "utf-16", "text/csv; charset=UTF-16"),
        (CZECH, "utf-8", "text/csv; charset=utf-8"),
        (CZECH, "utf-8-sig", "text/csv; charset=iso-8859-1"),
        (CZECH, "utf-16", "text/csv; charset=utf-8"),
    ],
)
def test_header_names_the_charset_below_a_byte_order_mark(text, charset, content_type):
    content = as_utf8(text.encode(charset), content_type)
    assert (decode(content), is_guess(content)) == (text, False)


@pytest.mark.parametrize(
    ("head", "charset"),
    [
        ('<!doctype html><meta charset="iso-8859-2">', "iso-8859-2"),
        ("\n<html><head><META CHARSET=windows-1250>", "cp1250"),
        (
            '<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-2"/>',
            "iso-8859-2",
        ),
        ('<?xml version="1.0" encoding="ISO-8859-2"?>', "iso-8859-2"),
        ("<!-- " + "long " * 500 + '--><meta charset="iso-8859-2">', "iso-8859-2"),
        # Whoever writes UTF-16 cannot say so in ASCII.
        ('<meta charset="utf-16">', "utf-8"),
        ('<meta charset="x-made-up">', "utf-8"),
        ('<meta charset="punycode">', "utf-8"),
        ('<!-- <meta charset="shift_jis"> --><meta charset="utf-8">', "utf-8"),
        ('<meta name="description" content="charset=shift_jis"><meta charset="utf-8">', "utf-8"),
        ('<meta charset="koi8-r">', "utf-8"),
    ],
)
def test_markup_names_its_charset(head, charset):
    page = f"{head}<title>{CZECH}</title>"
    content = as_utf8(page.encode(charset), "text/html")
    assert (decode(content), is_guess(content)) == (page, False)


def test_header_wins_over_markup():
    page = f'<meta charset="iso-8859-2"><title>{CZECH}</title>'
    for charset in ("utf-8", "windows-1250"):
        content = as_utf8(page.encode(charset), f"text/html; charset={charset}")
        assert decode(content) == page


@pytest.mark.parametrize("content_type", ["", "text/csv", "text/csv; charset=utf-8", "; charset="])
def test_charset_that_nothing_names_is_a_guess(content_type):
    content = as_utf8("Café, Größe".encode("cp1252"), content_type)
    assert (decode(content), is_guess(content)) == ("Café, Größe", True)


def test_charset_in_a_text_is_none_of_its_own():
    text = f'SUMMARY:{CZECH}\nDESCRIPTION:<meta charset="iso-8859-2">'
    assert decode(text.encode()) == text


@pytest.mark.parametrize("content", [b"PK\x03\x04\xff\xfe", b"\x1f\x8b\xff", b"%PDF-1.4\xff"])
def test_binary_content_stays_as_it_is(content):
    assert as_utf8(content, "application/octet-stream; charset=iso-8859-1") == content
    assert not is_guess(content)


def test_damaged_octet_leaves_the_rest_in_utf8():
    content = "Zürich, Genève".encode() + b"\xff"
    assert (decode(content), is_guess(content)) == ("Zürich, Genève\ufffd", True)


def test_stray_nul_makes_no_utf16():
    assert decode(b"a\0Zabcde") == "aZabcde"


def test_line_folded_inside_a_character_is_utf8():
    content = "SUMMARY:Zürich".encode()
    cut = content.index(b"\xbc")
    assert decode(content[:cut] + b"\r\n " + content[cut:]) == "SUMMARY:Zürich"


def test_mark_and_nul_are_no_part_of_a_text():
    assert decode(codecs.BOM_UTF8 + b"a\0b") == "ab"
