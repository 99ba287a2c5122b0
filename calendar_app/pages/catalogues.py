"""The texts of pages, translated from English to the reader's language."""

from collections.abc import Mapping, Sequence
from functools import cache
from gettext import GNUTranslations, NullTranslations
from pathlib import Path
from typing import Any

from jinja2 import Environment

from calendar_app.content.messages import translated
from calendar_app.domain.languages import look_up
from calendar_app.errors import Message
from calendar_app.http.request import current
from calendar_app.pages.refusals import FILTER_NAMES

_LOCALE = Path(__file__).parents[1] / "locale"
_SOURCE = "en"


@cache
def _catalogues() -> dict[str, NullTranslations]:
    catalogues: dict[str, NullTranslations] = {_SOURCE: NullTranslations()}
    for file in sorted(_LOCALE.glob("*/LC_MESSAGES/pages.mo")):
        with file.open("rb") as compiled:
            catalogues[file.parts[-3]] = GNUTranslations(compiled)
    return catalogues


@cache
def _catalogue_for(chain: Sequence[str]) -> NullTranslations:
    """Return the catalogue of the first language that has one."""
    catalogues = _catalogues()
    languages = (look_up(tag, tuple(catalogues)) for tag in chain)
    return catalogues[next((tag for tag in languages if tag), _SOURCE)]


@cache
def texts_in(chain: Sequence[str]) -> Mapping[str, Any]:
    """Return the functions that templates take their texts from, in one language.

    A page has some forty texts, and looks its language up once.
    """
    catalogue = _catalogue_for(chain)
    environment = Environment(extensions=["jinja2.ext.i18n"], autoescape=True)
    environment.install_gettext_translations(catalogue, newstyle=True)  # type: ignore[attr-defined]  # of the extension
    names = ("gettext", "ngettext")
    functions = {name: environment.globals[name] for name in names}
    return functions | {"_": functions["gettext"]}


def gettext(text: str) -> str:
    return _catalogue_for(current.error_chain()).gettext(text)


def ngettext(one: str, many: str, number: int) -> str:
    return _catalogue_for(current.error_chain()).ngettext(one, many, number)


def told(message: str) -> str:
    """Return a message of a page or of the interface in the reader's language."""
    pattern = message.pattern if isinstance(message, Message) else str(message)
    own = gettext(pattern) if pattern else ""
    if own == pattern:
        text: str = translated(message, current.error_chain())
        return text
    gaps = message.gaps if isinstance(message, Message) else {}
    return own.format(**{name: _filling(name, value) for name, value in gaps.items()})


def _filling(name: str, value: object) -> object:
    """Return the value for a gap: filters and kinds of record as readers call them."""
    if name == "name":
        return gettext(str(FILTER_NAMES.get(str(value), value)))
    return gettext(str(value)) if name == "kind" else value
