"""The texts of pages and of the desk, translated from English to the reader's language."""

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from gettext import NullTranslations
from typing import Any

from jinja2 import Environment

from calendar_app.domain.texts.messages import best_catalog, translated
from calendar_app.errors import Message


class CatalogTexts:
    """The texts of some catalogs in one language; the first catalog that has one counts.

    ``names`` are what readers call the parameters of the interface that messages name.
    ``functions`` are those that templates take their texts from.
    """

    def __init__(
        self,
        domains: Sequence[str],
        chain: Sequence[str],
        names: Mapping[str, Message] | None = None,
    ) -> None:
        catalog, *further_catalogs = (copy(best_catalog(chain, domain)) for domain in domains)
        for further in further_catalogs:
            catalog.add_fallback(further)
        self.gettext: Callable[[str], str] = catalog.gettext
        self.ngettext: Callable[[str, str, int], str] = catalog.ngettext
        self.functions = _functions(catalog)
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


def _functions(catalog: NullTranslations) -> Mapping[str, Any]:
    """Return the functions of a catalog; a page has some forty texts, and looks it up once."""
    environment = Environment(extensions=["jinja2.ext.i18n"], autoescape=True)
    environment.install_gettext_translations(catalog, newstyle=True)  # type: ignore[attr-defined]  # of the extension
    functions = {name: environment.globals[name] for name in ("gettext", "ngettext")}
    return functions | {"_": functions["gettext"]}
