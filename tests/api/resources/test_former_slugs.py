"""Slugs that records had: links to them lead on."""

import pytest
from keeping import kept

PLURALS = {"event": "events", "venue": "venues", "organizer": "organizers"}
LABELS = {"event": "title", "venue": "venue", "organizer": "organizer"}


@pytest.fixture
def renamed(request, as_admin):
    """Return a function that creates a record and renames its slug from ``old`` to ``new``."""

    def make(kind, **changes):
        record = request.getfixturevalue(f"make_{kind}")(slug="old", **changes)
        path = f"/{PLURALS[kind]}/{record['id']}"
        language = changes.get("translation_language", "de")
        answer = as_admin.post(path, slug="new", translation_language=language)
        assert answer.json["slug"] == "new"
        return record

    return make


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("kind", PLURALS)
def test_former_slug_redirects_to_the_current_slug(anyone, renamed, kind, method):
    renamed(kind)
    answer = anyone.send(method, f"/{PLURALS[kind]}/by-slug/old")
    assert answer.status_code == 301
    address = f"https://calendar.example/calendar/events/v1/{PLURALS[kind]}/by-slug/new"
    assert answer.headers["Location"] == address


def test_the_way_on_keeps_the_parameters(anyone, renamed):
    record = renamed("event")
    query = {"translation_language": "rm", "fallback": "de", "_fields": "id,language"}
    answer = anyone.get("/events/by-slug/old", **query)
    assert answer.status_code == 301
    response = anyone.follow(answer.headers["Location"])
    assert response.json == {"id": record["id"], "language": "rm"}


def test_the_way_on_keeps_the_language_in_front(app, renamed):
    renamed("event")
    answer = app.test_client().get("/rm/calendar/events/v1/events/by-slug/old")
    address = "https://calendar.example/rm/calendar/events/v1/events/by-slug/new"
    assert (answer.status_code, answer.headers["Location"]) == (301, address)


def test_redirect_from_a_former_slug_is_revalidated(anyone, renamed):
    renamed("event")
    answer = anyone.get("/events/by-slug/old")
    assert answer.headers["Cache-Control"] == "no-cache"


def test_redirect_to_a_draft_is_never_stored(as_admin, renamed):
    renamed("event", status="draft")
    answer = as_admin.get("/events/by-slug/old")
    assert {"no-store", "private"} <= set(answer.headers["Cache-Control"].split(", "))


def test_redirect_has_the_usual_headers(anyone, renamed):
    renamed("event")
    answer = anyone.get("/events/by-slug/old", translation_language="rm")
    headers = anyone.get("/events/by-slug/new", translation_language="rm").headers
    for name in ("Content-Language", "X-Robots-Tag", "X-Content-Type-Options"):
        assert answer.headers[name] == headers[name]
    assert 'rel="https://api.w.org/"' in answer.headers["Link"]


def test_the_way_on_has_no_content(anyone, renamed):
    renamed("event")
    answer = anyone.get("/events/by-slug/old", password="secret")
    assert answer.data == b""


def test_former_slug_redirects_within_its_language(anyone, as_admin, renamed):
    record = renamed("event", translation_language="rm")
    as_admin.post(f"/events/{record['id']}", title="Konzert", slug="konzert")
    location = anyone.get("/events/by-slug/old").headers["Location"]
    assert location.endswith("/events/by-slug/new")


def test_every_former_slug_redirects_to_the_current_slug(anyone, as_admin, renamed):
    record = renamed("event")
    as_admin.post(f"/events/{record['id']}", slug="newest")
    for slug in ("old", "new"):
        assert anyone.get(f"/events/by-slug/{slug}").headers["Location"].endswith("/newest")


def test_a_slug_that_a_record_takes_back_is_its_own_again(anyone, as_admin, renamed):
    record = renamed("event")
    as_admin.post(f"/events/{record['id']}", slug="old")
    assert anyone.get("/events/by-slug/old").json["id"] == record["id"]
    assert anyone.get("/events/by-slug/new").status_code == 301


def test_a_former_slug_is_free_for_another_record(anyone, make_event, renamed):
    renamed("event")
    other_event = make_event(slug="old")
    assert other_event["slug"] == "old"
    assert anyone.get("/events/by-slug/old").json["id"] == other_event["id"]


def test_former_slug_redirects_again_after_its_release(anyone, as_admin, make_event, renamed):
    renamed("event")
    other_event = make_event(slug="old")
    as_admin.post(f"/events/{other_event['id']}", slug="other")
    assert anyone.get("/events/by-slug/old").headers["Location"].endswith("/other")


def test_a_title_alone_changes_no_address(anyone, as_admin, make_event):
    event = make_event(title="Konzert")
    as_admin.post(f"/events/{event['id']}", title="Sommerkonzert")
    assert anyone.get("/events/by-slug/konzert").json["id"] == event["id"]


