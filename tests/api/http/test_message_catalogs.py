"""The catalogs of translated messages."""

import ast
import re
import shutil
import subprocess
import sys
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po

from calendar_app.domain.texts.messages import best_catalog, translated
from calendar_app.errors import Message

pytestmark = pytest.mark.without_mongodb

ROOT = Path(__file__).parents[3]


def test_every_message_is_translated_and_compiled():
    command = [sys.executable, "scripts/messages.py", "--check"]
    process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (process.returncode, process.stdout) == (0, ""), "make messages"


def test_changed_message_keeps_its_translation_as_fuzzy_and_stops_nobody(tmp_path):
    shutil.copytree(ROOT / "scripts", tmp_path / "scripts")
    shutil.copytree(ROOT / "calendar_app" / "locale", tmp_path / "calendar_app" / "locale")
    reworded = tmp_path / "calendar_app" / "disk.py"
    reworded.write_text('Message("The disk of the database is nearly full.")', "utf-8")

    def make_messages(*options):
        command = [sys.executable, "scripts/messages.py", *options]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    finished = make_messages()
    assert finished.returncode == 0
    assert "de/LC_MESSAGES/messages.po: is the fuzzy translation right" in finished.stdout
    with (tmp_path / "calendar_app/locale/de/LC_MESSAGES/messages.po").open("rb") as catalog:
        entry = read_po(catalog)["The disk of the database is nearly full."]
    assert (entry.string, entry.fuzzy) == ("Der Speicherplatz der Datenbank ist erschöpft.", True)
    # Readers see English, since nobody has looked at it.
    with (tmp_path / "calendar_app/locale/de/LC_MESSAGES/messages.mo").open("rb") as compiled:
        assert "The disk of the database is nearly full." not in read_mo(compiled)
    checked = make_messages("--check")
    assert (checked.returncode, "was not in step" in checked.stdout) == (1, False)


@pytest.mark.parametrize("domain", ["messages", "pages", "desk"])
@pytest.mark.parametrize("language", ["de", "fr", "it", "rm"])
def test_every_text_is_translated_in_each_language(domain, language):
    file = ROOT / "calendar_app" / "locale" / language / "LC_MESSAGES" / f"{domain}.po"
    with file.open("rb") as stored:
        entries = [entry for entry in read_po(stored) if entry.id]
    for entry in entries:
        # Nobody has looked at a fuzzy one.
        assert not entry.fuzzy
        assert all(map(str.strip, texts_in(entry.string)))
        assert gaps_in(entry.string) <= gaps_in(entry.id)


@pytest.mark.parametrize("domain", ["messages", "pages", "desk"])
def test_french_keeps_its_signs_of_two_parts_beside_the_word(domain):
    file = ROOT / "calendar_app" / "locale" / "fr" / "LC_MESSAGES" / f"{domain}.po"
    with file.open("rb") as stored:
        texts = [text for entry in read_po(stored) if entry.id for text in texts_in(entry.string)]
    # No space at all, or one that breaks.
    assert [
        text for text in texts if re.search(r"(?<![\s«])[:;!?](?=\s|$)| [:;!?»]|« ", text)
    ] == []


# Where templates stand whose texts are in catalogs.
ROOMS = ("site/pages", "site/desk", "parts/memory/desk")


def test_templates_leave_the_colon_behind_a_label_to_the_catalogs():
    templates = [file for room in ROOMS for file in (ROOT / "calendar_app" / room).rglob("*.html")]
    assert [str(file) for file in templates if re.search(r"[}>]:\s", file.read_text("utf-8"))] == []


def texts_in(text):
    return [text] if isinstance(text, str) else list(text)


def gaps_in(text):
    """Return the gaps of a text; a plural has those of its last form."""
    last = texts_in(text)[-1]
    return gaps_of(last) if "%(" not in last else set(re.findall(r"%\(\w+\)\w", last))


def gaps_of(pattern):
    return {name for _, name, _, _ in Formatter().parse(pattern) if name is not None}


@pytest.mark.parametrize(
    ("chain", "expected"),
    [
        (["de"], "Ort"),
        (["de-CH"], "Ort"),
        (["fr", "rm", "de"], "lieu"),
        (["rm"], "lieu"),
        (["nl"], "venue"),
        (["nl", "it"], "luogo"),
        (["en", "de"], "venue"),
        ([], "venue"),
    ],
)
def test_the_first_catalog_of_the_chain_is_taken(chain, expected):
    assert best_catalog(tuple(chain)).gettext("venue") == expected


def test_only_messages_are_translated():
    body = {"a": "event", "b": [1, None, Message("venue")], "c": {"d": Message("")}}
    assert translated(body, ["de"]) == {"a": "event", "b": [1, None, "Ort"], "c": {"d": ""}}


REFUSING = {"InvalidParameters", "Refusal", "ValidationError", "ValueError", "refuse"}
MESSAGES = {"Message", "WrongType"}


def name_of(node):
    return getattr(node.func, "id", getattr(node.func, "attr", ""))


def unseen_in(node):
    """Yield the sentences of error messages that no catalog contains."""
    if isinstance(node, ast.Call) and name_of(node) in MESSAGES:
        return
    if isinstance(node, ast.JoinedStr):
        yield ast.unparse(node)
    elif isinstance(node, ast.Constant) and " " in str(node.value):
        yield node.value
    else:
        for part in ast.iter_child_nodes(node):
            yield from unseen_in(part)


@pytest.mark.parametrize("layer", ["api", "domain"])
def test_no_sentence_is_hidden_from_the_catalogs(layer):
    """Error texts are translatable; bare strings stand only where extraction finds them."""
    hidden = []
    for file in (ROOT / "calendar_app" / layer).rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or name_of(node) not in REFUSING:
                continue
            arguments = node.args
            if name_of(node) in ("ValueError", "refuse") and isinstance(
                next(iter(arguments), None), ast.Constant
            ):
                arguments = arguments[1:]
            # A code is put together too, of words without a space.
            unseen_parts = [part for argument in arguments for part in unseen_in(argument)]
            hidden += [f"{file}: {part}" for part in unseen_parts if " " in part]
    assert hidden == []
