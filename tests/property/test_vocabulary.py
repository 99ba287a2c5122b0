"""Linked data uses the words of schema.org as that defines them, whatever is stored.

The table has every type that the service speaks of, with those of its properties (own and
inherited ones) that it uses, and the types that their values may have there. Whether the table is
right is seen in tests/clients/schema_org.test.mjs, by the vocabulary as schema.org publishes it.
"""

import os
import re
from datetime import date, datetime
from decimal import Decimal
from urllib.parse import urlsplit

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as runs
from hypothesis import strategies as st

SCHEMA = "https://schema.org"
EXAMPLES = int(os.environ.get("VOCABULARY_EXAMPLES", "20"))
THING = {
    "name": ["Text"],
    "description": ["Text"],
    "image": ["URL", "ImageObject"],
    "url": ["URL"],
    "sameAs": ["URL"],
}
PLACE = {"address": ["PostalAddress"], "geo": ["GeoCoordinates"], "telephone": ["Text"]}
PRICED = {"priceCurrency": ["Currency"]}
VOCABULARY = {
    "Event": THING
    | {
        "inLanguage": ["Language"],
        "eventStatus": ["EventStatusType"],
        "eventAttendanceMode": ["EventAttendanceModeEnumeration"],
        "startDate": ["Date", "DateTime"],
        "endDate": ["Date", "DateTime"],
        "location": ["Place", "VirtualLocation"],
        "organizer": ["Organization"],
        "offers": ["Offer"],
        "isAccessibleForFree": ["Boolean"],
        "keywords": ["DefinedTerm"],
        "workFeatured": ["CreativeWork"],
        "typicalAgeRange": ["Text"],
        "audience": ["PeopleAudience"],
        "potentialAction": ["JoinAction"],
    },
    "CreativeWork": THING | {"accessibilityFeature": ["Text"]},
    "PeopleAudience": THING
    | {
        "suggestedMinAge": ["Number"],
        "suggestedMaxAge": ["Number"],
        "audienceType": ["Text"],
    },
    "JoinAction": THING | {"target": ["URL"], "startTime": ["DateTime"], "endTime": ["DateTime"]},
    "Place": THING | PLACE,
    "VirtualLocation": THING,
    "Organization": THING | {"telephone": ["Text"], "email": ["Text"]},
    "PostalAddress": {
        name: ["Text"]
        for name in (
            "streetAddress",
            "addressLocality",
            "addressRegion",
            "postalCode",
            "addressCountry",
        )
    },
    "GeoCoordinates": {"latitude": ["Number"], "longitude": ["Number"]},
    "ImageObject": THING
    | {
        "width": ["Distance"],
        "height": ["Distance"],
        "caption": ["Text"],
        "creditText": ["Text"],
        "license": ["URL"],
    },
    "Offer": THING
    | PRICED
    | {
        "price": ["Number"],
        "priceSpecification": ["PriceSpecification"],
        "category": ["Text"],
        "availability": ["ItemAvailability"],
        "validFrom": ["DateTime"],
    },
    "PriceSpecification": THING | PRICED | {"minPrice": ["Number"], "maxPrice": ["Number"]},
    "DefinedTerm": THING | {"termCode": ["Text"], "inDefinedTermSet": ["URL"]},
}
MEMBERS = {
    "EventStatusType": ["EventScheduled", "EventCancelled", "EventPostponed"],
    "EventAttendanceModeEnumeration": [
        "OfflineEventAttendanceMode",
        "OnlineEventAttendanceMode",
        "MixedEventAttendanceMode",
    ],
    "ItemAvailability": ["InStock", "Discontinued"],
}


def _is_moment(value):
    return "T" in value and datetime.fromisoformat(value).utcoffset() is not None


VALUES = {
    "Text": lambda value: value.strip() != "",
    "URL": lambda value: bool(urlsplit(value).scheme) and not re.search(r"\s", value),
    "Language": re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*").fullmatch,
    "Currency": re.compile(r"[A-Z]{3}").fullmatch,
    "Distance": re.compile(r"[1-9]\d* px").fullmatch,
    "Number": lambda value: Decimal(value).is_finite(),
    "Boolean": lambda value: isinstance(value, bool),
    "Date": lambda value: "T" not in value and date.fromisoformat(value),
    "DateTime": _is_moment,
} | {
    name: {f"{SCHEMA}/{member}" for member in members}.__contains__
    for name, members in MEMBERS.items()
}


