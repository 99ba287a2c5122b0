"""Pages of lists, and the links from one to the next."""

import itertools
from urllib.parse import parse_qs, urlsplit

import pytest

COLLECTIONS = ["events", "venues", "organizers", "categories", "tags"]
POSTS = ["events", "venues", "organizers"]
REQUIRED = {
    "events": lambda n: {
        "title": f"Name {n}",
        "start_date": f"2030-03-{n + 1:02} 19:00:00",
        "end_date": f"2030-03-{n + 1:02} 22:00:00",
    },
    "venues": lambda n: {"venue": f"Name {n}"},
    "organizers": lambda n: {"organizer": f"Name {n}"},
    "categories": lambda n: {"name": f"Name {n}"},
    "tags": lambda n: {"name": f"Name {n}"},
}


@pytest.fixture
def fill(as_admin):
    """Return a function that creates some records of a collection, and gives their ids."""

    def create(collection, number, **changes):
        answers = [
            as_admin.post(f"/{collection}", **REQUIRED[collection](n), **changes)
            for n in range(number)
        ]
        return [answer.json["id"] for answer in answers]

    return create


def walk(client, collection, link="next_rest_url", **query):
    """Return the ids on all pages, by following links."""
    answer = client.get(f"/{collection}", hide_empty="0", **query)
    pages = []
    while True:
        assert answer.status_code == 200
        pages.append([record["id"] for record in answer.json[collection]])
        if link not in answer.json:
            return pages
        answer = client.follow(answer.json[link])


def query_of(link):
    return {name: values[0] for name, values in parse_qs(urlsplit(link).query).items()}


@pytest.mark.parametrize("collection", COLLECTIONS)
def test_empty_list_is_answered(anyone, collection):
    answer = anyone.get(f"/{collection}")

    assert answer.status_code == 200
    assert answer.json[collection] == []
    assert answer.json["total"] == answer.json["total_pages"] == 0
    assert "next_rest_url" not in answer.json
    assert "previous_rest_url" not in answer.json
    for name in ("X-TEC-Total", "X-TEC-TotalPages", "X-WP-Total", "X-WP-TotalPages"):
        assert answer.headers[name] == "0"


@pytest.mark.parametrize("collection", COLLECTIONS)
def test_a_walk_over_the_pages_sees_every_record_once(anyone, fill, collection):
    ids = fill(collection, 7)

    pages = walk(anyone, collection, per_page=3)
    assert [len(page) for page in pages] == [3, 3, 1]
    assert sorted(itertools.chain(*pages)) == sorted(ids)


@pytest.mark.parametrize("collection", COLLECTIONS)
def test_the_way_back_is_the_way_there(anyone, fill, collection):
    fill(collection, 7)

    there = walk(anyone, collection, per_page=3)
    back = walk(anyone, collection, "previous_rest_url", per_page=3, page=3)
    assert back == there[::-1]


@pytest.mark.parametrize("collection", COLLECTIONS)
def test_page_has_twelve_records_by_default(anyone, fill, collection):
    fill(collection, 13)
    answer = anyone.get(f"/{collection}", hide_empty="0")

    assert len(answer.json[collection]) == 12
    assert answer.json["total"] == 13
    assert answer.json["total_pages"] == 2
    assert answer.headers["X-TEC-TotalPages"] == answer.headers["X-WP-TotalPages"] == "2"


@pytest.mark.parametrize("collection", POSTS)
def test_keys_of_a_page_follow_the_reference(anyone, fill, collection):
    fill(collection, 3)
    body = anyone.get(f"/{collection}", per_page=1, page=2).json

    links = ["rest_url", "next_rest_url", "previous_rest_url"]
    # What the reference lacks stands behind.
    own = ["feeds"] if collection == "events" else []
    assert list(body) == [collection, *links, "total", "total_pages", *own]


def test_keys_of_a_term_page_have_their_own_order(anyone, fill):
    fill("tags", 3)
    body = anyone.get("/tags", per_page=1, page=2, hide_empty=0).json

    assert list(body)[:4] == ["rest_url", "total", "total_pages", "tags"]


@pytest.mark.parametrize("collection", POSTS)
def test_the_first_page_has_no_previous_and_the_last_no_next(anyone, fill, collection):
    fill(collection, 2)

    assert "previous_rest_url" not in anyone.get(f"/{collection}", per_page=1).json
    assert "next_rest_url" not in anyone.get(f"/{collection}", per_page=1, page=2).json


