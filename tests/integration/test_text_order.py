"""Terms and events by title are sorted by the displayed text."""

from copy import deepcopy

import pytest

PAGE = 50


@pytest.fixture(params=[120, 1000, 1001])
def names(request, make_tag, database):
    """Make so many tags, and return their names in their order."""
    first_id = make_tag(name="Tag 0")["id"]
    first = database["tags"].find_one({"_id": first_id})
    database["tags"].insert_many(copy(first, number) for number in range(1, request.param))
    return [f"Tag {number}" for number in range(request.param)]


def copy(tag, number):
    copied = deepcopy(tag) | {"_id": tag["_id"] + number, "slugs": [f"de:tag-{number}"]}
    copied |= {"names": [f"de:tag {number}"]}
    copied["variants"]["de"] |= {"name": f"Tag {number}", "slug": f"tag-{number}"}
    return copied


def read(client, page, **query):
    answer = client.get("/tags", hide_empty="false", per_page=PAGE, page=page, **query).json
    return [tag["name"] for tag in answer["tags"]], answer["total"]


def test_every_page_continues_after_the_previous(anyone, names):
    for _ in range(2):
        pages = [read(anyone, number + 1) for number in range(len(names) // PAGE + 1)]
        assert [name for page, _ in pages for name in page] == names
        assert {total for _, total in pages} == {len(names)}


def test_descending_order_is_the_reverse(anyone, names):
    assert read(anyone, 1, order="desc") == (names[::-1][:PAGE], len(names))


@pytest.mark.usefixtures("names")
def test_another_name_is_at_another_place_at_once(anyone, as_admin):
    read(anyone, 1)
    (tag,) = as_admin.get("/tags", slug="tag-7", hide_empty="false").json["tags"]
    as_admin.patch(f"/tags/{tag['id']}", name="An early one")
    assert read(anyone, 1)[0][:2] == ["An early one", "Tag 0"]


def test_another_title_is_at_another_place_at_once(make_event, as_admin, anyone):
    first, second = (make_event(title=title)["id"] for title in ("Äpfel", "Birnen"))
    rm = {"translation_language": "rm"}

    def by_title(**query):
        events = anyone.get("/events", orderby="title", **query).json["events"]
        return [event["id"] for event in events]

    assert by_title() == [first, second]
    as_admin.put(f"/events/{first}", title="Zwetschgen")
    assert by_title() == [second, first]
    # Its readers are shown the German title as long as there is none of theirs.
    assert by_title(**rm) == [second, first]
    as_admin.put(f"/events/{first}", title="Ananas", **rm)
    assert by_title(**rm) == [first, second]
    as_admin.delete(f"/events/{first}", translation_only="true", **rm)
    assert by_title(**rm) == [second, first]
