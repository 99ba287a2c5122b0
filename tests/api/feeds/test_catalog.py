"""The calendar as a data set of open data: judged by rdflib and by shapes of DCAT-AP."""

from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from calling import SITE
from pyshacl import validate
from rdflib import DCAT, DCTERMS, Graph, Literal, URIRef
from rdflib.namespace import XSD

from calendar_app.settings import Settings

# The parser of rdflib makes a graph of a sort that rdflib deprecates.
pytestmark = pytest.mark.filterwarnings("ignore:ConjunctiveGraph:DeprecationWarning")
SHAPES = Path(__file__).with_name("dcat_ap.ttl")
LICENCE = "https://creativecommons.org/publicdomain/zero/1.0/"


@pytest.fixture
def client(app):
    return app.test_client()


@pytest.fixture
def catalog(anyone):
    """Return a function that loads the catalog."""

    def load():
        answer = anyone.get("/dcat.jsonld")
        assert (answer.status_code, answer.mimetype) == (200, "application/ld+json")
        return Graph().parse(data=answer.data, format="json-ld")

    return load


def test_catalog_has_the_shapes_of_dcat_ap(catalog, make_event):
    make_event(venue={"venue": "Saal", "geo_lat": 46.85, "geo_lng": 9.53})
    conforms, _, report = validate(catalog(), shacl_graph=Graph().parse(SHAPES))
    assert conforms, report


@pytest.mark.parametrize(
    "predicate", [DCTERMS.title, DCTERMS.publisher, DCAT.accessURL, DCTERMS.format]
)
def test_shapes_notice_what_is_missing(catalog, predicate):
    graph = catalog()
    graph.remove((None, predicate, None))
    assert not validate(graph, shacl_graph=Graph().parse(SHAPES))[0]


def test_empty_calendar_has_neither_period_nor_place(catalog):
    graph = catalog()
    assert not list(graph.subject_objects(DCTERMS.temporal))
    assert not list(graph.subject_objects(DCTERMS.spatial))
    assert validate(graph, shacl_graph=Graph().parse(SHAPES))[0]


def test_period_and_place_are_those_of_what_is_public(catalog, make_event, make_venue):
    make_event(start_date="2030-03-01 10:00", end_date="2030-03-02 10:00")
    make_event(start_date="2031-05-01 10:00", end_date="2031-05-03 10:00")
    make_event(start_date="2040-01-01", end_date="2040-01-02", status="draft")
    make_venue(geo_lat=46, geo_lng=9)
    make_venue(geo_lat=47.5, geo_lng=8)
    make_venue(geo_lat=1, geo_lng=1, status="draft")
    graph = catalog()
    assert set(graph.objects(None, DCAT.startDate)) == {Literal("2030-03-01", datatype=XSD.date)}
    assert set(graph.objects(None, DCAT.endDate)) == {Literal("2031-05-03", datatype=XSD.date)}
    (box,) = graph.objects(None, DCAT.bbox)
    assert str(box) == "POLYGON((8.0 46.0,9.0 46.0,9.0 47.5,8.0 47.5,8.0 46.0))"


def test_every_distribution_can_be_read_in_its_type(catalog, make_event, client):
    make_event()
    graph = catalog()
    distributions = dict(graph.subject_objects(DCAT.accessURL))
    assert len(distributions) == 5
    for distribution, address in distributions.items():
        answer = client.get(urlsplit(address).path)
        media_type = str(graph.value(distribution, DCAT.mediaType))
        assert answer.status_code == 200
        assert media_type.endswith(answer.mimetype)


class TestLicence:
    @pytest.fixture
    def settings(self, settings):
        return replace(settings, data_license=LICENCE)

    def test_license_of_the_data_stands_wherever_data_is_described(self, catalog, anyone, client):
        graph = catalog()
        assert set(graph.objects(None, DCTERMS.license)) == {URIRef(LICENCE)}
        assert len(list(graph.subjects(DCTERMS.license))) == 8
        for name in ("events", "venues", "organizers"):
            assert anyone.get(f"/{name}.jsonld").json["@graph"][0]["license"] == LICENCE
        assert LICENCE in client.get("/llms.txt").text


@pytest.mark.parametrize("value", ["CC0", "ftp://a.example", "https://a b"])
def test_license_that_is_no_address_stops_the_start(value):
    with pytest.raises(Exception, match="data_license"):
        Settings.load(environment={}, data_license=value)


def test_texts_for_programs_lead_to_the_data(client):
    robots, llms = client.get("/robots.txt").text, client.get("/llms.txt")
    assert f"# Programs that want the data begin at {SITE}/llms.txt" in robots
    assert llms.mimetype == "text/plain"
    for name in ("events.jsonld", "venues.jsonld", "dcat.jsonld", "events", "doc"):
        assert f"]({SITE}/calendar/events/v1/{name})" in llms.text
    assert f"- [Calendar, rm]({SITE}/rm/events/)" in llms.text
