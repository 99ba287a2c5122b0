"""A tag as one reader sees it."""

from calendar_app.domain.kind import Record
from calendar_app.http.presentation.linked_data import Node
from calendar_app.http.presentation.presenting import Shown, View
from calendar_app.http.presentation.terms import describe_term, present_term, present_term_in_event
from calendar_app.resources.tags.kind import TAG


def present(term: Record, view: View, *, single: bool = False) -> Shown:
    """Return the tag as its own routes show it."""
    return present_term(TAG, term, view, single=single)


def describe(term: Record, view: View) -> Node:
    """Return the tag as a document of JSON-LD."""
    return describe_term(TAG, term, view)


def present_in_event(term: Record, view: View) -> Shown:
    """Return the tag as it stands inside an event."""
    return present_term_in_event(TAG, term, view)
