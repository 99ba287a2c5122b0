"""Lists of categories and of tags: what is hidden, found and first."""

import pytest

TAXONOMIES = ["categories", "tags"]


def names(answer, collection="categories"):
    assert answer.status_code == 200, answer.json
    return [term["name"] for term in answer.json[collection]]


@pytest.mark.parametrize("collection", TAXONOMIES)
def test_unused_terms_are_hidden_unless_requested(anyone, make_term, make_event, collection):
    used, drafted = make_term(collection, name="Used"), make_term(collection, name="Drafted")
    make_term(collection, name="Unused")
    make_event(**{collection: [used["id"]]})
    make_event(**{collection: [drafted["id"]]}, status="draft")

    assert names(anyone.get(f"/{collection}"), collection) == ["Used"]
    listed_names = names(anyone.get(f"/{collection}", hide_empty=False), collection)
    assert listed_names == ["Drafted", "Unused", "Used"]


def test_an_empty_parent_is_listed_and_counted_for_its_childrens_sake(
    anyone, make_term, make_event
):
    above = make_term("categories", name="Above")["id"]
    below = make_term("categories", name="Below", parent=above)["id"]
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
        ({"orderby": "COUNT", "order": "DESC"}, "C"),
        ({"orderby": "Slug"}, "CAB"),
        ({"orderby": "bogus"}, "ABC"),
    ],
)
@pytest.mark.parametrize("collection", TAXONOMIES)
def test_terms_follow_the_requested_order(as_admin, make_term, collection, query, expected):
    make_term(collection, name="B", slug="z", description="3")
    most_used = make_term(collection, name="C", slug="a", description="2")["id"]
    make_term(collection, name="A", slug="m", description="1")
    evening = {"start_date": "2030-03-10 19:00:00", "end_date": "2030-03-10 22:00:00"}
    as_admin.post("/events", title="Concert", **evening, **{collection: [most_used]})

    listed_names = names(as_admin.get(f"/{collection}", hide_empty=False, **query), collection)
    assert "".join(listed_names).startswith(expected)


@pytest.mark.parametrize("collection", TAXONOMIES)
def test_terms_are_included_excluded_and_searched(anyone, make_term, collection):
    term_id = make_term(collection, name="Theater")["id"]
    two = make_term(collection, name="Tanz", description="Bühne")["id"]
    three = make_term(collection, name="Kino", slug="film")["id"]

    def listed(**query):
        return names(anyone.get(f"/{collection}", hide_empty=False, **query), collection)

    assert listed(include=f"{term_id},{three}") == ["Kino", "Theater"]
    assert listed(exclude=two) == ["Kino", "Theater"]
    assert listed(include=f"{term_id},{two}", exclude=two) == ["Theater"]
    assert listed(search="thea") == ["Theater"]
    assert listed(search="film") == ["Kino"]
    assert listed(search="buhne") == ["Tanz"]
    assert listed(slug="film") == ["Kino"]
    assert listed(slug="nope") == []
    assert anyone.get(f"/{collection}", include=999999).invalid_params == ["include"]


def test_children_of_a_category_are_listed(anyone, make_term):
    above = make_term("categories", name="Above")["id"]
    below = make_term("categories", name="Below", parent=above)["id"]
    make_term("categories", name="Deep", parent=below)

    assert names(anyone.get("/categories", parent=above, hide_empty=False)) == ["Below"]
    for wrong in (0, "", 999999, "above"):
        assert anyone.get("/categories", parent=wrong).invalid_params == ["parent"]
    assert anyone.get("/tags", parent=0).status_code == 200


@pytest.mark.parametrize("collection", TAXONOMIES)
def test_the_terms_of_an_event_are_listed(anyone, make_term, make_event, collection):
    first_id, two = make_term(collection, name="One")["id"], make_term(collection, name="Two")["id"]
    first = make_event(**{collection: [first_id]})["id"]
    second = make_event(**{collection: [first_id, two]})["id"]

    assert names(anyone.get(f"/{collection}", post=first), collection) == ["One"]
    assert names(anyone.get(f"/{collection}", event=second), collection) == ["One", "Two"]
    both = anyone.get(f"/{collection}", event=first, post=second)
    assert names(both, collection) == ["One"]
    for name in ("event", "post"):
        assert anyone.get(f"/{collection}", **{name: 999999}).invalid_params == [name]


def test_names_sort_as_readers_of_the_language_expect(anyone, make_term):
    for name in ("Ähre", "Zug", "apfel", "Berg"):
        make_term("tags", name=name)

    listed_names = names(anyone.get("/tags", hide_empty=False), "tags")
    assert listed_names == ["Ähre", "apfel", "Berg", "Zug"]
