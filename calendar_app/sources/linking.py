"""Venues, organizers and terms that others name: those of that name here, else new ones."""

from dataclasses import replace

from calendar_app.calendar.writing.changes import Edit, Plan
from calendar_app.calendar.writing.planner import RecordPlanner
from calendar_app.domain.kind import Kind, Record
from calendar_app.sources.imports.tec.records import site_of


def linked_by_name(planner: RecordPlanner, plan: Plan, kind: Kind, edit: Edit) -> Record:
    """Return a venue, organizer or term of that name unchanged, else create it.

    One that contradicts what is said of it is another one; so is what has another id at the
    same site.
    """
    origins = {note["source"] for note in edit.changes.get("imported", ())}
    if origins and (brought := plan.brought(kind, origins)):
        return brought
    language = next(iter(edit.changes["variants"]), edit.language)
    edit = replace(edit, language=language)
    languages = planner.builder.site.languages
    namesake = planner.references.linked(plan, kind, edit, languages)
    if namesake is None or _sites(namesake) & _sites(edit.changes):
        return planner.create_new(plan, kind, edit)
    return namesake


def _sites(record: Record) -> set[str]:
    """Return the sites that have a record under an id of their own."""
    return {site_of(note["source"]) for note in record.get("imported", ())}
