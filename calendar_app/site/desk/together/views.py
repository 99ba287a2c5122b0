"""The pages that change several events together: the form, the preview, and the change itself."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from flask import Response, request

from calendar_app.accounts.callers import Right
from calendar_app.accounts.policy import may_edit, may_read
from calendar_app.api.http.request import current
from calendar_app.api.http.views import records
from calendar_app.api.resources.events.schemas import EventChangeSchema
from calendar_app.calendar.several import RecordWrite
from calendar_app.domain.kind import Record
from calendar_app.domain.kinds import EVENT
from calendar_app.domain.numbers import parse_digits
from calendar_app.errors import Message, NotAllowed, NotFound
from calendar_app.readmodel.events import ReadEvent
from calendar_app.site.desk.choices import category_tree, names_of, suggest, tags_by_name
from calendar_app.site.desk.event_form.showing import content_language, shown_picture
from calendar_app.site.desk.event_form.stored_event import StoredEvent
from calendar_app.site.desk.events_table import matching_events
from calendar_app.site.desk.library import asks_for_pictures, sent_library
from calendar_app.site.desk.rendering import notify, render, see
from calendar_app.site.desk.routing import page
from calendar_app.site.desk.several import notify_outcome
from calendar_app.site.desk.together.change import JointChange
from calendar_app.site.desk.together.form import (
    begin,
    change_of,
    direction_choices,
    own_terms,
    sent_form,
)
from calendar_app.site.desk.together.preview import Preview, changes_in_words, preview_of
from calendar_app.site.pages.forms import Form, load

MOST_TOGETHER = 500
_REFUSED = 422
_TOO_MANY = Message(
    "At most {most} events are changed together, and {number} are chosen. Choose fewer."
)
_SCHEMA = EventChangeSchema(partial=True)


@page("/events/together", needs=Right.EDIT, methods=["POST"])
def change_together() -> Response:
    """Show the form for the chosen events or its preview, or save the change."""
    query = request.form.get("query", "")
    path = f"/events/?{query}" if query else "/events/"
    ids, number = _chosen(query)
    if not ids:
        notify(Message("Nothing is chosen."), "warning")
        return see(path)
    if number > MOST_TOGETHER:
        notify(Message(_TOO_MANY.pattern, most=MOST_TOGETHER, number=number), "problem")
        return see(path)
    press, form, events = request.form.get("button", ""), sent_form(), _readable(ids)
    if not press:
        begin(form, events.values())
    if press not in ("preview", "save") or asks_for_pictures():
        return _form_page(form, ids, events)
    change = change_of(form)
    if change is None:
        return _form_page(form, ids, events, _REFUSED)
    write, several = _write(change, events), current.context().services.several
    if press == "save":
        outcome = several.change(EVENT, ids, write, current.context().caller)
        notify_outcome(EVENT, outcome, path)
        return see(path)
    changed, refused = several.preview(EVENT, ids, write, changes_in_words)
    return _preview_page(form, preview_of(ids, events, changed, refused))


def _chosen(query: str) -> tuple[list[int], int]:
    """Return the chosen events, or all that match; and how many there are."""
    if request.form.get("all"):
        ids, others = matching_events(query, MOST_TOGETHER)
        return ids, len(ids) + others
    # Back from a preview, the form is again about those too that it would leave.
    names = ("id", "other") if request.form.get("button") == "edit" else ("id",)
    numbers = (parse_digits(each) for name in names for each in request.form.getlist(name))
    ids = list(dict.fromkeys(number for number in numbers if number is not None))
    return ids, len(ids)


def _readable(ids: Sequence[int]) -> dict[int, Record]:
    """Return those of the events that are there for the user, read at once."""
    context = current.context()
    found = context.reader.records_of({EVENT.name: set(ids)})
    readable = (event for event in found.values() if event and may_read(context.caller, event))
    return {event["_id"]: event for event in readable}


# What is written.


def _write(change: JointChange, events: Mapping[int, Record]) -> RecordWrite:
    """Return the write of one event: at the revision of the preview, or as it was read just now."""
    caller, editor = current.context().caller, current.context().services.editor
    language, revisions = content_language(), _seen()
    shared = records.context_of(EVENT, list(events.values()))
    shared = replace(shared, chain=current.context().settings.chain(language))

    def write(event_id: int) -> Record:
        if event_id not in events:
            raise NotFound(EVENT.singular, event_id)
        event = events[event_id]
        if not may_edit(caller, event):
            raise NotAllowed
        body = change.body_for(event)
        if not body:
            return event
        return editor.change(
            EVENT,
            event_id,
            load(_SCHEMA, body),
            caller,
            language,
            revision=revisions.get(event_id, event["revision"]),
            unpublished=StoredEvent(EVENT, ReadEvent(event, shared)).unpublished_links,
        )

    return write


def _seen() -> dict[int, int]:
    """Return the revisions that the preview has shown, by event."""
    pairs = (entry.partition(".") for entry in request.form.get("seen", "").split())
    seen = {parse_digits(number): parse_digits(revision) for number, _, revision in pairs}
    return {number: revision for number, revision in seen.items() if number and revision}


# The pages.


def _form_page(
    form: Form, ids: Sequence[int], events: Mapping[int, Record], status: int = 200
) -> Response:
    values = form.values
    return render(
        "together/form.html",
        status,
        form=form,
        values=values,
        labels=form.labels,
        control_id=form.id_of,
        ids=ids,
        query=request.form.get("query", ""),
        directions=direction_choices(),
        venues=names_of("venue", values["venue"]),
        organizers=names_of("organizer", values["organizer"]),
        known_venues=suggest("venue"),
        known_organizers=suggest("organizer"),
        categories=category_tree(()),
        tags=tags_by_name(),
        own_terms=own_terms(list(events.values())),
        picture=shown_picture(values["image"]),
        may_upload=current.context().caller.may(Right.UPLOAD),
        library=sent_library(),
        languages=current.context().settings.languages,
    )


def _preview_page(form: Form, preview: Preview) -> Response:
    return render(
        "together/preview.html",
        values=form.values,
        preview=preview,
        query=request.form.get("query", ""),
    )
