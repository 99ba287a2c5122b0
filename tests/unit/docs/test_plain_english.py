"""Docs and messages are plain American English: no British spelling, no puzzling words."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
PAGES = [
    *ROOT.glob("*.md"),
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "changes").glob("*.md")),
    *sorted((ROOT / "clients").glob("*/README.md")),
]
# A word that stops readers, and what to write.
PATTERNS = {
    r"\banew\b": "again",
    r"\blikewise\b": "also",
    r"\bmend(?:s|ed|ing)?\b": "fix, edit or correct",
    r"\b[Ww]hoever\b": "anyone who",
    r"\b[Tt]hus\b": "so",
    r"\bstrangers\b": "visitors",
    r"\bthis once\b": "once",
    r"\b(?:a|one|second|more) press\b": "click",
    r"\bpress(?:es)? \*": "click",
    r"\bafter a fall\b": "crash",
    r"\bbe rid of\b": "remove",
    r"\bby the provider\b": "with the provider",
    r"\bas a trial\b": "test",
}
_CODE = re.compile(r"^```.*?^```$|`[^`]*`", re.MULTILINE | re.DOTALL)


def puzzling(text):
    """Return the words of the prose that have a plainer one."""
    prose = _CODE.sub("", text)
    return [word for pattern in PATTERNS for word in re.findall(pattern, prose)]


def test_no_word_has_a_plainer_one(subtests):
    for page in PAGES:
        with subtests.test(page=page.name):
            assert puzzling(page.read_text(encoding="utf-8")) == []


def test_puzzling_words_are_noticed_in_prose_alone():
    assert puzzling("Begin anew, and press *Save*.") == ["anew", "press *"]
    assert puzzling("```sh\nanew\n```\n\nThe state `mended` is one of three.\n") == []


def british(*files):
    """Return the lines of codespell on words in British spelling."""
    command = [sys.executable, "-m", "codespell_lib", "--builtin", "en-GB_to_en-US"]
    command += ["--ignore-words-list", "cancelled,programme"]  # of iCalendar, and of templates
    process = subprocess.run(
        [*command, *map(str, files)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return process.stdout.splitlines()


def test_spelling_is_american():
    assert british(*PAGES) == []


def test_british_spelling_is_noticed(tmp_path):
    (tmp_path / "page.md").write_text("The colour of the licence.\n", encoding="utf-8")
    assert len(british(tmp_path / "page.md")) == 2
