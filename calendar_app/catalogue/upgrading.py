"""What indexes need of records that earlier versions have stored."""

from calendar_app.catalogue.places.gates import Gates
from calendar_app.query.cells import CELL, named_coordinates
from calendar_app.query.clauses import all_of, equals, missing, reaches
from calendar_app.query.ongoing import LASTS_UNDER, noted_lengths
from calendar_app.storage.store import Store

# What has a point.
_LOCATED = ("venues", "events")


def note_lengths(store: Store) -> int:
    """Note how long events last, so that what is still on is found; return with how many."""
    return store["events"].change_all(reaches(LASTS_UNDER, wanted=False), noted_lengths())


def name_coordinates(store: Store) -> None:
    """Give points their coordinates by name, and a cell."""
    nameless = all_of([equals("location.type", "Point"), missing(CELL)])
    for name in _LOCATED:
        store[name].change_all(nameless, named_coordinates())
    Gates(store).close_all()
