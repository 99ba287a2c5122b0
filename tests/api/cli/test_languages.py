"""The command on languages, as an operator types it, on a real MongoDB."""

import pytest
from click.testing import CliRunner

from calendar_app.cli import main


@pytest.fixture
def run_command(database, mongod_uri):
    """Return a function that runs a command with the languages of a site."""
    del database

    def run(command, languages="de,rm"):
        environment = {
            "CALENDAR_MONGODB_URI": mongod_uri,
            "CALENDAR_LANGUAGES": languages,
            "CALENDAR_DEFAULT_LANGUAGE": "de",
        }
        return CliRunner().invoke(main, command, env=environment)

    return run


@pytest.fixture
def report(run_command):
    """Return a function that runs ``calendar-app languages report``, as rows of cells."""

    def run(languages="de,rm"):
        result = run_command(["languages", "report"], languages)
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


def test_report_names_languages_that_the_site_has_given_up(
    run_command, as_admin, make_event, make_tag
):
    only_romansh = make_event(translation_language="rm")["id"]
    both = make_event()["id"]
    as_admin.post(f"/events/{both}", translation_language="rm", title="Concert")
    make_tag(name="neu")
    for command in (["languages", "report"], ["check"]):
        report_lines = run_command(command, "de").stdout.splitlines()
        assert report_lines[-1] == (
            "rm is not a language of the site, but 2 events have it, "
            f"1 of them no other: listed without texts, from id {only_romansh} on."
        )
        assert "no language of the site" not in run_command(command, "de,rm").stdout
    as_admin.delete(f"/events/{only_romansh}")
    report_lines = run_command(["languages", "report"], "de").stdout.splitlines()
    assert report_lines[-1] == "rm is not a language of the site, but 1 events have it."


@pytest.mark.parametrize("command", [["check"], ["indexes", "--keep"]])
def test_a_language_in_another_letter_case_than_its_texts_is_refused(
    run_command, make_event, command
):
    make_event(translation_language="rm")
    refused = run_command(command, "de,RM")
    assert refused.exit_code == 1
    (line,) = refused.stderr.splitlines()
    assert "languages has RM" in line
    assert "are in rm" in line


def test_a_language_that_is_stored_in_two_spellings_is_counted_and_not_refused(
    run_command, make_event, database
):
    for language in ("rm", "RM"):
        event = make_event(translation_language="rm")["id"]
        slug = f"{language}:event-{event}"
        texts = {"variants": {language: {"title": "Concert"}}, "slugs": [slug]}
        database["events"].update_one({"_id": event}, {"$set": texts})
    process = run_command(["check"])
    assert (process.exit_code, process.stderr) == (0, "")
    assert "RM is not a language of the site, but 1 events have it" in process.stdout


def test_unknown_collation_is_refused_in_one_line():
    result = CliRunner().invoke(main, ["check"], env={"CALENDAR_COLLATIONS": "rm=xx"})
    assert result.exit_code != 0
    (line,) = result.stderr.splitlines()
    assert "collations" in line
