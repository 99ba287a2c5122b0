"""An English desk shows a day in the order in which it reads one."""

from dataclasses import replace

import pytest

BRITISH, AMERICAN = ("5 Dec 2031", "2031-12-05"), ("May 12, 2031", "2031-05-12")


@pytest.fixture(params=[("de",), ("de", "en"), ("de", "en-GB"), ("de", "en-US")], ids=" ".join)
def languages(request):
    return request.param


@pytest.fixture
def settings(settings, languages):
    return replace(settings, languages=languages)


@pytest.mark.parametrize("preferred", ["en-US,en;q=0.9", "en-GB,en;q=0.9", "en"])
def test_day_in_figures_is_shown_as_it_was_read(desk, as_editor, languages, preferred):
    editor = desk("editor")
    editor.client.environ_base["HTTP_ACCEPT_LANGUAGE"] = preferred
    editor.send("/me/", "/me/own", language="en")
    saved = editor.send(
        "/events/new", button="draft", title="Fair", start_date="5/12/2031", start_time="19:30"
    )
    path = saved.headers["Location"].partition("?")[0].removeprefix("/desk")

    country = languages[-1] if "-" in languages[-1] else preferred.partition(",")[0]
    text, day = AMERICAN if country == "en-US" else BRITISH
    page = editor.get(path)
    assert page.tree.xpath('//input[@name="start_date"]/@value') == [text]
    assert as_editor.get(path).json["start_date"] == f"{day} 19:30:00"
    assert page.tree.get("lang").partition("-")[0] == "en"
