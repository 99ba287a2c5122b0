"""``import tec --match``: a file joins what nothing else tells to be translations."""

import pytest
from import_report import joined, outcome
from two_languages import Site, label, polylang, snapshot, stored, write_matches


def test_file_joins_records_without_links_and_likeness(import_language, database, tmp_path):
    import_language(Site("de"))
    late = {"talk": {"start_date": "2027-05-01 06:00:00"}}
    lines = ["rm;de;kind", "162;62;event", "120;20;Category"]
    result = import_language(Site("rm", **late), "--match", write_matches(tmp_path, *lines))
    assert (joined(result), outcome(result)) == ((0, 2, 7, 0), (0, 9, 0, 0))
    assert label(stored(database, "talk"), "rm") == "Referat"
    assert label(stored(database, "music"), "rm") == "Musica"


def test_line_without_a_kind_is_not_about_terms(import_language, database, tmp_path):
    import_language(Site("de"))
    path = write_matches(tmp_path, "162,62", "120,21")
    assert joined(import_language(Site("rm"), "--match", path)) == (0, 1, 8, 0)
    assert label(stored(database, "music"), "rm") == "Musica"


def test_links_come_before_the_file(import_language, database, tmp_path):
    import_language(Site("de"))
    path = write_matches(tmp_path, "161,62,event", "162,61,event")
    assert joined(import_language(Site("rm", polylang), "--match", path)) == (9, 0, 0, 0)
    assert label(stored(database, "market"), "rm") == "Martgà"


@pytest.mark.parametrize("lines", [["162"], ["162,62", "x,y"], ["162,62,poster"], ["1,2", "1,3"]])
def test_malformed_file_ends_with_one_line(import_language, database, tmp_path, lines):
    import_language(Site("de"))
    before = snapshot(database)
    result = import_language(Site("rm"), "--match", write_matches(tmp_path, *lines))
    assert result.exit_code != 0
    assert len(result.stderr.splitlines()) == 1
    assert snapshot(database) == before


def test_missing_file_ends_with_one_line(import_language, tmp_path):
    result = import_language(Site("rm"), "--match", tmp_path / "nowhere.csv")
    assert result.exit_code != 0
    assert len(result.stderr.splitlines()) == 1
