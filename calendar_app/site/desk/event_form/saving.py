"""Handles a submitted form: checks it, shows it again, previews it, or saves it."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from types import MappingProxyType

from flask import Response, request

from calendar_app.api.http.errors.refusals import refusal_of
from calendar_app.api.http.fields.changes import ChangeSchema
from calendar_app.api.http.request import current
from calendar_app.api.http.request.negotiation import named_language
from calendar_app.api.resources.events.schemas import EventChangeSchema
from calendar_app.api.resources.series import SeriesChangeSchema
from calendar_app.calendar.series.changing import FOLLOWING, SCOPES, THIS
from calendar_app.domain.kind import Record
from calendar_app.domain.kinds import EVENT, MEDIA, ORGANIZER, SERIES, VENUE
from calendar_app.domain.numbers import parse_digits
from calendar_app.domain.pictures import FOCUS_POINT
from calendar_app.domain.statuses import DRAFT, PENDING, PRIVATE, PUBLISH
from calendar_app.errors import CalendarError, InvalidParameters, Message, PreconditionFailed
from calendar_app.site.desk.event_form.asking import TIMES, ask
from calendar_app.site.desk.event_form.body import NEEDED, body_of, texts_of
from calendar_app.site.desk.event_form.dates import (
    DateChange,
    changes_of,
    is_press,
    pressed,
    with_end_moved,
    with_length,
)
from calendar_app.site.desk.event_form.fields import fields_in, languages_from
from calendar_app.site.desk.event_form.form import EventForm, conflict
from calendar_app.site.desk.event_form.occurrences import event_in_words, moved_texts
from calendar_app.site.desk.event_form.origins import control_at, pressed_path
from calendar_app.site.desk.event_form.showing import content_language, notation, show
from calendar_app.site.desk.event_form.stored_event import StoredEvent
from calendar_app.site.desk.event_form.times import Notation, line_problem
from calendar_app.site.desk.event_form.values import empty_values, sent_values
from calendar_app.site.desk.forms import received_image, saved_meanwhile
from calendar_app.site.desk.languages import NO_STATEMENTS, TextStatements, notify_missed_terms
from calendar_app.site.desk.library import asks_for_pictures
from calendar_app.site.desk.rendering import Undo, notify, notify_other_slug, see, show_records_in
from calendar_app.site.desk.routing import too_long
from calendar_app.site.pages.forms import ControlValues, Problems, load, read_digests, take
from calendar_app.site.pages.record_pages import preview_page

SaveRecord = Callable[[], Record]
_LONG = ("description", "excerpt")
_SCHEMAS: Mapping[str, ChangeSchema] = MappingProxyType(
    {EVENT.name: EventChangeSchema(partial=True), SERIES.name: SeriesChangeSchema(partial=True)}
)
_NEW = EventChangeSchema()
_MERGED = Message("{saved} Their changes and yours are both kept.")
_BOTH = Message("{saved} Choose what counts, then save again.")
_SAVED = Message("Saved: {event}.")
_PUBLISHED = Message("Saved, and public now: {event}.")
MOVED = Message("Moved from {date} to {new_date}.")
_AS_SOURCE = Message("The field is as the source says.")
_NO_SUCH_DATE = Message("The series has no such date, or it is too far ahead.")
# Buttons that save in a state of their own.
_MIDDLE = "50"
_STATES = (DRAFT, PENDING, PUBLISH)


# What a form becomes: a new event, or a change of a stored one.


@dataclass(frozen=True, slots=True)
class SentForm:
    """The ``names`` of fields to write, with their texts in ``languages``, that of new links first.

    ``statements`` are those on texts; ``problems`` are those of the form itself.
    """

    values: ControlValues
    names: Collection[str]
    languages: tuple[str, ...]
    notation: Notation
    statements: TextStatements = NO_STATEMENTS
    problems: Problems = field(default_factory=dict)

    def changes(self, schema: ChangeSchema, stored: Mapping[str, Record]) -> Record:
        """Return the changes of ``stored`` texts, and of all other fields.

        Raises ``InvalidParameters`` with all that is wrong.
        """
        body, unread = body_of(self.values, self.names, self.languages[0], self.notation)
        variants: Record = {}
        for tag in self.languages:
            before = stored.get(tag, {})
            texts, wrong = texts_of(self.values, self.names, tag, before, self.languages)
            variants |= {tag: texts} if texts else {}
            unread |= wrong
        if not stored and not any(texts.get("title") for texts in variants.values()):
            unread["title"] = NEEDED
        body |= {"variants": variants} if variants else {}
        body |= self.statements.body(schema.kind, variants)
        problems = unread | self.problems
        try:
            changes = load(schema, body, problems)
        except InvalidParameters as error:
            # An end that follows from the start is judged with it.
            follows = "start_date" in problems and "end_date" not in {**body, **problems}
            left_out = ("end_date",) if follows else ()
            reasons = {n: why for n, why in error.reasons.items() if n not in left_out}
            raise InvalidParameters(reasons) from error
        return changes | _password(self.values, self.names)


def create(form: EventForm, how: Notation) -> Record:
    """Create an event from a form; raise ``InvalidParameters`` with all that is wrong."""
    context = current.context()
    empty = empty_values(context.settings.timezone, form.languages)
    sent = SentForm(
        form.values,
        form.changed(empty) | TIMES,
        form.languages,
        how,
        form.statements,
        form.problems,
    )
    changes = sent.changes(_NEW, {})
    return context.services.editor.create(EVENT, changes, context.caller, _first_written(form))


def _first_written(form: EventForm) -> str:
    """Return the language in which a new event is written, the first one of several."""
    titled = (tag for tag in form.languages if form.values[form.in_language("title", tag)].strip())
    return next(titled, form.language)


def change_values(event: StoredEvent, values: ControlValues, how: Notation) -> Record:
    """Change some values of a stored event, as its form does."""
    return change(event, SentForm(event.values(how) | values, values.keys(), event.languages, how))


def change(event: StoredEvent, sent: SentForm, scope: str = "") -> Record:
    """Change the submitted fields of an event or series, at the revision read.

    Places and organizers that the user may not see stay. Raises ``InvalidParameters`` with all
    that is wrong, or ``PreconditionFailed``.
    """
    changes = sent.changes(_SCHEMAS[event.kind.name], event.record["variants"])
    for kind in (VENUE, ORGANIZER):
        if kind.name in changes:
            changes[kind.name] = [*changes[kind.name], *event.hidden_links(kind)]
    is_of_series = event.kind is EVENT and event.series_id is not None
    context = current.context()
    return context.services.editor.change(
        event.kind,
        event.record["_id"],
        changes | ({"scope": scope} if is_of_series and scope in SCOPES else {}),
        context.caller,
        event.language,
        revision=event.record["revision"],
        unpublished=event.unpublished_links,
    )


def _password(values: ControlValues, names: Collection[str]) -> Record:
    """Return the password to store; an empty control leaves it unchanged."""
    if "password" not in names:
        return {}
    if values.get("password_remove"):
        return {"password": None}
    typed = values.get("password")
    return {"password": current.context().services.accounts.seal(typed)} if typed else {}


# The page on which the form is sent.


def send_new() -> Response:
    """Create an event from the form that was sent, or show the form again."""
    form, how = _sent_form(_first_language()), notation()
    return _act(form, TIMES, partial(create, form, how), how)


def send_change(event: StoredEvent) -> Response:
    """Change an event by the form that was sent, or show the form again."""
    how, event = notation(event), event.in_language(_first_language())
    if pressed_field := pressed_path(request.form.get("button", "")):
        return _take(event, pressed_field, how)
    form, stored = _sent_form(event.language, event), event.values(how)
    for name, form_field in form.fields.items():
        if request.form.get(f"keep_{name}") == "theirs":
            take(form.values, stored, form_field)
    form.values = with_end_moved(form.values, stored, how)
    was_merged = form.revision != event.record["revision"]
    if was_merged:
        # Statements on a source that somebody else has changed need not hold any more.
        form.statements = TextStatements(proposed=form.statements.proposed)
        both = form.merge(stored, event.record["revision"])
        if both:
            form.conflicts = [conflict(form.fields[each], form.values, stored) for each in both]
            form.problems = {"": saved_meanwhile(EVENT, event.record, _BOTH)}
            return show(form, HTTPStatus.CONFLICT)
    names = form.changed(stored)
    sent = SentForm(form.values, names, form.languages, how, form.statements, form.problems)
    write = partial(change, event, sent, form.scope)
    message = saved_meanwhile(EVENT, event.record, _MERGED) if was_merged else _SAVED
    return _act(form, names, write, how, message)


def _take(event: StoredEvent, where: tuple[int, str], how: Notation) -> Response:
    """Take a source's value of one field, and show the form with all other inputs."""
    context, number = current.context(), event.record["_id"]
    form = _sent_form(event.language, event)
    try:
        context.services.sources.take((event.kind, number), where, context.caller)
    except CalendarError as error:
        return show(form, form.refuse(error))
    form.event = present = StoredEvent.find(
        event.kind, number, event.language, begins_rhythm=event.begins_rhythm
    )
    stored = present.values(how)
    control = control_at(where[1], event.languages)
    if control in form.fields:
        take(form.values, stored, form.fields[control])
    form.merge(stored, present.record["revision"])
    if form.changed(stored):
        form.is_unsaved = True
        return show(form)
    notify(_AS_SOURCE)
    return see(f"/{event.kind.name}/{number}")


