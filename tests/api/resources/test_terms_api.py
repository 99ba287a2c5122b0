"""Categories and tags."""

import pytest

TAXONOMIES = ["categories", "tags"]
NAMES = {"categories": "calendar_events_cat", "tags": "post_tag"}
BASE = "https://calendar.example/calendar/events/v1"


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
def test_lists_and_deletions_show_no_links(as_admin, make_term, collection):
    term = make_term(collection)

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
        assert answer.invalid_params == ["name"]


@pytest.mark.parametrize("collection", TAXONOMIES)
def test_a_name_is_taken_once(as_admin, make_term, collection):
    term = make_term(collection)
    for name in ("Jazz", "JAZZ", " jazz "):
        answer = as_admin.post(f"/{collection}", name=name)

        assert answer.status_code == 400
        assert answer.code == "term_exists"
        assert answer.json["data"]["term_id"] == term["id"]


@pytest.mark.parametrize("collection", TAXONOMIES)
def test_the_same_name_is_taken_with_a_slug_of_its_own(make_term, collection):
    first, second = make_term(collection), make_term(collection, slug="other-jazz")

    assert second["id"] != first["id"]
    assert second["slug"] == "other-jazz"


def test_equal_names_are_allowed_below_different_parents(make_term):
    sport = make_term("categories", name="Sport")
    make_term("categories", name="New")
    below = make_term("categories", name="New", parent=sport["id"])

    assert below["parent"] == sport["id"]
    assert below["slug"] == "new-sport"
    assert below["urls"]["up"] == f"{BASE}/categories/{sport['id']}"


@pytest.mark.parametrize("collection", TAXONOMIES)
def test_a_taken_slug_gets_a_number_on_create_and_is_refused_on_update(
    as_admin, make_term, collection
):
    make_term(collection, slug="jazz")
    assert make_term(collection, name="Second", slug="jazz")["slug"] == "jazz-2"

    third = make_term(collection, name="Third")
    answer = as_admin.put(f"/{collection}/{third['id']}", slug="jazz")
    assert answer.status_code == 409
    assert answer.code == "duplicate_term_slug"
    assert as_admin.get(f"/{collection}/{third['id']}").json["slug"] == "third"


def test_slugs_are_taken_once_for_each_kind(make_term):
    assert make_term("categories")["slug"] == make_term("tags")["slug"] == "jazz"


@pytest.mark.parametrize("collection", TAXONOMIES)
def test_an_update_is_partial(as_admin, make_term, collection):
    term = make_term(collection, description="Music")
    path = f"/{collection}/{term['id']}"

    assert as_admin.patch(path, name="Swing").json["description"] == term["description"]
    changed = as_admin.post(path, description="").json
    assert (changed["name"], changed["description"], changed["slug"]) == ("Swing", "", "jazz")
    assert as_admin.put(path, slug="Swing Time").json["slug"] == "swing-time"


def test_a_category_moves_with_its_parent(as_admin, make_term):
    a, b = make_term("categories", name="A")["id"], make_term("categories", name="B")["id"]
    path = f"/categories/{b}"

    assert as_admin.put(path, parent=a).json["parent"] == a
    for nothing in (0, "0", "", None):
        as_admin.put(path, parent=a)
        assert as_admin.put(path, parent=nothing).json["parent"] == 0


def test_a_category_is_never_below_itself(as_admin, make_term):
    a = make_term("categories", name="A")["id"]
    b = make_term("categories", name="B", parent=a)["id"]
    c = make_term("categories", name="C", parent=b)["id"]

    for below in (a, b, c):
        answer = as_admin.put(f"/categories/{a}", parent=below)
        assert answer.status_code == 400
        assert answer.invalid_params == ["parent"]
    assert as_admin.get(f"/categories/{a}").json["parent"] == 0


def test_moving_a_category_takes_its_events_along(as_admin, make_term, make_event):
    music, art = (
        make_term("categories", name="Music")["id"],
        make_term("categories", name="Art")["id"],
    )
    jazz = make_term("categories", name="Jazz", parent=music)["id"]
    bebop = make_term("categories", name="Bebop", parent=jazz)["id"]
    make_event(categories=[bebop])

    def total(category):
        return as_admin.get("/events", categories=category).json["total"]

    assert (total(music), total(art)) == (1, 0)
    as_admin.put(f"/categories/{jazz}", parent=art)
    assert (total(music), total(art)) == (0, 1)


def test_deleting_a_category_lifts_its_children(as_admin, make_term, make_event):
    a = make_term("categories", name="A")["id"]
    b = make_term("categories", name="B", parent=a)["id"]
    c = make_term("categories", name="C", parent=b)["id"]
    d = make_term("categories", name="D", parent=c)["id"]
    event = make_event(categories=[b, d])["id"]

    deleted = as_admin.delete(f"/categories/{b}")
    assert deleted.status_code == 200
    assert deleted.json["name"] == "B"
    assert as_admin.get(f"/categories/{c}").json["parent"] == a
    assert as_admin.get(f"/categories/{d}").json["parent"] == c
    categories = as_admin.get(f"/events/{event}").json["categories"]
    assert [term["id"] for term in categories] == [d]
    assert as_admin.get("/events", categories=a).json["total"] == 1


@pytest.mark.parametrize("collection", TAXONOMIES)
def test_deleting_a_term_is_for_good(as_admin, make_term, make_event, collection):
    term = make_term(collection)["id"]
    event = make_event(**{collection: [term]})["id"]
    path = f"/{collection}/{term}"

    assert as_admin.delete(path).json["count"] == 1
    for method in ("GET", "DELETE", "PUT"):
        answer = as_admin.send(method, path, json={})
        assert answer.status_code == 400
        assert answer.invalid_params == ["id"]
    assert as_admin.get(f"/events/{event}").json[collection] == []


def test_the_id_of_another_taxonomy_is_unknown(as_admin, make_term):
    assert as_admin.get(f"/tags/{make_term('categories')['id']}").invalid_params == ["id"]


def test_a_parent_of_a_tag_is_refused(as_admin, make_term):
    category = make_term("categories")["id"]
    answer = as_admin.post("/tags", name="Tag", parent=category)

    assert answer.status_code == 400
    assert answer.code == "rest_taxonomy_not_hierarchical"
