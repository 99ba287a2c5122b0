"""``/desk/events/`` and ``/desk/events/week``."""

from datetime import date, timedelta
from urllib.parse import urlencode

from flask import Response, request

from calendar_app.accounts.policy import Right
from calendar_app.desk.events.bulk import Outcome, change_events
from calendar_app.desk.events.listing import STATE_NAMES, UPCOMING, events_between, read_table
from calendar_app.desk.languages import message_text
from calendar_app.desk.notices import notify
from calendar_app.desk.rendering import render, see
from calendar_app.desk.routing import page
from calendar_app.domain.numbers import parse_digits
from calendar_app.errors import Message
from calendar_app.pages.lists import today
from calendar_app.pages.questions import between

_DAYS = 7
_REFUSED = 400
_TABLE = "/events/"


@page(_TABLE, needs=Right.EDIT)
def events_table() -> Response:
    """Show one page of events, with filters and states."""
    table = read_table()
    return render(
        "events/table.html",
        _REFUSED if table.errors else 200,
        table=table,
        state_names=STATE_NAMES,
        query=_query,
    )


@page("/events/several", needs=Right.EDIT, methods=["POST"])
def change_several_events() -> Response:
    """Apply one action to the selected events, and lead back to the table."""
    form = request.form
    numbers = map(parse_digits, form.getlist("id"))
    ids = [number for number in numbers if number is not None]
    if ids:
        _notify(change_events(ids, form.get("action", ""), form))
    else:
        notify(Message("No event is selected."), "warning")
    query = form.get("query", "")
    return see(f"{_TABLE}?{query}" if query else _TABLE)


@page("/events/week", needs=Right.EDIT)
def coming_week() -> Response:
    """Show all events of the next seven days, day by day."""
    first = today()
    days = [first + timedelta(days=number) for number in range(_DAYS)]
    events = events_between(between(days[0], days[-1]))
    on: dict[date, list[object]] = {
        day: [event for event in events if event.days[0] <= day <= event.days[1]] for day in days
    }
    return render("events/week.html", days=on, state_names=STATE_NAMES)


def _notify(outcome: Outcome | None) -> None:
    if outcome is None:
        notify(Message("Choose what to do with the selected events."), "warning")
        return
    if outcome.changed:
        notify(Message("Changed: {number}", number=outcome.changed))
    elif not outcome.refused:
        notify(Message("Nothing had to be changed."))
    for reason, titles in outcome.refused.items():
        listed = ", ".join(titles)
        refusal = Message(
            "Not changed: {titles}. {reason}", titles=listed, reason=message_text(reason)
        )
        notify(refusal, "problem")


def _query(**changed: str | int) -> str:
    """Return the query of this page with other values; empty ones are left out."""
    present_values = {name: value for name, value in request.args.items() if name != "page"}
    values = {**present_values, **changed}
    usual = {"period": UPCOMING, "status": "any"}
    return urlencode({n: v for n, v in values.items() if v not in ("", usual.get(n))})
