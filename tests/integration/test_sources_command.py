"""``calendar-app sources``: add, preview and read from the command line."""

import pytest
from calendars import calendar, vevent
from click.testing import CliRunner

from calendar_app.cli.main import main


@pytest.fixture
def run(mongod_uri, database):
    """Return a function that runs a command on the database of the tests."""
    del database

    def running(*arguments):
        return CliRunner().invoke(main, arguments, env={"CALENDAR_MONGODB_URI": mongod_uri})

    return running


def test_a_source_is_added_previewed_read_and_listed(run, tmp_path, database, app):
    del app
    file = tmp_path / "club.ics"
    file.write_text(calendar(vevent()))
    number = run("sources", "add", "Club", "https://club.example.org/a.ics").output.strip()
    preview = run("sources", "preview", number, "--file", str(file)).output
    assert preview.startswith("Nothing was written. It would be:\nnew event one@example.org")
    assert database["events"].count_documents({}) == 0
    assert run("sources", "read", number, "--file", str(file)).output.startswith("done: 1 new")
    file.write_text(calendar(vevent(), vevent("two@example.org", "GEO:46.85;9.53")))
    lines = run("sources", "read", number, "--file", str(file)).output.splitlines()
    assert lines[0].startswith('left out event two@example.org "Choir": GEO')
    assert lines[1].startswith("done: 1 left out, ")
    assert database["events"].count_documents({}) == 2
    assert "Club  ics   done" in run("sources", "list").output
    file.write_text("<html>")
    refused = run("sources", "read", number, "--file", str(file))
    assert refused.exit_code == 1
    assert refused.output.startswith("Error: It is no calendar, but a page of the web.")
    assert run("read-sources").output == "0 read.\n"


def test_source_of_nobody_is_refused_with_one_reason(run):
    refused = run("sources", "add", "Club", "--author", "99")
    assert (refused.exit_code, refused.output) == (1, "Error: author: There is no such user.\n")
