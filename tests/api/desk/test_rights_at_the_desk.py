"""Which role opens which page of the desk, for every address that there is."""

import pytest

ROLES = ("subscriber", "contributor", "author", "editor", "admin")
EVERYBODY, KNOWN = "everybody", "known"
WRITERS = ("contributor", "author", "editor", "admin")
AUTHORS = ("author", "editor", "admin")
EDITORS = ("editor", "admin")
ADMINS = ("admin",)

# Who may open each address, by method. A page of the desk without a row here fails.
_KIND = "/desk/<any(venues,organizers,categories,tags,media):kind>"
PARTS = (
    "<any(venues,organizers,categories,tags,media):kind>",
    "<any(venues,organizers):kind>",
    "<any(events,venues,organizers,categories,tags,series,media):name>",
    "<any(events,venues,organizers,series):name>",
)
_HISTORY = (
    "/desk/<any(events,venues,organizers,categories,tags,series,media):name>"
    "/<digits:record_id>/history"
)
_WITH_HISTORY = {
    "events": AUTHORS,
    "venues": AUTHORS,
    "organizers": AUTHORS,
    "categories": AUTHORS,
    "tags": EDITORS,
    "media": AUTHORS,
}
BY_AUTHOR = ("venues", "organizers", "events")
MAKERS = {
    "venues": "make_venue",
    "organizers": "make_organizer",
    "categories": "make_category",
    "tags": "make_tag",
    "media": "upload",
    "events": "make_event",
}
ROWS = {
    ("GET", "/desk/static/<path:name>"): EVERYBODY,
    ("GET", "/desk/login"): EVERYBODY,
    ("POST", "/desk/login"): EVERYBODY,
    ("POST", "/desk/logout"): EVERYBODY,
    ("GET", "/desk/"): ROLES,
    ("GET", "/desk/me/"): ROLES,
    ("POST", "/desk/me/language"): ROLES,
    ("POST", "/desk/me/password"): ROLES,
    ("POST", "/desk/me/sessions/end"): ROLES,
    ("POST", "/desk/me/application-passwords"): ROLES,
    ("POST", "/desk/me/application-passwords/revoke"): ROLES,
    ("GET", "/desk/missing/<any(picture,place,category):what>"): WRITERS,
    ("GET", f"{_KIND}/"): {
        "venues": WRITERS,
        "organizers": WRITERS,
        "categories": AUTHORS,
        "tags": EDITORS,
        "media": AUTHORS,
    },
    **{
        (method, f"{_KIND}/{path}"): {
            "venues": WRITERS if path == "new" else AUTHORS,
            "organizers": WRITERS if path == "new" else AUTHORS,
            "categories": AUTHORS,
            "tags": EDITORS,
            "media": AUTHORS,
        }
        for method in ("GET", "POST")
        for path in ("new", "<digits:record_id>", "<digits:record_id>/delete")
    },
    ("POST", "/desk/<any(venues,organizers):kind>/<digits:record_id>/restore"): AUTHORS,
    ("GET", "/desk/events/"): WRITERS,
    ("GET", "/desk/events/week"): WRITERS,
    ("POST", "/desk/events/several"): WRITERS,
    ("GET", "/desk/events/new"): WRITERS,
    ("POST", "/desk/events/new"): WRITERS,
    ("GET", "/desk/events/<digits:record_id>"): {"events": AUTHORS},
    ("POST", "/desk/events/<digits:record_id>"): {"events": AUTHORS},
    ("POST", "/desk/events/<digits:record_id>/trash"): {"events": AUTHORS},
    ("POST", "/desk/events/<digits:record_id>/take-back"): {"events": AUTHORS},
    ("POST", "/desk/events/<digits:record_id>/cancel"): {"events": AUTHORS},
    ("POST", "/desk/events/reading"): WRITERS,
    ("GET", "/desk/events/suggestions"): WRITERS,
    ("GET", "/desk/series/<digits:record_id>"): {"missing": WRITERS},
    ("POST", "/desk/series/<digits:record_id>"): {"missing": WRITERS},
    ("GET", _HISTORY): _WITH_HISTORY,
    ("GET", f"{_HISTORY}/<digits:revision>"): _WITH_HISTORY,
    ("POST", f"{_HISTORY}/<digits:revision>/restore"): _WITH_HISTORY,
    ("GET", "/desk/trash/"): WRITERS,
    ("POST", "/desk/trash/<any(events,venues,organizers,series):name>/<digits:record_id>"): {
        "events": AUTHORS,
        "venues": AUTHORS,
    },
    **{
        (method, "/desk/<path:path>"): ROLES for method in ("GET", "POST", "PUT", "PATCH", "DELETE")
    },
}


def _pages(app):
    """Return method and rule of every page of the desk."""
    return {
        (method, rule.rule)
        for rule in app.url_map.iter_rules()
        if rule.endpoint.startswith("desk.")
        for method in rule.methods - {"HEAD", "OPTIONS"}
    }


@pytest.mark.without_mongodb
def test_every_page_of_the_desk_has_a_row(app):
    assert _pages(app) == set(ROWS)


def _cases():
    for (method, rule), allowed in ROWS.items():
        if allowed == EVERYBODY:
            continue
        kinds = allowed if isinstance(allowed, dict) else {"venues": allowed}
        for kind, roles in kinds.items():
            yield pytest.param((method, rule, kind, roles), id=f"{method} {rule} {kind}")


@pytest.fixture
def address(request, as_author):
    """Return a function that fills in a rule with records of an author."""

    def fill(rule, kind):
        path = rule
        for part in PARTS:
            path = path.replace(part, kind)
        if kind == "missing":
            path = path.replace("<digits:record_id>", "999999")
        if "<digits:record_id>" in path:
            make = request.getfixturevalue(MAKERS[kind])
            record = make(as_author) if kind in BY_AUTHOR else make()
            path = path.replace("<digits:record_id>", str(record["id"]))
        path = path.replace("<any(picture,place,category):what>", "place")
        path = path.replace("<digits:revision>", "1")
        return path.replace("<path:path>", "nowhere")

    return fill


@pytest.mark.without_mongodb
@pytest.mark.parametrize("case", list(_cases()))
def test_page_opens_for_its_roles_alone(desk, stranger, address, case):
    method, rule, kind, roles = case
    path = address(rule, kind)
    for role in ROLES:
        browser = desk(role)
        token = {"csrf_token": browser.token()} if method != "GET" else {}
        answer = browser._open(method, path, (), data=token or None)  # noqa: SLF001
        assert (answer.status == 403) == (role not in roles), (role, answer.status, answer.text)
        assert answer.status < 500
    answer = stranger._open(method, path, ())  # noqa: SLF001
    assert answer.status == (303 if method == "GET" else 403)
    assert stranger.cookie() is None
