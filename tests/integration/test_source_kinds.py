"""Pages, tables and sites as sources: read into events, and unchanged when read again."""

import json

import pytest

from calendar_app.accounts.callers import Caller
from calendar_app.api.http.request.state import get_services

EDITOR = Caller(2, "editor", "editor")
START = "2030-03-01 19:00:00"
EVENT = {
    "@type": "Event",
    "@id": "1",
    "name": "Concert",
    "startDate": "2030-03-01T19:00",
    "location": {"name": "Hall", "address": {"addressLocality": "Chur"}},
    "organizer": {"name": "Club", "email": "club@example.org"},
    "offers": {"price": 20, "priceCurrency": "CHF"},
    "keywords": "Music",
}
TABLE = (
    "Titel;Datum;Zeit;Ort;Stadt;Veranstalter;Preis;Kategorie\n"
    "Concert;1.3.2030;19:00;Hall;Chur;Club;CHF 20;Music\n"
)
RECORD = {
    "id": 1,
    "global_id": "example.org?id=1",
    "status": "publish",
    "title": "Concert",
    "url": "https://example.org/event/concert",
    "start_date": START,
    "end_date": START,
    "timezone": "Europe/Zurich",
    "cost": "CHF 20",
    "venue": {"id": 5, "venue": "Hall", "city": "Chur", "status": "publish"},
    "organizer": [{"id": 6, "organizer": "Club", "status": "publish"}],
    "categories": [{"id": 7, "name": "Music"}],
    "tags": [{"id": 8, "name": "Choir"}],
}
CONTENTS = {
    "jsonld": f'<html><script type="application/ld+json">{json.dumps(EVENT)}</script></html>',
    "csv": TABLE,
    "tec": json.dumps({"page": 1, "pages": 1, "events": [RECORD]}),
}


@pytest.mark.parametrize("kind", CONTENTS)
def test_source_of_each_kind_is_read_and_unchanged_when_read_again(app, anyone, kind):
    sources = get_services(app).sources
    values = {"name": "Club", "kind": kind, "address": "https://club.example.org/"}
    source = sources.add(values | {"status": "publish", "unknown_terms": "create"}, EDITOR).id
    content = CONTENTS[kind].encode()
    assert sources.readings.read(source, EDITOR, content=content).numbers == {"new": 1}
    (event,) = anyone.get("/events", start_date="2030-01-01").json["events"]
    assert (event["title"], event["start_date"]) == ("Concert", START)
    assert (event["venue"]["venue"], event["venue"]["city"]) == ("Hall", "Chur")
    assert event["organizer"][0]["organizer"] == "Club"
    assert event["cost_details"]["values"] == ["20"]
    again = sources.readings.read(source, EDITOR, content=content + b"\n")
    assert again.numbers == {"unchanged": 1}


def test_refused_events_of_a_batch_use_up_few_ids(app, database):
    sources = get_services(app).sources
    values = {"name": "Club", "kind": "tec", "address": "https://club.example.org/"}
    ends = ["2030-02-01" if number % 10 == 0 else START for number in range(100)]
    events = [
        {**RECORD, "id": number, "global_id": f"example.org?id={number}", "end_date": end}
        for number, end in enumerate(ends, 1)
    ]
    content = json.dumps({"page": 1, "pages": 1, "events": events}).encode()
    reading = sources.readings.read(sources.add(values, EDITOR).id, EDITOR, content=content)
    assert reading.numbers == {"new": 90, "refused": 10}
    ids = sorted(each["_id"] for each in database["events"].find({}, {"_id": 1}))
    assert len(ids) == len(set(ids)) == 90
    sequence = database["sequences"].find_one({"_id": "records"})
    assert sequence["value"] <= 110
