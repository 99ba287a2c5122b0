"""Pairs of events that are perhaps one: side by side, for somebody to decide."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from flask import Response, request

from calendar_app.accounts.policy import Right
from calendar_app.api.http.errors.refusals import refusal_of
from calendar_app.api.http.request import current
from calendar_app.domain.kind import Record
from calendar_app.domain.kinds import EVENT
from calendar_app.domain.richtext import plain
from calendar_app.errors import CalendarError, InvalidParameters, Message, NotFound
from calendar_app.readmodel.events import ReadEvent
from calendar_app.site.desk.rendering import gettext, language, notify, render, see, sent_window
from calendar_app.site.desk.routing import page
from calendar_app.site.desk.sources.views import sources
from calendar_app.site.html import wording
from calendar_app.site.pages.events import read_events

_PATH = "/sources/doubles/"
_PER_PAGE = 10
_LONGEST = 280


@dataclass(frozen=True, slots=True)
class Side:
    """One of two events; ``sources`` are the names of those from which it comes."""

    event: ReadEvent
    sources: Sequence[str]

    @property
    def origin(self) -> str:
        """Return where it comes from, in words."""
        return ", ".join(self.sources) or gettext("entered here")

    @property
    def when(self) -> str:
        own = self.event
        return wording.when(own.start, own.end, language(), all_day=own.all_day)

    @property
    def organizers(self) -> str:
        return ", ".join(str(each.name) for each in self.event.organizers)

    @property
    def text(self) -> str:
        words = plain(self.event.body.text)
        return f"{words[:_LONGEST]} \u2026" if len(words) > _LONGEST else words

    @property
    def rows(self) -> list[tuple[Message, str]]:
        """Return the compared facts, each with its name."""
        return [
            (Message("Title"), self.event.title.text or gettext("Without a title")),
            (Message("When"), self.when),
            (Message("Where"), str(self.event.where)),
            (Message("Who"), self.organizers),
            (Message("Description"), self.text),
        ]


@page(_PATH, needs=Right.EDIT_OTHERS)
def doubles() -> Response:
    """List the pairs of which nobody has said yet whether they are one."""
    window = sent_window(_PER_PAGE)
    pairs = sources().pairs(current.context().caller, window)
    sides = _sides(pairs.items)
    return render(
        "sources/doubles.html",
        pairs=[
            (pair["score"], sides[first], sides[second])
            for pair in pairs.items
            for first, second in [pair["events"]]
            if first in sides and second in sides
        ],
        total=pairs.total,
        number=window.number,
        pages=pairs.pages,
    )


@page(f"{_PATH}<digits:first>/<digits:second>", needs=Right.EDIT_OTHERS, methods=["POST"])
def decide_double(first: int, second: int) -> Response:
    """Make one event of a pair, or remember that they are two."""
    caller = current.context().caller
    try:
        if request.form.get("press") == "same":
            event = sources().unite(first, second, caller)
            notify(Message("They are one event now."))
            return see(f"/events/{event['_id']}")
        if request.form.get("press") == "different":
            sources().differ(first, second, caller)
            notify(Message("They stay two events, and nobody is asked again."))
    except NotFound:
        notify(Message("Somebody has decided this already."), "warning")
    except InvalidParameters as error:
        notify(next(iter(error.reasons.values())), "problem")
    except CalendarError as error:
        notify(refusal_of(error).message, "problem")
    return see(_PATH)


def _sides(pairs: Iterable[Record]) -> dict[int, Side]:
    """Return the events of pairs by id, with the names of their sources, in two queries."""
    context = current.context()
    ids = {number for pair in pairs for number in pair["events"]}
    records = context.reader.records_of({EVENT.name: ids}) if ids else {}
    events = read_events([record for record in records.values() if record])
    series_of = {each.id: each.record.get("series", 0) for each in events}
    names = sources().provenance.of_events(series_of)
    return {event.id: Side(event, list(names[event.id].values())) for event in events}
