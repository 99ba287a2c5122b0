"""Sources over HTTP: who manages them, what they may be, how they stand."""

from datetime import timedelta

import pytest

CLUB = {"name": "Club", "kind": "ics", "address": "https://club.example.org/all.ics", "every": 60}


@pytest.fixture
def club(as_editor):
    """Return a source that an editor added."""
    return as_editor.post("/sources", **CLUB).json


def test_added_source_shows_its_settings_and_when_it_is_read(as_editor, club):
    answer = as_editor.get(f"/sources/{club['id']}")
    assert answer.status_code == 200
    assert answer.json == club
    assert {name: answer.json[name] for name in CLUB} == CLUB
    assert (answer.json["status"], answer.json["vanished"]) == ("pending", "keep")
    assert answer.json["due"]
    assert answer.json["rest_url"].endswith(f"/sources/{club['id']}")


def test_new_source_leaves_time_for_a_preview(club, clock):
    first = clock.now.replace(microsecond=0, tzinfo=None) + timedelta(minutes=CLUB["every"])
    assert club["due"].startswith(first.isoformat(sep=club["due"][10]))


def test_sources_are_listed_by_name_in_pages(as_editor):
    for name in ("Tirol", "Chor", "Museum"):
        as_editor.post("/sources", **CLUB | {"name": name})
    first = as_editor.get("/sources", per_page=2).json
    assert [each["name"] for each in first["sources"]] == ["Chor", "Museum"]
    assert (first["total"], first["total_pages"]) == (3, 2)
    second = as_editor.get("/sources", per_page=2, page=2).json
    assert [each["name"] for each in second["sources"]] == ["Tirol"]


def test_settings_that_are_sent_change_and_the_others_stay(as_editor, club):
    changed = as_editor.put(f"/sources/{club['id']}", vanished="cancel", every=0, daily_at="04:30")
    assert changed.status_code == 200
    new = {"vanished": "cancel", "every": 0, "daily_at": "04:30"}
    assert {name: changed.json[name] for name in new} == new
    assert changed.json["name"] == "Club"


def test_removed_source_is_gone(as_editor, club):
    assert as_editor.delete(f"/sources/{club['id']}").json["name"] == "Club"
    assert as_editor.get(f"/sources/{club['id']}").status_code == 404
    assert as_editor.delete(f"/sources/{club['id']}").status_code == 404


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ({"kind": "fax"}, "kind"),
        ({"name": ""}, "name"),
        ({"address": "file:///etc/passwd"}, "address"),
        ({"every": 5}, "every"),
        ({"every": "often"}, "every"),
        ({"daily_at": "25:00", "every": 0}, "daily_at"),
        ({"daily_at": "04:30"}, "daily_at"),
        ({"language": "xx"}, "language"),
        ({"timezone": "Moon/Sea"}, "timezone"),
        ({"defaults": {"venue": 4711}}, "defaults.venue"),
        ({"filters": {"from": "soon"}}, "filters.from"),
        ({"authority": {"title": "nobody"}}, "authority.title"),
        ({"author": 4711}, "author"),
    ],
)
def test_a_setting_that_cannot_be_is_named_and_nothing_is_stored(as_editor, values, named):
    answer = as_editor.post("/sources", **CLUB | values)
    assert answer.status_code == 400
    assert list(answer.json["data"]["params"]) == [named]
    assert as_editor.get("/sources").json["total"] == 0


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE"])
def test_only_editors_and_administrators_manage_sources(anyone, as_author, club, method):
    path = "/sources" if method == "POST" else f"/sources/{club['id']}"
    assert anyone.send(method, path).status_code == 401
    assert as_author.send(method, path).status_code == 403


def test_nobody_else_sees_readings(anyone, as_author, club):
    for path in ("readings", "readings/none"):
        assert anyone.get(f"/sources/{club['id']}/{path}").status_code == 401
        assert as_author.get(f"/sources/{club['id']}/{path}").status_code == 403
    assert as_author.post(f"/sources/{club['id']}/read").status_code == 403


@pytest.mark.parametrize("kind", ["tec", "calendar"])
def test_source_of_programs_needs_an_address_to_be_read_instead(as_editor, kind):
    path = f"/sources/{as_editor.post('/sources', name='Club', kind='push').json['id']}"
    answer = as_editor.patch(path, kind=kind)
    assert (answer.status_code, answer.invalid_params) == (400, ["address"])
    assert as_editor.get(path).json["kind"] == "push"


def test_source_that_names_a_deleted_category_can_still_be_changed(as_editor, club):
    category = as_editor.post("/categories", name="Music").json["id"]
    rules = [{"if": {}, "then": {"categories": [category]}}]
    path, defaults = f"/sources/{club['id']}", {"categories": [category]}
    as_editor.patch(path, rules=rules, defaults=defaults)
    as_editor.delete(f"/categories/{category}", force=True)
    answer = as_editor.patch(path, rank=5, rules=rules)
    assert (answer.status_code, answer.json.get("rank")) == (200, 5)
    wrong = as_editor.patch(path, rules=[*rules, *rules])
    assert (wrong.status_code, wrong.invalid_params[0]) == (400, "rules[0].then.categories")


def test_the_address_of_this_calendar_is_refused_by_name(as_editor, settings):
    own = f"{settings.site_url}/de{settings.api_prefix}/{settings.namespace}".upper()
    own = own.replace("HTTPS", "http").replace(settings.namespace.upper(), settings.namespace)
    own = own.replace(settings.api_prefix.upper(), settings.api_prefix)
    other = "https://other.example.org/wp-json/tribe/events/v1"
    refused = as_editor.post("/sources", name="Us", kind="calendar", address=own)
    assert (refused.status_code, [*refused.json["data"]["params"]]) == (400, ["address"])
    source = as_editor.post("/sources", name="Them", kind="calendar", address=other).json["id"]
    refused = as_editor.put(f"/sources/{source}", address=own)
    assert (refused.status_code, [*refused.json["data"]["params"]]) == (400, ["address"])
