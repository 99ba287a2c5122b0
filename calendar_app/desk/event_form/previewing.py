"""An event as readers will see it, before it is saved."""

from collections.abc import Callable

from flask import Response

from calendar_app.desk.event_form.form import EventForm
from calendar_app.domain.kind import Record
from calendar_app.http.request import current
from calendar_app.pages.record_pages import preview_page


def preview(form: EventForm, write: Callable[[], Record]) -> Response:
    """Return the page of the event that ``write`` would store; nothing stays stored."""

    def show_page() -> Response:
        record = write()
        parameter = current.settings().translation_parameter
        with current.acting_on({parameter: form.language}):
            return preview_page(record)

    return current.editor().rehearse(show_page)
