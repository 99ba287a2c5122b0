"""The state of one form: values, refusals, and the texts typed in the other languages."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from calendar_app.desk.event_form.fields import (
    FIELDS,
    LABELS,
    LISTS,
    NEW,
    TEXT_CONTROLS,
    WORDED,
    StoredEvent,
    empty_values,
    text_values,
)
from calendar_app.desk.event_form.times import WRITTEN, Notation
from calendar_app.domain.richtext import plain
from calendar_app.errors import Message
from calendar_app.http.request import current
from calendar_app.pages.forms import Form, Values, changed_fields, digests_of, merge
from calendar_app.pages.refusals import in_words

Others = dict[str, dict[str, Values]]
# The controls of the parts of a recurrence.
_PARTS = {
    "UNTIL": "repeat_until",
    "COUNT": "repeat_count",
    "rdate": "repeat_dates",
    "exdate": "repeat_except",
}


@dataclass(frozen=True, slots=True)
class Conflict:
    """A field that two people have changed, with the controls of both."""

    parameter: str
    label: Message
    mine: Values
    theirs: Values


@dataclass(slots=True)
class EventForm(Form):
    """A form for ``event``, or for a new one, in ``language``.

    ``others`` are the texts typed in other languages, with the digests of those they replace.
    """

    language: str = ""
    event: StoredEvent | None = None
    scope: str = ""
    conflicts: Sequence[Conflict] = ()
    asks_past: bool = False
    alternative_texts: Mapping[str, str] = field(default_factory=dict)
    others: Others = field(default_factory=dict)
    is_switched: bool = False
    is_unsaved: bool = False

    @classmethod
    def of(cls, event: StoredEvent, notation: Notation) -> Self:
        """Return the form that shows a stored event."""
        values = event.values(notation)
        base = digests_of(FIELDS, values)
        return cls(FIELDS, values, event.record["revision"], base, {}, event.language, event)

    def control_of(self, place: str, reason: str) -> str:
        """Return the control that a reason is about."""
        group, _, member = place.partition("[")
        if f"{group}_new" in NEW and member:
            return f"{group}_new[{member}"
        own = f"variants[{self.language}]["
        if place.startswith(own):
            return place.removeprefix(own).removesuffix("]")
        if place == "recurrence" and isinstance(reason, Message):
            part = str(reason.gaps.get("part") or reason.pattern.partition(" ")[0])
            is_rule = part.isupper() and self.values["repeat"] == WRITTEN
            return "repeat_rule" if is_rule else _PARTS.get(part, place)
        return place if place in LABELS else ""

    def in_words(self, control: str, reason: str) -> str:
        return reason if control == "repeat_rule" else in_words(reason)

    @property
    def labels(self) -> Mapping[str, Message]:
        return LABELS

    def id_of(self, name: str) -> str:
        own = FIELDS.get(name)
        return own.id if own else f"event-{name.replace('[', '-').removesuffix(']')}"

    def show_language(self, language: str, notation: Notation) -> None:
        """Put the texts of another language into the form; those that were typed go along."""
        if language == self.language:
            return
        typed = text_values(self.values)
        if changed_fields(WORDED, typed, self._opened(self.language, notation)):
            base = {name: self.base.get(name, "") for name in WORDED}
            self.others[self.language] = {"values": typed, "base": base}
        stored = self._opened(language, notation)
        usual = {"values": text_values(stored), "base": digests_of(WORDED, stored)}
        entry = self.others.pop(language, usual)
        self.values |= entry["values"]
        self.base |= entry["base"]
        self.event, self.language = self.event and self.event.in_language(language), language

    def settle_languages(self, notation: Notation) -> dict[str, tuple[Values, set[str]]]:
        """Return what the form changes in other languages: the texts, and the changed fields.

        The form shows the language in which something is missing, or changed by others as well.
        """
        if self.event is None and self.others and not any(text_values(self.values).values()):
            self.show_language(next(iter(self.others)), notation)
        changed: dict[str, tuple[Values, set[str]]] = {}
        for language, entry in list(self.others.items()):
            stored = self._opened(language, notation)
            base = entry["base"] if self.event else digests_of(WORDED, stored)
            texts, both = merge(WORDED, entry["values"], stored, base)
            names = changed_fields(WORDED, texts, stored)
            if both or (names and not texts["title"].strip()):
                self.show_language(language, notation)
                break
            changed[language] = texts, names
        return changed

    def has_unsaved(self, notation: Notation) -> bool:
        """Return whether the form has anything that is stored in no language."""
        return bool(self.others or self.changed(self._opened(self.language, notation)))

    def _opened(self, language: str, notation: Notation) -> Values:
        """Return the values with which the form is opened in a language."""
        if self.event is None:
            return empty_values(current.context().settings.timezone)
        return self.event.in_language(language).values(notation)


def read_others(text: str) -> Others:
    """Return the texts that a form carries, by language; none where they cannot be read."""
    try:
        sent = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    languages = current.context().settings.languages
    entries = sent.items() if isinstance(sent, dict) else ()
    return {tag: _entry(entry) for tag, entry in entries if tag in languages and entry}


def conflict(parameter: str, mine: Values, theirs: Values) -> Conflict:
    """Return both sides of a field; texts with markup as plain ones, if these differ."""
    own = FIELDS[parameter]
    sides: list[dict[str, Any]] = [
        {name: each[name] for name in own.controls} for each in (mine, theirs)
    ]
    read = [
        {name: plain(text) if isinstance(text, str) else text for name, text in side.items()}
        for side in sides
    ]
    return Conflict(parameter, own.label, *(read if read[0] != read[1] else sides))


def _entry(sent: Any) -> dict[str, Values]:
    parts = sent if isinstance(sent, dict) else {}
    values, base = (
        part if isinstance(part := parts.get(name), dict) else {} for name in ("values", "base")
    )
    return {
        "values": {name: _value(name, values.get(name)) for name in TEXT_CONTROLS},
        "base": {name: str(base.get(name, "")) for name in WORDED},
    }


def _value(name: str, sent: Any) -> Any:
    if name in LISTS:
        return [str(each) for each in sent] if isinstance(sent, list) else []
    return sent if isinstance(sent, str) else ""
