"""What ``json_ld`` says in the vocabulary of schema.org, and what it leaves open."""

from io import BytesIO

import pytest
from PIL import Image

SCHEMA = "https://schema.org"
STREAM = "https://stream.example/live?room=1&lang=de"


@pytest.fixture
def described(anyone):
    """Return what reads the linked data of a record that was made."""

    def read(record, collection="events", **query):
        answer = anyone.send(
            "GET",
            f"/{collection}/{record['id']}",
            headers={"Accept": "application/ld+json"},
            query_string=query,
        )
        assert answer.status_code == 200
        return answer.json

    return read


def empties(value):
    """Return every empty value, however deep."""
    if isinstance(value, dict | list):
        members = value.values() if isinstance(value, dict) else value
        return [value] * (not value) + [empty for member in members for empty in empties(member)]
    return [value] * (value in ("", None))


def test_an_event_of_which_little_is_known_says_no_more(make_event, described):
    event = make_event(title="Konzert")

    assert described(event) == {
        "@context": SCHEMA,
        "@type": "Event",
        "name": "Konzert",
        "url": event["url"],
        "inLanguage": "de",
        "eventStatus": f"{SCHEMA}/EventScheduled",
        "eventAttendanceMode": f"{SCHEMA}/OfflineEventAttendanceMode",
        "startDate": "2030-03-10T19:00:00+01:00",
        "endDate": "2030-03-10T22:00:00+01:00",
    }


def test_nothing_empty_is_told(make_event, make_venue, make_organizer, described):
    venue, organizer = make_venue(venue="Saal"), make_organizer(organizer="Verein")
    event = make_event(venue=venue["id"], organizer=organizer["id"], cost="Kollekte", website="")

    for record, collection in ((event, "events"), (venue, "venues"), (organizer, "organizers")):
        assert empties(described(record, collection)) == []


# The texts


def test_texts_are_plain(make_event, described):
    event = make_event(title="Tom & Jerry <3", description="<p>Ein <b>Abend</b>.</p><p>Zwei</p>")

    assert described(event)["name"] == "Tom & Jerry <3"
    assert described(event)["description"] == "Ein Abend. Zwei"


def test_an_excerpt_goes_before_the_description(make_event, described):
    event = make_event(description="Lang und breit", excerpt="Kurz")

    assert described(event)["description"] == "Kurz"


@pytest.mark.parametrize(
    ("rm", "told"),
    [
        ({}, "de"),
        ({"title": "Concert"}, ["rm", "de"]),
        ({"description": "Bel"}, ["de", "rm"]),
        ({"title": "Concert", "description": "Bel"}, "rm"),
        ({"title": "Concert", "excerpt": "Bel"}, "rm"),
    ],
)
def test_the_language_is_the_one_that_the_texts_are_in(as_admin, make_event, described, rm, told):
    event = make_event(title="Konzert", description="Schön")
    if rm:
        as_admin.patch(f"/events/{event['id']}", translation_language="rm", **rm)

    assert described(event, translation_language="de")["inLanguage"] == "de"
    assert described(event, translation_language="rm")["inLanguage"] == told


def test_a_website_that_is_not_the_page_is_the_same_event(make_event, described):
    assert described(make_event(website="https://a.example/?a=1&b=2"))["sameAs"] == (
        "https://a.example/?a=1&b=2"
    )
    assert "sameAs" not in described(make_event())
    assert "sameAs" not in described(make_event(website=""))


# When


