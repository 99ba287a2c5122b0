"""Update the message catalogs from the code: ``python scripts/messages.py``.

New messages come into each catalog, those that are gone leave it, and each is compiled. A new
message that resembles a former one gets its translation, marked as fuzzy: readers see English until
somebody has removed that mark. Whatever waits for a translator is listed behind its file, and stops
nobody. With ``--check`` nothing is written; the exit status is 1 where something waits, or a
catalog is not in step.
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
_REFUSALS = {
    **dict.fromkeys(("Message", "WrongType", "refuse", "ValueError", "SourceError")),
    **dict.fromkeys(("DownloadError", "ReadingInterrupted", "UnreadableComponent")),
    "leave_out": (2,),
}
_TEXTS = {"Message": None, "_": None, "gettext": None, "ngettext": (1, 2)}
# Messages for operators are in English only.
_OPERATION = (
    "cli/**",
    "sources/imports/tec/**",
    "sources/summary.py",
    "storage/embedded/**",
)
_OF_DESK = ("site/desk/**", "parts/memory/desk/**")
_ELSEWHERE = [(pattern, "ignore") for pattern in (*_OPERATION, "site/pages/**", *_OF_DESK)]
_READERS = (("py", "python"), ("html", "jinja2"))
_PYTHON, _TEMPLATES = ("**.py", "python"), ("**.html", "jinja2")
_DESK = [(f"{each}.{suffix}", reader) for each in _OF_DESK for suffix, reader in _READERS]
# The catalogs of one language: where their messages stand, and what marks them.
_CATALOGS: dict[str, tuple[Path, list[tuple[str, str]], dict[str, Any]]] = {
    "messages": (PACKAGE, [*_ELSEWHERE, _PYTHON], _REFUSALS),
    "pages": (PACKAGE / "site" / "pages", [_PYTHON, _TEMPLATES], _TEXTS),
    "desk": (PACKAGE, _DESK, _TEXTS),
}

# A message with a plural is two texts, and its translation several.
Text = str | tuple[str, ...]
# Each message with its translation, and whether that is fuzzy.
Texts = dict[Text, tuple[Text, bool]]


def extracted(name: str) -> Catalog:
    """Return every message of a catalog in the code; none is translated."""
    folder, parts, keywords = _CATALOGS[name]
    template = Catalog()
    for _, _, message, _, _ in extract_from_dir(folder, parts, keywords=keywords):
        template.add(message, "")
    return template


def stored(file: Path) -> Catalog:
    """Return a catalog, compiled or not; an empty one if there is no file."""
    if not file.exists():
        return Catalog(file.parts[-3])
    with file.open("rb") as source:
        return read_mo(source) if file.suffix == ".mo" else read_po(source, file.parts[-3])


def texts_of(catalog: Catalog) -> Texts:
    return {_text(entry.id): (_text(entry.string), entry.fuzzy) for entry in catalog if entry.id}


def _text(text: Any) -> Text:
    return tuple(text) if isinstance(text, list | tuple) else str(text)


def _is_translated(translation: Text, *, fuzzy: bool) -> bool:
    forms = translation if isinstance(translation, tuple) else (translation,)
    return not fuzzy and all(forms)


def write(texts: Catalog, file: Path) -> None:
    """Write a catalog and its compiled form."""
    about = dict.fromkeys(("msgid_bugs_address", "last_translator", "language_team"), _PROJECT)
    catalog = Catalog(file.parts[-3], project=_PROJECT, version="1", fuzzy=False, **about)
    catalog.header_comment = "# What people are told."
    for entry in texts:
        if entry.id:
            flags = {"fuzzy"} if entry.fuzzy else set()
            catalog.add(entry.id, entry.string, flags=flags, previous_id=entry.previous_id)
    with file.open("wb") as target:
        write_po(target, catalog, width=100, sort_output=True, include_previous=True)
    with file.with_suffix(".mo").open("wb") as target:
        write_mo(target, catalog)


def main(*, check: bool) -> int:
    """Renew all catalogs, or see whether that is needed; return the exit status."""
    problems = []
    for name in _CATALOGS:
        template = extracted(name)
        for file in sorted(PACKAGE.glob(f"locale/*/LC_MESSAGES/{name}.po")):
            problems += _renew(file, template, check=check)
    sys.stdout.writelines(f"{line}\n" for line in problems)
    return 1 if problems and check else 0


def _renew(file: Path, template: Catalog, *, check: bool) -> list[str]:
    """Update a catalog; return lines on its stale and untranslated messages."""
    catalog, place = stored(file), file.relative_to(PACKAGE.parent)
    former = texts_of(catalog)
    catalog.update(template, update_creation_date=False)
    texts = texts_of(catalog)
    translated = {
        message: (translation, False)
        for message, (translation, fuzzy) in texts.items()
        if _is_translated(translation, fuzzy=fuzzy)
    }
    problems = [
        f"{place}: {'is the fuzzy translation right' if texts[message][0] else 'translate'}: "
        f"{message}"
        for message in texts.keys() - translated.keys()
    ]
    if texts != former or translated != texts_of(stored(file.with_suffix(".mo"))):
        problems.append(f"{place} was not in step.")
        if not check:
            write(catalog, file)
    return sorted(problems)


if __name__ == "__main__":
    sys.exit(main(check="--check" in sys.argv))
