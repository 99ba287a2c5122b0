"""The history of records, and the trash."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from types import MappingProxyType

from flask import Response, abort

from calendar_app.accounts.callers import Right
from calendar_app.accounts.policy import has_owner, may_edit, require_role, restored_status
from calendar_app.api.http.errors.refusals import refusal_of
from calendar_app.api.http.presentation import changed_fields, changed_languages, checked_languages
from calendar_app.api.http.request import current
from calendar_app.api.http.views.history import state_of
from calendar_app.calendar.history import CREATE, TEXTS, TO_TRASH, UNTRASH
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.kinds import BY_NAME, EVENT, MEDIA, SERIES
from calendar_app.domain.statuses import TRASH
from calendar_app.errors import CalendarError, InvalidParameters, Message, NotAllowed
from calendar_app.readmodel.records import local_text
from calendar_app.site.desk.changes import DOORS, KIND_NAMES, differences, label_of, place_of
from calendar_app.site.desk.forms import saver_name
from calendar_app.site.desk.rendering import (
    local_time,
    notify,
    render,
    render_list,
    see,
    sent_window,
)
from calendar_app.site.desk.routing import page
from calendar_app.storage.query.list_query import Listing

_KINDS = {**BY_NAME, SERIES.name: SERIES, MEDIA.name: MEDIA}
_RULE = f"/<any({','.join(_KINDS)}):name>/<digits:record_id>/history"
_SIZE = 25
_MISSING = 404
_RESTORED = Message("It was restored to its state of {date}.")


@page(_RULE)
def history(name: str, record_id: int) -> Response:
    """List the saves of a record."""
    kind, record = _editable(name, record_id)
    window = sent_window(_SIZE)
    entries = current.context().services.history.page(kind, record_id, window)
    return render_list(
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
    before = current.context().services.history.state(kind, record, revision - 1)
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
    context = current.context()
    kind, record = _editable(name, record_id)
    state = state_of(kind, record, revision)
    expected = context.request.form.get("revision", type=int)
    restorer, caller = context.services.restorer, context.caller
    try:
        restorer.restore(kind, record_id, revision, caller, context.language, expected=expected)
    except CalendarError as error:
        notify(reason_of(error), "problem")
    else:
        notify(Message(_RESTORED, date=local_time(state["modified"])))
    return see(f"/{name}/{record_id}/history")


def _editable(name: str, record_id: int) -> tuple[Kind, Record]:
    """Return a record with its kind, if the user may read its history."""
    context = current.context()
    kind, caller = _KINDS[name], context.caller
    require_role(caller, "edit", kind.singular)
    record = context.reader.find(kind, record_id)
    if record is None:
        abort(_MISSING)
    if has_owner(kind.singular) and not may_edit(caller, record):
        raise NotAllowed
    return kind, record


def _context(kind: Kind, record: Record) -> Record:
    return {"kind": kind, "record": record, "heading": title_of(kind, record)}


def title_of(kind: Kind, record: Record) -> str:
    """Return the name of a record for the user; a picture has that of its file."""
    if kind.label in kind.texts:
        return local_text(record, kind.label, current.context().chain).text
    return str(record.get(kind.label, ""))


def reason_of(error: CalendarError) -> str:
    if isinstance(error, InvalidParameters):
        return next(iter(error.reasons.values()))
    return refusal_of(error).message


# What each save has changed.

_DEEDS: Mapping[str, Message] = MappingProxyType(
    {
        CREATE: Message("created it"),
        TO_TRASH: Message("moved it to the trash"),
        UNTRASH: Message("took it out of the trash"),
    }
)
_CHANGED = Message("changed")
_WROTE = Message("saved it")


@dataclass(frozen=True, slots=True)
class ChangedField:
    """A field that a save changed, and in which languages if it is a text."""

    label: Message
    languages: Sequence[str]


@dataclass(frozen=True, slots=True)
class Save:
    """One save; ``name`` tells who, ``is_reached`` whether its state is known."""

    revision: int
    date: datetime
    name: str
    door: Message
    deed: Message
    fields: Sequence[ChangedField]
    is_reached: bool


def saves_of(kind: Kind, record: Record, entries: Sequence[Record], skipped: int) -> list[Save]:
    """Return entries of the history as saves; ``skipped`` later ones are on earlier pages."""
    names = current.context().services.profiles.shown_names(entry["user"] for entry in entries)
    return [
        _save(kind, entry, names, is_reached=record["revision"] - entry["revision"] == later)
        for later, entry in enumerate(entries, start=skipped)
    ]


def _save(kind: Kind, entry: Record, names: Mapping[int, str], *, is_reached: bool) -> Save:
    fields = _fields(kind, entry["changed"]) if entry["action"] not in _DEEDS else []
    usual = _CHANGED if fields else _WROTE
    return Save(
        revision=entry["revision"],
        date=entry["date"],
        name=saver_name(entry, names),
        door=DOORS[entry["door"]],
        deed=_DEEDS.get(entry["action"], usual),
        fields=fields,
        is_reached=is_reached,
    )


def _fields(kind: Kind, paths: Sequence[str]) -> list[ChangedField]:
    by_label: dict[Message, list[str]] = {}
    for name in sorted(changed_fields(kind, paths), key=partial(place_of, kind)):
        if name != "slug":
            by_label.setdefault(label_of(kind, name), []).extend(_languages(name, paths))
    return [ChangedField(label, tags) for label, tags in by_label.items()]


def _languages(name: str, paths: Sequence[str]) -> list[str]:
    if name == "translation_status":
        return changed_languages(paths)
    if name == "translation_reviewed":
        return sorted(checked_languages(paths))
    parts = (path.split(".") for path in paths)
    return [part[1] for part in parts if part[0] == TEXTS and part[2] == name]


# The trash.

_LATEST_FIRST = (("modified", -1), ("_id", -1))
_IS_BACK = Message("{name} is out of the trash.")
_BY_KIND = f"any({','.join(KIND_NAMES)})"


@page("/trash/", needs=Right.EDIT)
def trash() -> Response:
    """List the records in the trash, kind by kind, the latest first."""
    context = current.context()
    sent = context.request.args
    name = sent.get("kind", EVENT.name)
    if name not in KIND_NAMES:
        abort(_MISSING)
    kind, caller = _KINDS[name], context.caller
    listing = Listing(sent_window(_SIZE), _LATEST_FIRST, statuses=(TRASH,))
    results = context.reader.search(kind, listing, caller)
    rows = [(each, title_of(kind, each), may_edit(caller, each)) for each in results.items]
    return render("trash.html", kind=kind, kinds=KIND_NAMES, rows=rows, found=results)


@page(f"/trash/<{_BY_KIND}:name>/<digits:record_id>", needs=Right.EDIT, methods=["POST"])
def take_out(name: str, record_id: int) -> Response:
    """Give a record the state that it had before the trash."""
    context = current.context()
    kind = _KINDS[name]
    record = context.reader.find(kind, record_id)
    if record is None:
        abort(_MISSING)
    if not may_edit(context.caller, record):
        raise NotAllowed
    try:
        _take_out(kind, record)
    except CalendarError as error:
        notify(reason_of(error), "problem")
    else:
        notify(Message(_IS_BACK, name=title_of(kind, record) or f"#{record_id}"))
    return see(f"/trash/?kind={name}")


def _take_out(kind: Kind, record: Record) -> None:
    context = current.context()
    caller = context.caller
    if record["status"] == TRASH:
        status = {"status": restored_status(caller, record)}
        context.services.editor.change(kind, record["_id"], status, caller, context.language)
