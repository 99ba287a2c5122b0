"""Checks the form for contributions with the rules of the interface."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from marshmallow import ValidationError

from calendar_app.domain.kind import Record
from calendar_app.domain.richtext import decoded, plain_lines
from calendar_app.errors import InvalidParameters, Message
from calendar_app.http.errors.problems import Missing
from calendar_app.http.presentation.presenting import JSONObject
from calendar_app.http.request import current
from calendar_app.pages.submission_values import (
    TIMES,
    FormValues,
    Problems,
    parameters_of,
)
from calendar_app.resources.submissions.schemas import SubmissionChangeSchema, SubmissionSchema

_NEW, _CHANGE = SubmissionSchema(), SubmissionChangeSchema(partial=True)
# The field of the form at which a parameter is refused.
_FIELDS = {"start_date": "start_day", "end_date": "end_day"}
_CONTACT = ("contact_name", "contact_email")
_MISSING = Message("Please fill this in.")
_REASONS: Mapping[str, Message] = {
    "title": Message("Give the event a title."),
    "website": Message("Write the whole address: https://example.org"),
    "consent": Message("Without your consent we cannot take the event."),
    "contact_email": Message("Write an address of e-mail: name@example.org"),
    "language": Message("Choose a language."),
}
# In the order of the page, so that the first one takes the focus.
ORDER = (
    *("title", "description", "language", "start_day", "past", "start_time", "end_day"),
    *("end_time", "venue", "organizer", "cost", "categories", "website"),
    *("contact_name", "contact_email", "consent"),
)


@dataclass(frozen=True, slots=True)
class Checked:
    """The changes for the editor, or the problems of a form by field."""

    changes: Record = field(default_factory=dict)
    problems: Problems = field(default_factory=dict)


def check_new(values: FormValues) -> Checked:
    """Check the form of a new contribution."""
    parameters, problems = parameters_of(values)
    parameters |= {name: values[name] for name in _CONTACT}
    parameters |= {"consent": values.has("consent")}
    if current.services().mailer.enabled:
        problems |= {name: _MISSING for name in _CONTACT if not values[name]}
    return _check(_NEW, parameters, values["language"], problems)


def check_change(values: FormValues, before: FormValues) -> Checked:
    """Check a mended form; unchanged fields are left out."""
    parameters, problems = parameters_of(values)
    changed = values.changed(before) - {"language", "past", "consent", *_CONTACT}
    if changed & set(TIMES):
        changed |= {"start_date", "end_date", "all_day"}
    else:
        problems = {}
    sent = {name: value for name, value in parameters.items() if name in changed}
    return _check(_CHANGE, sent, before["language"], problems)


def _check(
    schema: SubmissionChangeSchema, parameters: Mapping[str, Any], language: str, problems: Problems
) -> Checked:
    found = dict(problems)
    if language not in current.settings().languages:
        found["language"] = _REASONS["language"]
    changes: Record = {}
    try:
        changes = schema.load(parameters)
    except ValidationError as error:
        for name, reasons in error.messages_dict.items():
            found.setdefault(_FIELDS.get(name, name), _reason(name, reasons))
    if found:
        return Checked(problems={name: found[name] for name in ORDER if name in found})
    return Checked(_in_language(changes, language))


def _reason(name: str, reasons: Sequence[str]) -> str:
    """Return the first reason in the words of the page."""
    reason = reasons[0]
    is_length = isinstance(reason, Message) and "most" in reason.gaps
    if name in _REASONS and not is_length:
        return _REASONS[name]
    return _MISSING if isinstance(reason, Missing) else reason


def _in_language(changes: Record, language: str) -> Record:
    """Move the texts of changes to another language than the page's."""
    moved = dict(changes)
    for name in ("venues", "organizers"):
        if name in changes:
            moved[name] = [
                _in_language(entry, language) if isinstance(entry, dict) else entry
                for entry in changes[name]
            ]
    if "variants" in changes:
        (texts,) = changes["variants"].values()
        moved["variants"] = {language: texts}
    return moved


def values_of(event: Record, shown: JSONObject, language: str) -> FormValues:
    """Return the fields of the form for an event that was sent."""
    texts = event["variants"].get(language, {})
    start, end = event["start_local"], event["end_local"]
    venues = shown["venue"] if isinstance(shown["venue"], list) else [shown["venue"]]
    all_day = bool(event["all_day"])
    return FormValues(
        {
            "title": decoded(texts.get("title", "")),
            "description": plain_lines(texts.get("description", "")),
            "language": language,
            "start_day": start.date().isoformat(),
            "start_time": "" if all_day else f"{start:%H:%M}",
            "end_day": end.date().isoformat(),
            "end_time": "" if all_day else f"{end:%H:%M}",
            "venue": decoded(venues[0]["venue"]) if venues else "",
            "organizer": decoded(shown["organizer"][0]["organizer"]) if shown["organizer"] else "",
            "cost": decoded(shown["cost"]),
            "website": decoded(shown["website"]) if shown["website"] != shown["url"] else "",
        },
        {"all_day": all_day},
        tuple(str(term["id"]) for term in shown["categories"]),
    )


def by_field(error: InvalidParameters) -> Problems:
    """Return the editor's reasons by field of the form."""
    return {_FIELDS.get(name, name): reason for name, reason in error.reasons.items()}
