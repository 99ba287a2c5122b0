"""The texts of pages and of the desk, translated from English to the reader's language."""

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from gettext import NullTranslations
from typing import Any

from jinja2 import Environment

from calendar_app.domain.texts.messages import best_catalogue, translated
from calendar_app.errors import Message


class CatalogTexts:
    """The texts of some catalogues in one language; the first catalogue that has one counts.

    ``names`` are what readers call the parameters of the interface that messages name.
    ``functions`` are those that templates take their texts from.
    """

    def __init__(
        self,
        domains: Sequence[str],
        chain: Sequence[str],
        names: Mapping[str, Message] | None = None,
    ) -> None:
        catalogue, *further_catalogues = (copy(best_catalogue(chain, domain)) for domain in domains)
        for further in further_catalogues:
            catalogue.add_fallback(further)
        self.gettext: Callable[[str], str] = catalogue.gettext
        self.ngettext: Callable[[str, str, int], str] = catalogue.ngettext
        self.functions = _functions(catalogue)
        self._chain = chain
        self._names = names

    def message(self, message: str) -> str:
        """Return a message of a page or of the interface."""
        pattern = message.pattern if isinstance(message, Message) else str(message)
        translation = self.gettext(pattern) if pattern else ""
        if translation == pattern:
            text: str = translated(message, self._chain)
            return text
        gaps = message.gaps if isinstance(message, Message) else {}
        return translation.format(
            **{name: self._filling(name, value) for name, value in gaps.items()}
        )

    def _filling(self, name: str, value: object) -> object:
        """Return the value for a gap: parameters and kinds of record as readers call them."""
        if isinstance(value, Message):
            return self.message(value)
        if name == "name" and self._names is not None:
            return self.message(self._names.get(str(value), str(value)))
        return self.gettext(str(value)) if name == "kind" else value


def _functions(catalogue: NullTranslations) -> Mapping[str, Any]:
    """Return the functions of a catalogue; a page has some forty texts, and looks it up once."""
    environment = Environment(extensions=["jinja2.ext.i18n"], autoescape=True)
    environment.install_gettext_translations(catalogue, newstyle=True)  # type: ignore[attr-defined]  # of the extension
    functions = {name: environment.globals[name] for name in ("gettext", "ngettext")}
    return functions | {"_": functions["gettext"]}
