"""The release is rehearsed by the command that makes it, in a repository of its own."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.timeout(600)  # a wheel is built beside other tests

ROOT = Path(__file__).parents[2]
PARTS = [
    *(
        "calendar_app",
        "changes",
        "scripts",
        "pyproject.toml",
        "CHANGELOG.md",
        "README.md",
        "LICENSE",
        "THIRD-PARTY-NOTICES",
    ),
    *(
        "docs/reference/api-changelog.md",
        "tests/contract/promises.py",
        "tests/contract/promised.json",
    ),
]


@pytest.fixture
def project(tmp_path):
    """Return a repository with a copy of the project, and a fragment since the last release."""
    project = tmp_path / "project"
    project.mkdir()
    for part in PARTS:
        source = ROOT / part
        (project / part).parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if source.is_dir() else shutil.copy
        copy(source, project / part)
    (project / "changes" / "+maps.feature.md").write_text("Events are shown on a map.\n")
    git(project, "init", "--quiet", "--initial-branch=main")
    git(project, "add", "--all")
    git(project, "commit", "--quiet", "--message=start")
    return project


def git(project, *arguments):
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    command = ["git", *identity, *arguments]
    return subprocess.run(command, cwd=project, check=True, capture_output=True, text=True).stdout


def release(project, *arguments):
    return subprocess.run(
        ["scripts/release", *arguments],
        cwd=project,
        env={
            "PATH": "/usr/bin:/bin",
            "PYTHON": sys.executable,
            **dict.fromkeys(("GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"), "A"),
            **dict.fromkeys(("GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"), "a@example.org"),
        },
        check=False,
        capture_output=True,
        text=True,
    )


def test_dry_run_shows_the_changelog_and_leaves_the_project_alone(project):
    process = release(project, "--dry-run", "9.8.7")
    assert process.returncode == 0, process.stderr
    assert "## 9.8.7 (" in process.stdout
    assert "Events are shown on a map." in process.stdout
    assert "calendar_app-9.8.7-py3-none-any.whl" in process.stdout
    assert git(project, "status", "--porcelain") == ""
    assert git(project, "tag") == ""


def test_release_uses_up_the_fragments_and_tags_the_commit(project):
    process = release(project, "9.8.7")
    assert process.returncode == 0, process.stderr
    assert git(project, "log", "-1", "--format=%s", "v9.8.7") == "release: 9.8.7\n"
    assert [file.name for file in (project / "changes").iterdir()] == ["README.md"]
    assert 'version = "9.8.7"' in git(project, "show", "v9.8.7:pyproject.toml")


def test_development_goes_on_with_the_next_version(project):
    process = release(project, "9.8.7")
    assert process.returncode == 0, process.stderr
    assert git(project, "describe").startswith("v9.8.7-1-")
    assert 'version = "9.9.0.dev0"' in (project / "pyproject.toml").read_text()
    assert git(project, "diff", "HEAD") == ""


def test_changelog_begins_with_highlights_and_what_to_know_before(project):
    (project / "changes" / "+why.highlight.md").write_text("**Maps.** Look around.\n")
    (project / "changes" / "+care.upgrade.md").write_text("Make a backup.\n")
    git(project, "add", "--all")
    git(project, "commit", "--quiet", "--message=fragments")
    shown = release(project, "--dry-run", "9.8.7").stdout
    headings = re.findall(r"^### (.+)$", shown, re.MULTILINE)
    assert headings[:2] == ["Highlights", "Before you upgrade"]
    assert "## 0.1.0" not in shown


def test_release_refuses_a_changelog_that_nobody_reads(project):
    for number in range(150):
        (project / "changes" / f"+{number}.feature.md").write_text(f"Feature {number}.\n")
    git(project, "add", "--all")
    git(project, "commit", "--quiet", "--message=fragments")
    process = release(project, "--dry-run", "9.8.7")
    assert process.returncode == 1
    assert "merge fragments in changes/, to 150 at most." in process.stderr


@pytest.mark.parametrize("version", ["", "9", "v9.8.7", "9.8.7-rc1"])
def test_release_refuses_an_invalid_version(project, version):
    process = release(project, "--dry-run", version)
    assert (process.returncode, process.stderr) == (
        1,
        "Name the version: make release VERSION=1.2.3\n",
    )


def test_release_refuses_a_version_that_the_changelog_has(project):
    process = release(project, "--dry-run", "0.1.0")
    assert (process.returncode, process.stderr) == (
        1,
        "CHANGELOG.md has a section 0.1.0 already; name the next version.\n",
    )


def test_release_refuses_changes_that_are_not_committed(project):
    (project / "README.md").write_text("changed")
    process = release(project, "--dry-run", "9.8.7")
    assert (process.returncode, process.stderr) == (
        1,
        "There are changes that are not committed.\n",
    )


@pytest.fixture
def published(project, tmp_path):
    """Return a function that publishes a version of the site, and returns all published files."""
    origin = tmp_path / "origin.git"
    git(tmp_path, "init", "--quiet", "--bare", str(origin))
    git(project, "remote", "add", "origin", str(origin))

    def publish(version):
        site = project / "build" / version
        for step in ("prepare", "push"):
            subprocess.run(["scripts/publish-site", step, site], cwd=project, check=True)
            if step == "prepare":
                (site / version).mkdir()
                (site / version / "index.html").write_text(version)
                names = [folder.name for folder in site.iterdir() if folder.is_dir()]
                (site / "versions.json").write_text(json.dumps(names))
        return git(origin, "ls-tree", "-r", "--name-only", "gh-pages").splitlines()

    return publish


def test_site_of_a_version_stands_beside_those_of_earlier_ones(published):
    assert "1.0.0/index.html" in published("1.0.0")
    files = published("1.1.0")
    assert {"1.0.0/index.html", "1.1.0/index.html", "versions.json"} <= set(files)
    assert not any(file.startswith("calendar_app") for file in files)


WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def test_workflows_are_such_and_run_what_is_there():
    check = ["-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows"]
    command = [sys.executable, *check, *map(str, WORKFLOWS)]
    subprocess.run(command, check=True, capture_output=True)
    text = "".join(file.read_text(encoding="utf-8") for file in WORKFLOWS)
    scripts = set(re.findall(r"\bscripts/[\w-]+", text))
    assert {"scripts/build-wheel", "scripts/publish-site"} <= scripts
    assert [name for name in scripts if not os.access(ROOT / name, os.X_OK)] == []
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = re.findall(r"\bmake ([\w-]+)", text)
    assert [name for name in targets if f"\n{name}:" not in makefile] == []


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda file: file.stem)
def test_actions_of_others_are_pinned_and_get_no_credentials(workflow):
    text = workflow.read_text(encoding="utf-8")
    actions = re.findall(r"uses: (.+)", text)
    assert [each for each in actions if not re.fullmatch(r"\S+@[0-9a-f]{40} # v[\d.]+", each)] == []
    checkouts = text.count("uses: actions/checkout@")
    assert checkouts == text.count("persist-credentials: false")
