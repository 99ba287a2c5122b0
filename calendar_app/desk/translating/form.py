"""The form of a translation: its typed texts, and the changes to write."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from werkzeug.datastructures import MultiDict
from wtforms import HiddenField, StringField, TextAreaField

from calendar_app.desk.forms import DeskForm
from calendar_app.desk.translating.details import body_of
from calendar_app.desk.translating.rows import HTML, Row, as_typed, digest
from calendar_app.domain.addresses import whole_address
from calendar_app.domain.numbers import parse_digits
from calendar_app.domain.translations import CURRENT
from calendar_app.http.request import current

_SEEN_SOURCE, _SEEN_TARGET, _PROPOSAL, _SOURCE = "seen_source.", "seen.", "proposal.", "source."


class TranslationForm(DeskForm):
    """The texts of one language; ``revision`` is the record that the translator saw."""

    revision = HiddenField()


def form_for(rows: Iterable[Row], revision: int) -> TranslationForm:
    """Return the form of these rows, with the submitted values."""
    fields = {
        row.name: (TextAreaField if row.markup in HTML else StringField)(row.label) for row in rows
    }
    form_class: type[TranslationForm] = type("Translation", (TranslationForm,), fields)
    return form_class(data={"revision": revision, **{row.name: row.target for row in rows}})


class Sent:
    """The form as it came: texts, fields that are still right, and proposals."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._form: MultiDict[str, str] = current.request().form
        self._rows = rows

    @property
    def revision(self) -> int | None:
        return parse_digits(self._form.get("revision", ""))

    @property
    def press(self) -> str:
        return self._form.get("press", "")

    @property
    def right(self) -> list[str]:
        """Return the fields that are said to be right, of the source that was shown."""
        everything = self.press == "right"
        confirmed = {*self._form.getlist("right")}
        return [
            row.name
            for row in self._rows
            if (everything or row.name in confirmed)
            and row.state != CURRENT
            and row.target
            and self._form.get(f"{_SEEN_SOURCE}{row.name}", row.of_source) == row.of_source
        ]

    @property
    def proposals(self) -> dict[str, str]:
        return {
            row.name: self._form[f"{_PROPOSAL}{row.name}"]
            for row in self._rows
            if f"{_PROPOSAL}{row.name}" in self._form
        }

    def typed(self, row: Row) -> str | None:
        """Return the translator's version of a text; ``None`` for an untouched one."""
        text = self._form.get(row.name)
        if text is None or digest(text) == self._form.get(f"{_SEEN_TARGET}{row.name}"):
            return None
        return "\n".join(text.splitlines())

    def changes(self, language: str) -> dict[str, Any]:
        """Return the body of a write in the interface's words."""
        texts = {row.name: text for row in self._rows if (text := self.typed(row)) is not None}
        if "website" in texts:
            texts["website"] = whole_address(texts["website"])
        fields = {row.name: row.field for row in self._rows}
        written = {fields[name] for name in texts}
        right = {fields[name]: CURRENT for name in self.right if fields[name] not in written}
        return body_of(texts) | ({"translation_status": {language: right}} if right else {})

    def taken(self) -> tuple[str, str] | None:
        """Return the field that takes over its source or a proposal, and the text."""
        origin, _, name = self._form.get("take", "").partition(".")
        row = next((row for row in self._rows if row.name == name), None)
        if row is None:
            return None
        if f"{origin}." == _SOURCE:
            return name, row.source_as_typed
        text = self.proposals.get(name, "")
        return name, text if row.is_rich else as_typed(row.markup, text)


def merge(form: TranslationForm, sent: Sent, rows: Sequence[Row]) -> Mapping[str, str]:
    """Show others' saved texts in untouched fields; return their texts of edited fields."""
    theirs = {}
    for row in rows:
        if sent.typed(row) is None:
            form[row.name].data = row.target
        elif digest(row.target) != current.request().form.get(f"{_SEEN_TARGET}{row.name}"):
            theirs[row.name] = row.target
    form.revision.data = current.request().form.get("revision", "")
    return theirs
