"""Brings the catalogues of messages in step with the code: ``python scripts/messages.py``.

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
# What a message is given to; what layers below refuse comes up as a ValueError.
_REFUSALS = {"Message": None, "WrongType": None, "refuse": None, "ValueError": None}
_TEXTS = {"Message": None, "_": None, "gettext": None, "ngettext": (1, 2)}
# What is told to those alone who operate the service, in English.
_OPERATION = ("cli/**", "demo/**", "imports/**", "storage/embedded/**", "catalogue/accounts/*")
_ELSEWHERE = [(pattern, "ignore") for pattern in (*_OPERATION, "pages/**")]
_PYTHON, _TEMPLATES = ("**.py", "python"), ("**.html", "jinja2")
# The catalogues of one language: where their messages stand, and what marks them.
_CATALOGUES: dict[str, tuple[Path, list[tuple[str, str]], dict[str, Any]]] = {
    "messages": (PACKAGE, [*_ELSEWHERE, _PYTHON], _REFUSALS),
    "pages": (PACKAGE / "pages", [_PYTHON, _TEMPLATES], _TEXTS),
}

# A message with a plural is two texts, and its translation several.
Text = str | tuple[str, ...]
Texts = dict[Text, Text]


def extracted(name: str) -> Texts:
    """Return every message of a catalogue in the code; none is translated."""
    folder, parts, keywords = _CATALOGUES[name]
    found = extract_from_dir(folder, parts, keywords=keywords)
    return {message: "" for _, _, message, _, _ in found}


def texts_of(file: Path) -> Texts:
    """Return what a catalogue says, be it compiled or not; nothing where there is none."""
    if not file.exists():
        return {}
    with file.open("rb") as stored:
        read = read_mo(stored) if file.suffix == ".mo" else read_po(stored)
        return {_text(one.id): _text(one.string) for one in read if one.id}


def _text(said: Any) -> Text:
    return tuple(said) if isinstance(said, list | tuple) else str(said)


def write(texts: Texts, file: Path) -> None:
    """Write a catalogue, and what it is compiled to."""
    about = dict.fromkeys(("msgid_bugs_address", "last_translator", "language_team"), _PROJECT)
    catalogue = Catalog(file.parts[-3], project=_PROJECT, version="1", fuzzy=False, **about)
    catalogue.header_comment = "# What people are told."
    for message, said in texts.items():
        catalogue.add(message, said)
    with file.open("wb") as target:
        write_po(target, catalogue, width=100, sort_output=True)
    with file.with_suffix(".mo").open("wb") as target:
        write_mo(target, catalogue)


def main(*, check: bool) -> int:
    """Renew all catalogues, or see whether that is needed; return the exit status."""
    found = []
    for name in _CATALOGUES:
        wanted = extracted(name)
        for file in sorted(PACKAGE.glob(f"locale/*/LC_MESSAGES/{name}.po")):
            found += _renew(file, wanted, check=check)
    sys.stdout.writelines(f"{line}\n" for line in found)
    return 1 if found else 0


def _renew(file: Path, wanted: Texts, *, check: bool) -> list[str]:
    """Renew one catalogue; return what was not in step or waits for a translation."""
    stored, language = texts_of(file), file.parts[-3]
    texts = wanted | {message: said for message, said in stored.items() if message in wanted}
    found = [
        f"{language}: {message}"
        for message, said in texts.items()
        if not said or (isinstance(said, tuple) and "" in said)
    ]
    if texts != stored or texts != texts_of(file.with_suffix(".mo")):
        found.append(f"{language} was not in step.")
        if not check:
            write(texts, file)
    return found


if __name__ == "__main__":
    sys.exit(main(check="--check" in sys.argv))
