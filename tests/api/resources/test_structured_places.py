"""Where events take place, who holds them and how they look, in the vocabulary of schema.org."""

from io import BytesIO

import pytest
from PIL import Image

pytestmark = pytest.mark.without_mongodb

SCHEMA = "https://schema.org"
STREAM = "https://stream.example/live?room=1&lang=de"
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
    event = described(make_event(venue={"venue": "Saal", "city": "Chur"}, **fields))

    assert event["eventAttendanceMode"] == f"{SCHEMA}/{mode}EventAttendanceMode"
    assert event["location"] == location


def test_several_venues_are_several_places(make_event, make_venue, described):
    venues = [make_venue(venue=name)["id"] for name in ("Saal", "Park")]
    event = described(make_event(venue=venues))

    assert [place["name"] for place in event["location"]] == ["Saal", "Park"]


def test_place_has_all_fields_of_the_venue(make_venue, described):
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


def test_organization_has_all_fields_of_the_organizer(make_organizer, described):
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


def test_all_organizers_are_listed_and_performer_is_absent(make_event, make_organizer, described):
    names = ("Verein", "Stadt")
    both = [make_organizer(organizer=name) for name in names]
    event = described(make_event(organizer=[each["id"] for each in both]))
    alone = described(make_event(organizer=both[0]["id"]))

    assert [each["name"] for each in event["organizer"]] == list(names)
    assert alone["organizer"] == {
        "@type": "Organization",
        "name": "Verein",
        "url": both[0]["url"],
    }
    assert "performer" not in event


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
def test_picture_is_described_in_all_its_sizes(request, poster, described, kind):
    record = request.getfixturevalue(f"make_{kind}")(image=poster["id"])
    linked_data = described(record, f"{kind}s")["image"]

    sizes = [poster, *poster["sizes"].values()]
    assert len(sizes) > 1
    assert {picture["url"]: picture for picture in linked_data} == {
        size["url"]: {
            "@type": "ImageObject",
            "url": size["url"],
            "width": f"{size['width']} px",
            "height": f"{size['height']} px",
            "caption": "Ein Plakat",
        }
        for size in sizes
    }
    assert linked_data[0]["url"] == poster["url"]


def test_external_picture_is_described_by_its_address(make_event, described):
    image = "https://pictures.example/a.png"

    assert described(make_event(image=image))["image"] == image
