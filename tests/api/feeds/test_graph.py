"""All records as one graph: judged by rdflib, SPARQL, PyLD and SHACL."""

import json
import os
from datetime import date
from pathlib import Path
from random import Random

import pytest
from pyld import jsonld
from pyshacl import validate
from rdflib import Graph, Literal, Namespace, URIRef

from calendar_app.domain.participation import ACCESSIBILITY

# The parser of rdflib makes a graph of a sort that rdflib deprecates.
pytestmark = pytest.mark.filterwarnings("ignore:ConjunctiveGraph:DeprecationWarning")
BASE = "https://calendar.example/calendar/events/v1"
SCHEMA = Namespace("https://schema.org/")
# `make test-graph` asks 500.
FILTERS = int(os.environ.get("GRAPH_FILTERS", "18"))
SHAPES = Path(__file__).with_name("schema_org.ttl")


@pytest.fixture
def graph(anyone):
    """Return a function that loads a graph of this calendar."""

    def load(kind="events", client=anyone, **query):
        answer = client.get(f"/{kind}.jsonld", **query)
        assert answer.status_code == 200, answer.json
        assert answer.headers["Content-Type"] == "application/ld+json"
        return Graph().parse(data=answer.data, format="json-ld")

    return load


def event_ids(graph):
    events = graph.subjects(URIRef("http://www.w3.org/1999/02/22-rdf-syntax-ns#type"), SCHEMA.Event)
    return {int(str(event).rpartition("/")[2]) for event in events}


def test_graph_has_every_event_of_all_times_and_no_hidden_one(make_event, graph, as_admin):
    past = make_event(title="Past", start_date="2001-01-01", end_date="2001-01-02")
    coming = make_event(title="Coming")
    draft = make_event(title="Draft", status="draft")
    assert event_ids(graph()) == {past["id"], coming["id"]}
    everything = graph(client=as_admin, status="any")
    assert event_ids(everything) == {past["id"], coming["id"], draft["id"]}


def test_texts_have_their_languages_and_none_stands_in(make_event, graph, as_admin):
    event = make_event(title="Konzert & Musik", excerpt="<p>Für <b>alle</b></p>")
    as_admin.patch(f"/events/{event['id']}", title="Concert", translation_language="rm")
    node = URIRef(f"{BASE}/events/{event['id']}")
    loaded = graph(translation_language="rm")
    assert set(loaded.objects(node, SCHEMA.name)) == {
        Literal("Konzert & Musik", lang="de"),
        Literal("Concert", lang="rm"),
    }
    assert set(loaded.objects(node, SCHEMA.description)) == {Literal("Für alle", lang="de")}
    pages = {str(each) for each in loaded.objects(node, SCHEMA.url)}
    assert pages == {
        "https://calendar.example/event/konzert-musik/",
        "https://calendar.example/rm/event/concert/",
    }


def test_what_events_link_to_stands_there_once(make_event, make_venue, graph):
    venue = make_venue(venue="Saal", city="Chur")["id"]
    for title in ("Eins", "Zwei"):
        make_event(title=title, venue=venue, categories=["Musik"], organizer={"organizer": "Chor"})
    loaded = graph()
    place = URIRef(f"{BASE}/venues/{venue}")
    assert len(list(loaded.subjects(SCHEMA.location, place))) == 2
    assert set(loaded.objects(place, SCHEMA.name)) == {Literal("Saal", lang="de")}
    assert len(list(loaded.subjects(SCHEMA.name, Literal("Chor", lang="de")))) == 1
    assert len(list(loaded.subjects(SCHEMA.name, Literal("Musik", lang="de")))) == 1


def test_dates_of_a_series_lead_to_it_and_to_its_schedule(make_event, graph):
    event = make_event(title="Markt", recurrence={"rrule": "FREQ=WEEKLY;COUNT=3;BYDAY=SU"})
    loaded = graph()
    series = URIRef(f"{BASE}/series/{event['series']['id']}")
    assert len(list(loaded.subjects(SCHEMA.superEvent, series))) == 3
    (schedule,) = loaded.objects(series, SCHEMA.eventSchedule)
    assert str(loaded.value(schedule, SCHEMA.repeatFrequency)) == "P1W"
    assert set(loaded.objects(series, SCHEMA.name)) == {Literal("Markt", lang="de")}


def test_a_protected_event_shows_its_title_and_dates_alone(make_event, as_admin, graph):
    event = make_event(
        description="Secret", venue={"venue": "Hideout"}, tags=["secret"], accessibility=["quiet"]
    )
    as_admin.patch(f"/events/{event['id']}", password="sesame")
    node = URIRef(f"{BASE}/events/{event['id']}")
    properties = {str(name).removeprefix(SCHEMA) for name in graph().predicates(node)}
    assert "name" in properties
    assert not properties & {"description", "location", "organizer", "keywords", "image", "offers"}


