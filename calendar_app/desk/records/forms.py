"""The form of a record: its fields from the sheet of its kind, its texts in each language."""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import marshmallow as ma
from wtforms import HiddenField
from xxhash import xxh3_64_hexdigest

from calendar_app.desk.forms import DeskForm, read_digests
from calendar_app.desk.records.kinds import SHEETS, Sheet
from calendar_app.domain.addresses import whole_address
from calendar_app.domain.kind import Markup, Record
from calendar_app.domain.richtext import decoded
from calendar_app.http.errors.problems import first_failed_stage
from calendar_app.http.errors.refusals import staged_parameters
from calendar_app.http.request import current
from calendar_app.http.views.blueprint import Refused
from calendar_app.pages.refusals import placed

Values = Mapping[str, Any]
_COORDINATES = ("geo_lat", "geo_lng")
_FILES = ("file", "image_file", "image_remove")
_NOT_COMPARED = ("revision", "base", "csrf_token", *_FILES)
_ESCAPED = (Markup.NAME, Markup.TERM)


def text_name(name: str, language: str) -> str:
    """Return the name of the field for a text in a language, in the notation of the interface."""
    return f"variants[{language}][{name}]"


class RecordForm(DeskForm):
    """The base of the forms of all kinds.

    ``base`` has a digest of each value as the form showed it, which tells what a user changed
    from what somebody else did meanwhile.
    """

    sheet: Sheet
    languages: Sequence[str]
    revision = HiddenField()
    base = HiddenField()

    @property
    def values(self) -> dict[str, Any]:
        return {field.name: _plain(field.data) for field in self if field.name not in _NOT_COMPARED}

    @property
    def problems(self) -> list[tuple[str, str, str]]:
        """All that is wrong in the order of the page: own texts, what is shared, other texts."""
        first, *others = self.languages
        shown = [
            *(f"{name}-{first}" for name in self.sheet.texts),
            *self.sheet.shared,
            *(f"{name}-{each}" for each in others for name in self.sheet.texts),
        ]
        places = {control: place for place, control in enumerate(shown)}
        return sorted(super().problems, key=lambda problem: places.get(problem[0], -1))

    def begin(self, values: Values, revision: int) -> None:
        """Note the values that the form shows, and their revision."""
        self.revision.data = str(revision)
        digests = {name: _digest(value) for name, value in values.items()}
        self.base.data = json.dumps(digests, separators=(",", ":"))

    def touched(self) -> set[str]:
        """Return the names of the fields that the user has changed."""
        digests = read_digests(self.base.data or "")
        return {name for name, value in self.values.items() if digests.get(name) != _digest(value)}

    def add_problem(self, name: str, reason: str) -> None:
        """Put the problem of a text beside it in the first language of the form."""
        name, reason = placed(name, reason)
        if name == "image":
            name = "image_file"
        texts = (*self.sheet.texts, self.sheet.kind.label)
        field = text_name(name if name in self.sheet.texts else self.sheet.name, self.languages[0])
        super().add_problem(field if name in texts else name, reason)


@lru_cache(64)
def form_class(kind: str, languages: Sequence[str]) -> type[RecordForm]:
    """Return the form of a kind, with texts in these languages."""
    sheet = SHEETS[kind]
    texts = {
        text_name(name, language): sheet.text_field(name, language)
        for language in languages
        for name in sheet.texts
    }
    about = {"sheet": sheet, "languages": languages}
    return type("KindForm", (RecordForm,), {**about, **sheet.shared, **texts})


def shown_values(sheet: Sheet, record: Record | None, languages: Sequence[str]) -> Values:
    """Return the values with which the form of a record begins."""
    texts = {
        text_name(name, language): _text_of(sheet, record, name, language)
        for language in languages
        for name in sheet.texts
    }
    shared = {name: _shared(record, name) for name in sheet.shared if name not in _FILES}
    return {**shared, **texts}


def load_changes(sheet: Sheet, values: Values, *, is_new: bool) -> Record:
    """Return the changes that these values make, as the interface reads them.

    Raises ``Refused``.
    """
    body: Record = {name: value for name, value in values.items() if name in sheet.shared}
    variants: dict[str, Record] = {}
    for language in current.settings().languages:
        texts = {name: values.get(text_name(name, language)) for name in sheet.texts}
        sent = {name: _sent(text) for name, text in texts.items() if text is not None}
        if sent.get("website"):
            sent["website"] = whole_address(sent["website"] or "")
        if is_new:
            sent = {name: text for name, text in sent.items() if text}
        if sent:
            variants[language] = sent
    if variants:
        body["variants"] = variants
    try:
        changes: Record = sheet.change_schema(partial=not is_new).load(body)
    except ma.ValidationError as error:
        stage, reasons = first_failed_stage(error.messages_dict)
        raise Refused(staged_parameters(stage, reasons)) from error
    return changes


def with_partners(names: set[str]) -> set[str]:
    """Return the names with those of fields that the interface takes together only."""
    return names | set(_COORDINATES) if names & set(_COORDINATES) else names


def _sent(text: str) -> str | None:
    return text if text.strip() else None


def _shared(record: Record | None, name: str) -> Any:
    if name in _COORDINATES:
        point = (record or {}).get("location")
        return str(point["coordinates"][_COORDINATES[::-1].index(name)]) if point else ""
    if record is None:
        return True if name == "show_map" else ""
    return _plain(record.get(name))


def _text_of(sheet: Sheet, record: Record | None, name: str, language: str) -> str:
    text: str = (record or {"variants": {}})["variants"].get(language, {}).get(name, "")
    return decoded(text) if sheet.kind.texts.get(name) in _ESCAPED else text


def _plain(value: Any) -> Any:
    """Return a value as a browser sends it back: lines end alike, nothing is no text."""
    if isinstance(value, bool):
        return value
    return "" if value is None else str(value).replace("\r\n", "\n")


def _digest(value: Any) -> str:
    return xxh3_64_hexdigest(repr(_plain(value)).encode(errors="surrogatepass"))[:8]
