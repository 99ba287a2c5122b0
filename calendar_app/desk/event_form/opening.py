"""Shows the form: what is in it, and what it offers to choose from."""

from dataclasses import replace
from typing import Any

from flask import Response

from calendar_app.accounts.policy import may_delete
from calendar_app.accounts.roles import Right
from calendar_app.desk.event_form import choices
from calendar_app.desk.event_form.days import day_text
from calendar_app.desk.event_form.form import LABELS, EventForm, control_id
from calendar_app.desk.event_form.linking import names_of, suggest
from calendar_app.desk.event_form.notation import Notation
from calendar_app.desk.event_form.occurrences import occurrences_of
from calendar_app.desk.event_form.readings import reading_of
from calendar_app.desk.event_form.repeating import nth_weekday
from calendar_app.desk.event_form.stored import StoredEvent
from calendar_app.desk.event_form.values import Values, empty_values
from calendar_app.desk.languages import language
from calendar_app.desk.rendering import render
from calendar_app.errors import CalendarError
from calendar_app.http.request import current
from calendar_app.http.request.negotiation import named_language
from calendar_app.resources.events.kind import EVENT
from calendar_app.resources.media.kind import MEDIA
from calendar_app.resources.media.presentation import present as present_picture
from calendar_app.http.views import records

_NOT_COPIED = ("slug", "status", "date", "date_time", "password")


def content_language() -> str:
    """Return the language whose texts are edited: that of the address, else the user's own."""
    settings = current.settings()
    sent = current.request().args.get(settings.translation_parameter, "")
    return named_language(sent, settings.languages) or current.chain()[0]


def notation() -> Notation:
    """Return how the user writes dates."""
    return Notation(language(), current.site_now().date(), current.settings().languages)


def new_values(edited: str) -> Values:
    """Return the values of a new event, or of the copy of one."""
    values = empty_values(current.settings().timezone)
    sent = current.request().args
    if sent.get("date"):
        values["start_date"] = _day(sent["date"])
    number = sent.get("copy", "")
    if current.request().method == "POST" or not (number.isascii() and number.isdecimal()):
        return values
    copied = StoredEvent.find(EVENT, int(number), edited).values(notation())
    return values | {
        name: value
        for name, value in copied.items()
        if name not in _NOT_COPIED and not name.startswith("repeat")
    }