def test_a_slug_that_never_was_is_unknown(anyone, renamed):
    renamed("event")
    answer = anyone.get("/events/by-slug/never")
    assert (answer.status_code, answer.invalid_params) == (400, ["slug"])


def test_writes_by_a_former_slug_find_nothing(as_admin, renamed):
    renamed("event")
    assert as_admin.post("/events/by-slug/old", title="Neu").status_code == 404
    deleted = as_admin.delete("/events/by-slug/old")
    assert (deleted.status_code, deleted.invalid_params) == (400, ["slug"])


@pytest.mark.parametrize("status", ["draft", "private"])
def test_former_slug_of_a_hidden_record_is_unknown_to_strangers(anyone, as_admin, renamed, status):
    record = renamed("event")
    as_admin.post(f"/events/{record['id']}", status=status)
    assert anyone.get("/events/by-slug/old").status_code == 400
    assert as_admin.get("/events/by-slug/old").status_code == 301


def test_a_former_slug_is_forgotten_with_its_record(anyone, as_admin, renamed):
    record = renamed("event")
    as_admin.delete(f"/events/{record['id']}", force=True)
    assert anyone.get("/events/by-slug/old").status_code == 400


def test_the_trash_leaves_no_former_slug_behind(anyone, as_admin, make_event):
    event = make_event(slug="concert")
    as_admin.delete(f"/events/{event['id']}")
    assert anyone.get("/events/by-slug/concert").status_code == 400
    as_admin.post(f"/events/{event['id']}", status="publish")
    assert anyone.get("/events/by-slug/concert").json["id"] == event["id"]
    assert as_admin.get("/events/by-slug/concert__trashed").status_code == 400


def test_former_slugs_are_separate_for_each_kind(anyone, renamed):
    renamed("event")
    assert anyone.get("/venues/by-slug/old").status_code == 400


@kept
def film_night(make_event, as_admin):
    """Return an event with terms renamed from the slugs ``kino`` and ``gratis``."""
    event = make_event(categories=["Kino"], tags=["Gratis"])
    as_admin.patch(f"/categories/{event['categories'][0]['id']}", slug="filme", name="Filme")
    as_admin.patch(f"/tags/{event['tags'][0]['id']}", slug="kostenlos", name="Kostenlos")
    return event


@pytest.mark.parametrize("suffix", ["", ".ics"])
def test_events_are_found_by_former_slugs_of_their_terms(anyone, make_event, film_night, suffix):
    make_event(title="Elsewhere", categories=["Musik"], tags=["Neu"])
    by_slug = anyone.get(f"/events{suffix}", categories="filme", tags="kostenlos")
    before = anyone.get(f"/events{suffix}", categories="kino", tags="gratis")
    assert before.status_code == by_slug.status_code == 200
    if suffix:
        assert before.data.count(b"BEGIN:VEVENT") == by_slug.data.count(b"BEGIN:VEVENT") == 1
    else:
        assert [event["id"] for event in before.json["events"]] == [film_night["id"]]


@pytest.mark.usefixtures("film_night")
def test_events_below_a_category_are_found_by_its_former_slug(anyone, as_admin, make_event):
    parent = anyone.get("/categories", slug="filme", hide_empty=False).json["categories"][0]["id"]
    below = as_admin.post("/categories", name="Kurzfilme", parent=parent).json["id"]
    event = make_event(categories=[below])
    listed_events = anyone.get("/events", categories="kino").json["events"]
    assert event["id"] in [each["id"] for each in listed_events]


def test_reused_slug_selects_its_new_term(anyone, make_event, film_night):
    other_event = make_event(categories=["Kino"])
    assert film_night["categories"][0]["id"] != other_event["categories"][0]["id"]
    listed_events = anyone.get("/events", categories="kino").json["events"]
    assert [event["id"] for event in listed_events] == [other_event["id"]]


def test_the_former_slug_of_a_term_that_is_gone_is_unknown(anyone, as_admin, film_night):
    assert anyone.get("/events", tags="gratis").status_code == 200
    as_admin.delete(f"/tags/{film_night['tags'][0]['id']}")
    answer = anyone.get("/events", tags="gratis")
    assert (answer.status_code, answer.invalid_params) == (400, ["tags"])


def test_a_write_takes_a_former_slug_of_a_term_for_a_name(as_admin, film_night):
    answer = as_admin.patch(f"/events/{film_night['id']}", tags=["gratis"])
    assert [tag["name"] for tag in answer.json["tags"]] == ["gratis"]
    assert answer.json["tags"][0]["id"] != film_night["tags"][0]["id"]
