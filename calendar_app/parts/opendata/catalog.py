"""The calendar as a DCAT-AP 3 data set, for portals of open data."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from flask import Response

from calendar_app.accounts.callers import ANYONE
from calendar_app.accounts.policy import listed_for
from calendar_app.api.http.answers.answering import JSON_LD, answer
from calendar_app.api.http.answers.headers import FEED_TYPES
from calendar_app.api.http.request import current
from calendar_app.api.http.request.current import Context
from calendar_app.domain.kind import Kind
from calendar_app.domain.kinds import EVENT, VENUE
from calendar_app.domain.texts.messages import catalog_language, translated
from calendar_app.errors import Message
from calendar_app.readmodel.addresses import Addresses
from calendar_app.settings import Settings
from calendar_app.storage.query.clauses import EVERYTHING, Clause, given
from calendar_app.storage.query.list_query import Listing, Window

CatalogNode = dict[str, Any]
_EUROPE = "http://publications.europa.eu/resource/authority"
_MEDIA = "https://www.iana.org/assignments/media-types"
CONTEXT: Mapping[str, Any] = {
    "dcat": "http://www.w3.org/ns/dcat#",
    "dct": "http://purl.org/dc/terms/",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "geo": "http://www.opengis.net/ont/geosparql#",
    "prov": "http://www.w3.org/ns/prov#",
}
_PROVIDES = "http://inspire.ec.europa.eu/metadata-codelist/ResponsiblePartyRole/resourceProvider"
# The formats, with their names in the list of file types of the European Union.
_FORMATS = {
    "": ("JSON", "application/json"),
    ".jsonld": ("JSON_LD", JSON_LD),
    ".ics": ("ICS", FEED_TYPES["ics"]),
    ".geojson": ("GEOJSON", FEED_TYPES["geojson"]),
    ".csv": ("CSV", FEED_TYPES["csv"]),
}
# Languages as the European Union lists them; others have a name of the Library of Congress.
_LANGUAGES = {
    "de": "DEU",
    "fr": "FRA",
    "it": "ITA",
    "rm": "ROH",
    "en": "ENG",
    "es": "SPA",
    "pt": "POR",
    "nl": "NLD",
    "da": "DAN",
    "sv": "SWE",
    "nb": "NOB",
    "fi": "FIN",
    "pl": "POL",
    "cs": "CES",
    "sk": "SLK",
    "sl": "SLV",
    "hr": "HRV",
    "hu": "HUN",
    "ro": "RON",
    "bg": "BUL",
    "el": "ELL",
    "et": "EST",
    "lv": "LAV",
    "lt": "LIT",
    "ga": "GLE",
    "mt": "MLT",
    "lb": "LTZ",
    "ca": "CAT",
    "eu": "EUS",
    "gl": "GLG",
    "sq": "SQI",
    "sr": "SRP",
    "uk": "UKR",
    "tr": "TUR",
    "ru": "RUS",
    "ar": "ARA",
}
_MEANING = Message("All public events of {name}, with their places and organizers.")


def answer_catalog() -> Response:
    """Answer the catalog with its one data set."""
    context = current.context()
    extent = {**_period(*_days(context)), **_place(context), **_attributions(context)}
    return answer(catalog(context.addresses, context.settings, extent), media_type=JSON_LD)


def catalog(addresses: Addresses, settings: Settings, extent: CatalogNode) -> CatalogNode:
    """Return the catalog; ``extent`` has period, place and publishers of its data set."""
    publisher = {
        "@type": "foaf:Agent",
        "foaf:name": settings.site_name,
        "foaf:homepage": {"@id": addresses.root},
    }
    about = {
        "dct:title": settings.site_name,
        "dct:description": list(_meanings(settings)),
        "dct:publisher": publisher,
        "dct:language": [_language(tag) for tag in settings.languages],
        **_license(settings),
    }
    return {
        "@context": dict(CONTEXT),
        "@id": addresses.identifier("dcat.jsonld"),
        "@type": "dcat:Catalog",
        **about,
        "foaf:homepage": {"@id": addresses.root},
        "dcat:dataset": _dataset(addresses, settings, {**about, **extent}),
        "dcat:service": _service(addresses, settings),
    }


def _dataset(addresses: Addresses, settings: Settings, about: CatalogNode) -> CatalogNode:
    return {
        "@id": f"{addresses.identifier('dcat.jsonld')}#events",
        "@type": "dcat:Dataset",
        **about,
        "dcat:landingPage": {"@id": addresses.root},
        "dcat:theme": {"@id": f"{_EUROPE}/data-theme/EDUC"},
        "dct:accrualPeriodicity": {"@id": f"{_EUROPE}/frequency/UPDATE_CONT"},
        "dcat:distribution": [_distribution(addresses, settings, each) for each in _FORMATS],
    }


def _distribution(addresses: Addresses, settings: Settings, suffix: str) -> CatalogNode:
    name, media_type = _FORMATS[suffix]
    address = {"@id": addresses.identifier(f"{EVENT.name}{suffix}")}
    return {
        "@type": "dcat:Distribution",
        "dct:title": name.replace("_", "-"),
        "dcat:accessURL": address,
        # The list has pages, so that one address is not all of it.
        **({"dcat:downloadURL": address} if suffix else {}),
        "dcat:mediaType": {"@id": f"{_MEDIA}/{media_type}"},
        "dct:format": {"@id": f"{_EUROPE}/file-type/{name}"},
        "dct:conformsTo": {"@id": "https://schema.org/"} if suffix == ".jsonld" else [],
        **_license(settings),
    }


def _service(addresses: Addresses, settings: Settings) -> CatalogNode:
    return {
        "@id": addresses.identifier(),
        "@type": "dcat:DataService",
        "dct:title": settings.site_name,
        "dcat:endpointURL": {"@id": addresses.identifier()},
        "dcat:endpointDescription": {"@id": addresses.identifier("doc")},
        "dcat:servesDataset": {"@id": f"{addresses.identifier('dcat.jsonld')}#events"},
        **_license(settings),
    }


def _meanings(settings: Settings) -> Iterator[CatalogNode]:
    """Yield the description of the data set in each language with messages."""
    spoken = [tag for tag in settings.languages if catalog_language((tag,)) == tag]
    for tag in dict.fromkeys((*spoken, "en")):
        text = translated(Message(_MEANING.pattern, name=settings.site_name), (tag,))
        yield {"@language": tag, "@value": text}


def _license(settings: Settings) -> CatalogNode:
    terms = settings.data_license
    return {"dct:license": {"@id": terms}} if terms else {}


def _language(tag: str) -> CatalogNode:
    code = _LANGUAGES.get(tag.partition("-")[0])
    address = f"{_EUROPE}/language/{code}"
    return {"@id": address if code else f"http://id.loc.gov/vocabulary/languages/{tag}"}


def _days(context: Context) -> tuple[Any, Any]:
    """Return the start of the first public event and the end of the last one."""
    listed = listed_for(ANYONE, by_title=True)
    first = _edge(context, EVENT, "start_local", 1, listed)
    return first, _edge(context, EVENT, "end_local", -1, listed)


def _period(first: datetime | None, last: datetime | None) -> CatalogNode:
    if first is None or last is None:
        return {}
    days = {"startDate": first, "endDate": last}
    typed = {
        f"dcat:{name}": {"@type": "xsd:date", "@value": moment.date().isoformat()}
        for name, moment in days.items()
    }
    return {"dct:temporal": {"@type": "dct:PeriodOfTime", **typed}}


def _place(context: Context) -> CatalogNode:
    """Return the box in which all public venues lie."""
    edges = [
        _edge(context, VENUE, f"location.{name}", direction, given(f"location.{name}"))
        for direction in (1, -1)
        for name in ("longitude", "latitude")
    ]
    if None in edges:
        return {}
    west, south, east, north = edges
    box = f"POLYGON(({west} {south},{east} {south},{east} {north},{west} {north},{west} {south}))"
    return {
        "dct:spatial": {
            "@type": "dct:Location",
            "dcat:bbox": {"@type": "geo:wktLiteral", "@value": box},
        }
    }


def _attributions(context: Context) -> CatalogNode:
    """Return the publishers of the sources from which the events come."""
    publishers = context.reader.provenance.publishers(ANYONE).values()
    homepages = dict(sorted({(each.name, each.url) for each in publishers}))
    attributions = [
        {
            "@type": "prov:Attribution",
            "prov:agent": {
                "@type": ["foaf:Agent", "prov:Agent"],
                "foaf:name": name,
                **({"foaf:homepage": {"@id": url}} if url else {}),
            },
            "dcat:hadRole": {"@id": _PROVIDES},
        }
        for name, url in homepages.items()
    ]
    return {"prov:qualifiedAttribution": attributions} if attributions else {}


def _edge(
    context: Context, kind: Kind, field: str, direction: int, clause: Clause = EVERYTHING
) -> Any:
    """Return the first value of a field in an order, among public records."""
    order = [(field, direction), ("_id", direction)]
    listing = Listing(Window(1, 1), order, clause, ("publish",))
    for record in context.reader.search(kind, listing, ANYONE, fields=[field]).items:
        value: Any = record
        for part in field.split("."):
            value = value[part]
        return value
    return None


def example_catalog(addresses: Addresses, settings: Settings, day: datetime) -> CatalogNode:
    """Return the catalog of a calendar with one event on one day."""
    return catalog(addresses, settings, _period(day, day))
