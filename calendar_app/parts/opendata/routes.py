"""The routes of open data, and their examples in the OpenAPI document."""

from datetime import datetime

from flask import Response

from calendar_app.api.http.answers.answering import JSON_LD
from calendar_app.api.http.lists.filtering import ListRequest
from calendar_app.api.http.openapi.examples import DEFAULT_SITE
from calendar_app.api.http.openapi.operations import OperationPart
from calendar_app.api.http.views.blueprint import Blueprint
from calendar_app.api.http.views.resource_view import in_snapshot
from calendar_app.api.resources.linked import OrganizerListSchema, VenueListSchema
from calendar_app.domain.kinds import EVENT, ORGANIZER, VENUE
from calendar_app.feeds.answering import in_graph_slot
from calendar_app.parts.opendata.catalog import answer_catalog, example_catalog
from calendar_app.parts.opendata.graph import EventGraphSchema, answer_graph
from calendar_app.parts.opendata.nodes import CONTEXT, dataset
from calendar_app.parts.part import Part
from calendar_app.readmodel.addresses import Addresses
from calendar_app.settings import Settings

blueprint = Blueprint("open data", __name__, description="All records as linked data (schema.org)")
# On which the event of the examples takes place.
_DAY = datetime(2030, 3, 10)  # noqa: DTZ001  # a wall clock
_GRAPH = {
    "type": "object",
    "required": ["@context", "@graph"],
    "properties": {
        "@context": {"type": "object", "description": "What the names mean."},
        "@graph": {
            "type": "array",
            "items": {"type": "object"},
            "description": "The records.",
        },
    },
}


@blueprint.route("/events.jsonld")
@in_graph_slot
@blueprint.arguments(EventGraphSchema, location="query")
@blueprint.response(200, _GRAPH, content_type=JSON_LD)
def events_as_graph(list_request: ListRequest) -> Response:
    """Export all matching events, in all languages, as one graph of schema.org.

    Paging and order are ignored. Without dates it includes past events.
    """
    return answer_graph(EVENT, list_request)


@blueprint.route("/dcat.jsonld")
@blueprint.response(200, {"type": "object"}, content_type=JSON_LD)
def as_catalog() -> Response:
    """Describe the calendar as a data set, for portals of open data (DCAT-AP)."""
    return in_snapshot(answer_catalog)


@blueprint.route("/venues.jsonld")
@in_graph_slot
@blueprint.arguments(VenueListSchema, location="query")
@blueprint.response(200, _GRAPH, content_type=JSON_LD)
def venues_as_graph(list_request: ListRequest) -> Response:
    """Export all matching venues, in all languages, as one graph of schema.org."""
    return answer_graph(VENUE, list_request)


@blueprint.route("/organizers.jsonld")
@in_graph_slot
@blueprint.arguments(OrganizerListSchema, location="query")
@blueprint.response(200, _GRAPH, content_type=JSON_LD)
def organizers_as_graph(list_request: ListRequest) -> Response:
    """Export all matching organizers, in all languages, as one graph of schema.org."""
    return answer_graph(ORGANIZER, list_request)


def add_examples(document: OperationPart, settings: Settings) -> OperationPart:
    """Add the examples of graphs in which nothing matches, and of the data set."""
    site = settings.site_url.rstrip("/") or DEFAULT_SITE
    addresses = Addresses(site, site, settings)
    examples = {
        f"{kind.name}.jsonld": {
            "@context": dict(CONTEXT),
            "@graph": [dataset(addresses, settings, f"{kind.name}.jsonld")],
        }
        for kind in (EVENT, VENUE, ORGANIZER)
    }
    examples["dcat.jsonld"] = example_catalog(addresses, settings, _DAY)
    for name, value in examples.items():
        answer = document["paths"][f"/{name}"]["get"]["responses"]["200"]
        example = {"examples": {"calendar": {"value": value}}}
        answer["content"] = {JSON_LD: answer["content"][JSON_LD] | example}
    return document


PART = Part(blueprint, describe=add_examples)
