"""The state of one form: values in all languages, refusals, and concurrent changes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from calendar_app.domain.richtext import plain
from calendar_app.errors import Message
from calendar_app.site.desk.event_form.fields import (
    NEW,
    control_in,
    fields_in,
    labels_in,
    languages_from,
)
from calendar_app.site.desk.event_form.stored_event import StoredEvent
from calendar_app.site.desk.event_form.times import WRITTEN_RULE, Notation
from calendar_app.site.desk.languages import NO_STATEMENTS, TextStatements
from calendar_app.site.pages.forms import ControlValues, Form, FormField, digests_of
from calendar_app.site.pages.refusals import in_words

# The controls of the parts of a recurrence.
_PARTS = {
    "UNTIL": "repeat_until",
    "COUNT": "repeat_count",
    "rdate": "repeat_dates",
    "exdate": "repeat_except",
}


@dataclass(frozen=True, slots=True)
class FieldConflict:
    """A ``field`` that two people have changed, with the controls of both."""

    field: FormField
    mine: ControlValues
    theirs: ControlValues


@dataclass(slots=True)
class EventForm(Form):
    """A form for ``event``, or for a new one, in all ``languages``.

    The texts of the first language have the names of the interface alone. ``beside`` is the
    language that stands beside it, where not all have room; ``statements`` are those on texts.
    ``is_unsaved`` where it has more than what is stored, though nothing is wrong with it.
    """

    languages: tuple[str, ...] = ()
    event: StoredEvent | None = None
    scope: str = ""
    conflicts: Sequence[FieldConflict] = ()
    asks_past: bool = False
    alternative_texts: Mapping[str, str] = field(default_factory=dict)
    picture_rights: Mapping[str, str] = field(default_factory=dict)
    beside: str = ""
    statements: TextStatements = NO_STATEMENTS
    is_unsaved: bool = False

    @classmethod
    def of(cls, event: StoredEvent, notation: Notation) -> Self:
        """Return the form that shows a stored event."""
        fields, values = event.fields, event.values(notation)
        base = digests_of(fields, values)
        return cls(fields, values, event.record["revision"], base, {}, event.languages, event)

    @classmethod
    def new(cls, language: str, values: ControlValues) -> Self:
        """Return the form for a new event that begins with these values."""
        languages = languages_from(language)
        return cls(fields_in(languages), values, languages=languages)

    @property
    def series_id(self) -> int | None:
        """The id of the stored series that the form shows dates of, if any."""
        return self.event.series_id if self.event else None

    @property
    def language(self) -> str:
        return self.languages[0]

    def in_language(self, name: str, language: str) -> str:
        """Return the control of a text in a language."""
        return control_in(name, language, self.languages)

    def control_of(self, place: str, reason: str) -> str:
        """Return the control that a reason is about."""
        group, _, member = place.partition("[")
        if f"{group}_new" in NEW and member:
            return f"{group}_new[{member}"
        if group == "variants":
            tag, _, name = member.partition("][")
            place = self.in_language(name.removesuffix("]"), tag)
        if place == "recurrence" and isinstance(reason, Message):
            part = str(reason.gaps.get("part") or reason.pattern.partition(" ")[0])
            is_rule = part.isupper() and self.values["repeat"] == WRITTEN_RULE
            return "repeat_rule" if is_rule else _PARTS.get(part, place)
        return place if place in self.labels else ""

    def in_words(self, control: str, reason: str) -> str:
        return reason if control == "repeat_rule" else in_words(reason)

    @property
    def labels(self) -> Mapping[str, Message]:
        return labels_in(self.languages)

    def id_of(self, name: str) -> str:
        form_field = self.fields.get(name)
        return form_field.id if form_field else f"event-{name.replace('[', '-').removesuffix(']')}"


def conflict(form_field: FormField, mine: ControlValues, theirs: ControlValues) -> FieldConflict:
    """Return both sides of a field; texts with markup as plain ones, if these differ."""
    sides: list[dict[str, Any]] = [
        {name: each[name] for name in form_field.controls} for each in (mine, theirs)
    ]
    read = [
        {name: plain(text) if isinstance(text, str) else text for name, text in side.items()}
        for side in sides
    ]
    return FieldConflict(form_field, *(read if read[0] != read[1] else sides))
