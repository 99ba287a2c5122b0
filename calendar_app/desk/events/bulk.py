"""Changes of several events at once; each is a write of its own, and may be refused."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from calendar_app.accounts.policy import may_read
from calendar_app.desk.event_form.fields import StoredEvent
from calendar_app.desk.event_form.saving import change_values
from calendar_app.desk.event_form.showing import content_language, notation
from calendar_app.desk.event_form.views import taken_back
from calendar_app.desk.history.views import reason_of
from calendar_app.domain.kind import Record
from calendar_app.domain.statuses import DRAFT, PUBLISH
from calendar_app.errors import CalendarError, Message
from calendar_app.http.request import current
from calendar_app.kinds import EVENT
from calendar_app.pages.forms import Values
from calendar_app.readmodel.records import local_text

MOST_AT_ONCE = 100
Change = Callable[[StoredEvent], Record]
_GONE = Message("It does not exist any more.")


@dataclass(slots=True)
class Outcome:
    """How many events were changed, and the titles of the refused ones by reason."""

    changed: int = 0
    refused: dict[str, list[str]] = field(default_factory=dict)


def change_events(ids: Sequence[int], action: str, values: Mapping[str, str]) -> Outcome | None:
    """Apply an action to events; ``None`` for an unknown action or a missing term."""
    change_one = _change_of(action, values)
    if change_one is None:
        return None
    outcome = Outcome()
    for event_id in ids[:MOST_AT_ONCE]:
        event = current.reader().find(EVENT, event_id)
        if event is None or not may_read(current.caller(), event):
            outcome.refused.setdefault(_GONE, []).append(str(event_id))
            continue
        try:
            after = change_one(StoredEvent.find(EVENT, event_id, content_language()))
        except CalendarError as error:
            title = local_text(event, "title", current.chain()).text
            outcome.refused.setdefault(reason_of(error), []).append(title)
        else:
            outcome.changed += after["revision"] != event["revision"]
    return outcome


def _change_of(action: str, values: Mapping[str, str]) -> Change | None:
    simple: Mapping[str, Change] = {
        "publish": _setting({"status": PUBLISH}),
        "draft": _setting({"status": DRAFT}),
        "trash": lambda event: current.editor().remove(
            EVENT, event.record["_id"], current.caller()
        ),
        "restore": taken_back,
    }
    if action == "add_category":
        return _adding("categories", values.get("category", ""))
    if action == "add_tag":
        return _adding("tags", values.get("tag", ""))
    return simple.get(action)


def _adding(name: str, term: str) -> Change | None:
    """Return the change that adds a term by its id, or a tag by its name."""
    if not term.strip():
        return None
    return lambda event: change_values(
        event, {name: [*event.record[name], term.strip()]}, notation()
    )


def _setting(values: Values) -> Change:
    return lambda event: change_values(event, values, notation())
