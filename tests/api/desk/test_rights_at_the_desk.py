"""Which role opens which page of the desk, for every address that there is."""

import re

import pytest
from desk_rights import EVERYBODY, ROLES, ROWS

BY_AUTHOR = ("venues", "organizers", "events")
MAKERS = {
    "venues": "make_venue",
    "organizers": "make_organizer",
    "categories": "make_category",
    "tags": "make_tag",
    "media": "upload",
    "events": "make_event",
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
    """Return the pages by the part of the desk that they belong to, with their roles."""
    parts = {}
    for (method, rule), allowed in ROWS.items():
        if allowed == EVERYBODY:
            continue
        kinds = allowed if isinstance(allowed, dict) else {"venues": allowed}
        for kind, roles in kinds.items():
            part = rule.split("/")[2].partition("<")[0] or kind
            parts.setdefault(part, []).append((method, rule, kind, roles))
    return parts


@pytest.fixture
def address(request, as_author):
    """Return a function that fills in a rule with records of an author."""

    def fill(rule, kind):
        number = "999999"
        if "digits" in rule and kind in MAKERS:
            make = request.getfixturevalue(MAKERS[kind])
            number = str((make(as_author) if kind in BY_AUTHOR else make())["id"])
        path = re.sub(r"<any\(picture.*?>", "place", rule)
        path = re.sub(r"<any\(.*?>", kind, path)
        path = re.sub(r"<digits:revision>", "1", path)
        path = re.sub(r"<(digits|int):.*?>", number, path)
        return path.replace("<path:path>", "nowhere").replace("<language>", "rm")

    return fill


@pytest.mark.without_mongodb
@pytest.mark.parametrize("part", _cases())
def test_page_opens_for_its_roles_alone(desk, stranger, address, subtests, part):
    browsers = {role: desk(role) for role in ROLES}
    tokens = {role: {"csrf_token": browser.token()} for role, browser in browsers.items()}
    for method, rule, kind, roles in _cases()[part]:
        path = address(rule, kind)
        for role in ROLES:
            with subtests.test(page=f"{method} {rule}", kind=kind, role=role):
                token = tokens[role] if method != "GET" else None
                answer = browsers[role]._open(method, path, (), data=token)  # noqa: SLF001
                assert (answer.status == 403) == (role not in roles), (answer.status, answer.text)
                assert answer.status < 500
        with subtests.test(page=f"{method} {rule}", kind=kind, role="stranger"):
            answer = stranger._open(method, path, ())  # noqa: SLF001
            assert answer.status == (303 if method == "GET" else 403)
            assert stranger.cookie() is None
