"""Words that lead to the feeds of a page are no slugs of events, venues and organizers."""

import pytest
from api.resources.five_collections import NAMES, REQUIRED

pytestmark = pytest.mark.without_mongodb

POSTS = ["events", "venues", "organizers"]
WORDS = ["Feed", "RSS", "rss2", "Atom", "rdf", "embed"]


@pytest.mark.parametrize("collection", POSTS)
@pytest.mark.parametrize("word", WORDS)
def test_a_name_that_is_a_word_of_feeds_gives_a_slug_with_a_number(as_admin, collection, word):
    body = REQUIRED[collection] | {NAMES[collection]: word}
    created_record = as_admin.post(f"/{collection}", **body).json
    assert created_record["slug"] == f"{word.lower()}-2"


@pytest.mark.parametrize("collection", POSTS)
def test_a_slug_that_is_a_word_of_feeds_gets_a_number(as_admin, collection):
    slugs = []
    for number in (1, 2):
        body = REQUIRED[collection] | {NAMES[collection]: f"Name {number}"}
        slugs.append(as_admin.post(f"/{collection}", **body, slug="feed").json["slug"])
    assert slugs == ["feed-2", "feed-3"]


@pytest.mark.parametrize("collection", POSTS)
def test_no_record_is_renamed_to_a_word_of_feeds(as_admin, collection):
    path = f"/{collection}/{as_admin.post(f'/{collection}', **REQUIRED[collection]).json['id']}"
    assert as_admin.patch(path, slug="feed").json["slug"] == "feed-2"
    assert as_admin.patch(path, slug="feed-2").json["slug"] == "feed-2"


def test_record_with_a_reserved_slug_keeps_it(as_admin, make_event, database):
    event = make_event(title="Concert")["id"]
    stored = {"slugs": ["de:feed"], "variants.de.slug": "feed"}
    database["events"].update_one({"_id": event}, {"$set": stored})
    changed = as_admin.patch(f"/events/{event}", title="Other", slug="feed").json
    assert (changed["title"], changed["slug"]) == ("Other", "feed")


@pytest.mark.parametrize("collection", ["categories", "tags"])
def test_terms_may_be_called_so(as_admin, collection):
    assert as_admin.post(f"/{collection}", name="Feed").json["slug"] == "feed"
