"""Checks the form for contributions with the rules of the interface."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from marshmallow import ValidationError

from calendar_app.domain.kind import Record
from calendar_app.domain.richtext import decoded, plain_lines
from calendar_app.errors import InvalidParameters, Message
from calendar_app.http.request import current
from calendar_app.pages.refusals import in_words
from calendar_app.pages.submission_values import (
    ALT_TEXT,
    MISSING,
    TIMES,
    WORDED,
    FormValues,
    Problems,
    parameters_of,
)
from calendar_app.readmodel.events import ReadEvent
from calendar_app.resources.submissions.schemas import SubmissionChangeSchema, SubmissionSchema

_NEW, _CHANGE = SubmissionSchema(), SubmissionChangeSchema(partial=True)
# The field of the form at which a parameter is refused.
_FIELDS = {"start_date": "start_day", "end_date": "end_day"}
_TEXTS = (*WORDED, "website")
_CONTACT = ("contact_name", "contact_email")
_REASONS: Mapping[str, Message] = {
    "consent": Message("Without your consent we cannot take the event."),
}
_NO_TITLE = Message("Give the event a title.")
_NO_LANGUAGE = Message("Choose a language.")
# In the order of the page below the texts, so that the first one takes the focus.
_ORDER = (
    *("start_day", "past", "start_time", "end_day", "end_time", "venue", "organizer"),
    *("image", "cost", "categories", "website", "contact_name", "contact_email", "consent"),
)


@dataclass(frozen=True, slots=True)
class Checked:
    """The changes for the editor, or the problems of a form by field."""

    changes: Record = field(default_factory=dict)
    problems: Problems = field(default_factory=dict)


def check_new(values: FormValues) -> Checked:
    """Check the form of a new contribution."""
    parameters, problems = parameters_of(values)
    parameters |= {"consent": values.has("consent")}
    if current.services().mailer.enabled:
        parameters |= {name: values[name] for name in _CONTACT}
        problems |= {name: MISSING for name in _CONTACT if not values[name]}
    checked = _check(_NEW, parameters, values, problems)
    return replace(checked, changes=_in_language(checked.changes, values.language))


def check_change(values: FormValues, before: FormValues, language: str) -> Checked:
    """Check a mended form; unchanged fields are left out."""
    parameters, problems = parameters_of(values)
    changed = values.changed(before) - {"past", "consent", "image_remove", *_CONTACT}
    if changed & set(TIMES):
        changed |= {"start_date", "end_date", "all_day"}
    else:
        problems = {}
    dropped = [tag for tag in before.languages if tag not in values.languages]
    if dropped:
        # It may have been written in a language that goes.
        changed.add("website")
    sent = {name: value for name, value in parameters.items() if name in changed}
    sent["variants"] = _changed_words(parameters["variants"], before)
    sent[ALT_TEXT] = {
        tag: text
        for tag, text in parameters[ALT_TEXT].items()
        if text != before.text(ALT_TEXT, tag)
    }
    if values.has("image_remove"):
        sent["image"] = ""
    checked = _check(_CHANGE, sent, values, problems)
    changes = _in_language(
        checked.changes, language if language in values.languages else values.language
    )
    variants = changes.get("variants", {}) | {tag: dict.fromkeys(_TEXTS) for tag in dropped}
    return replace(checked, changes=changes | ({"variants": variants} if variants else {}))


def _changed_words(
    variants: Mapping[str, Mapping[str, str]], before: FormValues
) -> dict[str, dict[str, str]]:
    changed = {
        tag: {name: text for name, text in texts.items() if text != before.text(name, tag)}
        for tag, texts in variants.items()
    }
    return {tag: texts for tag, texts in changed.items() if texts}


def _check(
    schema: SubmissionChangeSchema,
    parameters: Mapping[str, Any],
    values: FormValues,
    problems: Problems,
) -> Checked:
    worded = _worded_problems(schema, values)
    left_out = {"variants", ALT_TEXT} if worded or not parameters["variants"] else set()
    sent = {name: value for name, value in parameters.items() if name not in left_out}
    found = worded | problems
    changes: Record = {}
    try:
        changes = schema.load(sent)
    except ValidationError as error:
        for name, reasons in error.messages_dict.items():
            found.setdefault(_FIELDS.get(name, name), _reason(name, reasons))
    return Checked(problems=in_page_order(found)) if found else Checked(changes)


def in_page_order(problems: Problems) -> Problems:
    """Return the problems in the order of the page, those of texts by language first."""
    worded = [name for name in problems if name == "languages" or "-" in name]
    return {name: problems[name] for name in (*worded, *_ORDER) if name in problems} or problems


def _worded_problems(schema: SubmissionChangeSchema, values: FormValues) -> Problems:
    """Check the texts of each chosen language."""
    if not values.languages:
        return {"languages": _NO_LANGUAGE}
    problems: Problems = {}
    for tag in values.languages:
        for name in (*WORDED, ALT_TEXT):
            text = values.text(name, tag)
            try:
                schema.fields[name].deserialize(text)
            except ValidationError as error:
                is_empty = name == "title" and not text
                problems[f"{name}-{tag}"] = _NO_TITLE if is_empty else in_words(error.messages[0])
    return problems


def _reason(name: str, reasons: Sequence[str]) -> str:
    """Return the first reason in the words of the page."""
    reason = reasons[0]
    is_length = isinstance(reason, Message) and "most" in reason.gaps
    if name in _REASONS and not is_length:
        return _REASONS[name]
    return in_words(reason)


def _in_language(changes: Record, language: str) -> Record:
    """Move to a language what is written once, and was read in that of the page."""
    moved = dict(changes)
    for name in ("venues", "organizers"):
        for entry in moved.get(name, ()):
            if isinstance(entry, dict):
                (texts,) = entry["variants"].values()
                entry["variants"] = {language: texts}
    variants = {tag: dict(texts) for tag, texts in changes.get("variants", {}).items()}
    own = variants.get(current.language(), {})
    if "website" in own:
        variants.setdefault(language, {})["website"] = own.pop("website")
    variants = {tag: texts for tag, texts in variants.items() if texts}
    return moved | ({"variants": variants} if variants else {})


def values_of(event: ReadEvent, picture: Record | None) -> FormValues:
    """Return the fields of the form for an event that was sent, with its ``picture``."""
    variants = event.record["variants"]
    alt_texts = picture["variants"] if picture else {}
    start, end, all_day = event.start, event.end, event.all_day
    return FormValues(
        {
            "start_day": start.date().isoformat(),
            "start_time": "" if all_day else f"{start:%H:%M}",
            "end_day": end.date().isoformat(),
            "end_time": "" if all_day else f"{end:%H:%M}",
            "venue": event.places[0].name.text if event.places else "",
            "organizer": event.organizers[0].name.text if event.organizers else "",
            "cost": event.price,
            "website": event.website,
        },
        {"all_day": all_day},
        tuple(str(term.id) for term in event.categories),
        tuple(tag for tag in current.settings().languages if tag in variants),
        {
            tag: {
                "title": texts.get("title", ""),
                "description": plain_lines(texts.get("description", "")),
                ALT_TEXT: decoded(alt_texts.get(tag, {}).get(ALT_TEXT, "")),
            }
            for tag, texts in variants.items()
        },
    )


def by_field(error: InvalidParameters) -> Problems:
    """Return the editor's reasons by field of the form."""
    return {_FIELDS.get(name, name): in_words(reason) for name, reason in error.reasons.items()}
