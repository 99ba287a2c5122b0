"""The documentation is spelt as English is; codespell knows common mistakes."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "changes").glob("*.md")]


def misspelt(*files):
    command = [sys.executable, "-m", "codespell_lib", *map(str, files)]
    process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert not process.stderr
    return process.stdout.splitlines()


def test_no_page_has_a_common_mistake():
    assert misspelt(*PAGES) == []


def test_a_mistake_is_noticed(tmp_path):
    (tmp_path / "page.md").write_text("The calender of the adress.\n", encoding="utf-8")
    (line,) = misspelt(tmp_path / "page.md")
    assert "calender ==> calendar" in line
