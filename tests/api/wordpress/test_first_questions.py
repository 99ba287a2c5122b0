"""What programs for WordPress ask first: who they are, and which types and taxonomies there are."""

import pytest
from calling import SITE

ROOT = f"{SITE}/wp/v2"
ME = "/users/me"


def test_a_user_learns_who_they_are(wordpress, as_author):
    me = wordpress("GET", ME, by=as_author)
    assert me.status_code == 200
    assert (me.json["id"], me.json["name"], me.json["slug"]) == (as_author.id, "author", "author")
    assert me.json["_links"]["self"] == [{"href": f"{ROOT}{ME}"}]
    assert "email" not in me.json


def test_a_user_sees_all_of_themselves_in_the_context_of_editors(wordpress, as_author):
    me = wordpress("GET", ME, by=as_author, query_string={"context": "edit"}).json
    assert (me["username"], me["roles"]) == ("author", ["author"])
    for may in ("read", "edit_posts", "publish_tribe_events", "upload_files"):
        assert me["capabilities"][may] is True
    assert "edit_others_posts" not in me["capabilities"]


def test_strangers_are_told_that_they_are_not_logged_in(wordpress):
    answer = wordpress("GET", ME)
    assert (answer.status_code, answer.code) == (401, "rest_not_logged_in")
    assert answer.json["data"] == {"status": 401}


def test_wrong_credentials_are_refused(wordpress):
    answer = wordpress("GET", ME, headers={"Authorization": "Basic YXV0aG9yOndyb25n"})
    assert answer.status_code == 401


def test_types_name_their_routes_and_taxonomies(wordpress):
    types = wordpress("GET", "/types").json
    assert set(types) == {"tribe_events", "tribe_venue", "tribe_organizer", "attachment"}
    events = types["tribe_events"]
    assert (events["rest_base"], events["rest_namespace"]) == ("tribe_events", "wp/v2")
    assert events["taxonomies"] == ["post_tag", "tribe_events_cat"]
    assert events["_links"]["wp:items"] == [{"href": f"{ROOT}/tribe_events"}]
    assert wordpress("GET", "/types/tribe_events").json == events


def test_taxonomies_name_their_routes_and_types(wordpress):
    taxonomies = wordpress("GET", "/taxonomies").json
    assert set(taxonomies) == {"post_tag", "tribe_events_cat"}
    categories, tags = taxonomies["tribe_events_cat"], taxonomies["post_tag"]
    assert (categories["hierarchical"], tags["hierarchical"]) == (True, False)
    assert (tags["rest_base"], tags["types"]) == ("tags", ["tribe_events"])
    assert wordpress("GET", "/taxonomies/post_tag").json == tags


@pytest.mark.parametrize(("type_", "number"), [("tribe_events", 2), ("tribe_venue", 0)])
def test_taxonomies_may_be_asked_for_by_their_type(wordpress, type_, number):
    assert len(wordpress("GET", "/taxonomies", query_string={"type": type_}).json) == number


@pytest.mark.parametrize(
    ("path", "code"),
    [("/types/page", "rest_type_invalid"), ("/taxonomies/tags", "rest_taxonomy_invalid")],
)
def test_unknown_types_and_taxonomies_are_missed_as_wordpress_does(wordpress, path, code):
    answer = wordpress("GET", path)
    assert (answer.status_code, answer.code) == (404, code)


@pytest.mark.parametrize("path", ["/types", "/taxonomies"])
def test_the_context_of_editors_is_for_editors(wordpress, as_editor, path):
    sent = {"context": "edit"}
    answer = wordpress("GET", path, query_string=sent)
    assert (answer.status_code, answer.code) == (401, "rest_cannot_view")
    one = wordpress("GET", f"{path}/{next(iter(wordpress('GET', path).json))}", query_string=sent)
    assert (one.status_code, one.code) == (401, "rest_forbidden_context")
    seen = wordpress("GET", path, by=as_editor, query_string=sent).json
    assert all("labels" in each for each in seen.values())


def test_names_are_in_the_language_of_the_request(wordpress):
    types = wordpress("GET", "/types", query_string={"translation_language": "de"}).json
    assert types["tribe_venue"]["name"] == "Orte"


def test_the_index_names_these_routes(wordpress):
    routes = wordpress("GET", "").json["routes"]
    for path in (ME, "/types", r"/types/(?P<slug>[\w-]+)", "/taxonomies", "/media"):
        assert "GET" in routes[f"/wp/v2{path}"]["methods"]
