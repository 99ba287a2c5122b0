"""The command on languages, as an operator types it, on a real MongoDB."""

import pytest
from click.testing import CliRunner

from calendar_app.cli import main

pytestmark = pytest.mark.needs_mongodb


@pytest.fixture
def report(database, mongod_uri):
    """Return what runs ``calendar-app languages report``, as rows of cells."""
    del database

    def run(languages="de,rm"):
        environment = {
            "CALENDAR_MONGODB_URI": mongod_uri,
            "CALENDAR_LANGUAGES": languages,
            "CALENDAR_DEFAULT_LANGUAGE": "de",
        }
        result = CliRunner().invoke(main, ["languages", "report"], env=environment)
        assert result.exit_code == 0, result.output
        return [line.split() for line in result.stdout.splitlines()]

    return run


def test_report_counts_by_language_and_kind(report, as_admin, make_event, make_tag):
    for number in range(3):
        event = make_event(title=f"Konzert {number}")
        if number:
            path = f"/events/{event['id']}"
            as_admin.post(path, translation_language="rm", title="Concert")
    as_admin.post(path, title="Sommerkonzert")
    make_tag(translation_language="rm", name="dad aut")
    rows = report()
    assert rows[0] == ["LANGUAGE", "KIND", "CURRENT", "OUTDATED", "MISSING"]
    for row in (
        ["de", "events", "3", "0", "0"],
        ["rm", "events", "1", "1", "1"],
        ["de", "tags", "0", "0", "1"],
        ["rm", "tags", "1", "0", "0"],
        ["rm", "venues", "0", "0", "0"],
    ):
        assert row in rows


def test_report_has_every_kind_in_every_language(report):
    kinds = {"events", "venues", "organizers", "categories", "tags"}
    rows = report("de,rm,pt-BR")[1:]
    assert [row[0] for row in rows] == ["de"] * 5 + ["rm"] * 5 + ["pt-BR"] * 5
    assert {tuple(row[:2]) for row in rows} == {
        (language, kind) for language in ("de", "rm", "pt-BR") for kind in kinds
    }


def test_report_leaves_the_trash_out(report, as_admin, make_event):
    event = make_event()
    as_admin.delete(f"/events/{event['id']}")
    assert ["de", "events", "0", "0", "0"] in report()


def test_a_collation_that_there_is_not_is_refused_in_one_line():
    result = CliRunner().invoke(main, ["check"], env={"CALENDAR_COLLATIONS": "rm=xx"})
    assert result.exit_code != 0
    (line,) = result.stderr.splitlines()
    assert "collations" in line
