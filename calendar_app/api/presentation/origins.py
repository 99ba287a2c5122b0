"""Where an event comes from: its sources, for those who may edit it, and its publishers."""

from typing import Any

from calendar_app.api.presentation.records import Presented, date_text
from calendar_app.api.presentation.shapes import ABSENT, Field, Shape, ShapeFields, by_name, either
from calendar_app.calendar.reading.provenance import Publisher
from calendar_app.readmodel.events import ReadEvent
from calendar_app.sources.origins import EventOrigin, origins_of

_SOURCE = Shape[EventOrigin](
    "EventSource",
    {
        "id": Field("integer", lambda it: it.source, "The id of the source."),
        "uid": Field("string", lambda it: it.uid, "The UID of the event there."),
        "url": Field("string", lambda it: it.url, "Its page there; empty without one."),
        "read": Field(
            "string|null",
            lambda it: it.read and date_text(it.read),
            "When it last changed there, according to the readings, in UTC.",
        ),
        "missing": Field(
            "boolean", lambda it: it.is_missing, "Whether it is missing from the source now."
        ),
        "edited": Field(["string"], lambda it: list(it.edited), "What was edited here."),
        "said": Field(by_name({}), lambda it: it.said, "What the source says instead, by field."),
    },
)


_PROVENANCE = Shape[Publisher](
    "Provenance",
    {
        "name": Field("string", lambda it: it.name, "Who publishes the event."),
        "url": Field("string", lambda it: it.url, "Their website; empty without one."),
        "license": Field("string", lambda it: it.license, "The license of the event."),
        "attribution": Field("string", lambda it: it.attribution, "The credit line to show."),
    },
)


def _provenance(it: Presented[ReadEvent]) -> Any:
    """Present the publishers: an object if there is one, else a list."""
    publishers = [_PROVENANCE.present(each) for each in it.read.publishers]
    distinct = [each for n, each in enumerate(publishers) if each not in publishers[:n]]
    if not distinct:
        return ABSENT
    return distinct[0] if len(distinct) == 1 else distinct


def _sources(it: Presented[ReadEvent]) -> Any:
    """Present the sources to who may edit: an object if there is one, else a list."""
    if not it.read.may_edit(it.kind):
        return ABSENT
    facts = it.read.series
    origins = origins_of(it.kind, it.record, facts.record if facts else None)
    sources = [_SOURCE.present(each) for each in origins]
    if not sources:
        return ABSENT
    return sources[0] if len(sources) == 1 else sources


ORIGINS: ShapeFields[Presented[ReadEvent]] = {
    "source": Field(
        either(_SOURCE, [_SOURCE]),
        _sources,
        "The source it comes from, for those who may edit it; a list if there are several.",
        sometimes=True,
    ),
    "provenance": Field(
        either(_PROVENANCE, [_PROVENANCE]),
        _provenance,
        "The publisher, if its source names one; a list if there are several.",
        sometimes=True,
    ),
}
