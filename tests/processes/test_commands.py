"""The command line, as operators and their scripts use it."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from calendar_app.cli import main
from calendar_app.storage.embedded.supervisor import open_own_mongod

ROOT = Path(__file__).parents[2]
COMMANDS = ["serve", "users", "indexes", "check", "demo"]


PROGRAM = "python -m calendar_app"


def run(*arguments, **environment):
    """Run ``calendar-app``; return status, standard output and standard error."""
    result = CliRunner().invoke(main, arguments, env=environment, prog_name=PROGRAM)
    return result.exit_code, result.stdout, result.stderr


def run_apart(*arguments, **environment):
    """Run it in a process of its own, as a shell does."""
    process = subprocess.run(
        [sys.executable, "-m", "calendar_app", *arguments],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return process.returncode, process.stdout, process.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command):
    status, output, _ = run(command, "--help", CALENDAR_CONFIG="/nowhere.toml")
    assert status == 0
    assert f"calendar_app {command}" in output


def test_every_command_is_listed():
    status, output, _ = run_apart("--help")
    assert status == 0
    listed = {line.split()[0] for line in output.split("Commands:")[1].splitlines() if line.strip()}
    assert set(COMMANDS) <= listed


def test_commands_of_plugins_are_listed(tmp_path):
    distribution = tmp_path / "choir-1.0.dist-info"
    distribution.mkdir()
    (distribution / "METADATA").write_text("Name: choir\nVersion: 1.0\n")
    (distribution / "entry_points.txt").write_text("[calendar_app.commands]\nsing = choir:sing\n")
    _, output, _ = run_apart("--help", PYTHONPATH=str(tmp_path))
    assert "sing" in output
    assert "A command of the plugin choir." in output


def test_list_of_commands_needs_no_descriptions_of_libraries():
    _, _, error = run_apart("--help", PYTHONPROFILEIMPORTTIME="1")
    assert "calendar_app.cli" in error
    assert "importlib.metadata" not in error


def test_an_unknown_command_is_refused():
    status, _, error = run_apart("fly")
    assert status == 2
    assert "fly" in error


@pytest.mark.parametrize(
    ("typed", "helps"),
    [
        (["--fly"], ""),
        (["serve", "--workers", "0"], " serve"),
        (["users", "add", "anna"], " users add"),
        (["users", "password", "anna", "--label", "a", "--revoke", "b"], " users password"),
    ],
)
def test_unknown_arguments_are_reported_in_one_line_with_help(typed, helps):
    status, output, error = run(*typed)
    assert (status, output) == (2, "")
    (line,) = error.splitlines()
    assert line.startswith("Error: ")
    assert line.endswith(f" Try '{PROGRAM}{helps} --help'.")


@pytest.fixture
def run_with_full_output():
    """Return a function that runs ``calendar-app`` with a full standard output."""

    def run_into_full(*arguments, **environment):
        with Path("/dev/full").open("w") as full:
            process = subprocess.run(
                [sys.executable, "-m", "calendar_app", *arguments],
                env=os.environ | environment,
                stdout=full,
                stderr=subprocess.PIPE,
                text=True,
                check=False,
            )
        return process.returncode, process.stderr

    return run_into_full


def test_failed_output_is_reported_in_one_line(run_with_full_output):
    assert run_with_full_output("openapi") == (1, "Error: No space left on device\n")


def test_password_that_cannot_be_printed_is_revoked(run_with_full_output, bare_uri):
    address = {"CALENDAR_MONGODB_URI": bare_uri}
    added = run_with_full_output("users", "add", "anna", "--role", "editor", **address)
    assert added == (1, "Error: No space left on device\n")
    assert "anna" not in run("users", "list", **address)[1]

    run("users", "add", "anna", "--role", "editor", **address)
    assert run_with_full_output("users", "password", "Anna", **address)[0] == 1
    assert "password-2" not in run("users", "list", **address)[1]


def test_people_read_what_a_password_is_and_programs_read_it_alone(bare_uri):
    address = {"CALENDAR_MONGODB_URI": bare_uri}
    alone = run("users", "add", "anna", "--role", "editor", **address)[1]
    assert re.fullmatch(r"(\w{4} ){5}\w{4}\n", alone)

    for arguments, name in (
        (["password", "anna"], "application password of anna"),
        (["password", "anna", "--desk"], "password of anna for the desk"),
        (["add", "beat", "--role", "editor"], "application password of beat"),
    ):
        line = on_a_terminal("users", *arguments, **address)
        assert re.fullmatch(rf"The {name}, shown only once: \S.*\s*", line)


def on_a_terminal(*arguments, **environment):
    """Run it on a terminal; return the line that stands there afterwards."""
    screen, terminal = map(os.fdopen, os.openpty(), ("rb", "wb"))
    with screen, terminal:
        command = [sys.executable, "-m", "calendar_app", *arguments]
        subprocess.run(command, env=os.environ | environment, stdout=terminal, check=True)
        return screen.readline().decode()


def test_the_installed_program_is_the_same():
    program = Path(sys.executable).with_name("calendar-app")
    process = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    assert "calendar-app" in process.stdout


def test_indexes_lists_each_with_the_query_it_serves(bare_uri):
    status, output, error = run("indexes", CALENDAR_MONGODB_URI=bare_uri)
    assert (status, error) == (0, "")
    *listed, summary = output.splitlines()
    assert summary == f"{len(listed)} created."
    assert "users (key): finding a user by name" in listed
    status, output, _ = run("indexes", CALENDAR_MONGODB_URI=bare_uri)
    assert (status, output.splitlines()[-1]) == (0, "0 created.")


def test_check_reports_problems_with_advice(bare_uri):
    status, _, error = run("check", CALENDAR_MONGODB_URI=bare_uri)
    assert status == 1
    (line,) = error.splitlines()
    assert line.endswith("calendar-app indexes")
    run("indexes", CALENDAR_MONGODB_URI=bare_uri)
    status, _, error = run("check", CALENDAR_MONGODB_URI=bare_uri)
    assert (status, error) == (0, "")


@pytest.mark.parametrize(
    ("setting", "value"),
    [("trusted_proxies", "10.0.0.1,next door"), ("site_url", "ftp://calendar.example")],
)
def test_check_names_the_setting_that_makes_no_sense(bare_uri, setting, value):
    changed = {f"CALENDAR_{setting.upper()}": value}
    status, _, error = run("check", CALENDAR_MONGODB_URI=bare_uri, **changed)
    assert status == 1
    (line,) = error.splitlines()
    assert setting in line


def test_check_names_the_template_of_a_theme_that_cannot_be_used(bare_uri, tmp_path):
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "list.html").write_text("{% if %}")
    run("indexes", CALENDAR_MONGODB_URI=bare_uri)
    status, _, error = run("check", CALENDAR_MONGODB_URI=bare_uri, CALENDAR_THEME=str(tmp_path))
    assert status == 1
    (line,) = error.splitlines()
    assert "list.html" in line
    assert "line 1" in line


def test_check_names_missing_indexes_and_broken_templates_together(bare_uri, tmp_path):
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "list.html").write_text("{% if %}")
    status, _, error = run("check", CALENDAR_MONGODB_URI=bare_uri, CALENDAR_THEME=str(tmp_path))
    assert status == 1
    (line,) = error.splitlines()
    assert "indexes are missing" in line
    assert "list.html" in line


def test_wrong_replica_set_is_named(bare_uri):
    wrong = bare_uri.replace("replicaSet=calendar", "replicaSet=another")
    status, _, error = run("check", CALENDAR_MONGODB_URI=wrong)
    assert status == os.EX_TEMPFAIL
    (line,) = error.splitlines()
    assert "belong to another replica set than another" in line


def test_unreachable_database_is_reported_in_one_line():
    away = {"CALENDAR_MONGODB_URI": "mongodb://127.0.0.1:1/calendar"}
    status, output, error = run_apart("check", **away)
    assert status == os.EX_TEMPFAIL
    assert error.splitlines() == ["Error: The database cannot be reached."]
    assert "The database is there" not in output


def test_the_demo_calendar_is_loaded_into_an_empty_database_alone(bare_uri):
    config = ("--config", str(ROOT / "config" / "fr-de.toml"))
    status, password, error = run_apart(*config, "demo", CALENDAR_MONGODB_URI=bare_uri)
    assert (status, error) == (0, "")
    assert len(password.strip()) >= 24
    status, output, _ = run(*config, "demo", CALENDAR_MONGODB_URI=bare_uri)
    assert (status, output) == (0, "")
    status, output, _ = run("users", "list", CALENDAR_MONGODB_URI=bare_uri)
    assert status == 0
    assert "admin" in output


def test_a_command_works_while_the_service_runs_and_while_it_does_not(tmp_path):
    data = {"CALENDAR_DATA": str(tmp_path)}
    with open_own_mongod(tmp_path):
        assert run_apart("users", "add", "anna", "--role", "editor", **data)[0] == 0
    status, output, error = run_apart("users", "list", **data)
    assert (status, error) == (0, "")
    assert "anna" in output


def test_refusal_is_printed_in_one_line(bare_uri):
    uri = {"CALENDAR_MONGODB_URI": bare_uri}
    for name, reason in [("a:b", "colon"), ("x" * 61, "60")]:
        status, _, error = run("users", "add", name, "--role", "editor", **uri)
        assert status == 1
        (line,) = error.splitlines()
        assert line.startswith("Error: name: ")
        assert reason in line
