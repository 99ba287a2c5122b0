"""The series of an event on its page: its rule in words, its next dates, its feed."""

from collections.abc import Sequence
from dataclasses import dataclass

from calendar_app.http.request import current
from calendar_app.pages.cards import Card, cards_of
from calendar_app.pages.links import Place
from calendar_app.pages.questions import load
from calendar_app.pages.subscriptions import subscription
from calendar_app.resources.events.kind import EVENT

_MOST_DATES = 6


@dataclass(frozen=True, slots=True)
class SeriesDates:
    """A series: its recurrence in words, its coming ``cards``, its list and its feed."""

    text: str
    cards: Sequence[Card]
    list_page: str
    ics: str


def series_dates(card: Card) -> SeriesDates | None:
    """Return the other dates of the series of an event; ``None`` for a single event."""
    if not card.is_recurring:
        return None
    own_filter = {"series": str(card.event["series"])}
    listing = load({**own_filter, "per_page": _MOST_DATES + 1}).listing
    coming = cards_of(current.reader().search(EVENT, listing, current.caller()).items)
    return SeriesDates(
        text=card.shown["series"]["text"],
        cards=[date for date in coming if date.id != card.id][:_MOST_DATES],
        list_page=Place("list", query=tuple(own_filter.items())).address(),
        ics=subscription(own_filter).ics,
    )
