"""vobject reads the same events from a feed as the JSON has."""

import os
from datetime import UTC, date

import pytest
import vobject
from invented_events import cases, changed_zones, every_zone

CASES = int(os.environ.get("FEED_CASES", "6"))
KNOWN_ZONES = ["Europe/Istanbul", "Africa/Casablanca", "America/New_York"]
# Reading one is slow: `make test` takes a fortieth of them.
ZONES_STEP = int(os.environ.get("FEED_ZONES_STEP", "40"))


def read(ics):
    """Return the events of a feed by their address, as vobject finds them."""
    # It would go on with the zones of the feed before.
    vars(vobject.icalendar)["__tzidMap"].clear()
    calendar = vobject.readOne(ics)
    return {event.url.value: event for event in getattr(calendar, "vevent_list", [])}


def event_fields(event):
    """Return the fields of a vobject event, named as in ``invented_events.expected``."""
    point = getattr(event, "geo", None)
    return {
        "title": event.summary.value,
        "title_language": event.summary.language_param,
        "place": _place(event),
        "point": [
            pytest.approx(float(coordinate), abs=1e-6) for coordinate in point.value.split(";")
        ]
        if point
        else None,
        "categories": sorted(
            name for line in getattr(event, "categories_list", []) for name in line.value
        ),
        "status": event.status.value,
        "all_day": not hasattr(event.dtstart.value, "hour"),
        "start": _moment(event.dtstart.value),
        "end": _moment(event.dtend.value if hasattr(event, "dtend") else event.dtstart.value),
        **_texts(event),
    }


def _place(event):
    return event.location.value if hasattr(event, "location") else None


def _texts(event):
    if not hasattr(event, "description"):
        return {"words": [], "html": "", "description_language": None}
    (html,) = event.contents["x-alt-desc"]
    return {
        "words": event.description.value.split(),
        "html": html.value,
        "description_language": event.description.language_param,
    }


def _moment(value):
    if not hasattr(value, "hour"):
        assert isinstance(value, date)
        return str(value)
    return value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def check(case):
    events = read(case["ics"])
    assert events.keys() == case["events"].keys()
    for address, expected in case["events"].items():
        there = event_fields(events[address])
        # Behind the name of a place stands its address.
        there["place"] = there["place"] and there["place"][: len(expected["place"] or "")]
        assert there == expected


def test_vobject_reads_the_fields_of_the_json():
    cases(CASES, check)


def test_vobject_reads_instants_in_zones_with_changed_rules():
    assert set(KNOWN_ZONES) <= set(changed_zones())
    every_zone(check, [*KNOWN_ZONES, *changed_zones()[::ZONES_STEP]])
