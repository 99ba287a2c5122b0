"""The engine of forms: submitted values, concurrent changes, and refusals.

The forms of the desk and the one for contributions declare their fields. All of them load a body
through the change schema of the interface, merge by the same digests, and tell what is refused
with the label that stands above the field.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

import marshmallow as ma
import orjson

from calendar_app.api.http.errors.problems import INVALID
from calendar_app.api.http.errors.refusals import refusal_of
from calendar_app.api.http.fields.changes import ChangeSchema
from calendar_app.api.http.fields.schema import RequestSchema
from calendar_app.errors import CalendarError, InvalidParameters, Message
from calendar_app.site.pages.refusals import in_words, placed

ControlValues = dict[str, Any]
# Reasons by control; those of no control stand under an empty name, above the form.
Problems = dict[str, str]
FormDigests = dict[str, str]
_DIGEST_BYTES = 6


@dataclass(frozen=True, slots=True)
class FormField:
    """A field of a form: its name in the body, its label, its controls with labels of their own.

    ``id`` is that of the control that takes the focus; without ``parts`` it is the only one.
    ``within`` names the part of the form that it stands in, where labels occur more than once.
    """

    name: str
    label: Message
    id: str
    parts: Mapping[str, Message | None] = field(default_factory=dict)
    within: tuple[Message, ...] = ()

    @property
    def controls(self) -> tuple[str, ...]:
        return tuple(self.parts) or (self.name,)

    @property
    def labels(self) -> Mapping[str, Message]:
        return {self.name: self.label, **{n: label for n, label in self.parts.items() if label}}

    def path_to(self, control: str) -> tuple[Message, ...]:
        """Return the labels of a control; beside the field's own control, that one's first."""
        part = self.parts.get(control)
        if part is None:
            return (*self.within, self.label)
        return (*self.within, *((self.label,) if self.name in self.parts else ()), part)


@dataclass(slots=True)
class Form:
    """The values of a form by control, its errors, and the values that it was opened with.

    ``base`` has a digest of each field as the form showed it, at a ``revision`` of the record.
    """

    fields: Mapping[str, FormField]
    values: ControlValues
    revision: int = 0
    base: FormDigests = field(default_factory=dict)
    problems: Problems = field(default_factory=dict)

    def changed(self, stored: Mapping[str, Any]) -> set[str]:
        """Return the fields of which some control differs."""
        return changed_fields(self.fields, self.values, stored)

    def merge(self, stored: Mapping[str, Any], revision: int) -> list[str]:
        """Take over the changes of others; return the fields that both sides changed."""
        self.values, both = merge(self.fields, self.values, stored, self.base)
        self.revision, self.base = revision, digests_of(self.fields, stored)
        return both

    def refuse(self, error: CalendarError) -> int:
        """Put the reasons of a refusal at their controls, in words; return its status."""
        refusal = refusal_of(error)
        reasons = error.reasons if isinstance(error, InvalidParameters) else {"": refusal.message}
        for name, reason in reasons.items():
            place, bare = placed(name, reason)
            control = self.control_of(place, bare)
            self.problems.setdefault(control, self.in_words(control, bare))
        return refusal.status

    def control_of(self, place: str, _reason: str) -> str:
        """Return the control that a reason is about; empty for a field that the form lacks."""
        names = (place, place.partition("[")[0].partition(".")[0])
        return next((name for name in names if name in self.fields), "")

    def in_words(self, _control: str, reason: str) -> str:
        return in_words(reason)

    @property
    def labels(self) -> Mapping[str, Message]:
        return {name: label for each in self.fields.values() for name, label in each.labels.items()}

    def id_of(self, name: str) -> str:
        """Return the id of a control."""
        return self.fields[name].id if name in self.fields else name

    @property
    def summary(self) -> Iterator[tuple[str, tuple[Message, ...], str]]:
        """Yield id, labels and reason of all that is wrong, in the order of the form."""
        labels = self.labels
        order = {name: place for place, name in enumerate(labels)}
        owners = {n: each for each in self.fields.values() for n in (each.name, *each.controls)}
        for name in sorted(self.problems, key=lambda name: order.get(name, -1)):
            own_label = (labels[name],) if name in labels else ()
            path = owners[name].path_to(name) if name in owners else own_label
            yield self.id_of(name) if path else "", path, self.problems[name]

    @property
    def first_wrong(self) -> str:
        """The id of the first control that is wrong; empty where none is."""
        return next((each for each, _, _ in self.summary if each), "")


def load(
    schema: RequestSchema, body: Mapping[str, Any], problems: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Return the changes of a body; the ``problems`` of the form itself go before those of it.

    Raises ``InvalidParameters`` with all that is wrong, each text by itself.
    """
    reasons: Problems = {}
    if isinstance(schema, ChangeSchema):
        reasons = _refused_texts(schema, body.get("variants", {}))
    changes: dict[str, Any] = {}
    try:
        changes = schema.load(body)
    except ma.ValidationError as error:
        refused = {str(name): _first(each) for name, each in error.messages_dict.items()}
        reasons = {
            name: why for name, why in refused.items() if name != "variants" or not reasons
        } | reasons
    except InvalidParameters as error:
        reasons = {**error.reasons, **reasons}
    reasons = {**(problems or {}), **reasons, **(problems or {})}
    if reasons:
        raise InvalidParameters(reasons)
    return changes


