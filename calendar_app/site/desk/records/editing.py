"""The form of a record: new ones, changes, and what somebody else changed meanwhile."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from flask import Response, request

from calendar_app.accounts.callers import Right
from calendar_app.accounts.policy import may_delete, may_edit, require_role
from calendar_app.api.http.request import current
from calendar_app.domain.addresses import whole_address
from calendar_app.domain.kind import Markup, Record
from calendar_app.domain.languages import localize
from calendar_app.domain.numbers import parse_digits
from calendar_app.domain.richtext import decoded
from calendar_app.errors import (
    CalendarError,
    Message,
    NotAllowed,
    NotFound,
    PreconditionFailed,
)
from calendar_app.site.desk.choices import with_chosen
from calendar_app.site.desk.forms import read_upload, received_image, saved_meanwhile
from calendar_app.site.desk.languages import (
    HTML,
    NO_STATEMENTS,
    TextStatements,
    notify_missed_terms,
    said_of_texts,
)
from calendar_app.site.desk.library import asks_for_pictures, known_area, picture_of, sent_library
from calendar_app.site.desk.points import COORDINATES, with_point
from calendar_app.site.desk.records.kinds import FILE, FLAG, SHEETS, STATUSES, WIDGETS, RecordSheet
from calendar_app.site.desk.rendering import message_text, notify, render, see, short_moment
from calendar_app.site.desk.routing import too_long
from calendar_app.site.html.wording import own_name
from calendar_app.site.pages.forms import (
    ControlValues,
    Form,
    FormField,
    Problems,
    digests_of,
    load,
    read_digests,
)
from calendar_app.storage.query.list_query import Listing, Window

_MOST_CATEGORIES = 1000
_LONGEST_LINE = 1000
_FAILED = 412
_TRUE = "1"
_MEANWHILE = Message("{saved} Your own changes are below, not yet saved.")
_ABOVE, _NO_PARENT = " \u203a ", "\u2013"
_EMPTY_SLUG = Message("empty: made of the name")
_NO_FILE, _TOO_LONG = Message("Choose a file."), Message("This is too long.")


def text_name(name: str, language: str) -> str:
    """Return the name of the field for a text in a language, in the notation of the interface."""
    return f"variants[{language}][{name}]"


@dataclass(slots=True)
class RecordForm(Form):
    """A form of any kind; its texts are in each language, that of the user first."""

    sheet: RecordSheet = SHEETS["venues"]
    languages: Sequence[str] = ()
    beside: str = ""
    statements: TextStatements = NO_STATEMENTS

    @property
    def language(self) -> str:
        return self.languages[0]

    def in_language(self, name: str, language: str) -> str:
        """Return the control of a text in a language."""
        return text_name(name, language)

    def control_of(self, place: str, _reason: str) -> str:
        """Return the control that a reason is about, for a text that of the first language."""
        if place in (*self.sheet.texts, self.sheet.kind.label):
            name = place if place in self.sheet.texts else self.sheet.name
            return text_name(name, self.languages[0])
        return place if place in self.fields else ""

    @property
    def first_wrong(self) -> str:
        """Nothing: the summary takes the focus."""
        return ""

    def body(self, names: set[str], *, is_new: bool) -> Record:
        """Return these fields as the body of a write; a new record has no empty ones.

        An empty name in the address is made of the name.
        """
        if names & {*COORDINATES}:
            names |= {*COORDINATES} & self.fields.keys()
        sheet, values = self.sheet, with_point(self.values)
        body: Record = {
            name: bool(values[name]) if WIDGETS.get(name) == FLAG else values[name]
            for name in sheet.shared
            if name in names and name != "file" and not (is_new and values[name] == "")
        }
        variants: dict[str, Record] = {}
        for language in self.languages:
            own = {name: text_name(name, language) for name in sheet.texts}
            texts = {
                name: values[control].strip() and _typed(name, values[control])
                for name, control in own.items()
                if control in names and (values[control].strip() or not is_new)
            }
            if texts.get("slug") == "":
                texts["slug"] = values[own[sheet.name]].strip()
            if texts:
                variants[language] = {name: text or None for name, text in texts.items()}
        origins = self.statements.body(sheet.kind, variants)
        return body | origins | ({"variants": variants} if variants else {})


def languages() -> tuple[str, ...]:
    """Return the languages of the site, that of the user first."""
    context = current.context()
    first = context.language
    return (first, *(each for each in context.settings.languages if each != first))


def create(sheet: RecordSheet) -> Response:
    """Show the form of a new record, or store one."""
    require_role(current.context().caller, "create", sheet.kind.singular)
    if request.method != "POST":
        return _show(_opened(sheet, None))
    form = _sent(sheet)
    return _receive(form) or _create(form)


def edit(sheet: RecordSheet, record_id: int) -> Response:
    """Show the form of a record, or store the changes of the user."""
    require_role(current.context().caller, "edit", sheet.kind.singular)
    record = require(sheet, record_id)
    if request.method != "POST":
        return _show(_opened(sheet, record), record)
    form = _sent(sheet)
    return _receive(form, record) or _change(form, record)


def require(sheet: RecordSheet, record_id: int) -> Record:
    """Return a record that the user may edit; raise ``NotFound`` or ``NotAllowed``."""
    context = current.context()
    record = context.reader.find(sheet.kind, record_id)
    if record is None:
        raise NotFound(sheet.kind.singular, record_id)
    if sheet.kind.has_status and not may_edit(context.caller, record):
        raise NotAllowed
    return record


@lru_cache(64)
def _fields(kind: str, tags: Sequence[str]) -> Mapping[str, FormField]:
    """Return the fields of a kind in the order of the page, texts first."""
    sheet = SHEETS[kind]
    first, *further_tags = tags
    shared = {
        name: FormField(name, label, "image_file" if name == "image" else name)
        for name, label in sheet.shared.items()
        if name not in ("image_file", "image_remove")
    }
    translated = {
        n: f for t in further_tags for n, f in _texts(sheet, t, (Message(own_name(t)),)).items()
    }
    return _texts(sheet, first) | translated | shared


def _texts(
    sheet: RecordSheet, language: str, within: tuple[Message, ...] = ()
) -> dict[str, FormField]:
    names = {text_name(name, language): name for name in sheet.texts}
    return {
        control: FormField(control, sheet.texts[name], f"{name}-{language}", within=within)
        for control, name in names.items()
    }


def _opened(sheet: RecordSheet, record: Record | None) -> RecordForm:
    tags = languages()
    fields = _fields(sheet.kind.name, tags)
    values = _stored_values(sheet, record, tags)
    revision = record["revision"] if record else 0
    return RecordForm(
        fields, values, revision, digests_of(fields, values), sheet=sheet, languages=tags
    )


def _stored_values(sheet: RecordSheet, record: Record | None, tags: Sequence[str]) -> ControlValues:
    """Return the values with which the form of a record begins."""
    variants = record["variants"] if record else {}
    texts = {
        text_name(name, tag): _legible(sheet, name, variants.get(tag, {}).get(name))
        for tag in tags
        for name in sheet.texts
    }
    return texts | {name: _shared(record, name) for name in sheet.shared}


def _shared(record: Record | None, name: str) -> str:
    if record is None:
        return _TRUE if name == "show_map" else ""
    if name in COORDINATES:
        point = record.get("location")
        return str(point["coordinates"][COORDINATES[::-1].index(name)]) if point else ""
    value = record.get(name)
    return (_TRUE if value else "") if WIDGETS.get(name) == FLAG else _plain(value)


def _legible(sheet: RecordSheet, name: str, text: object) -> str:
    """Return a text as people write it: programs may send a line with entities."""
    is_line = sheet.kind.texts.get(name) is Markup.LINE
    return decoded(_plain(text)) if is_line else _plain(text)


def _plain(value: object) -> str:
    """Return a value as a browser sends it back: lines end alike, nothing is no text."""
    return "" if value is None else str(value).replace("\r\n", "\n")


def _typed(name: str, text: str) -> str:
    return whole_address(text) if name == "website" else text


def _sent(sheet: RecordSheet) -> RecordForm:
    tags, sent = languages(), request.form
    return RecordForm(
        _fields(sheet.kind.name, tags),
        {name: _plain(sent.get(name)) for name in _fields(sheet.kind.name, tags)},
        parse_digits(sent.get("revision", "")) or 0,
        read_digests(sent.get("base", "")),
        sheet=sheet,
        languages=tags,
        beside=sent.get("beside", ""),
        statements=TextStatements.sent(),
    )


def _receive(form: RecordForm, record: Record | None = None) -> Response | None:
    """Store an uploaded picture, and note errors of the fields themselves."""
    if "image" in form.fields:
        image, problem = received_image(form.values["image"], current.context().language)
        form.values["image"] = image
        form.problems |= {"image": problem} if problem else {}
    if asks_for_pictures():
        return _show(form, record)
    form.problems |= _too_long(form)
    return None


def _too_long(form: RecordForm) -> Problems:
    long_texts = {text_name(name, tag) for tag in form.languages for name in form.sheet.long_texts}
    lines = {
        name: _TOO_LONG
        for name, text in form.values.items()
        if name not in long_texts and len(text) > _LONGEST_LINE
    }
    return {**lines, **too_long((name, form.values[name]) for name in long_texts)}


def _create(form: RecordForm) -> Response:
    context = current.context()
    sheet, caller, language = form.sheet, context.caller, context.language
    file = request.files.get("file")
    if sheet.kind.is_picture and not (file and file.filename):
        form.problems["file"] = _NO_FILE
    try:
        changes = load(sheet.change_schema(), form.body({*form.fields}, is_new=True), form.problems)
        if file and sheet.kind.is_picture:
            upload = read_upload(file, changes)
            saved = context.services.pictures.upload(upload, caller, language)
        else:
            saved = context.services.editor.create(sheet.kind, changes, caller, language)
    except CalendarError as error:
        return _show(form, status=form.refuse(error))
    return _saved(sheet, saved)


def _change(form: RecordForm, record: Record) -> Response:
    context = current.context()
    sheet, language = form.sheet, context.language
    stored = _stored_values(sheet, record, form.languages)
    if form.revision != record["revision"]:
        # What was said of a text that another one has changed is not known to hold.
        form.statements = TextStatements(proposed=form.statements.proposed)
        if form.merge(stored, record["revision"]):
            return _show_both(form, record)
    try:
        body = form.body(form.changed(stored), is_new=False)
        changes = load(sheet.change_schema(partial=True), body, form.problems)
        saved = context.services.editor.change(
            sheet.kind,
            record["_id"],
            changes,
            context.caller,
            language,
            revision=record["revision"],
        )
    except PreconditionFailed:
        present = require(sheet, record["_id"])
        form.merge(_stored_values(sheet, present, form.languages), present["revision"])
        return _show_both(form, present)
    except CalendarError as error:
        return _show(form, record, status=form.refuse(error))
    return _saved(sheet, saved, record)


def _saved(sheet: RecordSheet, record: Record, before: Record | None = None) -> Response:
    notify(Message("{name} is saved.", name=name_of(sheet, record)))
    notify_missed_terms(sheet.kind, before, record)
    return see(f"/{sheet.kind.name}/{record['_id']}")


def _show_both(form: RecordForm, record: Record) -> Response:
    """Show both changes side by side; a further press saves those of the user."""
    stored = _stored_values(form.sheet, record, form.languages)
    form.problems[""] = saved_meanwhile(form.sheet.kind, record, _MEANWHILE)
    rows = [
        (form.fields[name].label, stored[name], form.values[name])
        for name in form.fields
        if name in form.changed(stored)
    ]
    return _show(form, record, status=_FAILED, differences=rows)


def name_of(sheet: RecordSheet, record: Record) -> str:
    """Return the name of a record in the language of the desk, or the next best one."""
    texts = localize(record["variants"], (sheet.name,), current.context().chain)
    return texts[sheet.name] or record.get("filename") or f"{record['_id']}"


def _show(
    form: RecordForm,
    record: Record | None = None,
    status: int = 200,
    differences: Sequence[Any] = (),
) -> Response:
    context = current.context()
    sheet = form.sheet
    fallback = localize(record["variants"], sheet.texts, context.chain) if record else None
    has_picture = "image" in form.fields
    return render(
        "record.html",
        status,
        sheet=sheet,
        form=form,
        values=form.values,
        labels=form.labels,
        control_id=form.id_of,
        widgets=WIDGETS,
        file_widget=FILE,
        options=_options(form),
        record=record,
        name=name_of(sheet, record) if record else message_text(sheet.new),
        languages=form.languages,
        placeholders={name: fallback[name] for name in sheet.texts} if fallback else {},
        hints={"slug": message_text(_EMPTY_SLUG)},
        long_texts=sheet.long_texts,
        rich_texts=[name for name in sheet.long_texts if sheet.kind.texts.get(name) in HTML],
        needed_text="" if sheet.kind.is_picture else sheet.name,
        may_upload=context.caller.may(Right.UPLOAD),
        saved_at=short_moment(record["modified"]) if record else "",
        **said_of_texts(sheet.kind, record, form.languages, form.in_language),
        picture=_shown_picture(form, record),
        library=sent_library() if has_picture else None,
        area=known_area() if "geo_lat" in form.fields else (),
        differences=differences,
        may_delete=record is not None
        and (not sheet.kind.has_status or may_delete(context.caller, record)),
    )


def _options(form: RecordForm) -> Mapping[str, Sequence[tuple[str, str]]]:
    """Return the values and labels of the fields with a choice."""
    options: dict[str, Sequence[tuple[str, str]]] = {"status": STATUSES}
    return options | ({"parent": _categories(form)} if "parent" in form.fields else {})


def _shown_picture(form: RecordForm, record: Record | None) -> str:
    """Return the address of the picture to show in the form; empty where there is none."""
    context = current.context()
    if form.sheet.kind.is_picture:
        return picture_of(record) if record else ""
    image = form.values.get("image", "")
    number = parse_digits(image)
    if number is None:
        return image if image.startswith(("https://", "http://")) else ""
    picture = context.services.shown_pictures.find(number, context.caller)
    return picture_of(picture) if picture else ""


def _categories(form: RecordForm) -> list[tuple[str, str]]:
    """Return the categories with those above them, for the choice of a parent."""
    context, sheet = current.context(), form.sheet
    listing = Listing(Window(1, _MOST_CATEGORIES), (("_id", 1),))
    listed = context.reader.search(sheet.kind, listing, context.caller).items
    records = with_chosen(sheet.kind, listed, [form.values["parent"]])
    names = {record["_id"]: name_of(sheet, record) for record in records}
    paths = [
        (str(each["_id"]), _ABOVE.join(names.get(n, "") for n in (*each["ancestors"], each["_id"])))
        for each in records
    ]
    return [("0", _NO_PARENT), *sorted(paths, key=lambda choice: choice[1].casefold())]
