"""Events of schema.org: as the pages of the web have them, in all their shapes."""

import json

import pytest
from reading import only, read, when

from calendar_app.sources.parsed import SourceError

CONCERT = {
    "@context": "https://schema.org",
    "@type": "MusicEvent",
    "@id": "https://example.org/e/1",
    "name": "Chor &amp; Orgel",
    "startDate": "2027-01-06T19:00:00+01:00",
    "endDate": "2027-01-06T21:00:00+01:00",
    "url": "https://example.org/e/1",
}


def page(*documents):
    scripts = "".join(
        f'<script type="application/ld+json">{json.dumps(each)}</script>' for each in documents
    )
    return f"<!doctype html><html><head>{scripts}</head><body>Hallo</body></html>"


def event(**values):
    return only(read("jsonld", page({**CONCERT, **values})))


def test_event_of_a_page_has_its_title_times_and_address():
    concert = event()
    assert (concert.uid, concert.url) == ("https://example.org/e/1",) * 2
    assert concert.changes["variants"]["de"]["title"] == "Chor &amp; Orgel"
    assert when(concert) == ("06.01. 19:00", "06.01. 21:00")


@pytest.mark.parametrize(
    "document",
    [
        {"@graph": [{"@type": "WebSite"}, CONCERT]},
        [CONCERT, CONCERT],
        {"@type": "ItemList", "itemListElement": [{"@type": "ListItem", "item": CONCERT}]},
        {"@type": "EventSeries", "name": "Reihe", "subEvent": [CONCERT]},
        {**CONCERT, "@type": ["http://schema.org/Festival", "Thing"]},
        {**CONCERT, "@type": "schema:TheaterEvent"},
    ],
)
def test_event_is_found_wherever_it_stands(document):
    assert only(read("jsonld", page(document))).uid == CONCERT["@id"]


def test_document_without_a_page_is_read():
    assert only(read("jsonld", json.dumps(CONCERT))).uid == CONCERT["@id"]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"startDate": "2027-07-06T17:00:00Z", "endDate": None}, ("06.07. 19:00", "06.07. 19:00")),
        ({"startDate": "2027-01-06T19:00", "endDate": None}, ("06.01. 19:00", "06.01. 19:00")),
        ({"startDate": "2027-01-06", "endDate": "2027-01-08"}, ("06.01.", "08.01.")),
        ({"startDate": "2027-01-06", "endDate": None}, ("06.01.", "06.01.")),
    ],
)
def test_time_is_shown_in_the_zone_of_the_source(values, expected):
    assert when(event(**values)) == expected


@pytest.mark.parametrize(
    ("offers", "text"),
    [
        ({"price": "20", "priceCurrency": "CHF"}, "CHF20"),
        ([{"price": 10, "priceCurrency": "EUR"}, {"price": 25.5}], "EUR10 - EUR25.50"),
        ({"@type": "AggregateOffer", "lowPrice": 5, "highPrice": 9}, "CHF 5 - CHF 9"),
        ({"price": 0}, "Free"),
    ],
)
def test_cost_is_that_of_all_offers(offers, text):
    assert event(offers=offers).changes["cost"]["text"].replace("\u2013", "-") == text


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({}, ("scheduled", "offline")),
        ({"eventStatus": "https://schema.org/EventCancelled"}, ("canceled", "offline")),
        ({"eventStatus": "EventPostponed"}, ("postponed", "offline")),
        (
            {"eventAttendanceMode": "https://schema.org/MixedEventAttendanceMode"},
            ("scheduled", "mixed"),
        ),
        (
            {"location": {"@type": "VirtualLocation", "url": "https://example.org/live"}},
            ("scheduled", "online"),
        ),
    ],
)
def test_status_and_attendance_are_taken(values, expected):
    changes = event(**values).changes
    assert (changes["event_status"], changes["attendance_mode"]) == expected


def test_place_has_its_address_and_point():
    place = {
        "@type": "Place",
        "name": "Aula",
        "address": {"streetAddress": "Hof 1", "postalCode": "7000", "addressLocality": "Chur"},
        "geo": {"latitude": "46.8", "longitude": 9.5},
    }
    assert event(location=place).changes["venues"] == [
        {
            "variants": {"de": {"venue": "Aula", "address": "Hof 1", "city": "Chur"}},
            "zip": "7000",
            "geo": (46.8, 9.5),
        }
    ]


def test_texts_may_name_their_languages():
    names = [{"@value": "Chor", "@language": "de"}, {"@value": "Chœur", "@language": "fr-CH"}]
    variants = event(name=names).changes["variants"]
    assert {tag: texts["title"] for tag, texts in variants.items()} == {
        "de": "Chor",
        "fr": "Chœur",
    }
    assert event(inLanguage="rm").language == "rm"


def test_events_with_one_id_are_told_apart_by_their_start():
    other = {**CONCERT, "startDate": "2027-02-06T19:00:00+01:00"}
    parsed = read("jsonld", page(CONCERT, other))
    assert len({each.uid for each in parsed.events}) == 2


def test_what_is_not_taken_is_named():
    parsed = read(
        "jsonld", page({**CONCERT, "performer": {"name": "A"}, "image": "ftp://x", "url": "nix"})
    )
    assert [words.partition(",")[0] for _, words in parsed.left_out] == [
        "performer",
        "url",
        "image",
    ]


def test_event_that_cannot_be_read_leaves_the_others():
    broken = [{**CONCERT, "@id": "2", "startDate": "bald"}, {**CONCERT, "@id": "3", "name": ""}]
    parsed = read("jsonld", page(CONCERT, *broken))
    assert (len(parsed.events), len(parsed.refused)) == (1, 2)


def test_json_with_a_comma_too_many_is_read_and_other_is_named():
    text = page(CONCERT).replace("}</script>", ",}</script><script type='application/ld+json'>{")
    parsed = read("jsonld", text.replace("</head>", "</script></head>"))
    assert (len(parsed.events), len(parsed.refused)) == (1, 1)


@pytest.mark.parametrize("content", ["<html></html>", "Hallo", '{"@type": "Recipe"}', " "])
def test_page_without_events_is_no_source(content):
    with pytest.raises(SourceError):
        read("jsonld", content)


@pytest.mark.parametrize(
    ("target", "address"),
    [
        ("https://tickets.example.org/7", "https://tickets.example.org/7"),
        ({"urlTemplate": " https://tickets.example.org/7 "}, "https://tickets.example.org/7"),
        ("https://bühne.example/plätze", "https://xn--bhne-0ra.example/pl%C3%A4tze"),
        ("mailto:kasse@example.org", None),
        ("An der Kasse", None),
    ],
)
def test_registration_has_its_address_in_ascii(target, address):
    registration = event(potentialAction={"@type": "RegisterAction", "target": target}).changes.get(
        "registration"
    )
    assert (registration or {}).get("url") == address
