"""The pages of the history of a record."""

from flask import Response, abort

from calendar_app.accounts.policy import has_owner, may_edit, require_role
from calendar_app.desk.history.saves import saves_of
from calendar_app.desk.history.values import differences
from calendar_app.desk.notices import notify
from calendar_app.desk.paging import sent_window
from calendar_app.desk.rendering import local_time, render, see
from calendar_app.desk.routing import page
from calendar_app.domain.kind import Kind, Record
from calendar_app.errors import CalendarError, InvalidParameters, Message, NotAllowed
from calendar_app.http.errors.refusals import refusal_of
from calendar_app.http.request import current
from calendar_app.http.views.history import state_of
from calendar_app.kinds import BY_NAME, MEDIA, SERIES
from calendar_app.readmodel.records import local_text

_KINDS = {**BY_NAME, SERIES.name: SERIES, MEDIA.name: MEDIA}
_RULE = f"/<any({','.join(_KINDS)}):name>/<digits:record_id>/history"
_SIZE = 25
_MISSING = 404
_RESTORED = Message("It is again as it was on {date}.")


@page(_RULE)
def history(name: str, record_id: int) -> Response:
    """List the saves of a record."""
    kind, record = _editable(name, record_id)
    window = sent_window(_SIZE)
    entries = current.services().history.page(kind, record_id, window)
    return render(
        "history.html",
        saves=saves_of(kind, record, entries.items, window.skip),
        pages=entries.pages,
        number=window.number,
        **_context(kind, record),
    )


@page(f"{_RULE}/<digits:revision>")
def history_state(name: str, record_id: int, revision: int) -> Response:
    """Show the changes of a save, and its differences from the present."""
    kind, record = _editable(name, record_id)
    state = state_of(kind, record, revision)
    before = current.services().history.state(kind, record, revision - 1)
    return render(
        "history_state.html",
        state=state,
        own_changes=differences(kind, before, state) if before else None,
        since=differences(kind, state, record),
        **_context(kind, record),
    )


@page(f"{_RULE}/<digits:revision>/restore", methods=["POST"])
def restore_state(name: str, record_id: int, revision: int) -> Response:
    """Go back to a state, unless somebody has saved since the page was shown."""
    kind, record = _editable(name, record_id)
    state = state_of(kind, record, revision)
    expected = current.request().form.get("revision", type=int)
    restorer, caller = current.services().restorer, current.caller()
    try:
        restorer.restore(kind, record_id, revision, caller, current.language(), expected=expected)
    except CalendarError as error:
        notify(reason_of(error), "problem")
    else:
        notify(Message(_RESTORED, date=local_time(state["modified"])))
    return see(f"/{name}/{record_id}/history")


def _editable(name: str, record_id: int) -> tuple[Kind, Record]:
    """Return a record with its kind, if the user may read its history."""
    kind, caller = _KINDS[name], current.caller()
    require_role(caller, "edit", kind.singular)
    record = current.reader().find(kind, record_id)
    if record is None:
        abort(_MISSING)
    if has_owner(kind.singular) and not may_edit(caller, record):
        raise NotAllowed
    return kind, record


def _context(kind: Kind, record: Record) -> Record:
    return {"kind": kind, "record": record, "heading": title_of(kind, record)}


def kind_named(name: str) -> Kind:
    """Return the kind of a collection."""
    return _KINDS[name]


def title_of(kind: Kind, record: Record) -> str:
    """Return the name of a record for the user; a picture has that of its file."""
    if kind.label in kind.texts:
        return local_text(record, kind.label, current.chain()).text
    return str(record.get(kind.label, ""))


def reason_of(error: CalendarError) -> str:
    if isinstance(error, InvalidParameters):
        return next(iter(error.reasons.values()))
    return refusal_of(error).message
