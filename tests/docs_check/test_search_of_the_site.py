"""The search of the documentation answers the words by which people look: one of the first hits."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FIRST = 3
PAGES = tomllib.loads(Path(__file__).with_name("searches.toml").read_text(encoding="utf-8"))
QUERIES = [(query, page) for page, queries in PAGES.items() for query in queries]


@pytest.fixture(scope="module")
def hits(tmp_path_factory):
    """The pages that the search of a built site shows for each query, best first."""
    site = tmp_path_factory.mktemp("site")
    subprocess.run(
        [sys.executable, "-m", "docs_site", site, "--version", "1.0.0"],
        env=os.environ | {"PYTHONPATH": str(ROOT / "scripts")},
        check=True,
        capture_output=True,
    )
    process = subprocess.run(
        ["node", Path(__file__).with_name("search_site.mjs"), site / "1.0.0"],
        input=json.dumps([query for query, _ in QUERIES]),
        check=True,
        capture_output=True,
        text=True,
    )
    return json.loads(process.stdout)


@pytest.mark.parametrize(("query", "page"), QUERIES)
def test_right_page_is_among_the_first_hits(hits, query, page):
    assert page in hits[query][:FIRST]
