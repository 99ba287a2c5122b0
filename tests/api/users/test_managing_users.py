"""Administrators manage users through the interface."""

import pytest
from calling import BASE, SITE

from calendar_app.api.http.request.state import get_services

ROLES = ("subscriber", "contributor", "author", "editor", "administrator")


@pytest.fixture
def ursina(as_admin):
    answer = as_admin.post("/users", name="Ursina", role="author", email="ursina@example.org")
    assert answer.status_code == 201
    return answer.json


def test_list_shows_all_users_by_name_and_no_secret(as_admin):
    answer = as_admin.get("/users")

    assert [user["name"] for user in answer.json["users"]] == [
        "admin",
        "author",
        "author2",
        "contributor",
        "contributor2",
        "editor",
        "subscriber",
    ]
    assert answer.headers["X-WP-Total"] == "7"
    assert answer.json["users"][0] == {
        "id": 1,
        "name": "admin",
        "role": "administrator",
        "email": "",
        "display_name": "",
        "blocked": False,
        "application_passwords": ["password-1"],
        "has_desk_password": False,
        "sessions": 0,
        "invited_until": None,
        "rest_url": f"{SITE}{BASE}/users/1",
    }
    assert "argon2" not in answer.text
    assert "hint" not in answer.text


def test_list_is_narrowed_by_role_and_by_block(as_admin, ursina):
    as_admin.post(f"/users/{ursina['id']}", blocked=True)

    def names(**query):
        return [user["name"] for user in as_admin.get("/users", **query).json["users"]]

    assert names(role="author") == ["author", "author2", "Ursina"]
    assert names(blocked=True) == ["Ursina"]
    assert names(role="author", blocked=False) == ["author", "author2"]
    assert names(role="author", per_page=1, page=2) == ["author2"]


@pytest.mark.usefixtures("ursina")
def test_list_is_searched_by_parts_of_names_and_emails(as_admin):
    def names(**query):
        return [user["name"] for user in as_admin.get("/users", **query).json["users"]]

    assert names(search="URSI") == ["Ursina"]
    assert names(search="@example.ORG") == ["Ursina"]
    assert names(search="author", role="author", per_page=1, page=2) == ["author2"]
    assert names(search="^u") == names(search=".*") == []


def test_new_user_is_shown_with_a_link_to_set_the_password(as_admin, ursina):
    assert (ursina["name"], ursina["role"], ursina["email"]) == (
        "Ursina",
        "author",
        "ursina@example.org",
    )
    assert ursina["application_passwords"] == []
    assert ursina["invited_until"] == "2030-01-16 12:00:00"
    assert ursina["invitation"]["link"].startswith(f"{SITE}/desk/welcome?token=")
    assert ursina["invitation"]["mailed"] is False

    alone = as_admin.get(f"/users/{ursina['id']}")
    assert "invitation" not in alone.json
    assert alone.json == {name: value for name, value in ursina.items() if name != "invitation"}


def test_token_of_an_invitation_is_not_stored(as_admin, ursina, database):
    token = ursina["invitation"]["link"].partition("token=")[2]

    everything = [list(database[name].find()) for name in database.list_collection_names()]
    assert token not in repr(everything)
    # A repeated request is a new one, since its answer is kept nowhere.
    again = [
        as_admin.send(
            "POST", f"/users/{ursina['id']}/invitation", json={}, headers={"Idempotency-Key": "k"}
        ).json["invitation"]["link"]
        for _ in range(2)
    ]
    assert len(set(again)) == 2


@pytest.mark.parametrize(
    ("changes", "refused"),
    [
        ({"name": ""}, "name"),
        ({"name": "a:b"}, "name"),
        ({"name": "ADMIN"}, "name"),
        ({"role": "emperor"}, "role"),
        ({"email": "nowhere"}, "email"),
    ],
)
def test_wrong_value_of_a_new_user_is_named(as_admin, changes, refused):
    answer = as_admin.post("/users", **({"name": "Beat", "role": "author"} | changes))

    assert (answer.status_code, answer.invalid_params) == (400, [refused])
    assert as_admin.get("/users").json["total"] == 7


def test_name_and_role_of_a_new_user_are_needed(as_admin):
    answer = as_admin.post("/users")

    assert (answer.status_code, answer.json["data"]["params"]) == (400, ["name", "role"])


def test_role_and_email_are_changed_and_the_rest_stays(as_admin, ursina):
    address = f"/users/{ursina['id']}"

    changed = as_admin.patch(address, role="editor", email="U@example.org")

    assert (changed.json["role"], changed.json["email"]) == ("editor", "U@example.org")
    assert changed.json["invited_until"] == ursina["invited_until"]
    again = as_admin.put(address, **changed.json)
    assert again.json == changed.json


def test_name_of_a_user_stays(as_admin, ursina):
    answer = as_admin.patch(f"/users/{ursina['id']}", name="Other", role="editor")

    assert answer.invalid_params == ["name"]
    assert as_admin.get(f"/users/{ursina['id']}").json["role"] == "author"


def test_change_of_another_state_is_refused(as_admin, ursina):
    address = f"/users/{ursina['id']}"
    etag = as_admin.get(address).headers["ETag"]
    headers = {"If-Match": etag}

    assert as_admin.send("PATCH", address, json={"role": "editor"}, headers=headers).json["role"]
    late = as_admin.send("PATCH", address, json={"role": "author"}, headers=headers)
    assert late.status_code == 412
    assert as_admin.send("DELETE", address, headers=headers).status_code == 412


