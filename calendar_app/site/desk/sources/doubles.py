"""Pairs of events that are perhaps one: a table with both sides, several decided at once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from flask import Response, request

from calendar_app.accounts.callers import Right
from calendar_app.accounts.policy import may_edit
from calendar_app.api.http.errors.refusals import refusal_of
from calendar_app.api.http.request import current
from calendar_app.api.resources.source_doubles import EventPair, Side, event_pairs
from calendar_app.domain.numbers import parse_digits
from calendar_app.domain.richtext import plain
from calendar_app.errors import CalendarError, InvalidParameters, Message, NotFound
from calendar_app.readmodel.events import ReadEvent
from calendar_app.site.desk.rendering import (
    Undo,
    gettext,
    language,
    notify,
    render_list,
    see,
    sent_window,
)
from calendar_app.site.desk.routing import page
from calendar_app.site.desk.sources.views import sources
from calendar_app.site.html import wording

_PATH = "/sources/doubles/"
_PER_PAGE = 25
_MOST_AT_ONCE = 100
_LONGEST = 140


@dataclass(frozen=True, slots=True)
class ShownSide:
    """One of two events as the table shows it."""

    side: Side
    waits: bool

    @property
    def event(self) -> ReadEvent:
        return self.side.event

    @property
    def title(self) -> str:
        return self.event.title.text or gettext("Without a title")

    @property
    def is_editable(self) -> bool:
        return may_edit(current.context().caller, self.event.record)

    @property
    def origin(self) -> str:
        """Return where it comes from, in words."""
        return ", ".join(self.side.sources.values()) or gettext("entered here")

    @property
    def facts(self) -> list[tuple[Message, str]]:
        """Return the compared facts, each with its name."""
        own = self.event
        words = plain(own.body.text)
        text = f"{words[:_LONGEST]} \u2026" if len(words) > _LONGEST else words
        when = wording.when(own.start, own.end, language(), all_day=own.all_day)
        return [
            (Message("When"), when),
            (Message("Where"), str(own.where)),
            (Message("Who"), ", ".join(str(each.name) for each in own.organizers)),
            (Message("Description"), text),
        ]


@dataclass(frozen=True, slots=True)
class ShownPair:
    """A row of the table."""

    id: str
    score: int
    is_certain: bool
    sides: Sequence[ShownSide]

    @classmethod
    def of(cls, pair: EventPair) -> "ShownPair":
        waits = pair.pair.get("waits", ())
        sides = [
            ShownSide(each, each.event.record.get("series", each.event.id) in waits)
            for each in pair.sides
        ]
        number = "-".join(map(str, pair.pair["events"]))
        return cls(number, pair.pair["score"], pair.pair.get("certain", False), sides)

    def other(self, side: ShownSide) -> ShownSide:
        return self.sides[1] if side is self.sides[0] else self.sides[0]


@page(_PATH, needs=Right.EDIT)
def doubles() -> Response:
    """List the pairs of which nobody has said yet whether they are one."""
    window = sent_window(_PER_PAGE)
    pairs = sources().decisions.pairs(current.context().caller, window)
    return render_list(
        "sources/doubles.html",
        pairs=[ShownPair.of(each) for each in event_pairs(pairs.items)],
        number=window.number,
        pages=pairs.pages,
    )


@page(_PATH, needs=Right.EDIT, methods=["POST"])
def decide_doubles() -> Response:
    """Make one event of each chosen pair, or remember that they are two."""
    caller = current.context().caller
    sources().decisions.require_decider(caller)
    chosen = [_ids_of(each) for each in request.form.getlist("id")[:_MOST_AT_ONCE]]
    match request.form.get("action"):
        case "same":
            done = _each(
                chosen, lambda first, second: sources().decisions.unite(first, second, caller)
            )
            message = Message("Made one event of two: {number}.", number=len(done))
        case "different":
            done = _each(
                chosen, lambda first, second: sources().decisions.differ(first, second, caller)
            )
            message = Message("Kept as two events: {number}.", number=len(done))
        case _:
            return see(_PATH)
    if done:
        # The last one is undone first.
        undo = Undo(f"{_PATH}undo", {"ids": " ".join(f"{a}-{b}" for a, b in reversed(done))})
        notify(message, undo=undo)
    return see(_PATH)


@page(f"{_PATH}undo", needs=Right.EDIT, methods=["POST"])
def undo_decisions() -> Response:
    """Ask again about pairs that were kept as two events, or became one."""
    caller = current.context().caller
    sources().decisions.require_decider(caller)
    chosen = [_ids_of(each) for each in request.form.get("ids", "").split()[:_MOST_AT_ONCE]]
    done = _each(chosen, lambda first, second: sources().decisions.take_back(first, second, caller))
    if done:
        notify(Message("As before: {number}.", number=len(done)))
    return see(_PATH)


def _each(
    pairs: Sequence[tuple[int, int]], decide: Callable[[int, int], object]
) -> list[tuple[int, int]]:
    """Decide on pairs, and report refused ones; return the others."""
    done = []
    for first, second in pairs:
        try:
            decide(first, second)
            done.append((first, second))
        except NotFound:
            notify(Message("Somebody has decided this already."), "warning")
        except InvalidParameters as error:
            notify(next(iter(error.reasons.values())), "problem")
        except CalendarError as error:
            notify(refusal_of(error).message, "problem")
    return done


def _ids_of(pair: str) -> tuple[int, int]:
    """Return the two ids of a pair; 0 for other texts."""
    first, _, second = pair.partition("-")
    return parse_digits(first) or 0, parse_digits(second) or 0
