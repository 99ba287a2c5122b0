"""The commands on users, as an operator types them, on a real MongoDB."""

import re
from datetime import UTC, datetime

import pytest
from click.testing import CliRunner

from calendar_app.accounts.callers import Caller
from calendar_app.accounts.secrets import Invitations
from calendar_app.accounts.users import Accounts
from calendar_app.cli import main
from calendar_app.errors import WrongSecret
from calendar_app.storage.mongo.store import Store

NEW_SECRET = re.compile(r"([A-Za-z0-9]{4} ){5}[A-Za-z0-9]{4}\n")
APPLICATION_PASSWORD = "adminAppPasswordadminApp"


@pytest.fixture
def run(database, mongod_uri):
    """Return a function that runs ``calendar-app users …`` on the empty database."""
    del database

    def run_users(*arguments):
        environment = {"CALENDAR_MONGODB_URI": mongod_uri}
        return CliRunner().invoke(main, ["users", *arguments], env=environment)

    return run_users


@pytest.fixture
def recognise(database):
    """Return a function that returns the caller of a name and a secret."""

    def authenticate(name, secret):
        accounts = Accounts(Store(database), lambda: datetime.now(UTC), 0)
        return accounts.authenticate(name, secret, "192.0.2.1")

    return authenticate


def refusal(result):
    """Return the one line on standard error of a command that was not done."""
    assert result.exit_code != 0
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    return line


def test_add_prints_a_new_password_and_nothing_else(run, recognise):
    result = run("add", "anna", "--role", "editor")

    assert result.exit_code == 0
    assert NEW_SECRET.fullmatch(result.stdout)
    assert recognise("anna", result.stdout) == Caller(1, "anna", "editor")


def test_add_takes_id_email_names_and_password(run, recognise, database):
    options = (
        "--id",
        "7",
        "--email",
        "a@example.org",
        "--display-name",
        "Anna Muster",
        "--application-password",
        APPLICATION_PASSWORD,
    )
    result = run("add", "anna", "--role", "author", *options)

    assert result.exit_code == 0
    assert APPLICATION_PASSWORD not in result.output
    assert recognise("anna", APPLICATION_PASSWORD) == Caller(7, "anna", "author")
    assert database["users"].find_one({"_id": 7})["display_name"] == "Anna Muster"
    assert "a@example.org" in run("list").stdout


def test_a_name_is_added_once(run):
    run("add", "anna", "--role", "author")

    assert "Anna" in refusal(run("add", "Anna", "--role", "author"))


def test_invalid_user_properties_are_refused(run):
    assert "colon" in refusal(run("add", "a:b", "--role", "author"))
    assert "id" in refusal(run("add", "anna", "--role", "author", "--id", "0"))
    far = refusal(run("add", "anna", "--role", "author", "--id", "99999999999999999999"))
    assert "from 1 to 9007199254740991" in far
    short = refusal(run("add", "a", "--role", "author", "--application-password", "x"))
    assert "16 characters" in short
    long = refusal(run("add", "anna", "--role", "author", "--display-name", "x" * 101))
    assert "100 characters" in long


@pytest.mark.parametrize("role", [(), ("--role", "emperor")])
def test_a_role_is_one_of_five(run, role):
    result = run("add", "anna", *role)

    assert result.exit_code == 2
    assert "administrator" in refusal(result)


def test_list_shows_every_user_and_no_secret(run):
    run("add", "anna", "--role", "editor", "--application-password", APPLICATION_PASSWORD)
    run("add", "beat", "--role", "subscriber")
    lines = run("list").stdout.splitlines()

    assert [line.split()[:3] for line in lines[1:]] == [
        ["1", "anna", "editor"],
        ["2", "beat", "subscriber"],
    ]
    assert APPLICATION_PASSWORD not in "".join(lines)


