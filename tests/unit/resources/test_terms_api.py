"""Categories and tags."""

import pytest

TAXONOMIES = ["categories", "tags"]
NAMES = {"categories": "calendar_events_cat", "tags": "post_tag"}
BASE = "https://calendar.example/calendar/events/v1"


@pytest.fixture
def make(as_admin):
    """Return what creates a term and gives it."""

    def create(collection, **body):
        answer = as_admin.post(f"/{collection}", **({"name": "Jazz"} | body))
        assert answer.status_code == 201, answer.json
        return answer.json

    return create


def names(answer, collection="categories"):
    assert answer.status_code == 200, answer.json
    return [term["name"] for term in answer.json[collection]]


@pytest.mark.parametrize("collection", TAXONOMIES)
def test_a_new_term_shows_itself(as_admin, collection):
    answer = as_admin.post(f"/{collection}", name="Jazz & Blues", description="Live <b>music</b>")

    assert answer.status_code == 201
    term = answer.json
    address = f"{BASE}/{collection}/{term['id']}"
    assert answer.headers["Location"] == address
    assert term["name"] == "Jazz &amp; Blues"
    assert term["slug"] == "jazz-blues"
    assert "<b>music</b>" in term["description"]
    assert term["taxonomy"] == NAMES[collection]
    assert term["count"] == 0
    assert term["meta"] == []
    assert term["urls"] == {"self": address, "collection": f"{BASE}/{collection}"}
    assert ("parent" in term) is (collection == "categories")
    assert "_links" in term
    assert term["url"].startswith("https://calendar.example/")


@pytest.mark.parametrize("collection", TAXONOMIES)
def test_lists_and_deletions_show_no_links(as_admin, make, collection):
    term = make(collection)

    assert "_links" in as_admin.get(f"/{collection}/{term['id']}").json
    assert "_links" in as_admin.put(f"/{collection}/{term['id']}", description="x").json
    listed = as_admin.get(f"/{collection}", hide_empty=False).json[collection][0]
    assert "_links" not in listed
    assert "_links" not in as_admin.delete(f"/{collection}/{term['id']}").json


@pytest.mark.parametrize("collection", TAXONOMIES)
def test_a_term_needs_a_name(as_admin, collection):
    missing = as_admin.post(f"/{collection}", slug="jazz")
    assert missing.code == "rest_missing_callback_param"
    assert missing.json["data"]["params"] == ["name"]

    for blank in ("", "  ", "\t\n", "<i></i>"):
        answer = as_admin.post(f"/{collection}", name=blank)
        assert answer.status_code == 400
        assert answer.named == ["name"]


@pytest.mark.parametrize("collection", TAXONOMIES)
def test_a_name_is_taken_once(as_admin, make, collection):
    term = make(collection)
    for name in ("Jazz", "JAZZ", " jazz "):
        answer = as_admin.post(f"/{collection}", name=name)

        assert answer.status_code == 400
        assert answer.code == "term_exists"
        assert answer.json["data"]["term_id"] == term["id"]


@pytest.mark.parametrize("collection", TAXONOMIES)
def test_the_same_name_is_taken_with_a_slug_of_its_own(make, collection):
    first, second = make(collection), make(collection, slug="other-jazz")

    assert second["id"] != first["id"]
    assert second["slug"] == "other-jazz"


def test_the_same_name_may_stand_below_another_parent(make):
    sport = make("categories", name="Sport")
    make("categories", name="New")
    below = make("categories", name="New", parent=sport["id"])

    assert below["parent"] == sport["id"]
    assert below["slug"] == "new-sport"
    assert below["urls"]["up"] == f"{BASE}/categories/{sport['id']}"


@pytest.mark.parametrize("collection", TAXONOMIES)
def test_a_taken_slug_gets_a_number_on_create_and_is_refused_on_update(as_admin, make, collection):
    make(collection, slug="jazz")
    assert make(collection, name="Second", slug="jazz")["slug"] == "jazz-2"

    third = make(collection, name="Third")
    answer = as_admin.put(f"/{collection}/{third['id']}", slug="jazz")
    assert answer.status_code == 409
    assert answer.code == "duplicate_term_slug"
    assert as_admin.get(f"/{collection}/{third['id']}").json["slug"] == "third"


def test_slugs_are_taken_once_for_each_kind(make):
    assert make("categories")["slug"] == make("tags")["slug"] == "jazz"


