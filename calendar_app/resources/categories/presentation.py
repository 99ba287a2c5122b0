"""A category as one reader sees it."""

from calendar_app.domain.kind import Record
from calendar_app.http.presentation.linked_data import Node
from calendar_app.http.presentation.presenting import Shown, View
from calendar_app.http.presentation.terms import describe_term, present_term, present_term_in_event
from calendar_app.resources.categories.kind import CATEGORY


def present(term: Record, view: View, *, single: bool = False) -> Shown:
    """Return the category as its own routes show it."""
    return present_term(CATEGORY, term, view, single=single)


def describe(term: Record, view: View) -> Node:
    """Return the category as a document of JSON-LD."""
    return describe_term(CATEGORY, term, view)


def present_in_event(term: Record, view: View) -> Shown:
    """Return the category as it stands inside an event."""
    return present_term_in_event(CATEGORY, term, view)
