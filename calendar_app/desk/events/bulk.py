"""Changes of several events at once; each is a write of its own, and may be refused."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from calendar_app.domain.kind import Record
from calendar_app.domain.richtext import decoded
from calendar_app.domain.statuses import DRAFT, PUBLISH, TRASH
from calendar_app.errors import CalendarError, Message
from calendar_app.http.errors.refusals import refusal_of
from calendar_app.http.request import current
from calendar_app.pages.terms import text_of
from calendar_app.resources.events.kind import EVENT

MOST_AT_ONCE = 100
Change = Callable[[Record], object]


@dataclass(slots=True)
class Outcome:
    """How many events were changed, and the titles of the refused ones by reason."""

    changed: int = 0
    refused: dict[str, list[str]] = field(default_factory=dict)


def change_events(ids: Sequence[int], action: str, values: Mapping[str, str]) -> Outcome | None:
    """Apply an action to events; ``None`` for an unknown action or a missing term."""
    change = _change_of(action, values)
    if change is None:
        return None
    outcome = Outcome()
    for event_id in ids[:MOST_AT_ONCE]:
        event = current.reader().find(EVENT, event_id)
        if event is None:
            outcome.refused.setdefault(Message("It does not exist any more."), []).append(
                str(event_id)
            )
            continue
        try:
            change(event)
        except CalendarError as error:
            reason = refusal_of(error).message
            title = decoded(text_of(event, "title", current.chain()).text)
            outcome.refused.setdefault(reason, []).append(title)
        else:
            outcome.changed += 1
    return outcome


def _change_of(action: str, values: Mapping[str, str]) -> Change | None:
    simple: Mapping[str, Change] = {
        "publish": lambda event: _edit(event, {"status": PUBLISH}),
        "draft": lambda event: _edit(event, {"status": DRAFT}),
        "trash": lambda event: current.editor().remove(EVENT, event["_id"], current.caller()),
        "restore": _restore,
    }
    if action == "add_category":
        return _adding("categories", values.get("category", ""))
    if action == "add_tag":
        return _adding("tags", values.get("tag", ""))
    return simple.get(action)


def _restore(event: Record) -> object:
    if event["status"] != TRASH:
        return event
    return _edit(event, {"status": event.get("status_before_trash") or DRAFT})


def _adding(name: str, term: str) -> Change | None:
    """Return the change that adds a term by its id, or a tag by its name."""
    if not term.strip():
        return None
    value: int | str = int(term) if term.isascii() and term.isdecimal() else term.strip()
    return lambda event: _edit(event, {name: [*event[name], value]})


def _edit(event: Record, changes: Mapping[str, Any]) -> object:
    """Change an event, unless somebody else has changed it since it was read."""
    return current.editor().change(
        EVENT,
        event["_id"],
        dict(changes),
        current.caller(),
        current.language(),
        revision=event["revision"],
    )
