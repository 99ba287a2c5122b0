"""Two venues or organizers side by side, one of them to keep; and likely duplicates."""

from dataclasses import dataclass

from flask import Response, request

from calendar_app.accounts.policy import editable_by, require_role
from calendar_app.api.http.errors.refusals import refusal_of
from calendar_app.api.http.request import current
from calendar_app.calendar.uniting import UnionRequest
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.languages import localize
from calendar_app.domain.numbers import parse_digits
from calendar_app.domain.richtext import plain
from calendar_app.domain.statuses import TRASH
from calendar_app.errors import CalendarError, InvalidParameters, Message
from calendar_app.site.desk.choices import suggest
from calendar_app.site.desk.records.editing import name_of, require
from calendar_app.site.desk.records.kinds import SHEETS, RecordSheet
from calendar_app.site.desk.rendering import Undo, gettext, message_text, notify, render, see
from calendar_app.site.desk.routing import page

_KIND = "/<any(venues,organizers):kind>"
_BOTH = ("GET", "POST")
_LONGEST = 280
_WITH = "with"
_SHARED = ("zip", "phone", "email")


@dataclass(frozen=True, slots=True)
class UnionSide:
    """One of two records that are to become one, with the number of its events."""

    sheet: RecordSheet
    record: Record
    events: int

    @property
    def id(self) -> int:
        number: int = self.record["_id"]
        return number

    @property
    def name(self) -> str:
        return name_of(self.sheet, self.record)

    @property
    def rows(self) -> list[tuple[str, str]]:
        """Return the compared facts, each behind its name."""
        sheet, record = self.sheet, self.record
        texts = localize(record["variants"], sheet.texts, current.context().chain)
        names = [name for name in sheet.texts if name != "slug"]
        words = {name: _short(plain(texts[name])) for name in names}
        shared = {name: str(record.get(name) or "") for name in _SHARED if name in sheet.shared}
        labels = {**sheet.texts, **sheet.shared}
        rows = [(message_text(labels[name]), text) for name, text in (words | shared).items()]
        if sheet.kind.is_place:
            rows.append((gettext("Point on the map"), _point(record)))
        return [*rows, (gettext("Events"), str(self.events))]


@page(f"{_KIND}/alike")
def alike(kind: str) -> Response:
    """List the records that are perhaps one, as far as the user may edit them."""
    sheet, context = SHEETS[kind], current.context()
    require_role(context.caller, "edit", sheet.kind.singular)
    clause = editable_by(context.caller)
    groups = context.services.uniting.alike(sheet.kind, clause)
    return render(
        "alike.html",
        sheet=sheet,
        groups=[[UnionSide(sheet, each.record, each.events) for each in group] for group in groups],
    )


@page(f"{_KIND}/<digits:record_id>/unite", methods=_BOTH)
def unite_records(kind: str, record_id: int) -> Response:
    """Choose another record, see both side by side, and make them one."""
    sheet = SHEETS[kind]
    require_role(current.context().caller, "edit", sheet.kind.singular)
    record = require(sheet, record_id)
    if request.method == "POST":
        return _unite(sheet, record_id)
    other_id = parse_digits(request.args.get(_WITH, ""))
    if other_id is None or other_id == record_id:
        return _choose(sheet, record)
    other = require(sheet, other_id)
    if TRASH in (record["status"], other["status"]):
        notify(Message("A record in the trash cannot be merged."), "warning")
        return see(f"/{kind}/{record_id}")
    numbers = current.context().services.uniting.numbers(sheet.kind, [record_id, other_id])
    sides = [UnionSide(sheet, each, numbers[each["_id"]]) for each in (record, other)]
    stays = max(sides, key=lambda side: (side.events, -side.id))
    return render("unite.html", sheet=sheet, sides=sides, stays=stays.id)


@page(f"{_KIND}/<digits:record_id>/separate", methods=["POST"])
def separate_records(kind: str, record_id: int) -> Response:
    """Undo a union."""
    sheet = SHEETS[kind]
    require_role(current.context().caller, "edit", sheet.kind.singular)
    require(sheet, record_id)
    sent = _sent(sheet.kind, record_id, request.form.get(_WITH, ""))
    try:
        current.context().services.uniting.separate(sent)
        notify(Message("They are two again, as before."))
    except CalendarError as error:
        _notify_refusal(error)
    return see(f"/{kind}/{record_id}")


def _choose(sheet: RecordSheet, record: Record) -> Response:
    """Offer other records by name; without words those of the same name."""
    words = request.args.get("search", "").strip()
    own = name_of(sheet, record)
    namesakes = suggest(sheet.kind.singular, words or own.partition(",")[0])
    others = [each for each in namesakes if each.id != record["_id"]]
    return render(
        "unite_choice.html", sheet=sheet, record=record, name=own, words=words, others=others
    )


def _unite(sheet: RecordSheet, record_id: int) -> Response:
    """Unite the pair of the form; ``keep`` says which of the two stays."""
    form, kind = request.form, sheet.kind
    other_id = parse_digits(form.get(_WITH, "")) or 0
    keeps_other = form.get("keep") == str(other_id)
    kept, removed = (other_id, record_id) if keeps_other else (record_id, other_id)
    sent = _sent(kind, kept, str(removed), fill="fill" in form)
    try:
        record = current.context().services.uniting.unite(sent)
    except CalendarError as error:
        _notify_refusal(error)
        return see(f"/{kind.name}/{record_id}/unite?{_WITH}={other_id}")
    undo = Undo(f"/{kind.name}/{kept}/separate", {_WITH: str(removed)})
    notify(Message("They are merged: {name}.", name=name_of(sheet, record)), undo=undo)
    return see(f"/{kind.name}/{kept}")


def _sent(kind: Kind, kept: int, removed: str, *, fill: bool = True) -> UnionRequest:
    context = current.context()
    other = parse_digits(removed) or 0
    return UnionRequest(kind, kept, other, context.caller, context.language, fill=fill)


def _notify_refusal(error: CalendarError) -> None:
    if isinstance(error, InvalidParameters):
        notify(next(iter(error.reasons.values())), "problem")
    else:
        notify(refusal_of(error).message, "problem")


def _short(words: str) -> str:
    return f"{words[:_LONGEST]} \u2026" if len(words) > _LONGEST else words


def _point(record: Record) -> str:
    location = record.get("location")
    return f"{location['latitude']:.5f}, {location['longitude']:.5f}" if location else ""
