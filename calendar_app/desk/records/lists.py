"""Tables of the records of a kind."""

from dataclasses import dataclass

from flask import Response

from calendar_app.accounts.policy import may_edit, role_allows
from calendar_app.desk.library import picture_of
from calendar_app.desk.records.kinds import Sheet
from calendar_app.desk.rendering import render, sent_window
from calendar_app.domain.kind import Record
from calendar_app.domain.languages import localize
from calendar_app.domain.richtext import decoded
from calendar_app.domain.translations import MISSING
from calendar_app.http.lists.filtering import ListRequest
from calendar_app.http.request import current

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


def show(sheet: Sheet) -> Response:
    """Show the table of a kind, by the search and the state of the address."""
    sent = current.request().args
    parameters = {"search": sent["search"]} if sent.get("search") else {}
    tab = sent.get("status") if sent.get("status") in TABS else "any"
    if sheet.kind.has_status:
        parameters["status"] = str(tab)
    if not sheet.kind.has_status and not sheet.kind.is_picture:
        parameters |= _ALL_TERMS
    window = sent_window(_PER_PAGE)
    parameters |= {"page": str(window.number), "per_page": str(window.size)}
    requested: ListRequest = sheet.list_schema().load(parameters)
    page = current.reader().search(sheet.kind, requested.listing, current.caller())
    return render(
        "records.html",
        sheet=sheet,
        rows=[_row(sheet, record) for record in page.items],
        page=page,
        search=sent.get("search", ""),
        tab=tab,
        tabs=TABS if sheet.kind.has_status else (),
        may_create=role_allows(current.caller(), "create", sheet.kind.singular),
    )


def name_of(sheet: Sheet, record: Record) -> str:
    """Return the name of a record in the language of the desk, or the next best one."""
    texts = localize(record["variants"], (sheet.name,), current.chain())
    return decoded(texts[sheet.name]) or record.get("filename") or f"{record['_id']}"


def _row(sheet: Sheet, record: Record) -> Row:
    texts = localize(record["variants"], sheet.texts, current.chain())
    standing = record.get("standing", {})
    return Row(
        record,
        name_of(sheet, record),
        texts[sheet.detail] if sheet.detail else "",
        {
            language: standing.get(language, MISSING)
            if record["variants"].get(language)
            else MISSING
            for language in current.settings().languages
        },
        may_edit(current.caller(), record) or not sheet.kind.has_status,
        picture_of(record) if sheet.kind.is_picture else "",
    )
