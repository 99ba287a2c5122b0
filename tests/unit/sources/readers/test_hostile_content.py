"""Content of strangers costs no more than its length.

The cases are read in a process whose computing the system bounds.
"""

import os
import subprocess
import sys
from pathlib import Path

import hostile
import pytest

from calendar_app.sources.imports.ics.content import split_partly
from calendar_app.sources.parsed import SourceError
from calendar_app.sources.readers.fetching import refuse_page
from calendar_app.sources.readers.markup import SitemapEntry, json_ld_scripts, sitemap_entries


@pytest.fixture(scope="module")
def read_in_time():
    # Where coverage is measured, that would take most of the time.
    environment = {name: os.environ[name] for name in os.environ if "COVERAGE" not in name}
    process = subprocess.run(
        [sys.executable, "-W", "ignore", str(Path(hostile.__file__))],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return process.stdout.splitlines(), process.stderr


@pytest.mark.parametrize("case", hostile.CASES)
def test_worst_case_is_read_in_time(case, read_in_time):
    names, error = read_in_time
    assert case in names, error


def test_nested_components_are_refused_with_their_line():
    with pytest.raises(SourceError, match="deeper than 20 in line 21"):
        split_partly(b"BEGIN:VCALENDAR\r\n" * 8000)


@pytest.mark.parametrize(
    ("page", "words"),
    [
        (
            b"<!-- a --> <!-- b -->\n<html><title>My &amp; <b></title>",
            'a page of the web "My & <b>"',
        ),
        (b"\xef\xbb\xbf <!DOCTYPE html><input name=a type='password'>", "that wants a login"),
        (b"<head>", "a page of the web."),
    ],
)
def test_web_page_is_refused_by_its_title(page, words):
    with pytest.raises(SourceError, match=words):
        refuse_page(page, "calendar")


@pytest.mark.parametrize(
    "content", [b"BEGIN:VCALENDAR", b"<!-- <html>", b"<header>", b"", b"<!---->"]
)
def test_anything_else_is_no_web_page(content):
    refuse_page(content, "calendar")


def test_scripts_are_taken_as_they_stand():
    html = '<svg><p><SCRIPT Type="application/ld+json; a=b">{"a": "&amp;</p>é"}</script><script>x'
    assert json_ld_scripts(html) == ['{"a": "&amp;</p>é"}']


def test_sitemap_is_read_by_the_names_of_its_elements():
    text = (
        '<?xml version="1.0" encoding="ISO-8859-1"?>'
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:i="urn:image">'
        "<url><i:image><i:loc>no</i:loc></i:image><loc>\n https://a/?a=1&amp;é </loc>"
        "<lastmod>2026-01-01</lastmod></url><url><loc><![CDATA[https://b/]]></loc></url>"
    )
    assert list(sitemap_entries(text)) == [
        SitemapEntry("https://a/?a=1&é", "2026-01-01"),
        SitemapEntry("https://b/", ""),
    ]


def test_sitemap_that_defines_entities_is_refused():
    with pytest.raises(SourceError, match="DOCTYPE"):
        list(
            sitemap_entries('<!DOCTYPE urlset [<!ENTITY a "x">]><urlset><url><loc>&a;</loc></url>')
        )