def _first_language() -> str:
    """Return the language of the fields that name none."""
    sent, languages = request.form.get("form_language", ""), current.context().settings.languages
    return named_language(sent, languages) or content_language()


def _sent_form(language: str, event: StoredEvent | None = None) -> EventForm:
    sent, languages = request.form, languages_from(language)
    form = EventForm(
        event.fields if event else fields_in(languages),
        pressed(sent_values(sent, languages), sent, notation()),
        parse_digits(sent.get("revision", "")) or 0,
        read_digests(sent.get("base", "")),
        languages=languages,
        event=event,
        scope=FOLLOWING if event and event.begins_rhythm else sent.get("scope", ""),
        alternative_texts=_sent_alternative_texts(),
        picture_rights=_sent_rights(),
        beside=sent.get("beside", ""),
        statements=TextStatements.sent(),
    )
    # Who publishes what is private lets those see it who see private events.
    is_private = sent.get("button") == PUBLISH and form.values["status"] == PRIVATE
    if sent.get("button") in _STATES and not is_private:
        form.values["status"] = sent["button"]
    controls = (form.in_language(name, tag) for name in _LONG for tag in languages)
    long_texts = [(name, form.values[name]) for name in controls]
    form.problems |= _receive_picture(form) | too_long(long_texts)
    return form


