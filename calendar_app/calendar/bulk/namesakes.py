"""Venues, organizers and terms that others name: those of that name here, else new ones."""

from collections.abc import Mapping
from dataclasses import replace

from calendar_app.calendar.bulk.records import site_of
from calendar_app.calendar.writing.changes import Edit, Plan
from calendar_app.calendar.writing.planner import RecordPlanner
from calendar_app.domain.kind import Kind, Record

_ADDRESS = ("address", "city")


def linked_by_name(planner: RecordPlanner, plan: Plan, kind: Kind, edit: Edit) -> Record:
    """Return a venue, organizer or term of that name unchanged, else create it.

    A venue of the same name at another address is another one: its name holds the address. So is
    what has another id at the same site.
    """
    origins = {note["source"] for note in edit.changes.get("imported", ())}
    if origins and (brought := plan.brought(kind, origins)):
        return brought
    language = next(iter(edit.changes["variants"]), edit.language)
    edit = replace(edit, language=language)
    languages = planner.builder.site.languages
    namesake = planner.references.same_named(plan, kind, edit, languages)
    if namesake is not None and kind.is_place:
        texts = edit.changes["variants"][language]
        if not _is_at(namesake, texts.get("address", "")):
            name = f"{texts[kind.label]}, {texts['address']}"
            changes = {**edit.changes, "variants": {language: {kind.label: name}}}
            edit = replace(edit, changes=changes)
            namesake = planner.references.same_named(plan, kind, edit, languages)
    if namesake is None or _sites(namesake) & _sites(edit.changes):
        return planner.create_new(plan, kind, edit)
    return namesake


def _sites(record: Record) -> set[str]:
    """Return the sites that have a record under an id of their own."""
    return {site_of(note["source"]) for note in record.get("imported", ())}


def _is_at(venue: Record, address: str) -> bool:
    """Return whether a venue may be at an address: all that it says of its own is in there."""
    variants: Mapping[str, Record] = venue["variants"]
    parts = (
        [texts.get(name) for name in _ADDRESS] + [venue.get("zip")] for texts in variants.values()
    )
    return not address or any(all(p in address for p in own if p) for own in parts)
