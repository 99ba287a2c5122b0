"""The sentences of the interface's description, and the tests that hold the service to them."""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parents[1]
REFERENCE = TESTS.parent / "docs" / "reference"
TABLE = Path(__file__).with_name("sentences.toml")
# How many words stand for a sentence; the first ones, or all of the first cell of a row.
_WORDS = 7
_SENTENCE_ENDS = re.compile(r"(?<=[.?!])\s+(?=[A-Z`“\"*])")
_RUN_IN_HEAD = re.compile(r"\*\*[^*]+\*\*\s*")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")

# By page, heading and sentence.
Table = dict[str, dict[str, dict[str, list[str] | str]]]


def sentences_of(page: str) -> Iterator[tuple[str, str]]:
    """Yield the heading and the beginning of every sentence, item and row of a table."""
    heading, fenced, previous = "", False, ""
    for line in page.splitlines():
        fenced ^= line.startswith("```")
        if line.startswith("#"):
            # The title stands over what promises nothing yet.
            heading = line.lstrip("#").strip() if line.startswith("##") else ""
        elif heading and line and not fenced and not line.startswith(("```", "![")):
            # What stands above a rule is the head of a table.
            if line.startswith("|") and previous.startswith("|"):
                yield from ((heading, cell) for cell in _row(line))
            elif not line.startswith("|"):
                yield from ((heading, text) for text in _sentences(line))
        previous = line


def _row(line: str) -> Iterator[str]:
    if not line.startswith("|---"):
        first, second, *_ = line.removeprefix("| ").split(" | ")
        # A status alone names no row.
        yield _bare(f"{first} {second}" if first[0].isdigit() else first)


def _sentences(line: str) -> Iterator[str]:
    text = _RUN_IN_HEAD.sub("", line.removeprefix("* "))
    for sentence in _SENTENCE_ENDS.split(text):
        yield _bare(" ".join(sentence.split()[:_WORDS]))


def _bare(text: str) -> str:
    return _LINK.sub(r"\1", text).replace("`", "").rstrip(".:,;")


def table() -> Table:
    """Return the table: by page, heading and sentence its tests, or why it has none."""
    return tomllib.loads(TABLE.read_text(encoding="utf-8"))


def existing_tests() -> set[str]:
    """Return every test as ``test_file.py::test_name``."""
    return {
        f"{file.name}::{node.name}"
        for file in TESTS.rglob("test_*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }
