"""Presentation of a series: what its events have in common, and when it recurs."""

from calendar_app.calendar.reading.reader import unlocked
from calendar_app.domain.kind import Record
from calendar_app.domain.recurrence.notation import as_json
from calendar_app.domain.richtext import plain
from calendar_app.http.presentation.linked_data import document
from calendar_app.http.presentation.presenting import JSONObject, View
from calendar_app.resources.events.json_ld_series import series_node
from calendar_app.resources.events.kind import SERIES
from calendar_app.resources.events.presentation import present as present_event
from calendar_app.resources.events.recurring import present_facts

_NAME = SERIES.name


def present(series: Record, view: View, *, single: bool = False) -> JSONObject:
    """Present a series as its first event, with the recurrence in place of feeds."""
    body = present_event(series, view)
    translations = {
        language: state
        | {"rest_url": view.addresses.translated_record(_NAME, series["_id"], language)}
        for language, state in body["translations"].items()
    }
    body |= {
        "rest_url": view.addresses.record(_NAME, series["_id"]),
        "events_url": f"{view.addresses.record(_NAME, series['_id'])}/events",
        "translations": translations,
    }
    del body["feeds"]
    facts = view.series.get(series["_id"])
    if facts is None or not unlocked(series, view.caller, view.password):
        return body
    if single and series["password"] is None:
        body["json_ld"] = document(series_node(facts, plain(body["title"]), body["url"]))
    return body | {"recurrence": as_json(facts.recurrence)} | present_facts(facts, view)
