"""The language of the desk, and its texts in it."""

from collections.abc import Sequence
from functools import cache
from gettext import GNUTranslations, NullTranslations
from pathlib import Path

from flask import g

from calendar_app.content.messages import translated
from calendar_app.desk import sessions
from calendar_app.domain.languages import look_up
from calendar_app.errors import Message
from calendar_app.http.request import current

_LOCALE = Path(__file__).parents[1] / "locale"
_SOURCE = "en"
# Texts of the pages that the desk shows too, such as the names of kinds.
_CATALOGUES = ("desk", "pages")


def offered() -> tuple[str, ...]:
    """Return the languages in which the desk can be used."""
    return tuple(sorted(_catalogues("desk")))


def language() -> str:
    """Return the language of the desk: the one of the user, else of the browser."""
    if "desk_language" not in g:
        session = sessions.find_session()
        g.desk_language = (session and session.language) or _accepted()
    chosen: str = g.desk_language
    return chosen


def begin_request() -> None:
    """Let records be shown in the user's language too, where the site has it."""
    settings = current.settings()
    tag = look_up(language(), settings.languages) or settings.default_language
    show_records_in(tag)


def show_records_in(tag: str) -> None:
    """Let records be shown in this language, and those that stand in for it."""
    context = current.context()
    context.chain = context.settings.chain(tag)


def gettext(text: str) -> str:
    """Return a text of the desk in the user's language."""
    for name in _CATALOGUES:
        catalogue = _catalogues(name).get(language())
        own = catalogue.gettext(text) if catalogue else text
        if own != text:
            return own
    return text


def ngettext(one: str, many: str, number: int) -> str:
    """Return a text of the desk that depends on a number."""
    usual = one if number == 1 else many
    catalogue = _catalogues("desk").get(language(), NullTranslations())
    return catalogue.ngettext(one, many, number) or usual


def message_text(message: str) -> str:
    """Return a message in the user's language, be it of the desk, the pages or the interface."""
    pattern = message.pattern if isinstance(message, Message) else str(message)
    own = gettext(pattern) if pattern else ""
    if own == pattern:
        text: str = translated(message, (language(), *current.chain()))
        return text
    gaps = message.gaps if isinstance(message, Message) else {}
    return own.format(**{name: _filling(name, value) for name, value in gaps.items()})


def _filling(name: str, value: object) -> object:
    if isinstance(value, Message):
        return message_text(value)
    return gettext(str(value)) if name == "kind" else value


@cache
def _catalogues(name: str) -> dict[str, NullTranslations]:
    catalogues: dict[str, NullTranslations] = {_SOURCE: NullTranslations()}
    for file in sorted(_LOCALE.glob(f"*/LC_MESSAGES/{name}.mo")):
        with file.open("rb") as compiled:
            catalogues[file.parts[-3]] = GNUTranslations(compiled)
    return catalogues


def _accepted() -> str:
    """Return the language that the browser likes best, else the usual one of the site."""
    tags: Sequence[str] = [tag for tag, _ in current.request().accept_languages]
    usual = current.settings().default_language
    offered_tags = (look_up(tag, offered()) for tag in (*tags, usual))
    return next((tag for tag in offered_tags if tag), _SOURCE)
