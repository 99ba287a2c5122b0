"""Keepers see to their own sources over HTTP, and learn nothing of others."""

import pytest
from keeping import kept

CLUB = {"name": "Club", "kind": "ics", "address": ""}
SUBSCRIBER, AUTHOR, CONTRIBUTOR = 5, 3, 4
# Who asks; the contributor keeps the source, and the author keeps another one.
CALLERS = ("anyone", "as_subscriber", "as_contributor2", "as_author", "as_contributor", "as_editor")
OF_KEEPERS, OF_MANAGERS = (401, 403, 403, 403, 200, 200), (401, 403, 403, 403, 403, 200)
RIGHTS = {
    ("GET", ""): OF_KEEPERS,
    ("GET", "/readings"): OF_KEEPERS,
    ("GET", "/readings/{reading}"): OF_KEEPERS,
    ("GET", "/register"): OF_KEEPERS,
    ("POST", "/read"): OF_KEEPERS,
    ("DELETE", "/read"): OF_KEEPERS,
    ("DELETE", ""): OF_MANAGERS,
}
CHANGES = [
    ({"terms": {"categories": {"Werbung": 0}}}, OF_KEEPERS),
    ({"name": "Choir"}, OF_MANAGERS),
    ({"status": "publish"}, OF_MANAGERS),
    ({"terms": {}, "address": "https://club.example.org/"}, OF_MANAGERS),
    ({"keepers": [CONTRIBUTOR, AUTHOR]}, (401, 403, 403, 403, 403, 403)),
]


@kept
def club(as_admin):
    """Return the id of a contributor's source, beside the source of an author."""
    as_admin.post("/sources", **CLUB | {"name": "Town"}, keepers=[AUTHOR])
    return as_admin.post("/sources", **CLUB, keepers=[CONTRIBUTOR]).json["id"]


@pytest.fixture
def answers(request):
    """Return a function that returns the status for each caller, the strongest last."""

    def ask(method, path, **body):
        callers = map(request.getfixturevalue, CALLERS)
        return tuple(each.send(method, path, json=body or None).status_code for each in callers)

    return ask


@pytest.mark.parametrize("case", RIGHTS)
def test_requests_about_a_source_are_for_its_keepers_and_managers(as_admin, answers, club, case):
    reading = as_admin.post(f"/sources/{club}/read").json["id"]
    method, path = case
    assert answers(method, f"/sources/{club}{path.format(reading=reading)}") == RIGHTS[case]


@pytest.mark.parametrize(("changes", "expected"), CHANGES)
def test_keepers_change_what_words_mean_and_nothing_else(answers, club, changes, expected):
    assert answers("PUT", f"/sources/{club}", **changes) == expected


def test_keepers_list_their_own_sources_alone(anyone, as_contributor, as_author, as_author2, club):
    assert [each["id"] for each in as_contributor.get("/sources").json["sources"]] == [club]
    assert [each["name"] for each in as_author.get("/sources").json["sources"]] == ["Town"]
    assert as_author2.get("/sources").status_code == 403
    assert anyone.get("/sources").status_code == 401


@pytest.mark.usefixtures("club")
def test_sources_of_others_look_like_none(as_contributor, as_admin):
    town = next(each for each in as_admin.get("/sources").json["sources"] if each["name"] == "Town")
    reading = as_admin.post(f"/sources/{town['id']}/read").json["id"]
    for path in ("", "/readings", f"/readings/{reading}", "/register"):
        there = as_contributor.get(f"/sources/{town['id']}{path}")
        missing = as_contributor.get(f"/sources/4711{path}")
        assert (there.status_code, there.json) == (missing.status_code, missing.json)


def test_report_of_another_source_is_not_found_below_ones_own(as_contributor, as_admin, club):
    town = next(each for each in as_admin.get("/sources").json["sources"] if each["name"] == "Town")
    reading = as_admin.post(f"/sources/{town['id']}/read").json["id"]
    assert as_contributor.get(f"/sources/{club}/readings/{reading}").status_code == 403


@pytest.mark.parametrize("keepers", [[SUBSCRIBER], [4711], ["4"], 4])
def test_a_keeper_is_a_user_who_may_write(as_admin, club, keepers):
    answer = as_admin.put(f"/sources/{club}", keepers=keepers)
    assert (answer.status_code, list(answer.json["data"]["params"])) == (400, ["keepers"])


def test_keeper_without_the_role_keeps_nothing(as_admin, as_contributor, club):
    as_admin.put(f"/users/{CONTRIBUTOR}", role="subscriber")
    assert as_contributor.get(f"/sources/{club}").status_code == 403


def test_keeper_without_the_role_is_in_nobodys_way(as_admin, as_editor, club):
    as_admin.put(f"/users/{CONTRIBUTOR}", role="subscriber")
    assert as_editor.put(f"/sources/{club}", vanished="cancel").status_code == 200
    both = as_admin.put(f"/sources/{club}", keepers=[CONTRIBUTOR, AUTHOR])
    assert both.json["keepers"] == [CONTRIBUTOR, AUTHOR]
    assert as_admin.put(f"/sources/{club}", keepers=[]).json["keepers"] == []
    assert as_admin.put(f"/sources/{club}", keepers=[CONTRIBUTOR]).status_code == 400


def test_editors_send_keepers_back_unchanged(as_editor, club):
    source = as_editor.get(f"/sources/{club}").json
    answer = as_editor.put(f"/sources/{club}", keepers=source["keepers"], vanished="cancel")
    assert (answer.status_code, answer.json["vanished"]) == (200, "cancel")


def test_two_keepers_at_once_lose_nothing(as_contributor, as_admin, as_author, club):
    as_admin.put(f"/sources/{club}", keepers=[CONTRIBUTOR, AUTHOR])
    tag = as_contributor.get(f"/sources/{club}").headers["ETag"]
    path, terms = f"/sources/{club}", {"categories": {"Werbung": 0}}

    def change(client, terms, tag):
        return client.send(
            "PUT", path, headers={"If-Match": tag}, json={"terms": terms}
        ).status_code

    assert change(as_author, terms, tag) == 200
    assert change(as_contributor, {}, tag) == 412
    assert as_admin.get(path).json["terms"] == terms
    assert change(as_contributor, {}, as_contributor.get(path).headers["ETag"]) == 200
