"""The pages of the simple kinds: tables, forms, deleting and taking out of the trash."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from flask import Response

from calendar_app.accounts.policy import may_edit, require_role, restored_status, role_allows
from calendar_app.api.http.lists.filtering import ListRequest
from calendar_app.api.http.request import current
from calendar_app.domain.kind import Record
from calendar_app.domain.languages import localize
from calendar_app.domain.statuses import TRASH
from calendar_app.domain.translations import CURRENT, MISSING
from calendar_app.errors import CalendarError, Message, NotAllowed, PictureInUse
from calendar_app.site.desk.forms import DeskForm
from calendar_app.site.desk.library import picture_of
from calendar_app.site.desk.records.editing import create, edit, name_of, require
from calendar_app.site.desk.records.kinds import SHEETS, RecordSheet
from calendar_app.site.desk.rendering import notify, render, see, sent_window
from calendar_app.site.desk.routing import page
from calendar_app.storage.query.clauses import Clause, all_of, differs, equals
from calendar_app.storage.query.list_query import Listing

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
_ALL_TERMS = {"hide_empty": "false"}
_IMAGE = "image"
# Columns of terms, by what they are sorted.
_ORDERS = ("name", "count")
TABS = ("any", "publish", "draft", "pending", "private", "trash")


@dataclass(frozen=True, slots=True)
class RecordRow:
    """A record in a table; ``states`` has the state of its translation into each language."""

    record: Record
    name: str
    detail: str
    states: dict[str, str]
    may_edit: bool
    picture: str


def _show_table(sheet: RecordSheet) -> Response:
    """Show the table of a kind, by the search and the state of the address."""
    context = current.context()
    sent = context.request.args
    parameters = {"search": sent["search"]} if sent.get("search") else {}
    tab = sent.get("status") if sent.get("status") in TABS else "any"
    is_term = "count" in sheet.kind.defaults
    if sheet.kind.has_status:
        parameters["status"] = str(tab)
    if is_term:
        parameters |= _ALL_TERMS | _order(sent)
    window = sent_window(_PER_PAGE)
    parameters |= {"page": str(window.number), "per_page": str(window.size)}
    requested: ListRequest = sheet.list_schema().load(parameters)
    lacks = sent.get("lacks", "")
    listing = _lacking(sheet, requested.listing, lacks)
    page = context.reader.search(sheet.kind, listing, context.caller)
    return render(
        "records.html",
        sheet=sheet,
        rows=_rows(sheet, page.items),
        page=page,
        search=sent.get("search", ""),
        tab=tab,
        tabs=TABS if sheet.kind.has_status else (),
        may_create=role_allows(context.caller, "create", sheet.kind.singular),
        has_pictures=sheet.kind.is_picture or _IMAGE in sheet.kind.defaults,
        lacks=lacks,
        orders=_ORDERS if is_term else (),
        order=_order(sent),
        query=_query,
    )


def _order(sent: Mapping[str, str]) -> dict[str, str]:
    """Return the indexed order of terms, and its direction."""
    column = sent.get("orderby", "")
    usual = "asc" if column != "count" else "desc"
    direction = sent.get("order", "")
    return {
        "orderby": column if column in _ORDERS else "name",
        "order": direction if direction in ("asc", "desc") else usual,
    }


def _lacking(sheet: RecordSheet, listing: Listing, lacks: str) -> Listing:
    """Return the part of a list that lacks a picture, or a current text in a language."""
    clauses: dict[str, Clause] = {
        tag: differs(f"standing.{tag}", CURRENT) for tag in current.context().settings.languages
    }
    if _IMAGE in sheet.kind.defaults:
        clauses["picture"] = equals(_IMAGE, None)
    if lacks not in clauses:
        return listing
    return replace(listing, clause=all_of([listing.clause, clauses[lacks]]))


def _query(**changed: str) -> str:
    """Return the query of this page with other values; empty ones are left out."""
    sent = current.context().request.args
    values = {**{name: value for name, value in sent.items() if name != "page"}, **changed}
    return urlencode({name: value for name, value in values.items() if value})


def _rows(sheet: RecordSheet, records: Sequence[Record]) -> list[RecordRow]:
    """Return the rows of a table, with their pictures in one query."""
    if sheet.kind.is_picture:
        return [_row(sheet, record, picture_of(record)) for record in records]
    reader = current.context().reader
    media_by_id = reader.pictures(records)["media"] if _IMAGE in sheet.kind.defaults else {}
    pictures = {number: picture_of(media) for number, media in media_by_id.items()}
    return [_row(sheet, record, pictures.get(record.get(_IMAGE, 0), "")) for record in records]


def _row(sheet: RecordSheet, record: Record, picture: str) -> RecordRow:
    context = current.context()
    texts = localize(record["variants"], sheet.texts, context.chain)
    standing = record.get("standing", {})
    return RecordRow(
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
        picture,
    )


# Into the trash and out of it


def _remove(sheet: RecordSheet, record_id: int) -> Response:
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


def _restore(sheet: RecordSheet, record_id: int) -> Response:
    """Take a record out of the trash, into the state that it had."""
    context = current.context()
    record, caller = require(sheet, record_id), context.caller
    if record["status"] == TRASH:
        status = {"status": restored_status(caller, record)}
        context.services.editor.change(sheet.kind, record_id, status, caller, context.language)
    notify(Message("{name} is out of the trash.", name=name_of(sheet, record)))
    return see(f"/{sheet.kind.name}/{record_id}")


def _ask(
    sheet: RecordSheet, record: Record, form: DeskForm, status: int = 200, *, is_used: bool = False
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
