"""The documentation keeps its own rules: its links lead somewhere, its defaults are true."""

import json
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def anchors_of(page):
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_within_the_documentation_leads_to_a_page_and_heading(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        if "://" in target:
            continue
        file, _, anchor = target.partition("#")
        there = page.parent / file if file else page
        assert there.exists(), target
        assert not anchor or anchor in anchors_of(there), target


def test_every_page_can_be_reached_from_the_index():
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    # The home of the site names no pages that the index does not.
    other_pages = [page for page in PAGES if page.name not in ("README.md", "index.md")]
    assert [page for page in other_pages if str(page.relative_to(ROOT / "docs")) not in index] == []


def test_every_part_of_the_code_that_is_named_exists():
    text = (ROOT / "docs" / "explanation" / "how-the-code-is-laid-out.md").read_text("utf-8")
    paths = re.findall(r"`((?:calendar_app|tests|benchmarks|config)\b[^`]*)`", text)
    assert "calendar_app/calendar" in paths
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_page_of_the_layout_has_each_package_in_the_order_of_the_layers():
    page = (ROOT / "docs" / "explanation" / "how-the-code-is-laid-out.md").read_text("utf-8")
    rows = [row.split("|")[1] for row in page.splitlines() if row.startswith("| `")]
    listed = [sorted(re.findall(r"`calendar_app/(\w+)", row)) for row in rows]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contract = project["tool"]["importlinter"]["contracts"][0]
    assert listed == [sorted(layer.split(" | ")) for layer in contract["layers"]]


# How commands, addresses and requirements name a released state of the project.
_RELEASE = re.compile(
    r"(?:git (?:checkout|switch)\b[^\n]*?\s|--branch[ =]|/(?:tree|tags|download)/|@)"
    r"(v\d+\.\d+\.\d+)"
)


@pytest.mark.parametrize(
    "line",
    [
        "git checkout v9.8.7",
        "git clone --branch v9.8.7 --depth 1",
        "pip install 'calendar-app @ git+https://example.org/calendar.git@v9.8.7'",
        "https://example.org/calendar/releases/download/v9.8.7/calendar_app.whl",
    ],
)
def test_released_state_is_recognized(line):
    assert _RELEASE.findall(line) == ["v9.8.7"]


def test_no_page_leads_to_a_tag_that_does_not_exist():
    listed = subprocess.run(["git", "tag"], cwd=ROOT, capture_output=True, text=True, check=True)
    readmes = [*(ROOT / "clients").glob("*/README.md"), *(ROOT / "examples").rglob("*.md")]
    pages = [*PAGES, ROOT / "CONTRIBUTING.md", *readmes]
    named = {tag for page in pages for tag in _RELEASE.findall(page.read_text(encoding="utf-8"))}
    assert named <= {*listed.stdout.split()}


def test_every_setting_is_documented_with_its_default():
    defaults = tomllib.loads((ROOT / "calendar_app" / "defaults.toml").read_text(encoding="utf-8"))
    text = (ROOT / "docs" / "reference" / "settings.md").read_text(encoding="utf-8")
    rows = [row.split("|") for row in text.splitlines() if row.startswith("| `")]
    documented = {row[1].strip().strip("`"): row[3].strip().strip("`") for row in rows}
    assert documented == {name: json.dumps(value) for name, value in defaults.items()}


def cited_sections():
    """Yield the pages and sections that the code names, as in ``docs/…``, section "…"."""
    for file in (ROOT / "calendar_app").rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        yield from re.findall(r'``(docs/[\w/.-]+)``(?:,\s+section\s+"([^"]+)")?', text)


@pytest.mark.parametrize(("page", "section"), sorted(set(cited_sections())))
def test_sections_that_the_code_cites_exist(page, section):
    assert (ROOT / page).exists()
    assert not section or section.lower().replace(" ", "-") in anchors_of(ROOT / page)
