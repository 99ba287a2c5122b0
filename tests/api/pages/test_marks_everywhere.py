"""Every text that a machine wrote carries its mark, in every output that shows it.

One text of one record comes from a machine at a time. All texts of all kinds are tried, as they are
declared, so that a new text is tried too.
"""

import json

import pytest
from keeping import kept

from calendar_app.domain.kinds import CATEGORY, EVENT, ORGANIZER, TAG, VENUE
from calendar_app.domain.kinds.linked import MEDIA
from calendar_app.domain.translations import compared_fields

UNCHECKED = "ai-autonomous"
KINDS = (EVENT, VENUE, ORGANIZER, CATEGORY, TAG, MEDIA)
TEXTS = [(kind.name, field) for kind in KINDS for field in compared_fields(kind)]
WORD = "Maschinaziun"
ROMANSH = {"translation_language": "rm"}
FEEDS = ("ics", "atom", "csv", "geojson")
# The names that records have for WordPress.
WORDPRESS = {
    "events": "tribe_events",
    "venues": "tribe_venue",
    "organizers": "tribe_organizer",
    "categories": "tribe_events_cat",
    "tags": "tags",
    "media": "media",
}
GRAPHS = ("events", "venues", "organizers")
LISTS = ("list", "photo", "map", "print", "2030-03-10", "month/2030-03", "week/2030-03-10")


@kept
def records(make_event, upload):
    """Return the paths of an event and of all that it shows, by collection."""
    picture = upload()["id"]
    event = make_event(
        title="Konzert",
        venue={"venue": "Park", "country": "Schweiz", "address": "Weg", "city": "Chur"},
        organizer={"organizer": "Chor"},
        categories=["Musik"],
        tags=["Gesang"],
        image=picture,
        event_status="canceled",
    )
    ids = {
        "events": event["id"],
        "venues": event["venue"]["id"],
        "organizers": event["organizer"][0]["id"],
        "categories": event["categories"][0]["id"],
        "tags": event["tags"][0]["id"],
        "media": picture,
    }
    return {name: f"/{name}/{number}" for name, number in ids.items()}


@pytest.fixture(params=TEXTS, ids=".".join)
def machine_text(request, as_admin, records):
    """Let a machine write one text of one record."""
    collection, field = request.param
    value = {"key": {"label": WORD, "value": WORD}} if field == "custom_fields" else WORD
    body = {field: value, "translation_origin": "machine"}
    answer = as_admin.post(f"{records[collection]}?translation_language=rm", **body)
    assert answer.status_code == 200, answer.json


def enclosing(value, is_record, around=None):
    """Yield the record that holds each text of a machine in a JSON value."""
    if isinstance(value, dict):
        around = value if is_record(value) else around
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from enclosing(each, is_record, around)
    elif isinstance(value, str) and WORD in value:
        yield around


def in_linked_data(value):
    """Yield the node around each text of a machine; a picture belongs to its record."""
    things = ("Event", "Place", "Organization", "DefinedTerm")
    return enclosing(value, lambda node: node.get("@type") in things and "url" in node)


@pytest.mark.usefixtures("machine_text")
def test_every_output_marks_a_text_of_a_machine(anyone, browse, records, subtests):
    with subtests.test("JSON marks its record"):
        require_marks_in_json(anyone, records)
    with subtests.test("structured data mark its page"):
        require_marks_in_structured_data(anyone, records)
    with subtests.test("the graph marks its page"):
        require_marks_in_graph(anyone)
    for suffix in FEEDS:
        with subtests.test("feeds mark events that show it", suffix=suffix):
            text = anyone.get(f"/events.{suffix}", **ROMANSH).text.replace("\r\n ", "")
            assert (UNCHECKED in text) or (WORD not in text)
    with subtests.test("RSS marks events that show it"):
        text = browse("/rm/events/feed/").answer.text
        assert ("inteligenza artifiziala" in text) or (WORD not in text)
    with subtests.test("JSON of WordPress marks its record"):
        require_marks_for_wordpress(anyone, records)
    with subtests.test("pages mark its element"):
        require_marks_on_pages(anyone, browse, records)


def require_marks_in_json(anyone, records):
    marked_records = [
        record
        for path in records.values()
        for record in enclosing(anyone.get(path, **ROMANSH).json | {"json_ld": None}, is_record)
    ]
    assert marked_records
    assert {record.get("ai_disclosure") for record in marked_records} == {UNCHECKED}


def require_marks_for_wordpress(anyone, records):
    for name, path in records.items():
        number = path.rpartition("/")[2]
        for query in ("_embed", "context=embed"):
            address = f"/wp/v2/{WORDPRESS[name]}/{number}?{query}&translation_language=rm"
            answer = anyone.send("GET", address, base="")
            assert answer.status_code == 200, address
            for record in enclosing(answer.json, is_record):
                assert record.get("ai_disclosure") == UNCHECKED, address


def is_record(value):
    return "id" in value


def require_marks_in_structured_data(anyone, records):
    accept = {"Accept": "application/ld+json"}
    for name, path in records.items():
        if name != "media":
            answer = anyone.send("GET", path, headers=accept, query_string=ROMANSH)
            for thing in in_linked_data(answer.json):
                assert UNCHECKED in json.dumps(thing.get("subjectOf")), (name, thing)


def require_marks_in_graph(anyone):
    for name in GRAPHS:
        for thing in in_linked_data(json.loads(anyone.get(f"/{name}.jsonld").text)):
            assert UNCHECKED in json.dumps(thing.get("subjectOf")), (name, thing)


def require_marks_on_pages(anyone, browse, records):
    addresses = [anyone.get(records[name], **ROMANSH).json["url"] for name in GRAPHS]
    for address in [*addresses, *(f"/rm/events/{name}/" for name in LISTS)]:
        page = browse(address)
        while page.status == 301:
            page = browse(page.headers["Location"])
        assert page.status == 200
        for element in page.tree.xpath(f"//body//*[not(self::script)][contains(text(), '{WORD}')]"):
            assert element.xpath("ancestor-or-self::*/@ai-disclosure"), address
        for element in page.tree.xpath(f"//img[contains(@alt, '{WORD}')]"):
            assert element.get("ai-disclosure") == UNCHECKED, address
