"""A target is left out only where it has passed with the very files that count for it."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from when_changed import UNREAD

ROOT = Path(__file__).parents[2]
MAKEFILE = """.PHONY: docs
docs:
\t@echo made >>made.log
\t@test ! -e meanwhile || date +%N >docs/page.md
\t@test ! -e broken
"""


class Project:
    """A repository with a target that notes each time that it is made."""

    def __init__(self, folder):
        self.folder = folder
        (folder / "scripts").mkdir(parents=True)
        shutil.copy(ROOT / "scripts" / "when_changed.py", folder / "scripts")
        self.write(".ci/run", "")
        self.write("Makefile", MAKEFILE)
        self.write("docs/page.md", "# Page\n")
        self.write("changes/+page.doc.md", "A page.\n")
        self.write(".gitignore", "made.log\nmeanwhile\nbroken\n")

    def write(self, name, text):
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def git(self, *arguments):
        identity = ("-c", "user.name=A", "-c", "user.email=a@example.org")
        subprocess.run(["git", *identity, *arguments], cwd=self.folder, check=True)

    def make(self, *options):
        """Make the documentation if it has changed; return the exit status."""
        command = [sys.executable, "scripts/when_changed.py", *options, "docs"]
        return subprocess.run(command, cwd=self.folder, check=False).returncode

    @property
    def times(self):
        log = self.folder / "made.log"
        return len(log.read_text(encoding="utf-8").split()) if log.exists() else 0


@pytest.fixture
def project(tmp_path):
    project = Project(tmp_path / "project")
    project.git("init", "--quiet", "--initial-branch=main")
    project.git("add", "--all")
    project.git("commit", "--quiet", "--message=start")
    return project


@pytest.fixture
def passed(project):
    """Return a project with a target that has passed."""
    assert project.make() == 0
    assert project.times == 1
    return project


def test_target_that_has_passed_is_left_out(passed):
    assert passed.make() == 0
    assert passed.times == 1


def test_what_was_recorded_holds_in_a_clone_without_history(passed, tmp_path):
    passed.git("add", "--all")
    passed.git("commit", "--quiet", "--message=passed")
    address = f"file://{passed.folder}"
    passed.git("clone", "--quiet", "--depth=1", address, str(tmp_path / "clone"))
    clone = object.__new__(Project)
    clone.folder = tmp_path / "clone"
    assert (clone.make(), clone.times) == (0, 0)


@pytest.mark.parametrize("name", ["docs/page.md", "docs/new.md", "Makefile", "a new folder/a"])
def test_changed_or_new_file_lets_it_be_made(passed, name):
    passed.write(name, f"{MAKEFILE}# changed\n")
    assert passed.make() == 0
    assert passed.times == 2


def test_file_that_is_gone_or_can_be_run_lets_it_be_made(passed):
    (passed.folder / "docs" / "page.md").chmod(0o755)
    assert (passed.make(), passed.times) == (0, 2)
    (passed.folder / "docs" / "page.md").unlink()
    assert (passed.make(), passed.times) == (0, 3)


def test_file_that_does_not_count_changes_nothing(passed):
    passed.write("changes/+page.doc.md", "Another page.\n")
    assert (passed.make(), passed.times) == (0, 1)


def test_failure_is_told_and_not_recorded(project):
    project.write("broken", "")
    assert project.make() != 0
    (project.folder / "broken").unlink()
    assert (project.make(), project.times) == (0, 2)


def test_file_that_changes_meanwhile_leaves_no_record(project):
    project.write("meanwhile", "")
    assert (project.make(), project.times) == (0, 1)
    assert (project.make(), project.times) == (0, 2)


def test_all_are_made_on_request(passed):
    assert (passed.make("--all"), passed.times) == (0, 2)


def test_where_git_knows_nothing_it_is_made(tmp_path):
    project = Project(tmp_path / "unpacked")
    for times in (1, 2):
        assert (project.make(), project.times) == (0, times)


def test_folders_that_do_not_count_exist_and_targets_too():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert [name for name in UNREAD if f"\n{name}:" not in makefile] == []
    paths = {path for paths in UNREAD.values() for path in paths}
    assert [path for path in paths if not list(ROOT.glob(path))] == []


def test_ci_makes_every_such_target():
    text = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    lines = re.findall(r"^ *when_changed ([\w -]+)$", text, re.MULTILINE)
    assert set(" ".join(lines).split()) == set(UNREAD)
