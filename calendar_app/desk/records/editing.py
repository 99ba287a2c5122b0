"""The form of a record: new ones, changes, and what somebody else changed meanwhile."""

from collections.abc import Mapping, Sequence
from typing import Any

from flask import Response

from calendar_app.accounts.policy import may_delete, may_edit, require_role
from calendar_app.desk.forms import choices
from calendar_app.desk.library import asks_for_pictures, known_area, picture_of, sent_library
from calendar_app.desk.records.forms import (
    RecordForm,
    Values,
    form_class,
    load_changes,
    shown_values,
    text_name,
    with_partners,
)
from calendar_app.desk.records.kinds import Sheet
from calendar_app.desk.records.lists import name_of
from calendar_app.desk.rendering import message_text, notify, render, see
from calendar_app.desk.routing import too_long
from calendar_app.desk.uploads import read_upload, received_image
from calendar_app.domain.kind import Record
from calendar_app.domain.languages import localize
from calendar_app.domain.numbers import parse_digits
from calendar_app.domain.richtext import decoded
from calendar_app.errors import (
    CalendarError,
    InvalidParameters,
    Message,
    NotAllowed,
    NotFound,
    PreconditionFailed,
)
from calendar_app.http.request import current
from calendar_app.http.views.blueprint import Refused
from calendar_app.query.list_query import Listing, Window

_MOST_CATEGORIES = 1000
_BAD = 400
_FAILED = 412
_MEANWHILE = Message(
    "Somebody else has saved this meanwhile. Your own changes are below, not yet saved."
)
_ABOVE, _NO_PARENT = " \u203a ", "\u2013"
_NO_FILE = Message("Choose a file.")


def languages() -> Sequence[str]:
    """Return the languages of the site, that of the user first."""
    first = current.language()
    return (first, *(each for each in current.settings().languages if each != first))


def create(sheet: Sheet) -> Response:
    """Show the form of a new record, or store one."""
    require_role(current.caller(), "create", sheet.kind.singular)
    values = shown_values(sheet, None, languages())
    form = _form(sheet, values)
    if current.request().method != "POST":
        form.begin(values, 0)
        return _show(sheet, form)
    return _send(sheet, form, None)


def edit(sheet: Sheet, record_id: int) -> Response:
    """Show the form of a record, or store the changes of the user."""
    require_role(current.caller(), "edit", sheet.kind.singular)
    record = require(sheet, record_id)
    values = shown_values(sheet, record, languages())
    form = _form(sheet, values)
    if current.request().method != "POST":
        form.begin(values, record["revision"])
        return _show(sheet, form, record)
    return _send(sheet, form, record)


def require(sheet: Sheet, record_id: int) -> Record:
    """Return a record that the user may edit; raise ``NotFound`` or ``NotAllowed``."""
    record = current.reader().find(sheet.kind, record_id)
    if record is None:
        raise NotFound(sheet.kind.singular, record_id)
    if sheet.kind.has_status and not may_edit(current.caller(), record):
        raise NotAllowed
    return record


def _form(sheet: Sheet, values: Values) -> RecordForm:
    form: RecordForm = form_class(sheet.kind.name, tuple(languages()))(data=values)
    if "parent" in form:
        form["parent"].choices = choices(_categories(sheet))
    return form


def _send(sheet: Sheet, form: RecordForm, record: Record | None) -> Response:
    # The body is that of the form, larger perhaps than one of the interface.
    with current.acting_on({}):
        return _save(sheet, form, record)


def _save(sheet: Sheet, form: RecordForm, record: Record | None) -> Response:
    """Store a form that was sent, or show it again with all that is wrong."""
    reasons = _receive_picture(form)
    if asks_for_pictures():
        return _show(sheet, form, record)
    try:
        _check(form, reasons)
        changes = _changes(sheet, form, is_new=record is None)
        if form.problems:
            return _show(sheet, form, record, status=_BAD)
        saved = _change(sheet, form, record, changes) if record else _create(sheet, form, changes)
    except PreconditionFailed:
        return _show_both(sheet, form, record["_id"] if record else 0)
    except (CalendarError, Refused) as error:
        return _show(sheet, form, record, status=form.refuse(error))
    notify(Message("{name} is saved.", name=name_of(sheet, saved)))
    return see(f"/{sheet.kind.name}/{saved['_id']}")


