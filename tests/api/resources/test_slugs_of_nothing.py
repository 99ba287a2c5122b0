"""A slug of which nothing is left counts as none: records are found by the one of their name."""

import pytest
from api.resources.five_collections import COLLECTIONS, NAMES, REQUIRED

pytestmark = pytest.mark.without_mongodb

NOTHING = ["-", "!!!", "  ", "../.."]


@pytest.mark.parametrize("slug", NOTHING)
@pytest.mark.parametrize("collection", COLLECTIONS)
def test_a_new_record_gets_the_slug_of_its_name_instead(as_admin, collection, slug):
    response = as_admin.post(f"/{collection}", **REQUIRED[collection], slug=slug)
    assert (response.status_code, response.json["slug"]) == (201, "name")
    assert response.json["url"].rstrip("/").endswith("/name")


@pytest.mark.parametrize("slug", NOTHING)
@pytest.mark.parametrize("collection", COLLECTIONS)
def test_a_record_keeps_the_slug_that_it_has(as_admin, collection, slug):
    created_record = as_admin.post(f"/{collection}", **REQUIRED[collection], slug="own").json
    changed = as_admin.put(f"/{collection}/{created_record['id']}", slug=slug)
    assert (changed.status_code, changed.json["slug"]) == (200, "own")


def test_an_event_that_is_published_with_it_gets_the_slug_of_its_name(as_admin, make_event):
    draft = make_event(title="Konzert", status="draft", slug="-")
    assert draft["slug"] == ""
    published = as_admin.put(f"/events/{draft['id']}", status="publish", slug="-")
    assert published.json["slug"] == "konzert"


def test_a_second_term_of_a_name_needs_a_slug_of_something(as_admin, make_tag):
    make_tag(name="Jazz")
    answer = as_admin.post("/tags", name="Jazz", slug="-")
    assert (answer.status_code, answer.code) == (400, "term_exists")


@pytest.mark.parametrize("collection", COLLECTIONS)
@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("HTML &lt;table&gt; workshop", "html-table-workshop"),
        ("&lt;b&gt;", "b"),
        ("<b>HTML</b> &amp; more", "html-more"),
        ("&amp;lt;b&amp;gt;", "ltbgt"),
    ],
)
def test_slug_keeps_the_text_in_escaped_brackets(as_admin, collection, name, slug):
    body = REQUIRED[collection] | {NAMES[collection]: name}
    assert as_admin.post(f"/{collection}", **body).json["slug"] == slug
