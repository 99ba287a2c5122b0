"""The Allow header lists the methods that the caller may use on a route or record."""

import pytest

pytestmark = pytest.mark.without_mongodb

READ = "GET"
COLLECTION = "GET, POST"
RECORD = "GET, DELETE, POST, PUT, PATCH"


@pytest.mark.parametrize("path", ["", "/doc", "/events", "/events/1", "/tags", "/tags/1"])
@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS"])
def test_strangers_may_read(anyone, method, path):
    assert anyone.send(method, path).headers["Allow"] == READ


@pytest.mark.parametrize(
    ("name", "path", "allowed"),
    [
        ("subscriber", "/events", READ),
        ("contributor", "/events", COLLECTION),
        ("contributor", "/events/1", RECORD),
        ("contributor", "/categories", READ),
        ("contributor", "/media", READ),
        ("author", "/categories/1", RECORD),
        ("author", "/tags/1", READ),
        ("author", "/media", COLLECTION),
        ("editor", "/tags/1", RECORD),
        ("admin", "/events/by-slug/x", RECORD),
        ("admin", "/venues", COLLECTION),
        ("admin", "/doc", READ),
    ],
)
def test_allow_header_lists_the_methods_of_each_role(calling_as, name, path, allowed):
    assert calling_as(name).send("OPTIONS", path).headers["Allow"] == allowed


@pytest.mark.parametrize("kind", ["event", "venue", "organizer"])
def test_of_a_record_of_somebody_else_the_caller_may_only_read(request, as_author, as_admin, kind):
    path = f"/{kind}s/{request.getfixturevalue(f'make_{kind}')()['id']}"

    for method in ("GET", "POST", "DELETE"):
        assert as_author.send(method, path).headers["Allow"] == READ, method
    assert as_admin.get(path).headers["Allow"] == RECORD


@pytest.mark.parametrize("kind", ["event", "venue", "organizer"])
def test_allow_header_of_a_record_depends_on_its_author(
    request, as_contributor, as_author, as_editor, kind
):
    make = request.getfixturevalue(f"make_{kind}")
    foreign_venue, own = make(), make(by=as_contributor, status="draft", slug="own")
    for path in (f"/{kind}s/{foreign_venue['id']}", f"/{kind}s/by-slug/{foreign_venue['slug']}"):
        for caller, allowed in ((as_contributor, READ), (as_author, READ), (as_editor, RECORD)):
            assert caller.send("OPTIONS", path).headers["Allow"] == allowed, path
            assert caller.get(path).headers["Allow"] == allowed, path
    for path in (f"/{kind}s/{own['id']}", f"/{kind}s/by-slug/own"):
        assert as_contributor.send("OPTIONS", path).headers["Allow"] == RECORD, path


def test_options_does_not_reveal_a_hidden_record(as_author, make_event):
    hidden = make_event(status="draft", slug="hidden")
    for path in ("/events/{id}", "/events/by-slug/{slug}"):
        there = as_author.send("OPTIONS", path.format_map(hidden))
        nowhere = as_author.send("OPTIONS", path.format(id=99999, slug="nowhere"))
        assert there.headers["Allow"] == nowhere.headers["Allow"] == RECORD
        assert there.json == nowhere.json


def test_of_a_hidden_record_the_caller_may_only_read(as_author, make_event):
    hidden = as_author.get(f"/events/{make_event(status='draft')['id']}")
    assert (hidden.status_code, hidden.headers["Allow"]) == (403, READ)


def test_contributor_may_only_read_their_published_event(as_admin, as_contributor, make_event):
    path = f"/events/{make_event(by=as_contributor)['id']}"
    assert as_contributor.get(path).headers["Allow"] == RECORD

    as_admin.post(path, status="publish")
    assert as_contributor.get(path).headers["Allow"] == READ


def test_of_a_picture_of_somebody_else_the_caller_may_only_read(as_author, as_author2, upload):
    path = f"/media/{upload()['id']}"
    for method in ("GET", "OPTIONS"):
        assert as_author2.send(method, path).headers["Allow"] == READ
        assert as_author.send(method, path).headers["Allow"] == RECORD


def test_author_may_change_a_category_of_somebody_else(as_author, make_category):
    assert as_author.get(f"/categories/{make_category()['id']}").headers["Allow"] == RECORD


def test_options_ignores_an_unknown_language(as_author, make_event):
    slug = make_event()["slug"]
    described = as_author.send("OPTIONS", f"/events/by-slug/{slug}?translation_language=xx")
    assert (described.status_code, described.headers["Allow"]) == (200, RECORD)


def test_refusals_carry_it_too(anyone, as_subscriber):
    assert anyone.get("/events/99999").headers["Allow"] == READ
    assert anyone.post("/events").headers["Allow"] == READ
    assert as_subscriber.post("/events").headers["Allow"] == READ


@pytest.mark.parametrize("path", ["/events", ""])
def test_wrong_method_is_answered_with_the_allowed_methods(as_admin, path):
    answer = as_admin.delete(path)
    assert (answer.status_code, answer.code) == (405, "rest_no_route")
    real = {"GET", "HEAD", "OPTIONS"} | ({"POST"} if path else set())
    assert answer.allow.as_set(preserve_casing=True) == real


def test_unknown_path_has_no_allow_header(anyone):
    assert "Allow" not in anyone.get("/nothing").headers


def test_options_refuses_wrong_credentials(anyone):
    answer = anyone.send("GET", "/events", headers={"Authorization": "Basic YTpi"})
    assert answer.status_code == 401
    assert "Allow" not in answer.headers
