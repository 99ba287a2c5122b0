"""Pages, filters and languages that a list cannot have are refused by name."""

import pytest
from api.resources.five_collections import COLLECTIONS, LIST_FILTERS
from api.resources.wrong_values import HUGE

pytestmark = pytest.mark.without_mongodb


@pytest.mark.parametrize("parameter", ["page", "per_page"])
@pytest.mark.parametrize("collection", COLLECTIONS)
def test_a_page_is_a_number_above_zero(anyone, collection, parameter):
    for value in ("0", "-1", "x", "", "1.5", "NaN", "inf", "\0", "1\0", "[]", "٣"):
        answer = anyone.get(f"/{collection}", **{parameter: value})

        assert answer.status_code == 400, value
        assert answer.invalid_params == [parameter]


@pytest.mark.parametrize("collection", COLLECTIONS)
def test_a_page_has_at_most_fifty_records(anyone, collection):
    for size in (51, HUGE, "9" * 400):
        answer = anyone.get(f"/{collection}", per_page=size)

        assert answer.status_code == 200
        assert "per_page=50" in answer.json["rest_url"]


@pytest.mark.parametrize("collection", COLLECTIONS)
def test_page_beyond_the_end_is_not_found_or_empty(anyone, collection):
    for page in (2, 10**6, HUGE):
        answer = anyone.get(f"/{collection}", page=page)

        if collection in ("categories", "tags"):
            assert answer.status_code == 200
            assert answer.json[collection] == []
        else:
            assert answer.status_code == 404
            assert answer.code == f"{collection[:-1]}-archive-page-not-found"


def test_a_filter_that_nothing_can_match_is_refused_by_name(anyone):
    for collection, filters in LIST_FILTERS.items():
        for name in set(filters) - {"search", "slug"}:
            for value in ("0", "-1", "nope", "$ne", str(HUGE), "\0", "{}", "1,x"):
                answer = anyone.get(f"/{collection}", **{name: value})
                if (name, value) == ("include", str(HUGE)) and collection == "events":
                    continue

                assert answer.status_code == 400, (collection, name, value)
                assert answer.invalid_params == [name]


@pytest.mark.parametrize("language", ["xx", "de,rm", "\0", "$ne", "deutsch"])
def test_a_language_that_the_site_does_not_have_is_refused(anyone, language):
    for collection in COLLECTIONS:
        answer = anyone.get(f"/{collection}", translation_language=language)

        assert answer.status_code == 400
        assert answer.invalid_params == ["translation_language"]


@pytest.mark.parametrize("key", ["a", "3", "$ne"])
def test_list_with_named_brackets_is_a_list(as_admin, make_event, make_category, key):
    category = make_category()
    matching_event_id = make_event(categories=[category["id"]])["id"]
    make_event()
    for name, value in (("include", matching_event_id), ("categories", category["slug"])):
        answer = as_admin.send("GET", f"/events?{name}[{key}]={value}&{name}[b]={value}")

        assert [event["id"] for event in answer.json["events"]] == [matching_event_id]
        assert f"{name}={value}%2C{value}" in answer.json["rest_url"]
    assert as_admin.send("GET", f"/events?status[{key}]=publish").json["total"] == 2
    assert as_admin.send("GET", f"/events?status[{key}]=draft").json["total"] == 0


@pytest.mark.parametrize("name", ["include", "categories", "venue", "status", "event_status"])
def test_a_list_of_objects_is_refused_without_a_word_of_how_it_is_read(as_admin, name):
    answer = as_admin.send("GET", f"/events?{name}[a][b]=concert")

    assert (answer.status_code, answer.invalid_params) == (400, [name])
    assert "{" not in answer.json["data"]["params"][name]


@pytest.mark.parametrize("name", ["translation_language", "fallback"])
def test_unknown_language_is_reported_with_other_errors(anyone, as_admin, make_venue, name):
    assert set(anyone.get("/events", page=0, **{name: "xx"}).invalid_params) == {"page", name}
    query = {"query_string": {name: "xx"}}
    invalid = as_admin.send("POST", "/tags", json={"name": " "}, **query)
    assert set(invalid.invalid_params) == {"name", name}
    changed = f"/venues/{make_venue()['id']}"
    for path in (changed, "/events/999999"):
        wrong = as_admin.send("PUT", path, json={"status": "nope"}, **query)
        assert set(wrong.invalid_params) == {"status", name}, path
    missing = as_admin.send("POST", "/tags", json={}, **query)
    assert (missing.code, missing.invalid_params) == ("rest_missing_callback_param", ["name"])


@pytest.mark.parametrize("name", ["translation_language", "fallback"])
def test_unknown_language_is_reported_before_the_record(anyone, as_admin, make_event, name):
    hidden = make_event(status="draft")["id"]
    for path in ("/events/999999", f"/events/{hidden}", "/venues/999"):
        assert anyone.get(path, **{name: "xx"}).invalid_params == [name], path
    for path in ("/events/999999", f"/events/{hidden}"):
        assert as_admin.delete(path, **{name: "xx"}).invalid_params == [name], path
    assert as_admin.get(f"/events/{hidden}").json["status"] == "draft"