@pytest.mark.parametrize("collection", ["categories", "tags"])
def test_a_page_of_terms_beyond_the_end_is_empty_with_a_way_back(anyone, fill, collection):
    fill(collection, 2)
    answer = anyone.get(f"/{collection}", page=9, hide_empty="0")

    assert answer.status_code == 200
    assert answer.json[collection] == []
    assert answer.json["total"] == 2
    assert query_of(answer.json["previous_rest_url"])["page"] == "8"


def test_links_keep_every_parameter_with_the_page_last(
    anyone, fill, make_category, make_tag, make_venue
):
    category, tag, venue = make_category()["slug"], make_tag()["id"], make_venue()["id"]
    fill("events", 2, categories=category, tags=tag, venue=venue)
    sent = {
        "per_page": "1",
        "start_date": "2030-01-01 00:00:00",
        "end_date": "2031-01-01 12:00:00",
        "search": "Name",
        "categories": category,
        "tags": str(tag),
        "venue": str(venue),
        "strict_dates": "true",
        "featured": "false",
        "translation_language": "rm",
        "orderby": "id",
        "order": "desc",
    }
    body = anyone.get("/events", **sent).json

    for name in ("rest_url", "next_rest_url"):
        query = query_of(body[name])
        assert {key: query.get(key) for key in sent} == sent
        assert query["status"] == "publish"
    assert body["next_rest_url"].endswith("&page=2")
    assert " " not in body["rest_url"]


@pytest.mark.parametrize("collection", COLLECTIONS)
def test_links_keep_a_search_as_it_was_written(anyone, collection):
    text = "Näme & <b>=?#/+%"

    answer = anyone.get(f"/{collection}", search=text)
    assert query_of(answer.json["rest_url"])["search"] == text


@pytest.mark.parametrize("collection", COLLECTIONS)
def test_totals_describe_the_filtered_list(anyone, fill, collection):
    fill(collection, 3)
    answer = anyone.get(f"/{collection}", search="Name 1", hide_empty="0")

    assert len(answer.json[collection]) == answer.json["total"] == 1
    none = anyone.get(f"/{collection}", search="nowhere", hide_empty="0")
    assert (none.json[collection], none.json["total"]) == ([], 0)


def test_the_links_of_editors_can_be_followed(as_editor, fill):
    fill("events", 3)
    first = as_editor.get("/events", per_page=2)

    assert query_of(first.json["next_rest_url"])["status"] == "any"
    assert as_editor.follow(first.json["next_rest_url"]).status_code == 200


def test_walk_keeps_its_window_while_time_passes(anyone, fill, clock):
    fill("events", 4)
    first = anyone.get("/events", per_page=2)
    clock.advance(days=50)

    second = anyone.follow(first.json["next_rest_url"])
    assert len(second.json["events"]) == 2


def test_links_have_the_capped_page_size(anyone):
    for collection in COLLECTIONS:
        link = anyone.get(f"/{collection}", per_page=500).json["rest_url"]
        assert query_of(link)["per_page"] == "50"


def test_the_links_of_a_language_segment_keep_it(app, fill):
    fill("events", 2)
    answer = app.test_client().get("/rm/calendar/events/v1/events?per_page=1")

    site = "https://calendar.example/rm/calendar/events/v1/events/?"
    assert answer.json["next_rest_url"].startswith(site)


def test_repeated_parameters_count_as_the_last_one(anyone, fill):
    fill("events", 3)

    assert len(anyone.send("GET", "/events?per_page=3&per_page=2").json["events"]) == 2


def test_numbers_in_other_notations_are_numbers(anyone):
    for text in ("2.0", "1e1", " 5 ", "+7", "007"):
        assert anyone.get("/events", per_page=text).status_code == 200


def test_links_of_a_list_always_have_the_status(anyone, as_editor):
    for collection in POSTS:
        assert "status=publish" in anyone.get(f"/{collection}").json["rest_url"]
        assert "status=any" in as_editor.get(f"/{collection}").json["rest_url"]


@pytest.mark.parametrize("name", ["rest_url", "next_rest_url"])
def test_link_with_many_ids_is_hardly_longer_than_the_query(anyone, make_event, name):
    ids = [make_event()["id"], make_event()["id"], *range(10**6, 10**6 + 900)]
    query = f"include={','.join(str(each) for each in ids)}&per_page=1"
    link = anyone.send("GET", f"/events?{query}").json[name]
    assert query.partition("&")[0] in link
    assert len(link) < len(query) + 250
    assert anyone.follow(link).json["total"] == 2