def _receive_picture(form: RecordForm) -> dict[str, str]:
    """Let the form name the picture that was sent; return its problem, if any."""
    if "image_file" not in form:
        return {}
    image, problem = received_image(form["image"].data or "", current.language())
    form["image"].data = image
    return {"image_file": problem} if problem else {}


def _check(form: RecordForm, reasons: Mapping[str, str]) -> None:
    """Note what is wrong with the fields themselves."""
    form.validate()
    texts = [(name, str(value)) for name, value in form.values.items()]
    for name, reason in ({**reasons, **too_long(texts)}).items():
        form.add_problem(name, reason)


def _changes(sheet: Sheet, form: RecordForm, *, is_new: bool) -> Record:
    """Return what the form changes, or all that it has for a new record."""
    if is_new:
        values = {name: value for name, value in form.values.items() if value != ""}
    else:
        names = with_partners(form.touched())
        values = {name: value for name, value in form.values.items() if name in names}
    return load_changes(sheet, values, is_new=is_new)


def _create(sheet: Sheet, form: RecordForm, changes: Record) -> Record:
    caller, language = current.caller(), current.language()
    if not sheet.kind.is_picture:
        return current.editor().create(sheet.kind, changes, caller, language)
    file = form["file"].data
    if not file:
        raise InvalidParameters({"file": _NO_FILE})
    return current.services().pictures.upload(read_upload(file, changes), caller, language)


def _change(sheet: Sheet, form: RecordForm, record: Record, changes: Record) -> Record:
    return current.editor().change(
        sheet.kind,
        record["_id"],
        changes,
        current.caller(),
        current.language(),
        revision=parse_digits(form.revision.data or "") or 0,
    )


def _show_both(sheet: Sheet, form: RecordForm, record_id: int) -> Response:
    """Show both changes side by side; a further press saves those of the user."""
    record = require(sheet, record_id)
    touched, theirs = form.touched(), shown_values(sheet, record, languages())
    mine = {name: form.values[name] for name in touched}
    rows = [
        (form[name].label.text, theirs.get(name, ""), mine[name])
        for name in form.values
        if name in touched and theirs.get(name, "") != mine[name]
    ]
    merged = _form(sheet, {**theirs, **mine})
    merged.process(data={**theirs, **mine})
    merged.begin(theirs, record["revision"])
    merged.form_errors.append(_MEANWHILE)
    return _show(sheet, merged, record, status=_FAILED, differences=rows)


def _show(
    sheet: Sheet,
    form: RecordForm,
    record: Record | None = None,
    status: int = 200,
    differences: Sequence[Any] = (),
) -> Response:
    fallback = localize(record["variants"], sheet.texts, current.chain()) if record else None
    return render(
        "record.html",
        status,
        sheet=sheet,
        form=form,
        record=record,
        name=name_of(sheet, record) if record else message_text(sheet.new),
        languages=languages(),
        text_name=text_name,
        fallback={name: decoded(fallback[name]) for name in sheet.texts} if fallback else {},
        picture=_shown_picture(sheet, form, record),
        library=sent_library() if "image_file" in form else None,
        area=known_area() if "geo_lat" in form else (),
        differences=differences,
        may_delete=record is not None
        and (not sheet.kind.has_status or may_delete(current.caller(), record)),
    )


def _shown_picture(sheet: Sheet, form: RecordForm, record: Record | None) -> str:
    """Return the address of the picture to show in the form; empty where there is none."""
    if sheet.kind.is_picture:
        return picture_of(record) if record else ""
    image = str(form["image"].data or "") if "image" in form else ""
    number = parse_digits(image)
    if number is None:
        return image if image.startswith(("https://", "http://")) else ""
    picture = current.services().shown_pictures.find(number, current.caller())
    return picture_of(picture) if picture else ""


def _categories(sheet: Sheet) -> list[tuple[str, str]]:
    """Return the categories with those above them, for the choice of a parent."""
    listing = Listing(Window(1, _MOST_CATEGORIES), (("_id", 1),))
    records = current.reader().search(sheet.kind, listing, current.caller()).items
    names = {record["_id"]: name_of(sheet, record) for record in records}
    paths = [
        (str(each["_id"]), _ABOVE.join(names.get(n, "") for n in (*each["ancestors"], each["_id"])))
        for each in records
    ]
    return [("0", _NO_PARENT), *sorted(paths, key=lambda choice: choice[1].casefold())]
