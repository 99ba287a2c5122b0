"""Operators of the database, scripts and broken text are taken as text or refused, never run."""

import pytest
from api.resources.five_collections import COLLECTIONS, LIST_FILTERS, NAMES, REQUIRED
from calling import SITE

OPERATORS = ["$where", "$ne", "a.b", "$", ".", "$gt.x", "variants.de.title", "__proto__"]


@pytest.mark.parametrize("text", OPERATORS)
def test_words_of_the_database_are_ordinary_words(anyone, make_event, text):
    make_event(title="Concert")
    for collection, filters in LIST_FILTERS.items():
        for name in filters:
            for query in (
                {name: text},
                {f"{name}[{text}]": "999999"},
                {f"{name}[$ne]": text},
                {f"{name}[][{text}]": "x"},
            ):
                answer = anyone.get(f"/{collection}", **query)

                assert answer.status_code in (200, 400), query
                if answer.status_code == 200:
                    assert answer.json["total"] == 0, query
                else:
                    assert answer.invalid_params == [name]


@pytest.mark.parametrize("collection", COLLECTIONS)
@pytest.mark.parametrize("text", [*OPERATORS, "\0", "a\0b", "\ufeff", "{{7*7}}", "%s", "\u202e"])
def test_texts_with_words_of_the_database_are_texts(as_admin, collection, text):
    name = NAMES[collection]
    sent = REQUIRED[collection] | {name: f"x{text}x", "description": f"y{text}y", text: {text: 1}}
    created = as_admin.send("POST", f"/{collection}", json=sent)

    assert created.status_code == 201
    again = as_admin.get(f"/{collection}/{created.json['id']}")
    assert again.status_code == 200
    assert again.json[name] == created.json[name]
    if "\0" not in text and text.isascii():
        assert text in again.json[name]
        assert text in again.json["description"]


def test_nul_in_forms_does_no_harm(as_admin):
    body = "title=a%00b&start_date=2030-03-10&end_date=2030-03-10"
    answer = as_admin.send(
        "POST", "/events", data=body, content_type="application/x-www-form-urlencoded"
    )

    assert answer.status_code == 201
    assert as_admin.get("/events").status_code == 200


@pytest.mark.parametrize("query", ["search=%00", "search=%FF", "%00=1", "%FF=%FE", "a[=1", "[]=2"])
def test_queries_with_broken_text_do_no_harm(anyone, query):
    for collection in COLLECTIONS:
        answer = anyone.send("GET", f"/{collection}?{query}")

        assert answer.status_code == 200
        assert answer.json[collection] == []


def test_deep_and_long_brackets_do_no_harm(anyone):
    many = "&".join(f"tags[{n}]=1" for n in range(3000))
    for query, parameter in ((f"categories{'[a]' * 500}=1", "categories"), (many, "tags")):
        answer = anyone.send("GET", f"/events?{query}")

        assert (answer.status_code, answer.invalid_params) == (400, [parameter])
    assert anyone.send("GET", f"/events?{'[' * 5000}").status_code == 200


def test_html_with_scripts_becomes_harmless(make_event, as_author, make_category):
    evil = (
        "<p onclick='x()'>Good</p><script>evil()</script><img src=x onerror=evil()>"
        "<a href='javascript:evil()'>a</a><iframe src='https://evil.example'></iframe>"
        "<form action=/x><input></form><svg/onload=evil()>"
    )
    event = make_event(by=as_author, title=evil, description=evil, excerpt=evil)
    term = make_category(by=as_author, name=evil, description=evil)

    for record in (event, term):
        for name in ("title", "name", "description", "excerpt"):
            text = record.get(name, "")
            for bad in (
                "<script",
                "onclick=",
                "onerror=",
                "javascript:",
                "<iframe",
                "<form",
                "<svg",
            ):
                assert bad not in text.lower()
    assert "Good" in event["description"]


def test_editors_keep_their_html_without_scripts(make_event, as_editor):
    evil = (
        "<div class='box' style='color: red'>Good</div><script>evil()</script>"
        "<b onclick='x()'>b</b><a href='javascript:evil()'>a</a>"
        "<iframe src='https://evil.example'></iframe><form action=/x></form>"
    )
    text = make_event(by=as_editor, description=evil)["description"]

    assert '<div class="box"' in text
    for bad in ("<script", "evil()", "onclick", "javascript:", "<iframe", "<form"):
        assert bad not in text


def test_editors_keep_frames_with_pages_of_this_site(make_event, as_editor, as_author):
    frame = f'<iframe src="{SITE}/plan" height="300"></iframe>'
    described = [
        make_event(by=by, description=f"{frame}<iframe src=//evil.example></iframe>")["description"]
        for by in (as_editor, as_author)
    ]

    assert described == [frame, ""]
