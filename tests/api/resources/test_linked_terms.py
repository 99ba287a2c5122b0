"""Categories and tags within an event: by id, slug or name, or as data of new ones."""

import pytest

EVENING = {"start_date": "2030-03-10 19:00:00", "end_date": "2030-03-10 22:00:00"}


@pytest.fixture
def write(as_admin):
    """Return a function that creates an event with the given links and gives the answer."""
    return lambda **links: as_admin.post("/events", title="Concert", **EVENING, **links)


@pytest.mark.parametrize("field", ["categories", "tags"])
def test_terms_are_taken_by_id_slug_name_or_object(write, make_category, make_tag, field):
    make = make_category if field == "categories" else make_tag
    term = make(name="Theater & Tanz")
    for value in (
        term["id"],
        str(term["id"]),
        [term["id"]],
        term["slug"],
        "Theater & Tanz",
        ["theater & tanz"],
        {"id": term["id"]},
        {"name": "Theater & Tanz"},
        {"slug": term["slug"]},
        [term["id"], term["slug"], {"name": "Theater & Tanz"}],
    ):
        answer = write(**{field: value})

        assert answer.status_code == 201, (value, answer.json)
        assert [linked_term["id"] for linked_term in answer.json[field]] == [term["id"]], value


@pytest.mark.parametrize("taxonomy", ["categories", "tags"])
def test_an_inline_term_is_recognized_in_any_language(write, taxonomy):
    first = write(**{taxonomy: ["Musik"]}).json[taxonomy][0]
    second = write(**{taxonomy: ["Musik"]}, translation_language="rm").json[taxonomy][0]
    assert first["id"] == second["id"]


@pytest.mark.parametrize("field", ["categories", "tags"])
def test_an_unknown_name_makes_a_term_once(write, as_admin, field):
    first = write(**{field: ["New", "Other"]}).json[field]
    second = write(**{field: ["new", "Third"]}).json[field]

    assert [term["name"] for term in first] == ["New", "Other"]
    assert [term["name"] for term in second] == ["New", "Third"]
    assert first[0]["id"] == second[0]["id"]
    assert as_admin.get(f"/{field}").json["total"] == 3


@pytest.mark.parametrize("field", ["categories", "tags"])
def test_a_slug_of_a_tag_is_no_new_tag(write, make_category, make_tag, field):
    term = (make_category if field == "categories" else make_tag)(name="Family")

    assert [linked_term["id"] for linked_term in write(**{field: "family"}).json[field]] == [
        term["id"]
    ]


def test_terms_in_an_event_have_their_own_shape(write, make_category):
    above = make_category(name="Music")
    term = make_category(name="Jazz", parent=above["id"], description="Swing")
    category = write(categories=[term["id"]]).json["categories"][0]

    base = "https://calendar.example/calendar/events/v1/categories"
    expected = {
        "name": "Jazz",
        "slug": term["slug"],
        "term_group": 0,
        "term_taxonomy_id": term["id"],
        "taxonomy": "calendar_events_cat",
        "parent": above["id"],
        "filter": "raw",
        "id": term["id"],
        "urls": {
            "self": f"{base}/{term['id']}",
            "collection": base,
            "up": f"{base}/{above['id']}",
        },
    }
    assert {name: category[name] for name in expected} == expected
    assert "url" not in category
    assert "meta" not in category


def test_tags_in_an_event_have_a_parent_of_zero(write, make_tag):
    assert write(tags=[make_tag()["id"]]).json["tags"][0]["parent"] == 0


def test_terms_are_ordered_by_name(write, make_tag):
    ids = [make_tag(name=name)["id"] for name in ("b", "C", "a")]

    assert [term["name"] for term in write(tags=ids).json["tags"]] == ["a", "b", "C"]


def test_an_update_replaces_the_whole_set(write, make_tag, as_admin):
    first, two = make_tag()["id"], make_tag()["id"]
    event = write(tags=[first]).json

    changed = as_admin.patch(f"/events/{event['id']}", tags=[two]).json
    assert [term["id"] for term in changed["tags"]] == [two]


def test_counts_follow_the_published_events(write, make_tag, as_admin):
    tag = make_tag()["id"]

    def count():
        return as_admin.get(f"/tags/{tag}").json["count"]

    event = write(tags=[tag]).json["id"]
    draft = write(tags=[tag], status="draft").json["id"]
    assert count() == 1
    as_admin.patch(f"/events/{draft}", status="publish")
    assert count() == 2
    as_admin.patch(f"/events/{event}", tags=[])
    assert count() == 1
    as_admin.delete(f"/events/{draft}")
    assert count() == 0
    as_admin.patch(f"/events/{draft}", status="publish")
    assert count() == 1
    as_admin.delete(f"/events/{draft}", force=True)
    assert count() == 0