@pytest.mark.parametrize(
    ("fields", "start", "end"),
    [
        (
            {"timezone": "America/New_York"},
            "2030-03-10T19:00:00-04:00",
            "2030-03-10T22:00:00-04:00",
        ),
        ({"timezone": "UTC+5:30"}, "2030-03-10T19:00:00+05:30", "2030-03-10T22:00:00+05:30"),
        ({"timezone": "UTC"}, "2030-03-10T19:00:00+00:00", "2030-03-10T22:00:00+00:00"),
        (
            {"end_date": "2030-07-01 01:00"},
            "2030-03-10T19:00:00+01:00",
            "2030-07-01T01:00:00+02:00",
        ),
        ({"all_day": True}, "2030-03-10", "2030-03-10"),
        ({"all_day": True, "end_date": "2030-03-12"}, "2030-03-10", "2030-03-12"),
        (
            {"start_date": "1850-01-01 10:00", "end_date": "1850-01-01 11:00"},
            "1850-01-01T09:25:52+00:00",
            "1850-01-01T10:25:52+00:00",
        ),
        (
            {"start_date": "0900-01-01 10:00", "end_date": "0900-01-02 10:00", "timezone": "UTC"},
            "0900-01-01T10:00:00+00:00",
            "0900-01-02T10:00:00+00:00",
        ),
    ],
)
def test_dates_have_the_offset_of_their_zone_or_are_days(make_event, described, fields, start, end):
    shown = described(make_event(**fields))

    assert (shown["startDate"], shown["endDate"]) == (start, end)


@pytest.mark.parametrize(
    ("status", "term"),
    [
        ("scheduled", "EventScheduled"),
        ("canceled", "EventCancelled"),
        ("postponed", "EventPostponed"),
    ],
)
def test_the_status_is_the_one_of_schema_org(make_event, described, status, term):
    assert described(make_event(event_status=status))["eventStatus"] == f"{SCHEMA}/{term}"


# Where


HALL = {
    "@type": "Place",
    "name": "Saal",
    "url": "https://calendar.example/venue/saal/",
    "address": {"@type": "PostalAddress", "addressLocality": "Chur"},
}


@pytest.mark.parametrize(
    ("fields", "mode", "location"),
    [
        ({}, "Offline", HALL),
        ({"online_url": STREAM}, "Offline", HALL),
        (
            {"attendance_mode": "online", "online_url": STREAM},
            "Online",
            {"@type": "VirtualLocation", "url": STREAM},
        ),
        (
            {"attendance_mode": "mixed", "online_url": STREAM},
            "Mixed",
            [HALL, {"@type": "VirtualLocation", "url": STREAM}],
        ),
        (
            {"attendance_mode": "online", "slug": "kurs"},
            "Online",
            {"@type": "VirtualLocation", "url": "https://calendar.example/event/kurs/"},
        ),
    ],
)
def test_people_come_or_follow_online_or_both(make_event, described, fields, mode, location):
    shown = described(make_event(venue={"venue": "Saal", "city": "Chur"}, **fields))

    assert shown["eventAttendanceMode"] == f"{SCHEMA}/{mode}EventAttendanceMode"
    assert shown["location"] == location


def test_several_venues_are_several_places(make_event, make_venue, described):
    venues = [make_venue(venue=name)["id"] for name in ("Saal", "Park")]
    shown = described(make_event(venue=venues))

    assert [place["name"] for place in shown["location"]] == ["Saal", "Park"]


def test_a_place_tells_all_that_is_known_of_a_venue(make_venue, described):
    venue = make_venue(
        venue="Saal & Park",
        description="<p>Gross</p>",
        address="Platz 1",
        city="Chur",
        province="GR",
        country="Switzerland",
        zip="7000",
        phone="+41 81",
        website="https://saal.example/",
        image="https://saal.example/a.png",
        geo_lat=0,
        geo_lng=-9.5,
    )

    assert described(venue, "venues") == {
        "@context": SCHEMA,
        "@type": "Place",
        "name": "Saal & Park",
        "description": "Gross",
        "image": "https://saal.example/a.png",
        "url": venue["url"],
        "address": {
            "@type": "PostalAddress",
            "streetAddress": "Platz 1",
            "addressLocality": "Chur",
            "addressRegion": "GR",
            "postalCode": "7000",
            "addressCountry": "Switzerland",
        },
        "geo": {"@type": "GeoCoordinates", "latitude": 0, "longitude": -9.5},
        "telephone": "+41 81",
        "sameAs": "https://saal.example/",
    }


# Who


