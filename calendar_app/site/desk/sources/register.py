"""The names of a source for places and organizers, and ours."""

from dataclasses import dataclass

from flask import Response, request

from calendar_app.accounts.callers import Right
from calendar_app.api.http.errors.refusals import refusal_of
from calendar_app.api.http.request import current
from calendar_app.domain.kinds import BY_NAME, ORGANIZER, VENUE
from calendar_app.domain.numbers import parse_digits
from calendar_app.errors import CalendarError, InvalidParameters, Message, PreconditionFailed
from calendar_app.readmodel.records import local_text
from calendar_app.site.desk.choices import find_by_name, suggest
from calendar_app.site.desk.rendering import notify, render_list, see, sent_window
from calendar_app.site.desk.routing import page
from calendar_app.site.desk.sources.views import SOURCE_PATH, find, sources
from calendar_app.sources.register_editing import RegisterLine

_PATH = f"{SOURCE_PATH}/register"
_PER_PAGE = 50
_MOST_NAMES = 500
_SAVED = Message("From the next reading on, this name means the one that you chose.")
_AGAIN = Message("The next reading looks for this name again.")
_MEANWHILE = Message("Somebody else has corrected this name meanwhile. See whether it is right.")


@dataclass(frozen=True, slots=True)
class RegisterRow:
    """An entry with the name and the town of our record."""

    line: RegisterLine

    @property
    def name(self) -> str:
        """Return the name of our record; empty where there is none."""
        label = BY_NAME[self.line.entry["kind"]].label
        return "" if self.line.is_open else self._text(label)

    @property
    def town(self) -> str:
        """Return where our record is, or how it is reached."""
        record = self.line.record
        if self.line.entry["kind"] == VENUE.name:
            town = f"{record.get('zip') or ''} {self._text('city')}".strip()
            return ", ".join(filter(None, (self._text("address"), town)))
        return ", ".join(filter(None, (record.get("email"), record.get("phone"))))

    @property
    def is_same(self) -> bool:
        """Whether name and address are the same here and there."""
        entry = self.line.entry
        return (self.name, self.town) == (entry["name"], entry["address"])

    def _text(self, field: str) -> str:
        return str(local_text(self.line.record, field, current.context().chain).text)


@page(_PATH, needs=Right.EDIT)
def show_register(record_id: int) -> Response:
    """List the names of a source for places and organizers, with a form to correct each."""
    stored, window = find(record_id), sent_window(_PER_PAGE)
    entries, lines = sources().register(record_id, current.context().caller, window)
    return render_list(
        "sources/register.html",
        source=stored.source,
        rows=[RegisterRow(each) for each in lines],
        total=entries.total,
        number=window.number,
        pages=entries.pages,
        choices={
            kind.name: suggest(kind.singular, most=_MOST_NAMES) for kind in (VENUE, ORGANIZER)
        },
    )


@page(f"{_PATH}/<entry>", needs=Right.EDIT, methods=["POST"])
def correct_entry(record_id: int, entry: str) -> Response:
    """Let one name of a source mean another place or organizer."""
    find(record_id)  # Strangers get no further.
    form, caller = request.form, current.context().caller
    try:
        chosen = _chosen(form.get("kind", ""), form.get("record", "").strip())
        sources().correct(
            record_id,
            entry,
            caller,
            record=chosen,
            was=parse_digits(form.get("was", "")),
            same=bool(form.get("same")),
        )
        notify(_SAVED if chosen else _AGAIN)
    except PreconditionFailed:
        notify(_MEANWHILE, "warning")
    except ValueError as error:
        notify(error.args[0], "problem")
    except InvalidParameters as error:
        notify(next(iter(error.reasons.values())), "problem")
    except CalendarError as error:
        notify(refusal_of(error).message, "problem")
    return see(f"/sources/{record_id}/register")


def _chosen(kind: str, typed: str) -> int:
    """Return the typed id: a name, or ``#12``; raise ``ValueError`` with a reason."""
    if not typed:
        return 0
    if typed.startswith("#") and (number := parse_digits(typed[1:])) is not None:
        return number
    return find_by_name(ORGANIZER.singular if kind == ORGANIZER.name else VENUE.singular, typed)
