"""Texts typed in the other languages of a form, which go along until all is saved."""

import json
from typing import Any

from calendar_app.desk.event_form.form import EventForm
from calendar_app.desk.event_form.merging import digests_of, merge
from calendar_app.desk.event_form.opening import new_values, notation
from calendar_app.desk.event_form.stored import StoredEvent
from calendar_app.desk.event_form.values import (
    CONTROLS,
    LISTS,
    WORDED,
    Values,
    changed_parameters,
)
from calendar_app.http.request import current

_CONTROLS = tuple(control for parameter in WORDED for control in CONTROLS[parameter])
Others = dict[str, dict[str, Values]]


def read_others(text: str) -> Others:
    """Return the texts that a form carries, by language; none where they cannot be read."""
    try:
        sent = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    languages = current.settings().languages
    entries = sent.items() if isinstance(sent, dict) else ()
    return {tag: _entry(entry) for tag, entry in entries if tag in languages and entry}


def show_language(form: EventForm, language: str) -> None:
    """Put the texts of another language into a form; those that were typed go along."""
    if language == form.language:
        return
    typed = _texts(form.values)
    if changed_parameters(typed, _texts(_opened(form, form.language)[1])):
        base = {name: form.base.get(name, "") for name in WORDED}
        form.others[form.language] = {"values": typed, "base": base}
    form.event, stored = _opened(form, language)
    digests = digests_of(stored)
    usual = {"values": _texts(stored), "base": {name: digests[name] for name in WORDED}}
    entry = form.others.pop(language, usual)
    form.values |= entry["values"]
    form.base |= entry["base"]
    form.language = language


def settle_languages(form: EventForm) -> None:
    """Let the values of a form hold what it changes in other languages.

    The form shows the language in which something is missing, or changed by others as well.
    """
    if form.event is None and form.others and not any(_texts(form.values).values()):
        show_language(form, next(iter(form.others)))
    changed: dict[str, Values] = {}
    for language, entry in list(form.others.items()):
        stored = _texts(_opened(form, language)[1])
        is_new = form.event is None
        texts, both = (
            (entry["values"], []) if is_new else merge(entry["values"], stored, entry["base"])
        )
        names = changed_parameters(texts, stored)
        if both or (names and not texts["title"].strip()):
            show_language(form, language)
            break
        changed[language] = {each: texts[each] for name in names for each in CONTROLS[name]}
    form.values["other_languages"] = changed


def is_unsaved(form: EventForm) -> bool:
    """Return whether a form has anything that is stored in no language."""
    stored = _opened(form, form.language)[1]
    return bool(form.others or changed_parameters(form.values, stored))


def _opened(form: EventForm, language: str) -> tuple[StoredEvent | None, Values]:
    """Return the event in a language, and the values with which its form is opened."""
    if form.event is None:
        return None, new_values(language)
    event = StoredEvent.find(form.event.kind, form.event.record["_id"], language)
    return event, event.values(notation())


def _texts(values: Values) -> Values:
    return {name: values[name] for name in _CONTROLS}


def _entry(sent: Any) -> dict[str, Values]:
    parts = sent if isinstance(sent, dict) else {}
    values, base = (
        part if isinstance(part := parts.get(name), dict) else {} for name in ("values", "base")
    )
    return {
        "values": {name: _value(name, values.get(name)) for name in _CONTROLS},
        "base": {name: str(base.get(name, "")) for name in WORDED},
    }


def _value(name: str, sent: Any) -> Any:
    if name in LISTS:
        return [str(each) for each in sent] if isinstance(sent, list) else []
    return sent if isinstance(sent, str) else ""