def is_one(value, kinds):
    """Say whether a value is of one of the types."""
    if isinstance(value, dict):
        return value["@type"] in kinds
    return any(_reads_as(value, kind) for kind in kinds if kind in VALUES)


def _reads_as(value, kind):
    try:
        return bool(VALUES[kind](value))
    except (ArithmeticError, TypeError, ValueError):
        return False


def faults(node, at=""):
    """Yield the values of a node that schema.org does not define."""
    properties = VOCABULARY[node["@type"]]
    for name, values in node.items():
        if name in ("@type", "@context"):
            continue
        place = f"{at}{node['@type']}.{name}"
        for value in values if isinstance(values, list) else [values]:
            if name not in properties or not is_one(value, properties[name]):
                yield f"{place}: {value}"
            elif isinstance(value, dict):
                yield from faults(value, f"{place} ")


TEXTS = st.text(max_size=40)
MAILS = st.from_regex(r"[a-z]{1,9}\+?[a-z]{1,9}@[a-z]{1,9}\.(?:ch|org)", fullmatch=True)
LINES = st.text(st.characters(codec="utf-8", exclude_categories=["C"]), max_size=20)
NAMES = LINES.map(lambda text: f"N{text}")
ADDRESSES = st.sampled_from(["", "https://a.example/?a=1&b=%20", "http://b.example"])
COSTS = st.sampled_from(["", "0", "Free", "Kollekte", "10-20 EUR", "CHF 5.50", "$3", "1,000"])
PLACES = st.fixed_dictionaries(
    {"venue": NAMES},
    optional={"address": LINES, "city": LINES, "phone": LINES, "website": ADDRESSES},
)
HOLDERS = st.fixed_dictionaries(
    {"organizer": NAMES}, optional={"email": MAILS, "description": TEXTS, "website": ADDRESSES}
)
# The moment 0 of Unix time is no date that programs mean.
DAYS = st.dates(date(1700, 1, 1), date(2200, 1, 1)).map(str).filter("1970-01-01".__ne__)
EVENTS = st.fixed_dictionaries(
    {"title": NAMES, "start_date": DAYS},
    optional={
        "description": TEXTS,
        "excerpt": TEXTS,
        "cost": COSTS,
        "website": ADDRESSES,
        "image": ADDRESSES,
        "online_url": ADDRESSES,
        "all_day": st.booleans(),
        "timezone": st.sampled_from(["Europe/Zurich", "Asia/Kathmandu", "UTC-3:30", "UTC"]),
        "event_status": st.sampled_from(["scheduled", "canceled", "postponed"]),
        "attendance_mode": st.sampled_from(["offline", "online", "mixed"]),
        "accessibility": st.lists(st.sampled_from(["wheelchair", "captions", "braille"])),
        "in_language": st.lists(st.sampled_from(["de", "rm", "gsw", "zh-Hant"])),
        "audience": st.fixed_dictionaries({}, optional={"min_age": st.integers(0, 150)}),
        "registration": st.fixed_dictionaries({}, optional={"url": ADDRESSES, "opens": DAYS}),
        "venue": st.lists(PLACES, max_size=2),
        "organizer": st.lists(HOLDERS, max_size=2),
    },
)


@pytest.mark.timeout(0)
@runs(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(event=EVENTS)
def test_json_ld_uses_only_schema_org_terms(as_admin, event):
    created = as_admin.post("/events", **event, end_date=event["start_date"])
    assert created.status_code == 201, created.json
    path, headers = f"/events/{created.json['id']}", {"Accept": "application/ld+json"}
    described = as_admin.send("GET", path, headers=headers).json

    assert list(faults(described)) == []
    as_admin.delete(path, force=True)


@pytest.mark.parametrize(
    ("wrong", "at"),
    [
        ({"@type": "Event", "doors": "19:00"}, "Event.doors"),
        ({"@type": "Event", "startDate": "2030-03-10 19:00:00"}, "Event.startDate"),
        ({"@type": "Event", "inLanguage": ["de", ""]}, "Event.inLanguage"),
        ({"@type": "Event", "performer": "Organization"}, "Event.performer"),
        ({"@type": "Event", "location": {"@type": "PostalAddress"}}, "Event.location"),
        (
            {"@type": "Event", "location": [{"@type": "Place", "url": ""}]},
            "Event.location Place.url",
        ),
        ({"@type": "Offer", "price": "10 EUR"}, "Offer.price"),
        ({"@type": "ImageObject", "width": 300}, "ImageObject.width"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_other_words_are_noticed(wrong, at):
    assert [fault.partition(":")[0] for fault in faults(wrong)] == [at]
