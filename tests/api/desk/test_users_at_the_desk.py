"""Administrators manage users at the desk; nobody else sees the pages."""

import pytest
from desking import form_of

READS = ["/users/", "/users/new", "/users/3"]
WRITES = [
    "/users/new",
    "/users/3",
    "/users/3/block",
    "/users/3/invitation",
    "/users/3/sessions/end",
    "/users/3/passwords/revoke",
    "/users/3/remove",
]


@pytest.fixture
def admin(desk):
    return desk("admin")


@pytest.mark.parametrize("name", ["editor", "author", "contributor", "subscriber"])
def test_others_may_not_open_or_change_users(desk, as_admin, name):
    browser, before = desk(name), as_admin.get("/users/3").json
    token = browser.token()

    assert {browser.get(path).status for path in READS} == {403}
    sent = [browser.post(path, csrf_token=token, blocked="true").status for path in WRITES]
    assert set(sent) == {403}
    assert as_admin.get("/users/3").json == before | {"sessions": int(name == "author")}
    assert not browser.get("/").tree.xpath('//nav//a[@href="/desk/users/"]')


def test_strangers_are_led_to_the_login(stranger):
    assert {stranger.get(path).status for path in READS} == {303}
    assert {stranger.post(path).status for path in WRITES} <= {400, 403}


def test_writes_need_the_token_of_the_session(admin, as_admin):
    before = as_admin.get("/users").json

    assert {admin.post(path, blocked="true").status for path in WRITES} == {403}
    assert as_admin.get("/users").json == before


def test_list_shows_names_roles_and_states(admin, as_admin):
    as_admin.patch("/users/3", blocked=True)
    page = admin.get("/users/")

    assert all(name in page.text for name in ("admin", "editor", "contributor2"))
    assert len(page.tree.xpath('//tbody//*[contains(@class, "tag-danger")]')) == 1
    assert b"argon2" not in page.answer.data
    authors = admin.get("/users/", query_string={"role": "author"})
    assert len(authors.tree.xpath("//tbody/tr")) == 2


@pytest.mark.parametrize("query", ["role=$ne", "page=0", "page=x", "page=99999999999999", "role="])
def test_bad_query_shows_a_list_all_the_same(admin, query):
    assert admin.get(f"/users/?{query}").status == 200


def test_invited_user_comes_with_a_link(admin, as_admin):
    page = admin.send("/users/new", name="Ursina", role="author", email="u@example.org")

    assert page.status == 200
    assert page.tree.xpath('//input[@id="link"]/@value')[0].partition("token=")[2]
    assert [user["name"] for user in as_admin.get("/users", role="author").json["users"]] == [
        "author",
        "author2",
        "Ursina",
    ]


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"name": "admin"}, "name"),
        ({"name": "a:b"}, "name"),
        ({"name": ""}, "name"),
        ({"name": "new", "email": "nowhere"}, "email"),
    ],
)
def test_wrong_value_is_named_and_what_was_typed_stays(admin, as_admin, sent, field):
    page = admin.send("/users/new", **{"role": "editor", "email": "u@example.org"} | sent)

    assert page.status == 400
    assert page.tree.xpath(f'//*[@id="{field}"]/@aria-invalid') == ["true"]
    assert page.tree.xpath('//input[@name="role"][@checked]/@value') == ["editor"]
    assert as_admin.get("/users").json["total"] == 7


def test_role_and_email_are_changed(admin, as_admin):
    admin.send("/users/3", action="/users/3", role="editor", email="a@example.org")

    changed = as_admin.get("/users/3").json
    assert (changed["role"], changed["email"]) == ("editor", "a@example.org")


def test_changed_email_alone_ends_no_session(admin, desk):
    author = desk("author")
    admin.send("/users/3", action="/users/3", email="a@example.org")
    assert author.get("/me/").status == 200

    admin.send("/users/3", action="/users/3", role="editor")
    assert author.get("/me/").status == 303


