"""Presentation of a tag."""

from calendar_app.domain.kind import Record
from calendar_app.http.presentation.linked_data import Node
from calendar_app.http.presentation.presenting import JSONObject, View
from calendar_app.http.presentation.terms import describe_term, present_term, present_term_in_event
from calendar_app.resources.tags.kind import TAG


def present(term: Record, view: View, *, single: bool = False) -> JSONObject:
    """Present a tag as its own routes do."""
    return present_term(TAG, term, view, single=single)


def describe(term: Record, view: View) -> Node:
    """Describe a tag as a JSON-LD document."""
    return describe_term(TAG, term, view)


def present_in_event(term: Record, view: View) -> JSONObject:
    """Present a tag inside an event."""
    return present_term_in_event(TAG, term, view)