@pytest.mark.parametrize("collection", TAXONOMIES)
def test_an_update_is_partial(as_admin, make, collection):
    term = make(collection, description="Music")
    path = f"/{collection}/{term['id']}"

    assert as_admin.patch(path, name="Swing").json["description"] == term["description"]
    changed = as_admin.post(path, description="").json
    assert (changed["name"], changed["description"], changed["slug"]) == ("Swing", "", "jazz")
    assert as_admin.put(path, slug="Swing Time").json["slug"] == "swing-time"


def test_a_category_moves_with_its_parent(as_admin, make):
    a, b = make("categories", name="A")["id"], make("categories", name="B")["id"]
    path = f"/categories/{b}"

    assert as_admin.put(path, parent=a).json["parent"] == a
    for nothing in (0, "0", "", None):
        as_admin.put(path, parent=a)
        assert as_admin.put(path, parent=nothing).json["parent"] == 0


def test_a_category_is_never_below_itself(as_admin, make):
    a = make("categories", name="A")["id"]
    b = make("categories", name="B", parent=a)["id"]
    c = make("categories", name="C", parent=b)["id"]

    for below in (a, b, c):
        answer = as_admin.put(f"/categories/{a}", parent=below)
        assert answer.status_code == 400
        assert answer.named == ["parent"]
    assert as_admin.get(f"/categories/{a}").json["parent"] == 0


def test_moving_a_category_takes_its_events_along(as_admin, make, make_event):
    music, art = make("categories", name="Music")["id"], make("categories", name="Art")["id"]
    jazz = make("categories", name="Jazz", parent=music)["id"]
    bebop = make("categories", name="Bebop", parent=jazz)["id"]
    make_event(categories=[bebop])

    def total(category):
        return as_admin.get("/events", categories=category).json["total"]

    assert (total(music), total(art)) == (1, 0)
    as_admin.put(f"/categories/{jazz}", parent=art)
    assert (total(music), total(art)) == (0, 1)


def test_deleting_a_category_lifts_its_children(as_admin, make, make_event):
    a = make("categories", name="A")["id"]
    b = make("categories", name="B", parent=a)["id"]
    c = make("categories", name="C", parent=b)["id"]
    d = make("categories", name="D", parent=c)["id"]
    event = make_event(categories=[b, d])["id"]

    deleted = as_admin.delete(f"/categories/{b}")
    assert deleted.status_code == 200
    assert deleted.json["name"] == "B"
    assert as_admin.get(f"/categories/{c}").json["parent"] == a
    assert as_admin.get(f"/categories/{d}").json["parent"] == c
    shown = as_admin.get(f"/events/{event}").json["categories"]
    assert [term["id"] for term in shown] == [d]
    assert as_admin.get("/events", categories=a).json["total"] == 1


@pytest.mark.parametrize("collection", TAXONOMIES)
def test_deleting_a_term_is_for_good(as_admin, make, make_event, collection):
    term = make(collection)["id"]
    event = make_event(**{collection: [term]})["id"]
    path = f"/{collection}/{term}"

    assert as_admin.delete(path).json["count"] == 1
    for method in ("GET", "DELETE", "PUT"):
        answer = as_admin.send(method, path, json={})
        assert answer.status_code == 400
        assert answer.named == ["id"]
    assert as_admin.get(f"/events/{event}").json[collection] == []


def test_the_id_of_another_taxonomy_is_unknown(as_admin, make):
    assert as_admin.get(f"/tags/{make('categories')['id']}").named == ["id"]


def test_a_parent_of_a_tag_is_refused(as_admin, make):
    category = make("categories")["id"]
    answer = as_admin.post("/tags", name="Tag", parent=category)

    assert answer.status_code == 400
    assert answer.code == "rest_taxonomy_not_hierarchical"


# Lists


@pytest.mark.parametrize("collection", TAXONOMIES)
def test_unused_terms_are_hidden_unless_they_are_asked_for(anyone, make, make_event, collection):
    used, drafted = make(collection, name="Used"), make(collection, name="Drafted")
    make(collection, name="Unused")
    make_event(**{collection: [used["id"]]})
    make_event(**{collection: [drafted["id"]]}, status="draft")

    assert names(anyone.get(f"/{collection}"), collection) == ["Used"]
    shown = names(anyone.get(f"/{collection}", hide_empty=False), collection)
    assert shown == ["Drafted", "Unused", "Used"]