def test_block_ends_sessions_at_once_and_keeps_out(admin, desk, stranger, as_author):
    author = desk("author")
    admin.send("/users/3", action="/block", blocked="true")

    assert author.get("/me/").status == 303
    assert stranger.log_in("author").status == 403
    assert as_author.get("/events").code == "user_blocked"

    admin.send("/users/3", action="/block", blocked="false")
    assert stranger.log_in("author").status == 303


def test_sessions_are_ended_and_passwords_revoked(admin, desk, as_author):
    author = desk("author")
    admin.send("/users/3", action="/sessions/end")
    assert author.get("/me/").status == 303

    admin.send("/users/3", action="/passwords/revoke")
    assert as_author.get("/events").status_code == 401


def test_removed_user_is_gone(admin, as_admin):
    assert admin.send("/users/3", action="/remove").headers["Location"] == "/desk/users/"

    assert as_admin.get("/users/3").status_code == 404
    assert admin.get("/users/3").status == 404


@pytest.mark.parametrize(
    ("action", "sent"),
    [
        ("/block", {"blocked": "true"}),
        ("/remove", {}),
        ("/users/1", {"role": "editor"}),
    ],
)
def test_last_administrator_stays_and_is_told_why(admin, as_admin, action, sent):
    page = admin.send("/users/1", action=action, **sent)

    assert page.status == 409
    assert page.tree.xpath('//div[@role="alert"]')
    assert as_admin.get("/users/1").json["role"] == "administrator"


def test_texts_of_users_are_shown_as_texts(admin, as_admin):
    as_admin.post("/users", name="<script>x</script>", role="author", email='"><b>@example.org')

    for path in ("/users/", "/users/8"):
        sent = admin.get(path).answer.data
        assert b"<script>x" not in sent
        assert b"<b>@" not in sent


def test_what_two_administrators_change_at_once_is_shown(admin, as_admin):
    read = dict(form_of(admin.get("/users/3")).form_values())
    as_admin.patch("/users/3", role="contributor")
    answer = admin.post("/users/3", **{**read, "role": "editor"})
    assert answer.status == 412
    assert "admin hat dies um 13:00 gespeichert" in answer.text
    assert as_admin.get("/users/3").json["role"] == "contributor"
    read = dict(form_of(answer).form_values())
    assert read["role"] == "editor"
    assert admin.post("/users/3", **read).status == 303
    assert as_admin.get("/users/3").json["role"] == "editor"


def test_fields_that_others_change_meanwhile_stay_changed(admin, as_admin):
    read = dict(form_of(admin.get("/users/3")).form_values())
    as_admin.patch("/users/3", role="contributor")
    assert admin.post("/users/3", **{**read, "email": "ursina@example.org"}).status == 303
    user = as_admin.get("/users/3").json
    assert (user["role"], user["email"]) == ("contributor", "ursina@example.org")


def test_search_keeps_the_role_and_says_where_nobody_fits(admin):
    page = admin.get("/users/", query_string={"search": "AUTHOR", "role": "author"})

    assert len(page.tree.xpath("//tbody/tr")) == 2
    assert page.tree.xpath('//input[@name="search"]/@value') == ["AUTHOR"]
    tabs = page.tree.xpath('//nav[@class="tabs"]/a/@href')
    assert len(tabs) == 2
    assert all("search=AUTHOR" in address for address in tabs)
    assert not admin.get("/users/", query_string={"search": "nobody"}).tree.xpath("//tbody")


def test_display_name_stands_beside_the_name_to_log_in_with(admin, as_admin):
    assert admin.send("/users/3", display_name="Anna Caduff").status == 303
    assert as_admin.get("/users/3").json["display_name"] == "Anna Caduff"
    row = next(
        row
        for row in admin.get("/users/").tree.xpath("//tbody/tr")
        if "Anna" in row[0].text_content()
    )
    assert "author" in row.text_content()
    assert (
        len(admin.get("/users/", query_string={"search": "caduff"}).tree.xpath("//tbody/tr")) == 1
    )


@pytest.mark.parametrize("name", ["x" * 101, "Anna\nCaduff"])
def test_odd_display_name_is_refused(as_admin, name):
    answer = as_admin.patch("/users/3", display_name=name)
    assert answer.status_code == 400
    assert "display_name" in answer.json["data"]["params"]
