"""The trash: what lies in it, and back out of it with one press."""

from flask import Response, abort

from calendar_app.accounts.policy import Right, may_edit, restored_status
from calendar_app.desk.history.labels import KIND_NAMES
from calendar_app.desk.history.views import kind_named, reason_of, title_of
from calendar_app.desk.notices import notify
from calendar_app.desk.paging import sent_window
from calendar_app.desk.rendering import render, see
from calendar_app.desk.routing import page
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.statuses import TRASH
from calendar_app.errors import CalendarError, Message, NotAllowed
from calendar_app.http.request import current
from calendar_app.kinds import EVENT
from calendar_app.query.list_query import Listing

_SIZE = 25
_MISSING = 404
_LATEST_FIRST = (("modified", -1), ("_id", -1))
_IS_BACK = Message("{name} is out of the trash.")
_BY_KIND = f"any({','.join(KIND_NAMES)})"


@page("/trash/", needs=Right.EDIT)
def trash() -> Response:
    """List the records in the trash, kind by kind, the latest first."""
    sent = current.request().args
    name = sent.get("kind", EVENT.name)
    if name not in KIND_NAMES:
        abort(_MISSING)
    kind, caller = kind_named(name), current.caller()
    listing = Listing(sent_window(_SIZE), _LATEST_FIRST, statuses=(TRASH,))
    results = current.reader().search(kind, listing, caller)
    rows = [(each, title_of(kind, each), may_edit(caller, each)) for each in results.items]
    return render("trash.html", kind=kind, kinds=KIND_NAMES, rows=rows, found=results)


@page(f"/trash/<{_BY_KIND}:name>/<digits:record_id>", needs=Right.EDIT, methods=["POST"])
def take_out(name: str, record_id: int) -> Response:
    """Give a record the state that it had before the trash."""
    kind = kind_named(name)
    record = current.reader().find(kind, record_id)
    if record is None:
        abort(_MISSING)
    if not may_edit(current.caller(), record):
        raise NotAllowed
    try:
        _take_out(kind, record)
    except CalendarError as error:
        notify(reason_of(error), "problem")
    else:
        notify(Message(_IS_BACK, name=title_of(kind, record) or f"#{record_id}"))
    return see(f"/trash/?kind={name}")


def _take_out(kind: Kind, record: Record) -> None:
    caller = current.caller()
    if record["status"] == TRASH:
        status = {"status": restored_status(caller, record)}
        current.editor().change(kind, record["_id"], status, caller, current.language())
