"""The page of errors has each code of the service, with advice."""

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "reference" / "errors.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| ([\d, ]+) \| (.+?) \| (.+) \| (.+) \|$", PAGE, re.MULTILINE)
CODES = [code for _, cell, _, _ in ROWS for code in re.findall(r"`([\w-]+)`", cell)]
# The gap of a code, such as that of the kind of record.
GAP = r"\{[\w.]+\}"


def text_of(node):
    """Return a text or f-string of the code, with its gaps in braces; empty if it is neither."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    return ast.unparse(node)[2:-1] if isinstance(node, ast.JoinedStr) else ""


def is_message(node):
    is_constant = isinstance(node, ast.Name) and node.id.isupper()
    return is_constant or "Message" in ast.unparse(node).partition("(")[0]


def codes_in(tree):
    """Yield the codes of ``Refusal(status, code, …)``, and of tables of codes beside messages."""
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id == "Refusal"
        ):
            yield text_of(node.args[1])
        elif isinstance(node, ast.Tuple) and len(node.elts) > 1 and is_message(node.elts[-1]):
            yield text_of(node.elts[-2])


@cache
def codes_of_the_service():
    # The routes of WordPress have a page of their own, with the codes that WordPress has there.
    files = set((ROOT / "calendar_app").rglob("*.py"))
    files -= set((ROOT / "calendar_app" / "parts" / "wordpress").rglob("*.py"))
    trees = (ast.parse(file.read_text("utf-8")) for file in files)
    codes = (code for tree in trees for code in codes_in(tree))
    return {
        code for code in codes if re.fullmatch(r"[a-z]+([_-][a-z]+)+", re.sub(GAP, "kind", code))
    }


def pattern(code):
    return re.compile(re.sub(GAP, "[a-z]+", code))


def test_code_of_the_service_is_on_the_page():
    codes = codes_of_the_service()
    assert {"edit_conflict", "term_exists", "{kind}-not-accessible", "bad_request"} <= codes
    assert [code for code in codes if not any(map(pattern(code).fullmatch, CODES))] == []


def test_code_on_the_page_is_one_of_the_service():
    patterns = [pattern(code) for code in codes_of_the_service()]
    assert [code for code in CODES if not any(each.fullmatch(code) for each in patterns)] == []


def test_each_code_has_its_cause_and_its_remedy():
    assert [row for row in ROWS if len(row[2].split()) < 2 or not row[3].strip()] == []
    by_status = [(status, code) for status, cell, _, _ in ROWS for code in cell.split(", ")]
    assert len(by_status) == len(set(by_status)) > 40