def _act(
    form: EventForm,
    names: Collection[str],
    write: SaveRecord,
    how: Notation,
    message: Message = _SAVED,
) -> Response:
    action = request.form.get("button", "")
    if action == "check" or is_press(action) or asks_for_pictures():
        return show(form)
    write = partial(_write_dates, form, write, how)
    if action != "preview":
        ask(form, names, request.form, how)
    try:
        if action == "preview":
            return _preview(form, write)
        record = write()
    except PreconditionFailed:
        stored = form.event.record if form.event else {}
        form.problems[""] = saved_meanwhile(EVENT, stored, _BOTH)
        return show(form, HTTPStatus.CONFLICT)
    except InvalidParameters as error:
        form.refuse(error)
        return show(form, HTTPStatus.UNPROCESSABLE_ENTITY)
    except CalendarError as error:
        return show(form, form.refuse(error))
    is_public = action == PUBLISH == record.get("status") and message is _SAVED
    return _saved(form, record, _PUBLISHED if is_public else message)


def _notify_saved(form: EventForm, record: Record, message: Message) -> None:
    """Name the saved event; if it was moved alone, name both times and offer an undo."""
    before = form.event.record if form.event else record
    is_moved = any(before[name] != record[name] for name in ("start_local", "end_local", "all_day"))
    is_alone = form.event is not None and form.event.kind is EVENT and form.scope in ("", THIS)
    if not (is_moved and is_alone and message is _SAVED):
        notify(message if message.gaps else Message(message.pattern, event=event_in_words(record)))
        return
    path = f"/events/{record['_id']}/history/{before['revision']}/restore"
    moved = Message(MOVED.pattern, **moved_texts(before, record))
    notify(moved, undo=Undo(path, {"revision": str(record["revision"])}))


def _write_dates(form: EventForm, write: SaveRecord, how: Notation) -> Record:
    """Write an event, and the deviations of single dates of a series that it begins."""
    if form.event is not None and form.event.series_id is not None:
        return write()
    try:
        changes = changes_of(form.values, how)
    except ValueError as error:
        reason, control = error.args
        raise InvalidParameters({control: reason}) from error

    def work() -> Record:
        record = write()
        for change in changes if "series" in record else ():
            _write_date(record["series"], change, form.language, how)
        return record

    return current.context().services.editor.together(work) if changes else write()


