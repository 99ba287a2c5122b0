"""The pages of the simple kinds: tables, forms, deleting and taking out of the trash."""

from dataclasses import dataclass

from flask import Response

from calendar_app.accounts.policy import may_edit, require_role, restored_status, role_allows
from calendar_app.desk.forms import DeskForm
from calendar_app.desk.library import picture_of
from calendar_app.desk.records.editing import create, edit, name_of, require
from calendar_app.desk.records.kinds import SHEETS, Sheet
from calendar_app.desk.rendering import notify, render, see, sent_window
from calendar_app.desk.routing import page
from calendar_app.domain.kind import Record
from calendar_app.domain.languages import localize
from calendar_app.domain.statuses import TRASH
from calendar_app.domain.translations import MISSING
from calendar_app.errors import CalendarError, Message, NotAllowed, PictureInUse
from calendar_app.http.lists.filtering import ListRequest
from calendar_app.http.request import current

_KIND = "/<any(venues,organizers,categories,tags,media):kind>"
_BOTH = ("GET", "POST")


@page(f"{_KIND}/")
def records(kind: str) -> Response:
    if not role_allows(current.context().caller, "edit", SHEETS[kind].kind.singular):
        raise NotAllowed
    return _show_table(SHEETS[kind])


@page(f"{_KIND}/new", methods=_BOTH)
def new_record(kind: str) -> Response:
    return create(SHEETS[kind])


@page(f"{_KIND}/<digits:record_id>", methods=_BOTH)
def record(kind: str, record_id: int) -> Response:
    return edit(SHEETS[kind], record_id)


@page(f"{_KIND}/<digits:record_id>/delete", methods=_BOTH)
def remove_record(kind: str, record_id: int) -> Response:
    return _remove(SHEETS[kind], record_id)


@page("/<any(venues,organizers):kind>/<digits:record_id>/restore", methods=["POST"])
def restore_record(kind: str, record_id: int) -> Response:
    return _restore(SHEETS[kind], record_id)


# Tables

_PER_PAGE = 50
_ALL_TERMS = {"hide_empty": "false", "orderby": "name", "order": "asc"}
TABS = ("any", "publish", "draft", "pending", "private", "trash")


@dataclass(frozen=True, slots=True)
class Row:
    """A record in a table; ``states`` has the state of its translation into each language."""

    record: Record
    name: str
    detail: str
    states: dict[str, str]
    may_edit: bool
    picture: str


def _show_table(sheet: Sheet) -> Response:
    """Show the table of a kind, by the search and the state of the address."""
    context = current.context()
    sent = context.request.args
    parameters = {"search": sent["search"]} if sent.get("search") else {}
    tab = sent.get("status") if sent.get("status") in TABS else "any"
    if sheet.kind.has_status:
        parameters["status"] = str(tab)
    if not sheet.kind.has_status and not sheet.kind.is_picture:
        parameters |= _ALL_TERMS
    window = sent_window(_PER_PAGE)
    parameters |= {"page": str(window.number), "per_page": str(window.size)}
    requested: ListRequest = sheet.list_schema().load(parameters)
    page = context.reader.search(sheet.kind, requested.listing, context.caller)
    return render(
        "records.html",
        sheet=sheet,
        rows=[_row(sheet, record) for record in page.items],
        page=page,
        search=sent.get("search", ""),
        tab=tab,
        tabs=TABS if sheet.kind.has_status else (),
        may_create=role_allows(context.caller, "create", sheet.kind.singular),
    )


def _row(sheet: Sheet, record: Record) -> Row:
    context = current.context()
    texts = localize(record["variants"], sheet.texts, context.chain)
    standing = record.get("standing", {})
    return Row(
        record,
        name_of(sheet, record),
        texts[sheet.detail] if sheet.detail else "",
        {
            language: standing.get(language, MISSING)
            if record["variants"].get(language)
            else MISSING
            for language in context.settings.languages
        },
        may_edit(context.caller, record) or not sheet.kind.has_status,
        picture_of(record) if sheet.kind.is_picture else "",
    )


# Into the trash and out of it


def _remove(sheet: Sheet, record_id: int) -> Response:
    """Ask whether a record is to go, or let it go."""
    context = current.context()
    require_role(context.caller, "delete", sheet.kind.singular)
    record = require(sheet, record_id)
    form = DeskForm()
    if context.request.method != "POST":
        return _ask(sheet, record, form)
    is_forced = "force" in context.request.form or record.get("status") == TRASH
    try:
        context.services.editor.remove(sheet.kind, record_id, context.caller, force=is_forced)
    except PictureInUse as error:
        return _ask(sheet, record, form, form.refuse(error), is_used=True)
    except CalendarError as error:
        return _ask(sheet, record, form, form.refuse(error))
    is_kept = sheet.kind.has_status and not is_forced
    notice = Message("{name} is in the trash.") if is_kept else Message("{name} is deleted.")
    notify(Message(notice.pattern, name=name_of(sheet, record)))
    return see(f"/{sheet.kind.name}/")


def _restore(sheet: Sheet, record_id: int) -> Response:
    """Take a record out of the trash, into the state that it had."""
    context = current.context()
    record, caller = require(sheet, record_id), context.caller
    if record["status"] == TRASH:
        status = {"status": restored_status(caller, record)}
        context.services.editor.change(sheet.kind, record_id, status, caller, context.language)
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
