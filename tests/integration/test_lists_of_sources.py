"""``sources add --file``: a list of sources, all of it or nothing, and the same again."""

import io

import pytest
from click.testing import CliRunner
from openpyxl import Workbook

from calendar_app.cli.main import main

LIST = """name;kind;address;town;every;off;defaults.venue;filters.words
Samedan;ics;https://samedan.example.org/all.ics;Samedan;60;;;
Zuoz;csv;https://zuoz.example.org/events.csv;Zuoz;;ja;;Fest; Markt
Box office;push;;;;;;
"""


@pytest.fixture
def command(mongod_uri, database):
    def run(*arguments):
        environment = {
            "CALENDAR_MONGODB_URI": mongod_uri,
            "CALENDAR_LANGUAGES": "de,rm",
            "CALENDAR_DEFAULT_LANGUAGE": "de",
            "CALENDAR_TIMEZONE": "Europe/Zurich",
        }
        return CliRunner().invoke(main, ["sources", *map(str, arguments)], env=environment)

    assert database is not None
    return run


@pytest.fixture
def file(tmp_path):
    def write(content, name="sources.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


@pytest.mark.usefixtures("app")
def test_list_is_added_once_and_then_unchanged(as_editor, command, file):
    path = file(LIST.replace("Fest; Markt", '"Fest; Markt"'))
    preview = command("add", "--file", path, "--dry-run")
    assert preview.stdout.endswith("3 added, 0 changed, 0 unchanged.\n"), preview.output
    assert as_editor.get("/sources").json["sources"] == []
    assert command("add", "--file", path).stdout.endswith("3 added, 0 changed, 0 unchanged.\n")
    again = command("add", "--file", path)
    assert again.stdout == "0 added, 0 changed, 3 unchanged.\n"
    office, samedan, zuoz = as_editor.get("/sources").json["sources"]
    assert (samedan["town"], samedan["every"], samedan["off"]) == ("Samedan", 60, False)
    assert (zuoz["off"], zuoz["filters"]) == (True, {"words": ["Fest", "Markt"]})
    assert office["kind"] == "push"


@pytest.mark.usefixtures("app")
def test_edited_list_changes_what_it_says_alone(as_editor, command, file):
    command("add", "--file", file("name;kind;address;every\nClub;ics;https://a.example.org/;60\n"))
    (club,) = as_editor.get("/sources").json["sources"]
    as_editor.patch(f"/sources/{club['id']}", town="Chur")
    result = command(
        "add", "--file", file("name;kind;address;every\nChoir;ics;https://a.example.org/;120\n")
    )
    assert result.stdout == "changed Choir: every, name\n0 added, 1 changed, 0 unchanged.\n"
    (choir,) = as_editor.get("/sources").json["sources"]
    assert (choir["id"], choir["every"], choir["town"]) == (club["id"], 120, "Chur")


@pytest.mark.usefixtures("app")
def test_list_says_which_pictures_are_copied(as_editor, command, file):
    rows = "name;kind;address;pictures\nA;ics;https://a.example.org/;copy\nB;ics;https://b.example.org/;\n"
    assert command("add", "--file", file(rows)).exit_code == 0
    assert [each["pictures"] for each in as_editor.get("/sources").json["sources"]] == [
        "copy",
        "link",
    ]


@pytest.mark.usefixtures("app")
def test_wrong_lines_are_named_and_nothing_is_stored(as_editor, command, file):
    table = (
        "name;kind;address;every\n"
        "Fine;ics;https://a.example.org/;60\n"
        "Fax;fax;;\n"
        "Often;ics;https://b.example.org/;5\n"
        "Twice;ics;https://a.example.org/;\n"
    )
    result = command("add", "--file", file(table))
    assert result.exit_code != 0
    for line in ("line 3, kind", "line 4, every", "line 5"):
        assert line in result.output
    assert as_editor.get("/sources").json["sources"] == []


@pytest.mark.usefixtures("app")
def test_list_may_be_a_workbook(as_editor, command, file):
    workbook = Workbook()
    for row in (
        ("Name", "Kind", "Address", "Every"),
        ("Club", "ics", "https://a.example.org/", 60),
    ):
        workbook.active.append(row)
    stream = io.BytesIO()
    workbook.save(stream)
    command("add", "--file", file(stream.getvalue(), "sources.xlsx"))
    assert [each["every"] for each in as_editor.get("/sources").json["sources"]] == [60]


@pytest.mark.usefixtures("app")
@pytest.mark.parametrize(
    ("content", "reason"),
    [("name\nClub\n", "kind"), (b"PK\x03\x04broken", "Excel workbook"), ("a;b\n1;2\n", "name")],
)
def test_file_that_is_no_list_is_refused(command, file, content, reason):
    result = command("add", "--file", file(content))
    assert result.exit_code != 0
    assert reason in result.output


@pytest.mark.usefixtures("app")
@pytest.mark.parametrize("name", ["events.csv", "events.xlsx"])
def test_filled_template_gives_events(as_editor, command, tmp_path, name):
    path = tmp_path / name
    assert command("template", path).exit_code == 0
    command("add", "Samedan", "--kind", "csv", "--status", "publish")
    result = command("read", as_editor.get("/sources").json["sources"][0]["id"], "--file", path)
    assert result.stdout.startswith("done: nothing"), result.output
    assert command("template", tmp_path / "events.ods").exit_code != 0
    before = path.read_bytes()
    assert command("template", path).exit_code != 0
    assert path.read_bytes() == before


@pytest.mark.usefixtures("app")
def test_source_whose_scheme_changes_in_the_list_is_the_same(as_editor, command, file):
    command("add", "--file", file(LIST))
    result = command("add", "--file", file(LIST.replace("ics;https:", "ics;webcal:")))
    assert result.exit_code == 0, result.output
    addresses = [each["address"] for each in as_editor.get("/sources").json["sources"]]
    assert sum("samedan" in each for each in addresses) == 1
    assert "webcal://samedan.example.org/all.ics" in addresses