def test_role_gives_another_role_and_keeps_id_and_passwords(run, recognise):
    secret = run("add", "anna", "--role", "author", "--id", "7").stdout
    result = run("role", "anna", "editor")

    assert (result.exit_code, result.output) == (0, "")
    assert recognise("anna", secret) == Caller(7, "anna", "editor")


def test_unknown_role_and_unknown_user_are_refused(run):
    assert "administrator" in refusal(run("role", "nobody", "emperor"))
    assert "nobody" in refusal(run("role", "nobody", "editor"))


@pytest.mark.parametrize(
    "command",
    [
        ("role", "anna", "editor"),
        ("remove", "anna"),
        ("password", "anna", "--revoke", "password-1"),
    ],
)
def test_last_administrator_who_can_log_in_stays(run, command):
    run("add", "anna", "--role", "administrator")
    run("add", "beat", "--role", "administrator")
    run("password", "beat", "--revoke", "password-1")

    assert "No other administrator can log in." in refusal(run(*command))
    run("password", "beat", "--desk", "correct horse battery")
    assert run(*command).exit_code == 0


def test_administrator_who_could_not_log_in_goes(run):
    run("add", "anna", "--role", "administrator")
    run("add", "beat", "--role", "administrator")
    run("password", "beat", "--revoke", "password-1")

    assert run("remove", "beat").exit_code == 0


def test_remove_removes(run):
    run("add", "anna", "--role", "editor")

    assert run("remove", "anna").exit_code == 0
    assert "anna" not in run("list").stdout


@pytest.mark.parametrize("command", [("remove",), ("password",), ("password", "--revoke", "x")])
def test_an_unknown_user_is_named_in_the_refusal(run, command):
    assert "nobody" in refusal(run(*command, "nobody"))


def test_password_command_prints_another_password(run, recognise):
    first = run("add", "anna", "--role", "editor").stdout
    second = run("password", "anna", "--label", "phone").stdout

    assert NEW_SECRET.fullmatch(second)
    assert recognise("anna", first) == recognise("anna", second)
    assert "phone" in run("list").stdout


def test_revoke_removes_a_password(run, recognise):
    first = run("add", "anna", "--role", "editor").stdout
    phone = run("password", "anna", "--label", "phone").stdout
    result = run("password", "anna", "--revoke", "phone")

    assert (result.exit_code, result.output) == (0, "")
    assert recognise("anna", first).known
    with pytest.raises(WrongSecret):
        recognise("anna", phone)


def test_invitation_is_printed_as_a_link_that_holds_once(run, database):
    run("add", "ursina", "--role", "author")
    links = [run("invite", "Ursina").output.strip() for _ in range(2)]

    assert all(link.startswith("http://127.0.0.1:8000/desk/welcome?token=") for link in links)
    invitations = Invitations(Store(database), lambda: datetime.now(UTC).replace(tzinfo=None))
    holding = [invitations.user_of(link.partition("token=")[2]) for link in links]
    assert holding == [None, 1]


def test_nobody_unknown_is_invited(run):
    refusal = run("invite", "nobody")

    assert (refusal.exit_code, refusal.output) == (1, "Error: There is no user nobody.\n")


def test_unknown_label_is_not_revoked(run):
    run("add", "anna", "--role", "editor")

    assert "phone" in refusal(run("password", "anna", "--revoke", "phone"))


def test_a_password_is_made_or_revoked_not_both(run):
    result = run("password", "anna", "--label", "a", "--revoke", "b")

    assert result.exit_code != 0
    assert "--label" in result.stderr


@pytest.mark.parametrize("command", ["add", "list", "role", "remove", "password"])
def test_every_command_explains_itself(run, command):
    result = run(command, "--help")

    assert result.exit_code == 0
    assert command in result.stdout


@pytest.mark.parametrize("email", ["notmail", "a@", "a b@example.org"])
def test_invalid_email_is_refused(run, email):
    assert "email" in refusal(run("add", "anna", "--role", "editor", "--email", email))
