"""Reading a source from the desk: preview, progress, reports, and files that are sent."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from http import HTTPStatus
from typing import Any

from flask import Response, jsonify, request
from werkzeug.datastructures import FileStorage

from calendar_app.accounts.callers import Right
from calendar_app.api.http.errors.refusals import refusal_of
from calendar_app.api.http.request import current
from calendar_app.domain.kind import Record
from calendar_app.domain.kinds import EVENT, SERIES
from calendar_app.domain.numbers import parse_digits
from calendar_app.errors import CalendarError, Message, NotFound, SourceBusy
from calendar_app.readmodel.records import local_text
from calendar_app.site.desk.rendering import (
    language,
    message_text,
    notify,
    render_list,
    see,
    sent_window,
)
from calendar_app.site.desk.routing import page
from calendar_app.site.desk.sources.views import SOURCE_PATH, find, sources
from calendar_app.site.desk.sources.words import (
    OUTCOMES,
    counted,
    dates_in_words,
    fields_in_words,
    preview_in_words,
    reason_in_words,
    state_of,
)
from calendar_app.site.html import wording
from calendar_app.sources.reports import OPEN, WAITING, SourceRun
from calendar_app.sources.results import Outcome
from calendar_app.storage.query.list_query import Page, Window

# Records by id, each with the name of its kind.
Records = Mapping[int, tuple[str, Record]]
_PER_PAGE = 100
_BUSY = Message("It is being read already.")
_NO_FILE = Message("Choose a file.")
_TOO_LARGE = Message("The file has more than {most} MB.")
_MOST = 50_000_000
_MEGABYTE = 1_000_000


@page(f"{SOURCE_PATH}/read", needs=Right.EDIT, methods=["POST"])
def read_source(record_id: int) -> Response:
    """Begin to read a source or its uploaded file; or show a preview."""
    stored, form = find(record_id), request.form
    path, caller = f"/sources/{record_id}", current.context().caller
    content, problem = _sent_file()
    if problem or (content is None and not stored.source.address):
        notify(problem or _NO_FILE, "problem")
        return see(path)
    try:
        if form.get("press") == "preview":
            reading = sources().readings.read(record_id, caller, dry_run=True, content=content)
            return _show_preview(record_id, reading)
        accept = form.get("accept", "")
        sources().readings.begin(record_id, caller, content=content, accept=accept)
    except SourceBusy:
        notify(_BUSY, "warning")
    except NotFound:
        notify(Message("This reading waits no longer."), "warning")
    except CalendarError as error:
        notify(refusal_of(error).message, "problem")
    return see(path)


@page(f"{SOURCE_PATH}/stop", needs=Right.EDIT, methods=["POST"])
def stop_reading(record_id: int) -> Response:
    """Stop the running reading; its writes stay."""
    sources().readings.stop(record_id, current.context().caller)
    notify(Message("The reading stops after the event that is being read."))
    return see(f"/sources/{record_id}")


@page(f"{SOURCE_PATH}/progress", needs=Right.EDIT)
def reading_progress(record_id: int) -> Response:
    """Return how far the reading is, for a script of the page."""
    last = sources().readings.last(record_id, current.context().caller)
    if last is None:
        return jsonify({"open": False})
    numbers = {"done": last.done, "all": last.all}
    return jsonify({"open": last.state in OPEN, "text": progress_text(last), **numbers})


def progress_text(reading: SourceRun) -> str:
    """Return in words how far a reading is."""
    if not reading.all:
        return message_text(Message("The source is fetched and compared."))
    numbers = {n: wording.number(getattr(reading, n), language()) for n in ("done", "all")}
    return message_text(Message("{done} of {all} events", **numbers))


@page(f"{SOURCE_PATH}/readings/<reading>", needs=Right.EDIT)
def report(record_id: int, reading: str) -> Response:
    """Show the outcome of each event in a reading."""
    caller = current.context().caller
    stored, source_run = find(record_id), sources().readings.get(reading, caller)
    if source_run.source != record_id:
        raise NotFound("source", record_id)
    outcome = _sent_outcome()
    entries = sources().readings.entries(reading, caller, sent_window(_PER_PAGE), outcome)
    is_last = stored.state.get("result") == WAITING == source_run.state
    return _show(record_id, source_run, entries, outcome=outcome, is_last=is_last)


def _sent_outcome() -> str:
    outcome = request.args.get("outcome", "")
    return outcome if outcome in OUTCOMES else ""


def _sent_file() -> tuple[bytes | None, str]:
    """Return the file that was sent, if there is one, or why it cannot be taken."""
    file = request.files.get("file")
    if not isinstance(file, FileStorage) or not file.filename:
        return None, ""
    content = file.stream.read(_MOST + 1)
    file.close()
    if len(content) > _MOST:
        return None, Message(_TOO_LARGE.pattern, most=_MOST // _MEGABYTE)
    return content, ""


def _show_preview(record_id: int, reading: SourceRun) -> Response:
    """Show the report of a dry run; nothing of it is stored."""
    entries = list(reading.entries or ())
    order = {name: place for place, name in enumerate(OUTCOMES)}
    entries.sort(key=lambda each: order[each["outcome"]])
    page = Page(entries[:_PER_PAGE], Window(1, _PER_PAGE), lambda: len(entries))
    return _show(record_id, reading, page)


def _show(
    record_id: int,
    reading: SourceRun,
    entries: Page,
    *,
    outcome: str = "",
    is_last: bool = False,
) -> Response:
    stored = find(record_id)
    numbers: Mapping[str, int] = reading.numbers or {}
    return render_list(
        "sources/report.html",
        HTTPStatus.OK,
        source=stored.source,
        reading=reading,
        state=state_of(reading.state),
        reason_in_words=reason_in_words,
        numbers=[(name, OUTCOMES[name], numbers[name]) for name in OUTCOMES if name in numbers],
        counted=counted,
        preview=preview_in_words(stored.source, numbers),
        dates=dates_in_words(reading.dates),
        entries=_rows(entries.items),
        total=entries.total,
        number=entries.window.number,
        pages=entries.pages,
        outcome_chosen=outcome,
        outcomes=OUTCOMES,
        waits=is_last,
        is_preview=reading.entries is not None,
        by=current.context().services.profiles.shown_names([reading.by]).get(reading.by, ""),
    )


def _rows(entries: Sequence[Record]) -> list[dict[str, Any]]:
    """Return the table rows of events, each with its page at the desk, if any."""
    ids = {entry["event"] for entry in entries if entry.get("event")}
    ids |= {double for entry in entries if (double := _double_of(entry))}
    names = (EVENT.name, SERIES.name)
    documents = current.context().reader.records_of(dict.fromkeys(names, ids))
    records = {n: (name, own) for n in ids for name in names if (own := documents.get((name, n)))}
    return [_row(entry, records) for entry in entries]


def _row(entry: Record, records: Records) -> dict[str, Any]:
    details = {
        "rule": entry.get("rule", 0),
        "other": _path(_double_of(entry), records),
        "changed": fields_in_words(entry.get("fields", ())),
        "kept": fields_in_words(entry.get("kept", ())),
        "why": "" if _double_of(entry) else reason_in_words(entry.get("reason", "")),
    }
    title, path = _title(entry, records), _path(entry.get("event", 0), records)
    summary = {"title": title, "path": path, "details": any(details.values())}
    where_and_when = " · ".join(filter(None, (_when(entry.get("start", "")), entry.get("place"))))
    return {**entry, **details, **summary, "where_and_when": where_and_when}


def _when(start: str) -> str:
    """Return in words when an event begins."""
    if not start:
        return ""
    moment, all_day = datetime.fromisoformat(start), " " not in start
    return wording.when(moment, moment, language(), all_day=all_day)


def _double_of(entry: Record) -> int:
    """Return the event that is the same, perhaps or certainly; 0 where none is meant."""
    is_double = entry["outcome"] in (Outcome.DOUBLE, Outcome.UNITED)
    return parse_digits(entry.get("reason", "")) or 0 if is_double else 0


def _path(number: int, records: Records) -> str:
    return f"/{records[number][0]}/{number}" if number in records else ""


def _title(entry: Record, records: Records) -> str:
    """Return the title: that in a label such as ``event 12@club "Concert"``, else as it is here."""
    _, quote, title = entry["label"].partition(' "')
    if quote:
        return str(title.removesuffix('"'))
    number = entry.get("event", 0)
    if number in records:
        return local_text(records[number][1], EVENT.label, current.context().chain).text
    return str(entry["label"])
