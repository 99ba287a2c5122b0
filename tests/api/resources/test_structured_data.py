"""``json_ld`` in the vocabulary of schema.org."""

import pytest

pytestmark = pytest.mark.without_mongodb

SCHEMA = "https://schema.org"


def empties(value):
    """Return every empty value, however deep."""
    if isinstance(value, dict | list):
        members = value.values() if isinstance(value, dict) else value
        return [value] * (not value) + [empty for member in members for empty in empties(member)]
    return [value] * (value in ("", None))


def test_minimal_event_has_minimal_linked_data(make_event, described):
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


def test_linked_data_has_no_empty_values(make_event, make_venue, make_organizer, described):
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
    ("rm", "expected"),
    [
        ({}, "de"),
        ({"title": "Concert"}, ["rm", "de"]),
        ({"description": "Bel"}, ["de", "rm"]),
        ({"title": "Concert", "description": "Bel"}, "rm"),
        ({"title": "Concert", "excerpt": "Bel"}, "rm"),
    ],
)
def test_language_is_the_language_of_the_texts(as_admin, make_event, described, rm, expected):
    event = make_event(title="Konzert", description="Schön")
    if rm:
        as_admin.patch(f"/events/{event['id']}", translation_language="rm", **rm)

    assert described(event, translation_language="de")["inLanguage"] == "de"
    assert described(event, translation_language="rm")["inLanguage"] == expected


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
    event = described(make_event(**fields))

    assert (event["startDate"], event["endDate"]) == (start, end)


@pytest.mark.parametrize(
    ("status", "term"),
    [
        ("scheduled", "EventScheduled"),
        ("canceled", "EventCancelled"),
        ("postponed", "EventPostponed"),
    ],
)
def test_status_is_a_schema_org_status(make_event, described, status, term):
    assert described(make_event(event_status=status))["eventStatus"] == f"{SCHEMA}/{term}"
