"""Deleting a record, after a question, and taking it out of the trash."""

from flask import Response

from calendar_app.accounts.policy import require_role, restored_status
from calendar_app.desk.forms import DeskForm
from calendar_app.desk.records.editing import require
from calendar_app.desk.records.kinds import Sheet
from calendar_app.desk.records.lists import name_of
from calendar_app.desk.rendering import notify, render, see
from calendar_app.domain.kind import Record
from calendar_app.domain.statuses import TRASH
from calendar_app.errors import CalendarError, Message, PictureInUse
from calendar_app.http.request import current


def remove(sheet: Sheet, record_id: int) -> Response:
    """Ask whether a record is to go, or let it go."""
    require_role(current.caller(), "delete", sheet.kind.singular)
    record = require(sheet, record_id)
    form = DeskForm()
    if current.request().method != "POST":
        return _ask(sheet, record, form)
    is_forced = "force" in current.request().form or record.get("status") == TRASH
    try:
        current.editor().remove(sheet.kind, record_id, current.caller(), force=is_forced)
    except PictureInUse as error:
        return _ask(sheet, record, form, form.refuse(error), is_used=True)
    except CalendarError as error:
        return _ask(sheet, record, form, form.refuse(error))
    is_kept = sheet.kind.has_status and not is_forced
    notice = Message("{name} is in the trash.") if is_kept else Message("{name} is deleted.")
    notify(Message(notice.pattern, name=name_of(sheet, record)))
    return see(f"/{sheet.kind.name}/")


def restore(sheet: Sheet, record_id: int) -> Response:
    """Take a record out of the trash, into the state that it had."""
    record, caller = require(sheet, record_id), current.caller()
    if record["status"] == TRASH:
        status = {"status": restored_status(caller, record)}
        current.editor().change(sheet.kind, record_id, status, caller, current.language())
    notify(Message("{name} is out of the trash.", name=name_of(sheet, record)))
    return see(f"/{sheet.kind.name}/{record_id}")


def _ask(
    sheet: Sheet, record: Record, form: DeskForm, status: int = 200, *, is_used: bool = False
) -> Response:
    return render(
        "remove.html",
        status,
        sheet=sheet,
        record=record,
        form=form,
        name=name_of(sheet, record),
        is_used=is_used,
        is_final=not sheet.kind.has_status or record["status"] == TRASH,
    )