def test_graphs_of_venues_and_organizers_take_the_filters_of_their_lists(
    make_venue, make_organizer, graph
):
    near = make_venue(venue="Near", geo_lat=46.85, geo_lng=9.53)["id"]
    make_venue(venue="Nowhere")
    make_organizer(organizer="Chor")
    loaded = graph("venues", geoloc="true")
    (place,) = loaded.subjects(predicate=None, object=SCHEMA.Place)
    assert place == URIRef(f"{BASE}/venues/{near}")
    assert len(list(graph("organizers").subjects(None, SCHEMA.Organization))) == 1


def test_graph_is_larger_than_a_batch_and_a_page_of_it(make_event, graph, monkeypatch):
    monkeypatch.setattr("calendar_app.parts.opendata.graph._BATCH", 3)
    ids = {make_event(title=f"Event {number}")["id"] for number in range(7)}
    assert event_ids(graph(per_page=2, page=3)) == ids


def test_same_graph_is_not_sent_again(make_event, anyone):
    make_event()
    tag = anyone.get("/events.jsonld").headers["ETag"]
    answer = anyone.send("GET", "/events.jsonld", headers={"If-None-Match": tag})
    assert answer.status_code == 304


@pytest.mark.parametrize("query", [{"age": "x"}, {"categories": "nothing"}, {"start_date": "foo"}])
def test_wrong_filters_are_refused_as_in_the_list(anyone, query):
    answer = anyone.get("/events.jsonld", **query)
    assert (answer.status_code, answer.invalid_params) == (400, [*query])


# Judges


@pytest.fixture
def calendar(make_event, make_venue, make_organizer, as_admin):
    """Return the ids of linked records of a calendar by chance."""
    chance = Random(7)  # noqa: S311  # the same calendar each time

    def term(kind, **body):
        return as_admin.post(f"/{kind}", **body).json["id"]

    venues = [
        make_venue(venue=f"Hall {number}", geo_lat=46.8 + number / 10, geo_lng=9.5)["id"]
        for number in range(3)
    ]
    organizers = [make_organizer(organizer=f"Club {number}")["id"] for number in range(3)]
    above = term("categories", name="Music")
    categories = [above] + [
        term("categories", name=name, parent=parent)
        for name, parent in (("Jazz", above), ("Sport", 0))
    ]
    tags = [term("tags", name=name) for name in ("free", "open air")]
    for number in range(40):
        low = chance.choice([0, 6, 12])
        day = date(2030, chance.randint(1, 4), chance.randint(1, 28))
        make_event(
            title=f"Event {number}",
            start_date=f"{day} {chance.randint(0, 23):02}:00:00",
            end_date=f"{day} 23:30:00",
            timezone=chance.choice(["Europe/Zurich", "Asia/Tokyo"]),
            venue=chance.sample(venues, chance.randint(0, 1)),
            organizer=chance.sample(organizers, chance.randint(0, 2)),
            categories=chance.sample(categories, chance.randint(0, 2)),
            tags=chance.sample(tags, chance.randint(0, 2)),
            event_status=chance.choice(["scheduled", "scheduled", "canceled", "postponed"]),
            attendance_mode=chance.choice(["offline", "online", "mixed"]),
            accessibility=chance.sample(ACCESSIBILITY[:4], chance.randint(0, 3)),
            in_language=chance.sample(["de", "de-CH", "en", "rm"], chance.randint(0, 2)),
            audience=chance.choice([None, {"min_age": low, "max_age": low + 5}, {"min_age": low}]),
            status=chance.choice(["publish"] * 5 + ["draft"]),
        )
    return {"venue": venues, "organizer": organizers, "categories": categories, "tags": tags}


_MODES = {"offline": "Offline", "online": "Online", "mixed": "Mixed"}
_STATES = {"scheduled": "Scheduled", "canceled": "Cancelled", "postponed": "Postponed"}


def _iri(kind, number):
    return f"<{BASE}/{kind}/{number}>"


