"""The filters of a source: by words, by places, by days."""

from collections.abc import Mapping

from calendar_app.domain.words import fold
from calendar_app.sources.calendar_events import CalendarEvent


def passes(event: CalendarEvent, filters: Mapping[str, object]) -> bool:
    """Say whether the filters of a source let an event through."""
    if not filters:
        return True
    texts = event.changes.get("variants", {}).values()
    event_text = fold(" ".join(str(text) for own in texts for text in own.values() if text))
    event_text += " " + fold(" ".join(map(str, event.changes.get("categories", ()))))
    words, without = (_folded(filters, name) for name in ("words", "without_words"))
    if words and not any(word in event_text for word in words):
        return False
    if any(word in event_text for word in without):
        return False
    places = _folded(filters, "places")
    if places and not any(place in venue_texts(event) for place in places):
        return False
    return _is_within(event, str(filters.get("from") or ""), str(filters.get("to") or ""))


def venue_texts(event: CalendarEvent) -> str:
    """Return the texts of the places of an event, folded."""
    venues = (each for each in event.changes.get("venues", ()) if isinstance(each, dict))
    return fold(str([venue.get("variants") for venue in venues]))


def _folded(filters: Mapping[str, object], name: str) -> list[str]:
    words = filters.get(name)
    return [fold(str(word)) for word in words] if isinstance(words, list | tuple) else []


def _is_within(event: CalendarEvent, first: str, last: str) -> bool:
    """Say whether an event takes place between two days; a series only has to begin in time."""
    if "start" not in event.changes:
        return True
    day, end = (event.wall(event.changes[name]).date().isoformat() for name in ("start", "end"))
    return (not last or day <= last) and (not first or end >= first or event.recurs)