def _refused_texts(schema: ChangeSchema, variants: Mapping[str, Mapping[str, Any]]) -> Problems:
    """Return the reasons of all refused texts; loading ``variants`` tells only the first."""
    reasons: Problems = {}
    for language, texts in variants.items():
        label = schema.kind.label
        sent_names = (
            name for name in texts if texts[name] or (name == label and texts[name] == "")
        )
        for name in filter(schema.fields.__contains__, sent_names):
            try:
                schema.fields[name].deserialize(texts[name])
            except ma.ValidationError as error:
                reasons[f"variants[{language}][{name}]"] = _first(error.messages)
    return reasons


def _first(messages: object) -> str:
    """Return the first reason in nested messages of marshmallow."""
    while isinstance(messages, Mapping | list):
        members = list(messages.values()) if isinstance(messages, Mapping) else messages
        messages = members[0] if members else INVALID
    return messages if isinstance(messages, str) else INVALID


def changed_fields(
    fields: Mapping[str, FormField], values: Mapping[str, Any], stored: Mapping[str, Any]
) -> set[str]:
    """Return the fields of which some control differs; an absent one counts as empty."""
    return {
        name
        for name, each in fields.items()
        if any(_differ(values.get(control), stored.get(control)) for control in each.controls)
    }


def digests_of(fields: Mapping[str, FormField], values: Mapping[str, Any]) -> FormDigests:
    """Return a digest of each field, to detect its later changes."""
    return {name: _digest(each, values) for name, each in fields.items()}


def merge(
    fields: Mapping[str, FormField],
    sent: ControlValues,
    stored: Mapping[str, Any],
    base: FormDigests,
) -> tuple[ControlValues, list[str]]:
    """Return the sent values with the changes of others, and the fields both have changed.

    ``base`` are the digests of the values with which the form was opened.
    """
    merged, both = dict(sent), []
    different = changed_fields(fields, sent, stored)
    for name in filter(different.__contains__, fields):
        before = base.get(name)
        if before == _digest(fields[name], sent):
            take(merged, stored, fields[name])
        elif before != _digest(fields[name], stored):
            both.append(name)
    return merged, both


def member_of(control: str) -> str:
    """Return the field that a control is of, whatever its language: ``variants[rm][title]``."""
    return control.rpartition("[")[2].removesuffix("]")


def take(values: ControlValues, stored: Mapping[str, Any], form_field: FormField) -> None:
    """Put the stored values of a field into ``values``."""
    values |= {name: stored[name] for name in form_field.controls}


def read_digests(text: str) -> FormDigests:
    """Return the digests that a form carries; none where they cannot be read."""
    try:
        digests = orjson.loads(text)
    except orjson.JSONDecodeError:
        return {}
    return digests if isinstance(digests, dict) else {}


def _differ(value: Any, stored: Any) -> bool:
    if isinstance(value, list) and isinstance(stored, list):
        return sorted(value) != sorted(stored)
    return bool(value != stored) and bool(value or stored)


def _digest(form_field: FormField, values: Mapping[str, Any]) -> str:
    parts = [values.get(name) or "" for name in form_field.controls]
    parts = [sorted(part) if isinstance(part, list) else part for part in parts]
    text = json.dumps(parts, sort_keys=True, ensure_ascii=False)
    return blake2b(text.encode(errors="replace"), digest_size=_DIGEST_BYTES).hexdigest()
