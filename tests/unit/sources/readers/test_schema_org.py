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


@pytest.mark.parametrize(
    ("name", "held_in"),
    [
        ("Chor", []),
        ({"@value": "Chor"}, []),
        ({"@value": "Chor", "@language": "de"}, ["rm"]),
        (["Chor", {"@value": "Chœur", "@language": "fr"}], ["rm"]),
    ],
)
def test_language_is_that_of_the_texts_unless_these_name_their_own(name, held_in):
    assert event(name=name, inLanguage="rm").changes["in_language"] == held_in


@pytest.mark.parametrize("name", ["workFeatured", "workPerformed"])
def test_what_a_work_offers_counts_for_its_event(name):
    work = {"@type": "Movie", "accessibilityFeature": "signLanguage"}
    assert event(**{name: work}).changes["accessibility"] == ["sign_language"]


def test_events_with_one_id_are_told_apart_by_their_start():
    other = {**CONCERT, "startDate": "2027-02-06T19:00:00+01:00"}
    parsed = read("jsonld", page(CONCERT, other))
    assert len({each.uid for each in parsed.events}) == 2


def test_what_is_not_taken_is_named():
    parsed = read(
        "jsonld", page({**CONCERT, "performer": {"name": "A"}, "image": "ftp://x", "url": "tel:1"})
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


@pytest.mark.parametrize(
    ("price", "values"),
    [
        ("1,250", ["1250"]),
        ("1.250,00", ["1250"]),
        ("1 250", ["1250"]),
        ("12,50", ["12.50"]),
        ("20.-", ["20"]),
        ("\u20ac 20", ["20"]),
        ("20 CHF", ["20"]),
        ("15-25", ["15", "25"]),
        ("gratis", ["0"]),
        ("0,00", ["0"]),
    ],
)
def test_price_is_read_as_people_write_it(price, values):
    offer = {"price": price, "priceCurrency": "USD"}
    assert event(offers=offer).changes["cost"]["values"] == values


def test_currency_beside_the_number_counts_more_than_that_of_the_offer():
    offer = {"price": "\u20ac 20", "priceCurrency": "USD"}
    assert event(offers=offer).changes["cost"]["code"] == "EUR"


def test_backslashes_and_escaped_html_of_wordpress_are_undone():
    changes = event(
        name=r"L\'amour &amp; more", description=r"&lt;p&gt;Qu\'est-ce&lt;/p&gt;\n"
    ).changes
    texts = changes["variants"]["de"]
    assert (texts["title"], texts["description"]) == ("L'amour &amp; more", "<p>Qu'est-ce</p>")


def test_first_to_last_second_of_days_is_whole_days():
    changes = event(startDate="2027-06-01T00:00:00+02:00", endDate="2027-06-03T23:59:59+02:00")
    assert when(changes) == ("01.06.", "03.06.")


@pytest.mark.parametrize(
    ("before", "behind"),
    [
        ("", ";"),
        ("//<![CDATA[\n", "\n//]]>"),
        ("<![CDATA[", "]]>"),
        ("<!--", "-->"),
        ("", ";\n]]>"),
    ],
)
def test_what_programs_put_around_json_is_forgiven(before, behind):
    text = page(CONCERT).replace(">{", f">{before}{{").replace("}</", f"}}{behind}</")
    assert len(read("jsonld", text).events) == 1


def test_json_that_cannot_be_read_is_named_by_its_line():
    parsed = read("jsonld", page(CONCERT).replace("{", "{\n!", 1))
    assert parsed.refused == [("JSON-LD 1", "It is not JSON: line 2, column 1.")]


def test_addresses_may_be_relative_to_the_page():
    changes = event(url="/e/4", image="img/d.jpg").changes
    assert changes["variants"]["de"]["website"] == "https://example.org/e/4"
    assert changes["image"] == "https://example.org/img/d.jpg"


def test_references_are_followed_within_the_graph():
    graph = [
        {"@type": "EventSeries", "@id": "#series", "name": "Konzerte", "eventSchedule": {}},
        {
            **CONCERT,
            "superEvent": {"@id": "#series"},
            "location": {"@id": "#aula"},
            "organizer": [{"@id": "#choir"}],
            "keywords": [{"@id": "#music"}, "Chor"],
        },
        {"@type": "Place", "@id": "#aula", "name": "Aula", "address": {"@id": "#address"}},
        {"@type": "PostalAddress", "@id": "#address", "addressLocality": "Chur"},
        {"@type": "Organization", "@id": "#choir", "name": "Chor Chur"},
        {
            "@type": "DefinedTerm",
            "@id": "#music",
            "name": "Musik",
            "inDefinedTermSet": "https://example.org/calendar/events/v1/categories",
        },
    ]
    changes = only(read("jsonld", json.dumps({"@graph": graph}))).changes
    assert changes["venues"][0]["variants"]["de"] == {"venue": "Aula", "city": "Chur"}
    assert changes["organizers"] == [{"variants": {"de": {"organizer": "Chor Chur"}}}]
    assert (changes["categories"], changes["tags"]) == (["Musik"], ["Chor"])


def test_references_in_a_circle_end():
    graph = [
        {**CONCERT, "location": {"@id": "#a"}},
        {"@type": "Place", "@id": "#a", "name": "Aula", "address": {"@id": "#a"}},
    ]
    assert only(read("jsonld", json.dumps({"@graph": graph}))).changes["venues"]


PHOTO = {"@type": "ImageObject", "url": "https://example.org/a.png"}


@pytest.mark.parametrize(
    ("image", "texts"),
    [
        ("https://example.org/a.png", {}),
        (PHOTO, {}),
        (PHOTO | {"caption": "Ein Chor"}, {"alt_text": "Ein Chor"}),
        (PHOTO | {"creditText": "Photo: Anna", "creator": "Ben"}, {"credit": "Photo: Anna"}),
        (PHOTO | {"copyrightHolder": {"name": "Anna"}, "creator": "Ben"}, {"credit": "Anna"}),
        (PHOTO | {"creator": [{"@type": "Person", "name": "Ben"}]}, {"credit": "Ben"}),
        (PHOTO | {"license": "https://example.org/cc0"}, {"license": "https://example.org/cc0"}),
        (PHOTO | {"license": {"@type": "CreativeWork", "name": "CC0"}}, {"license": "CC0"}),
        ([{"caption": "no address"}, PHOTO | {"creditText": "Anna"}], {"credit": "Anna"}),
        ({"contentUrl": "https://example.org/a.png", "creditText": "Anna"}, {"credit": "Anna"}),
    ],
)
def test_picture_has_its_alternative_text_credit_and_license(image, texts):
    concert = event(image=image)
    assert concert.changes["image"] == "https://example.org/a.png"
    assert concert.picture_texts == texts
