"""What indexes need of records that earlier versions have stored."""

from functools import partial
from itertools import islice
from secrets import token_urlsafe

from calendar_app.calendar.places.points import Places
from calendar_app.calendar.reading.links import TAXONOMIES
from calendar_app.content.composing import searchable
from calendar_app.domain.folding import FOLDING_RULES
from calendar_app.domain.kind import Kind
from calendar_app.domain.listing import UNLOCKED, listing_state
from calendar_app.domain.pictures import TOKEN_BYTES
from calendar_app.domain.statuses import PUBLISH
from calendar_app.mongo.store import Store
from calendar_app.query.cells import CELL, named_coordinates
from calendar_app.query.clauses import (
    EVERYTHING,
    all_of,
    differs,
    equals,
    given,
    identified,
    missing,
    one_of,
    reaches,
)
from calendar_app.query.durations import LASTS_UNDER, noted_lengths
from calendar_app.query.stages import Stages
from calendar_app.query.texts import folded_otherwise
from calendar_app.search.vocabulary import as_read

# What has a point.
_LOCATED = ("venues", "events")
_AT_ONCE = 500


def note_lengths(store: Store) -> int:
    """Note how long events last, so that what is still on is found; return with how many."""
    return store["events"].change_all(reaches(LASTS_UNDER, exists=False), noted_lengths())


def name_coordinates(store: Store) -> None:
    """Give points their coordinates by name, and a cell."""
    nameless = all_of([equals("location.type", "Point"), missing(CELL)])
    for name in _LOCATED:
        store[name].change_all(nameless, named_coordinates())


def fold_anew(store: Store, kind: Kind) -> int:
    """Fold the texts and names that earlier rules have folded; return of how many records.

    This can be interrupted and repeated, and go on while others write. What is found by words is
    folded as these are entered.
    """
    records = store.of(kind)
    fields = ["revision", "variants", *kind.searched_lines]
    behind = records.stream(folded_otherwise(FOLDING_RULES), order=[("_id", 1)], fields=fields)
    done = 0
    while batch := list(islice(behind, _AT_ONCE)):
        done += records.change_each(
            [(as_read(record), {"$set": searchable(kind, record)}) for record in batch]
        )
    return done


def add_picture_tokens(store: Store) -> None:
    """Give each picture without a token one, by which its files are addressed."""
    pictures = store["media"]
    without = pictures.stream(missing("token"), order=[("_id", 1)], fields=["_id"])
    while batch := list(islice(without, _AT_ONCE)):
        pictures.change_each(
            [
                (
                    all_of([identified(picture["_id"]), missing("token")]),
                    {"$set": {"token": token_urlsafe(TOKEN_BYTES)}},
                )
                for picture in batch
            ]
        )


def lock_listings(store: Store) -> None:
    """Note of events with a password that lists show them by title and dates alone."""
    for hidden in (True, False):
        unlocked = all_of([equals("hidden", hidden), given("password")])
        locked = {"$set": {"hidden": listing_state(hidden=hidden, locked=True)}}
        store["events"].change_all(unlocked, locked)


def count_terms_anew(store: Store) -> None:
    """Count for each term the events that everybody is shown; earlier, locked ones were counted."""
    counted = all_of([equals("status", PUBLISH), one_of("hidden", UNLOCKED)])
    for taxonomy in TAXONOMIES:
        stages: Stages = [
            {"$match": counted},
            {"$unwind": f"${taxonomy}"},
            {"$group": {"_id": f"${taxonomy}", "count": {"$sum": 1}}},
        ]
        counts = {one["_id"]: one["count"] for one in store["events"].aggregate(stages)}
        updates = [
            (identified(term["_id"]), {"$set": {"count": counts.get(term["_id"], 0)}})
            for term in store[taxonomy].find(EVERYTHING, fields=["count"])
            if term["count"] != counts.get(term["_id"], 0)
        ]
        if updates:
            store[taxonomy].change_each(updates)


def hide_places(store: Store) -> None:
    """Take the points of hidden venues away from what everybody is shown of their events."""
    places = Places(store)
    for venue in store["venues"].stream(differs("status", PUBLISH), order=[("_id", 1)]):
        store.transact(partial(places.update_events_at, venue))
