"""Each file of others that is shipped has an entry in THIRD-PARTY-NOTICES."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
NOTICES = (ROOT / "THIRD-PARTY-NOTICES").read_text(encoding="utf-8")
ENTRY = re.compile(r"^=+\n(.+?)\n=+\n(.+?)(?=^=+\n|\Z)", re.DOTALL | re.MULTILINE)
FONTS = {".woff2", ".woff", ".ttf", ".otf"}
SOURCES = {".js", ".css", ".svg", ".html"}


def is_of_others(path):
    """Say whether a file is a font, or source that was minified or names who owns it."""
    if path.suffix not in SOURCES:
        return path.suffix in FONTS
    text = path.read_text(encoding="utf-8")
    owned = re.search(r"@license|copyright|\(c\) [A-Z\d]", text, re.IGNORECASE)
    return bool(owned) or max(map(len, text.splitlines()), default=0) > 2000


def files_of_others():
    shipped = (path for path in (ROOT / "calendar_app").rglob("*") if path.is_file())
    return {str(path.relative_to(ROOT)) for path in shipped if is_of_others(path)}


def test_each_file_of_others_has_an_entry_and_nothing_else_has():
    listed = re.findall(r"^File: (.+)$", NOTICES, re.MULTILINE)
    assert sorted(listed) == sorted(files_of_others())
    assert "calendar_app/site/desk/static/purify.js" in listed


def test_each_entry_says_the_license_and_brings_its_text():
    entries = ENTRY.findall(NOTICES)
    assert len(entries) == NOTICES.count("\nFile: ") == 3
    for head, text in entries:
        assert re.search(r"^https://", head, re.MULTILINE)
        assert re.search(r"^License: [\w.-]+$", head, re.MULTILINE)
        assert re.search(r"copyright|©", head + text, re.IGNORECASE)
        assert "AS IS" in text
