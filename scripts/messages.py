"""Update the message catalogues from the code: ``python scripts/messages.py``.

New messages come into each catalogue, those that are gone leave it, and each is compiled.
With ``--check`` nothing is written. Whatever was not in step or waits for a translation is
listed, and the exit status is then 1.
"""

import sys
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po, write_po

PACKAGE = Path(__file__).parent.parent / "calendar_app"
_PROJECT = "calendar-app"
# Messages are arguments of these calls; the domain raises ValueError.
_REFUSALS = {"Message": None, "WrongType": None, "refuse": None, "ValueError": None}
_TEXTS = {"Message": None, "_": None, "gettext": None, "ngettext": (1, 2)}
# Messages for operators are in English only.
_OPERATION = ("cli/**", "demo/**", "imports/**", "embedded/**")
_ELSEWHERE = [(pattern, "ignore") for pattern in (*_OPERATION, "pages/**", "desk/**")]
_PYTHON, _TEMPLATES = ("**.py", "python"), ("**.html", "jinja2")
# The catalogues of one language: where their messages stand, and what marks them.
_CATALOGUES: dict[str, tuple[Path, list[tuple[str, str]], dict[str, Any]]] = {
    "messages": (PACKAGE, [*_ELSEWHERE, _PYTHON], _REFUSALS),
    "pages": (PACKAGE / "pages", [_PYTHON, _TEMPLATES], _TEXTS),
    "desk": (PACKAGE / "desk", [_PYTHON, _TEMPLATES], _TEXTS),
}

# A message with a plural is two texts, and its translation several.
Text = str | tuple[str, ...]
Texts = dict[Text, Text]


def extracted(name: str) -> Texts:
    """Return every message of a catalogue in the code; none is translated."""
    folder, parts, keywords = _CATALOGUES[name]
    messages = extract_from_dir(folder, parts, keywords=keywords)
    return {message: "" for _, _, message, _, _ in messages}


def texts_of(file: Path) -> Texts:
    """Return the texts of a catalogue, compiled or not; empty if there is no file."""
    if not file.exists():
        return {}
    with file.open("rb") as stored:
        read = read_mo(stored) if file.suffix == ".mo" else read_po(stored)
        return {_text(entry.id): _text(entry.string) for entry in read if entry.id}


def _text(text: Any) -> Text:
    return tuple(text) if isinstance(text, list | tuple) else str(text)


def write(texts: Texts, file: Path) -> None:
    """Write a catalogue and its compiled form."""
    about = dict.fromkeys(("msgid_bugs_address", "last_translator", "language_team"), _PROJECT)
    catalogue = Catalog(file.parts[-3], project=_PROJECT, version="1", fuzzy=False, **about)
    catalogue.header_comment = "# What people are told."
    for message, translation in texts.items():
        catalogue.add(message, translation)
    with file.open("wb") as target:
        write_po(target, catalogue, width=100, sort_output=True)
    with file.with_suffix(".mo").open("wb") as target:
        write_mo(target, catalogue)


def main(*, check: bool) -> int:
    """Renew all catalogues, or see whether that is needed; return the exit status."""
    problems = []
    for name in _CATALOGUES:
        source_texts = extracted(name)
        for file in sorted(PACKAGE.glob(f"locale/*/LC_MESSAGES/{name}.po")):
            problems += _renew(file, source_texts, check=check)
    sys.stdout.writelines(f"{line}\n" for line in problems)
    return 1 if problems else 0


def _renew(file: Path, source_texts: Texts, *, check: bool) -> list[str]:
    """Update a catalogue; return its stale and untranslated messages."""
    stored, language = texts_of(file), file.parts[-3]
    texts = source_texts | {
        message: translation for message, translation in stored.items() if message in source_texts
    }
    problems = [
        f"{language}: {message}"
        for message, translation in texts.items()
        if not translation or (isinstance(translation, tuple) and "" in translation)
    ]
    if texts != stored or texts != texts_of(file.with_suffix(".mo")):
        problems.append(f"{language} was not in step.")
        if not check:
            write(texts, file)
    return problems


if __name__ == "__main__":
    sys.exit(main(check="--check" in sys.argv))
