"""The page of the glossary, with export and import of the memory."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import urlencode

from flask import Response, request
from werkzeug.datastructures import FileStorage

from calendar_app.accounts.callers import Right
from calendar_app.api.http.request import current
from calendar_app.api.http.request.negotiation import named_language
from calendar_app.domain.glossary import GlossaryTerm
from calendar_app.domain.tmx import NoTmx
from calendar_app.errors import InvalidParameters, Message, NotAllowed
from calendar_app.parts.memory.glossary import MOST_TERMS
from calendar_app.parts.memory.interface import LONGEST_TERM
from calendar_app.parts.memory.of_request import requested_services
from calendar_app.site.desk.rendering import language, notify, render, see
from calendar_app.site.desk.routing import PartPage
from calendar_app.site.html import wording

PATH = "/translations/memory"
_EMPTY_LINES = 3
_HALF = Message("A term and its translation belong together: “{term}” has no counterpart.")
_TOO_LONG = Message("A term has at most {most} characters.", most=LONGEST_TERM)
_NO_TMX = Message("This is not a complete TMX file.")
_NO_FILE = Message("Choose a file.")
_BEHIND = Message("The memory is being rebuilt. Try again later.")


@dataclass(frozen=True, slots=True)
class Line:
    """A term in the form; ``was`` is the stored one, empty for a new one."""

    was: str = ""
    term: str = ""
    translation: str = ""


def memory() -> Response:
    """Show the glossary of a pair of languages, and change it."""
    source, target = _pair()
    glossary = requested_services().glossary
    if request.method != "POST":
        return _show(_lines(glossary.terms(source, target)))
    _require_editor()
    lines = _sent_lines()
    if problem := _problem(lines):
        return _show(lines, problem, HTTPStatus.UNPROCESSABLE_ENTITY)
    changes = _changes(lines)
    if changes:
        try:
            glossary.change(source, target, changes)
        except InvalidParameters as error:
            return _show(lines, error.reasons["terms"], HTTPStatus.UNPROCESSABLE_ENTITY)
    notify(Message("The glossary is saved."))
    return see(f"{PATH}?{urlencode({'from': source, 'into': target})}")


def memory_file() -> Response:
    """Give the public memory as a file of TMX."""
    if requested_services().memory.is_behind():
        notify(_BEHIND, "warning")
        return see(PATH)
    file = Response(requested_services().tmx.export(), mimetype="application/x-tmx+xml")
    file.headers["Content-Disposition"] = 'attachment; filename="memory.tmx"'
    return file


def take_memory() -> Response:
    """Take in the translations of a file."""
    file = request.files.get("file")
    if not isinstance(file, FileStorage) or not file.filename:
        return _show(_lines_of_pair(), _NO_FILE, HTTPStatus.UNPROCESSABLE_ENTITY)
    try:
        replaces = bool(request.form.get("replace"))
        imported = requested_services().tmx.take(file.stream, replace=replaces)
    except NoTmx:
        return _show(_lines_of_pair(), _NO_TMX, HTTPStatus.UNPROCESSABLE_ENTITY)
    notify(
        Message(
            "New texts in the memory: {new}. Known before: {known}. In other languages: {unused}.",
            new=wording.number(imported.new, language()),
            known=wording.number(imported.known, language()),
            unused=wording.number(imported.unused, language()),
        )
    )
    return see(PATH)


def _require_editor() -> None:
    if not current.context().caller.may(Right.EDIT_OTHERS):
        raise NotAllowed


def _pair() -> tuple[str, str]:
    """Return the languages that are asked for, else the first two of the site."""
    settings, args = current.context().settings, current.context().request.args
    source = named_language(args.get("from", ""), settings.languages) or settings.default_language
    targets = [tag for tag in settings.languages if tag != source]
    target = named_language(args.get("into", ""), targets) or next(iter(targets), source)
    return source, target


def _lines_of_pair() -> list[Line]:
    return _lines(requested_services().glossary.terms(*_pair()))


def _lines(terms: Sequence[GlossaryTerm]) -> list[Line]:
    return [Line(each.term, each.term, each.translation) for each in terms]


def _sent_lines() -> list[Line]:
    """Return the lines of the form in which anything stands, or stood."""
    sent = (request.form.getlist(name) for name in ("was", "term", "translation"))
    lines = [
        Line(*(" ".join(text.split()) for text in texts)) for texts in zip(*sent, strict=False)
    ]
    return [line for line in lines if any((line.was, line.term, line.translation))]


def _problem(lines: Sequence[Line]) -> str:
    for line in lines:
        if bool(line.term) is not bool(line.translation):
            return Message(_HALF.pattern, term=line.term or line.translation)
        if max(len(line.term), len(line.translation)) > LONGEST_TERM:
            return _TOO_LONG
    return ""


def _changes(lines: Sequence[Line]) -> Mapping[str, str]:
    """Return the changed terms; emptied and renamed ones are removed."""
    removed = {line.was: "" for line in lines if line.was and line.was != line.term}
    return removed | {line.term: line.translation for line in lines if line.term}


def _show(lines: Sequence[Line], problem: str = "", status: int = HTTPStatus.OK) -> Response:
    source, target = _pair()
    settings, caller = current.context().settings, current.context().caller
    may_change = caller.may(Right.EDIT_OTHERS)
    empty = [Line()] * _EMPTY_LINES if may_change and len(lines) < MOST_TERMS else []
    return render(
        "memory.html",
        status,
        lines=[*lines, *empty],
        problem=problem,
        source=source,
        target=target,
        may_change=may_change,
        is_behind=requested_services().memory.is_behind(),
        has_pairs=len(settings.languages) > 1,
        longest=LONGEST_TERM,
    )


PAGES = (
    PartPage(PATH, memory, Right.EDIT, ("GET", "POST")),
    PartPage(f"{PATH}.tmx", memory_file, Right.EDIT),
    PartPage(f"{PATH}/import", take_memory, Right.EDIT_OTHERS, ("POST",)),
)