def test_an_empty_parent_is_listed_and_counted_for_its_childrens_sake(anyone, make, make_event):
    above = make("categories", name="Above")["id"]
    below = make("categories", name="Below", parent=above)["id"]
    make_event(categories=[below])
    answer = anyone.get("/categories")

    assert names(answer) == ["Above", "Below"]
    assert answer.json["total"] == 2


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({}, "ABC"),
        ({"order": "asc"}, "ABC"),
        ({"order": "ASC"}, "ABC"),
        ({"order": "desc"}, "CBA"),
        ({"order": "bogus"}, "CBA"),
        ({"orderby": "id"}, "BCA"),
        ({"orderby": "term_id", "order": "desc"}, "ACB"),
        ({"orderby": "slug"}, "CAB"),
        ({"orderby": "description"}, "ACB"),
        ({"orderby": "count", "order": "desc"}, "C"),
        ({"orderby": "bogus"}, "ABC"),
    ],
)
@pytest.mark.parametrize("collection", TAXONOMIES)
def test_terms_stand_in_the_order_that_is_asked_for(as_admin, make, collection, query, expected):
    make(collection, name="B", slug="z", description="3")
    most_used = make(collection, name="C", slug="a", description="2")["id"]
    make(collection, name="A", slug="m", description="1")
    evening = {"start_date": "2030-03-10 19:00:00", "end_date": "2030-03-10 22:00:00"}
    as_admin.post("/events", title="Concert", **evening, **{collection: [most_used]})

    shown = names(as_admin.get(f"/{collection}", hide_empty=False, **query), collection)
    assert "".join(shown).startswith(expected)


@pytest.mark.parametrize("collection", TAXONOMIES)
def test_terms_are_included_excluded_and_searched(anyone, make, collection):
    one = make(collection, name="Theater")["id"]
    two = make(collection, name="Tanz", description="Bühne")["id"]
    three = make(collection, name="Kino", slug="film")["id"]

    def listed(**query):
        return names(anyone.get(f"/{collection}", hide_empty=False, **query), collection)

    assert listed(include=f"{one},{three}") == ["Kino", "Theater"]
    assert listed(exclude=two) == ["Kino", "Theater"]
    assert listed(include=f"{one},{two}", exclude=two) == ["Theater"]
    assert listed(search="thea") == ["Theater"]
    assert listed(search="film") == ["Kino"]
    assert listed(search="buhne") == ["Tanz"]
    assert listed(slug="film") == ["Kino"]
    assert listed(slug="nope") == []
    assert anyone.get(f"/{collection}", include=999999).named == ["include"]


def test_children_of_a_category_are_listed(anyone, make):
    above = make("categories", name="Above")["id"]
    below = make("categories", name="Below", parent=above)["id"]
    make("categories", name="Deep", parent=below)

    assert names(anyone.get("/categories", parent=above, hide_empty=False)) == ["Below"]
    for wrong in (0, "", 999999, "above"):
        assert anyone.get("/categories", parent=wrong).named == ["parent"]
    assert anyone.get("/tags", parent=0).status_code == 200


@pytest.mark.parametrize("collection", TAXONOMIES)
def test_the_terms_of_an_event_are_listed(anyone, make, make_event, collection):
    one, two = make(collection, name="One")["id"], make(collection, name="Two")["id"]
    first = make_event(**{collection: [one]})["id"]
    second = make_event(**{collection: [one, two]})["id"]

    assert names(anyone.get(f"/{collection}", post=first), collection) == ["One"]
    assert names(anyone.get(f"/{collection}", event=second), collection) == ["One", "Two"]
    both = anyone.get(f"/{collection}", event=first, post=second)
    assert names(both, collection) == ["One"]
    for name in ("event", "post"):
        assert anyone.get(f"/{collection}", **{name: 999999}).named == [name]


@pytest.mark.needs_mongodb
def test_names_sort_as_readers_of_the_language_expect(anyone, make):
    for name in ("Ähre", "Zug", "apfel", "Berg"):
        make("tags", name=name)

    shown = names(anyone.get("/tags", hide_empty=False), "tags")
    assert shown == ["Ähre", "apfel", "Berg", "Zug"]
