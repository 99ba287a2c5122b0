import pytest

from calendar_app.accounts.callers import ANYONE, ROLES, Caller, Right

CONTRIBUTOR = {Right.EDIT, Right.DELETE}
AUTHOR = CONTRIBUTOR | {
    Right.PUBLISH,
    Right.EDIT_PUBLISHED,
    Right.DELETE_PUBLISHED,
    Right.MANAGE_CATEGORIES,
    Right.UPLOAD,
}


def test_there_are_five_roles_the_least_first():
    assert list(ROLES) == ["subscriber", "contributor", "author", "editor", "administrator"]


@pytest.mark.parametrize(
    ("role", "rights"),
    [
        ("subscriber", set()),
        ("contributor", CONTRIBUTOR),
        ("author", AUTHOR),
        ("editor", set(Right) - {Right.MANAGE_USERS}),
        ("administrator", set(Right)),
    ],
)
def test_a_role_gives_its_rights_and_no_others(role, rights):
    caller = Caller(id=7, name="somebody", role=role)

    assert {right for right in Right if caller.may(right)} == rights


def test_stranger_is_anonymous_without_rights():
    assert not ANYONE.known
    assert not any(ANYONE.may(right) for right in Right)


def test_a_role_without_an_identity_gives_no_rights():
    assert not Caller(role="administrator").may(Right.EDIT)


def test_a_role_that_does_not_exist_gives_no_rights():
    caller = Caller(id=7, name="somebody", role="emperor")

    assert caller.known
    assert not any(caller.may(right) for right in Right)