def test_an_organization_tells_all_that_is_known_of_an_organizer(make_organizer, described):
    organizer = make_organizer(
        organizer="Verein",
        description="Wir",
        phone="1",
        email="info@verein.example",
        website="https://verein.example/",
    )

    assert described(organizer, "organizers") == {
        "@context": SCHEMA,
        "@type": "Organization",
        "name": "Verein",
        "description": "Wir",
        "url": "https://verein.example/",
        "telephone": "1",
        "email": "info@verein.example",
        "sameAs": "https://verein.example/",
    }


def test_all_organizers_are_named_and_nobody_performs(make_event, make_organizer, described):
    names = ("Verein", "Stadt")
    both = [make_organizer(organizer=name) for name in names]
    shown = described(make_event(organizer=[each["id"] for each in both]))
    alone = described(make_event(organizer=both[0]["id"]))

    assert [each["name"] for each in shown["organizer"]] == list(names)
    assert alone["organizer"] == {
        "@type": "Organization",
        "name": "Verein",
        "url": both[0]["url"],
    }
    assert "performer" not in shown


# What it costs


@pytest.mark.parametrize(
    ("cost", "told", "free"),
    [
        ("20 CHF", {"price": "20", "priceCurrency": "CHF"}, False),
        ("€ 12.50", {"price": "12.50", "priceCurrency": "EUR"}, False),
        ("20", {"price": "20"}, False),
        ("Free", {"price": "0"}, True),
        ("0", {"price": "0"}, True),
        ("Kollekte", {"description": "Kollekte"}, None),
        (
            "10-20 EUR",
            {
                "price": "10",
                "priceCurrency": "EUR",
                "priceSpecification": {
                    "@type": "PriceSpecification",
                    "minPrice": "10",
                    "maxPrice": "20",
                    "priceCurrency": "EUR",
                },
            },
            False,
        ),
        (
            ["0", "30"],
            {
                "price": "0",
                "priceSpecification": {
                    "@type": "PriceSpecification",
                    "minPrice": "0",
                    "maxPrice": "30",
                },
            },
            False,
        ),
    ],
)
def test_an_offer_tells_prices_as_numbers(make_event, described, cost, told, free):
    event = make_event(cost=cost)
    shown = described(event)

    assert shown["offers"] == told | {
        "@type": "Offer",
        "url": event["url"],
        "category": "primary",
        "availability": f"{SCHEMA}/InStock",
        "validFrom": "2030-01-15T12:00:00+00:00",
    }
    assert shown.get("isAccessibleForFree") is free


def test_without_a_cost_nothing_is_said_of_one(make_event, described):
    assert not {"offers", "isAccessibleForFree"} & described(make_event()).keys()


def test_there_are_no_more_tickets_for_what_is_canceled(make_event, described):
    event = make_event(cost="20", event_status="canceled")

    assert described(event)["offers"]["availability"] == f"{SCHEMA}/Discontinued"


# Pictures


@pytest.fixture
def poster(as_author):
    """Return a picture of 1200 by 800 pixels that was uploaded."""
    file = BytesIO()
    Image.new("RGB", (1200, 800), "navy").save(file, "PNG")
    sent = {"file": (BytesIO(file.getvalue()), "poster.png"), "alt_text": "Ein Plakat"}
    answer = as_author.send("POST", "/media", data=sent)
    assert answer.status_code == 201
    return answer.json


@pytest.mark.parametrize("kind", ["event", "venue", "organizer"])
def test_a_picture_is_told_in_all_its_sizes(request, poster, described, kind):
    record = request.getfixturevalue(f"make_{kind}")(image=poster["id"])
    shown = described(record, f"{kind}s")["image"]

    sizes = [poster, *poster["sizes"].values()]
    assert len(sizes) > 1
    assert {picture["url"]: picture for picture in shown} == {
        size["url"]: {
            "@type": "ImageObject",
            "url": size["url"],
            "width": f"{size['width']} px",
            "height": f"{size['height']} px",
            "caption": "Ein Plakat",
        }
        for size in sizes
    }
    assert shown[0]["url"] == poster["url"]


def test_a_picture_that_lies_elsewhere_is_its_address(make_event, described):
    image = "https://pictures.example/a.png"

    assert described(make_event(image=image))["image"] == image