def test_new_role_counts_at_once(as_admin, as_author):
    as_admin.patch(f"/users/{as_author.id}", role="subscriber")

    assert as_author.post("/tags", name="x").status_code == 403


def test_removed_user_is_unknown_and_their_records_stay(as_admin, as_author, make_event):
    event = make_event(by=as_author)

    assert as_admin.delete(f"/users/{as_author.id}").json["name"] == "author"
    assert as_author.get("/events").code == "invalid_username"
    assert as_admin.get(f"/events/{event['id']}").status_code == 200
    assert as_admin.get(f"/users/{as_author.id}").code == "rest-user-not-found"


def test_revoked_application_password_opens_nothing(as_admin, as_author):
    assert as_author.get("/events").status_code == 200
    address = f"/users/{as_author.id}/application-passwords/password-1"

    assert as_admin.delete(address).json["application_passwords"] == []
    assert as_author.get("/events").code == "incorrect_password"
    assert as_admin.delete(address).status_code == 404


def test_blocked_user_is_kept_out_until_the_block_ends(as_admin, as_author):
    assert as_author.get("/events").status_code == 200

    as_admin.patch(f"/users/{as_author.id}", blocked=True)
    for answer in (as_author.get("/events"), as_author.post("/events", title="x")):
        assert (answer.status_code, answer.code) == (403, "user_blocked")

    as_admin.patch(f"/users/{as_author.id}", blocked=False)
    assert as_author.get("/events").status_code == 200


def test_other_workers_heed_a_block_a_role_and_a_revocation_at_once(worker, as_admin, as_author):
    address, author = f"/users/{as_author.id}", worker("author")
    event = {"title": "x", "start_date": "2030-02-01", "end_date": "2030-02-01"}
    assert author.post("/events", **event).status_code == 201

    as_admin.patch(address, role="subscriber")
    assert author.post("/events", **event).status_code == 403

    as_admin.patch(address, blocked=True)
    assert author.get("/events").code == "user_blocked"

    as_admin.patch(address, blocked=False)
    as_admin.delete(f"{address}/application-passwords/password-1")
    assert author.get("/events").code == "incorrect_password"


def test_wrong_secret_of_a_blocked_user_does_not_tell_of_the_block(as_admin, anyone, as_author):
    as_admin.patch(f"/users/{as_author.id}", blocked=True)

    answer = anyone.send("GET", "/events", auth=("author", "x" * 24))
    assert answer.code == "incorrect_password"


def test_block_voids_an_invitation_and_forbids_another(app, as_admin, ursina):
    token = ursina["invitation"]["link"].partition("token=")[2]
    as_admin.patch(f"/users/{ursina['id']}", blocked=True)

    assert get_services(app).invitations.user_of(token) is None
    assert as_admin.post(f"/users/{ursina['id']}/invitation").status_code == 400


@pytest.mark.parametrize("changes", [{"role": "editor"}, {"blocked": True}])
def test_last_administrator_stays_one(as_admin, changes):
    answer = as_admin.patch(f"/users/{as_admin.id}", **changes)

    assert (answer.status_code, answer.code) == (409, "last_administrator")
    assert as_admin.delete(f"/users/{as_admin.id}").code == "last_administrator"
    assert as_admin.get(f"/users/{as_admin.id}").json["role"] == "administrator"


def test_blocked_administrator_does_not_count_as_another(as_admin, as_editor):
    as_admin.patch(f"/users/{as_editor.id}", role="administrator")
    as_admin.patch(f"/users/{as_editor.id}", blocked=True)

    assert as_admin.patch(f"/users/{as_admin.id}", role="editor").status_code == 409


def test_administrator_without_a_password_does_not_count_as_another(as_admin, ursina):
    as_admin.patch(f"/users/{ursina['id']}", role="administrator")

    assert as_admin.patch(f"/users/{as_admin.id}", role="editor").code == "last_administrator"
    assert as_admin.patch(f"/users/{as_admin.id}", blocked=True).code == "last_administrator"
    assert as_admin.delete(f"/users/{as_admin.id}").code == "last_administrator"
    assert as_admin.delete(f"/users/{ursina['id']}").status_code == 200


def test_last_password_of_the_last_administrator_stays(as_admin, as_editor):
    password = "/users/{}/application-passwords/password-1".format

    assert as_admin.delete(password(as_admin.id)).code == "last_administrator"
    assert as_admin.delete(password(as_editor.id)).status_code == 200


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({"oidc_issuer": "https://login.example", "oidc_client_id": "calendar"}, 200),
        (
            {"oidc_issuer": "https://login.example", "oidc_client_id": "calendar", "desk": False},
            409,
        ),
        ({}, 409),
    ],
)
def test_administrator_known_to_the_provider_counts_where_there_is_one(
    as_admin, ursina, worker, changes, status
):
    as_admin.patch(f"/users/{ursina['id']}", role="administrator", email="ursina@example.org")

    answer = worker("admin", **changes).patch(f"/users/{as_admin.id}", role="editor")
    assert answer.status_code == status


def test_administrator_may_go_where_another_stays(as_admin, as_editor):
    as_admin.patch(f"/users/{as_editor.id}", role="administrator")

    assert as_admin.patch(f"/users/{as_admin.id}", role="editor").status_code == 200
    assert as_admin.get("/users").status_code == 403


def test_change_that_takes_nothing_away_passes_for_the_last_administrator(as_admin):
    answer = as_admin.patch(f"/users/{as_admin.id}", role="administrator", email="a@example.org")

    assert answer.json["email"] == "a@example.org"