def _write_date(series_id: int, sent: DateChange, language: str, how: Notation) -> None:
    """Change one event of a new series."""
    event = current.context().reader.find_occurrence(EVENT, series_id, sent.date)
    reason: str = _NO_SUCH_DATE
    try:
        if event is not None:
            change_values(
                StoredEvent.find(EVENT, event["_id"], language),
                with_length(sent.values, event, how),
                how,
            )
            return
    except InvalidParameters as error:
        reason = next(iter(error.reasons.values()))
    problem = line_problem(sent.line, ValueError(reason), sent.control)
    raise InvalidParameters({sent.control: problem.args[0]})


def _preview(form: EventForm, write: SaveRecord) -> Response:
    """Return the page of the event that ``write`` would store; nothing stays stored."""
    own, editor = current.context().language, current.context().services.editor

    def show_page() -> Response:
        record = write()
        show_records_in(form.language)
        return preview_page(record)

    try:
        return editor.rehearse(show_page)
    finally:
        show_records_in(own)


def _saved(form: EventForm, record: Record, message: Message) -> Response:
    _notify_saved(form, record, message)
    kind, before = (form.event.kind, form.event.record) if form.event else (EVENT, None)
    notify_missed_terms(kind, before, record)
    _save_description(form)
    for tag in form.languages:
        typed = form.values[form.in_language("slug", tag)]
        slug = record["variants"].get(tag, {}).get("slug", "")
        if typed and slug and slug != typed:
            notify_other_slug(typed, slug)
    parameter = current.context().settings.translation_parameter
    return see(f"/{kind.name}/{record['_id']}?{parameter}={form.language}")


# The picture of a form: taken in at once, so that it stays whatever else is refused.


def _receive_picture(form: EventForm) -> Problems:
    """Let the form name the picture that was sent; return its problem, if any."""
    texts = {tag: {"alt_text": text} for tag, text in form.alternative_texts.items()}
    if not FOCUS_POINT.fullmatch(form.picture_rights.get("focus", "")):
        return {"image": Message("The focus point is two numbers from 0 to 100.")}
    described = {"variants": texts, **form.picture_rights}
    image, problem = received_image(form.values["image"], form.language, described)
    form.values["image"] = image
    return {"image": problem} if problem else {}


def _save_description(form: EventForm) -> None:
    """Change the alternative texts and the rights of the picture that a saved form names."""
    number, context = parse_digits(form.values["image"]), current.context()
    if number is None or not any(name.startswith("image_alt[") for name in request.form):
        return
    caller, services = context.caller, context.services
    picture = services.shown_pictures.find(number, caller)
    if picture is None:
        return
    if request.form.get("image_described") != str(number):
        # Another one was chosen: the form has the texts of the one before.
        return
    sent, stored = form.alternative_texts, picture["variants"]
    texts = {
        tag: {"alt_text": sent.get(tag, "")}
        for tag in context.settings.languages
        if sent.get(tag, "") != stored.get(tag, {}).get("alt_text", "")
    }
    rights = form.picture_rights
    changes: Record = {
        name: rights[name] for name in rights if rights[name] != picture.get(name, "")
    }
    changes |= {"variants": texts} if texts else {}
    if not changes:
        return
    try:
        services.editor.change(MEDIA, number, changes, caller, form.language)
    except CalendarError as error:
        notify(refusal_of(error).message, "warning")


def _sent_rights() -> dict[str, str]:
    """Return credit, license and focus point of the picture as the form has them."""
    sent = {name: request.form.get(f"image_{name}") for name in ("credit", "license")}
    rights = {name: text.strip() for name, text in sent.items() if text is not None}
    left, top = (request.form.get(f"image_focus_{side}") for side in ("left", "top"))
    if left is None or top is None:
        return rights
    # One of the two alone leaves the other in the middle.
    focus = f"{left.strip() or _MIDDLE}% {top.strip() or _MIDDLE}%"
    return rights | {"focus": "" if focus == f"{_MIDDLE}% {_MIDDLE}%" else focus}


def _sent_alternative_texts() -> dict[str, str]:
    """Return the alternative texts of the form, by language."""
    languages = current.context().settings.languages
    texts = {tag: request.form.get(f"image_alt[{tag}]", "").strip() for tag in languages}
    return {language: text for language, text in texts.items() if text}
