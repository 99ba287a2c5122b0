"""How long the events last that were stored before that was noted with each."""

from calendar_app.query.clauses import reaches
from calendar_app.query.ongoing import LASTS_UNDER, noted_lengths
from calendar_app.storage.store import Store


def note_lengths(store: Store) -> int:
    """Note it, so that what is still on is found by an index; return with how many."""
    return store["events"].change_all(reaches(LASTS_UNDER, wanted=False), noted_lengths())