def _filters(chance, ids):
    """Yield a filter of the list, and the same as a pattern of SPARQL."""
    for name, kind, path in (
        ("venue", "venues", "schema:location"),
        ("organizer", "organizers", "schema:organizer"),
        ("tags", "tags", "schema:keywords"),
        ("categories", "categories", "schema:keywords/skos:broader*"),
    ):
        number = chance.choice(ids[name])
        yield {name: number}, f"?event {path} {_iri(kind, number)} ."
    mode, state = chance.choice([*_MODES]), chance.choice([*_STATES])
    yield (
        {"attendance_mode": mode},
        f"?event schema:eventAttendanceMode schema:{_MODES[mode]}EventAttendanceMode .",
    )
    yield {"event_status": state}, f"?event schema:eventStatus schema:Event{_STATES[state]} ."
    ways = chance.sample(ACCESSIBILITY[:4], chance.randint(1, 2))
    patterns = (f'?event schema:keywords/schema:termCode "{way}" .' for way in ways)
    yield {"accessibility": ",".join(ways)}, " ".join(patterns)
    tag = chance.choice(["de", "de-CH", "en", "rm"])
    spoken = f'?event schema:inLanguage ?spoken FILTER(langMatches(?spoken, "{tag}"))'
    yield {"in_language": tag}, spoken
    age = chance.choice([3, 6, 12, 17, 40])
    people = (
        "?event schema:audience ?people . ?people schema:suggestedMinAge ?from . "
        "OPTIONAL { ?people schema:suggestedMaxAge ?to } "
        f"FILTER(?from <= {age} && (!bound(?to) || ?to >= {age}))"
    )
    yield {"age": age}, people
    day = date(2030, chance.randint(1, 4), chance.randint(1, 28))
    begin = f'?event schema:startDate ?start FILTER(SUBSTR(STR(?start), 1, 10) >= "{day}")'
    yield {"start_date": str(day), "end_date": "2040-01-01"}, begin
    ending = f'?event schema:endDate ?end FILTER(SUBSTR(STR(?end), 1, 10) <= "{day}")'
    yield {"start_date": "2000-01-01", "end_date": str(day)}, ending


def _listed(client, query):
    ids, number, total = set(), 1, 1
    while len(ids) < total:
        page = client.get("/events", per_page=50, page=number, **query).json
        ids |= {event["id"] for event in page["events"]}
        total, number = page["total"], number + 1
    return ids


def test_filters_of_the_list_select_the_same_in_sparql(calendar, graph, anyone):
    loaded, chance = graph(), Random(11)  # noqa: S311  # the same filters each time
    namespaces = {"schema": SCHEMA, "skos": "http://www.w3.org/2004/02/skos/core#"}
    compared = 0
    for _ in range(FILTERS):
        chosen = chance.sample(list(_filters(chance, calendar)), chance.choice((1, 1, 2)))
        query, patterns = {"start_date": "2000-01-01", "end_date": "2040-01-01"}, []
        for sent, pattern in chosen:
            query |= sent
            patterns.append(pattern)
        if sum("end_date" in sent for sent, _ in chosen) > 1:
            continue
        sparql = f"SELECT DISTINCT ?event WHERE {{ ?event a schema:Event . {' '.join(patterns)} }}"
        rows = loaded.query(sparql, initNs=namespaces)
        selected = {int(str(row.event).rpartition("/")[2]) for row in rows}
        assert selected == _listed(anyone, query), (query, sparql)
        assert selected == event_ids(graph(**query)), query
        compared += bool(selected)
    assert compared > FILTERS / 4


def test_every_language_expands_to_what_the_variants_say(make_event, as_admin, anyone):
    event = make_event(title="Konzert", description="<p>Ein <b>Abend</b></p>")
    as_admin.patch(f"/events/{event['id']}", title="Concert", translation_language="rm")
    document = json.loads(anyone.get("/events.jsonld").data)
    expanded = jsonld.expand(document)
    (node,) = (each for each in expanded if each["@id"] == f"{BASE}/events/{event['id']}")
    variants = anyone.get(f"/events/{event['id']}", translation_language="all").json["variants"]
    names = {each["@language"]: each["@value"] for each in node["https://schema.org/name"]}
    assert names == {tag: texts["title"] for tag, texts in variants.items()}
    (description,) = node["https://schema.org/description"]
    assert (description["@language"], description["@value"]) == ("de", "Ein Abend")


@pytest.mark.usefixtures("calendar")
def test_graph_has_the_shapes_of_schema_org(graph):
    conforms, _, report = validate(graph(), shacl_graph=Graph().parse(SHAPES))
    assert conforms, report


@pytest.mark.parametrize(
    "wrong",
    [
        "schema:startDate 'soon'",
        "schema:name 'ohne Sprache'",
        "schema:eventStatus 'canceled'",
        "schema:location 'Chur'",
    ],
)
def test_shapes_notice_what_is_wrong(wrong):
    turtle = """
        @prefix schema: <https://schema.org/> .
        @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
        <https://a.example/1> a schema:Event ; schema:name "Konzert"@de ;
            schema:startDate "2030-03-10"^^xsd:date ; schema:endDate "2030-03-10"^^xsd:date ;
            schema:url <https://a.example/> ; schema:eventStatus schema:EventScheduled ;
            schema:eventAttendanceMode schema:OfflineEventAttendanceMode .
    """
    right = Graph().parse(data=turtle, format="turtle")
    assert validate(right, shacl_graph=Graph().parse(SHAPES))[0]
    faulty = Graph().parse(data=f"{turtle} <https://a.example/1> {wrong} .", format="turtle")
    assert not validate(faulty, shacl_graph=Graph().parse(SHAPES))[0]
