"""The properties of an iCalendar file."""

import re
from dataclasses import replace

import pytest

pytestmark = pytest.mark.without_mongodb

PICTURE = "https://pictures.example/a.png"


def unescaped(text):
    """Return the text of a property that icalendar doesn't parse."""
    return re.sub(r"\\(.)", lambda escape: {"n": "\n"}.get(escape[1], escape[1]), text)


def test_the_description_is_there_as_text_and_as_html(only, make_event):
    html = make_event(description="<p>One &amp; <b>two</b></p><p>Three<br>four; five, six</p>")
    event = only()
    assert event["DESCRIPTION"] == "One & two\n\nThree\nfour; five, six"
    assert event["X-ALT-DESC"].params["FMTTYPE"] == "text/html"
    assert unescaped(event["X-ALT-DESC"]) == html["description"]


def test_excerpt_replaces_an_absent_description(only, make_event):
    make_event(excerpt="In short")
    assert only()["DESCRIPTION"] == "In short"


@pytest.mark.parametrize(
    ("html", "words"),
    [
        (
            '<a href="https://a.example/x?b=1&amp;c=2">Link</a>.',
            "Link (https://a.example/x?b=1&c=2).",
        ),
        ('<a href="mailto:me@a.example">Ask <b>me</b></a>', "Ask me (me@a.example)"),
        ('<a href="https://www.a.example/">a.example</a>', "a.example"),
        ('<a href="mailto:me@a.example">me@a.example</a>', "me@a.example"),
        ('<a href="#top">Up</a>', "Up"),
    ],
)
def test_plain_text_has_the_addresses_of_links(only, make_event, html, words):
    make_event(description=html)
    assert only()["DESCRIPTION"] == words


@pytest.mark.parametrize(
    ("description", "expected"),
    [
        ("Music", "Music\n\nhttps://a.example/?a=1&b=2"),
        ("", "https://a.example/?a=1&b=2"),
        ("See https://a.example/?a=1&amp;b=2", "See https://a.example/?a=1&b=2"),
    ],
)
def test_website_follows_the_description(only, make_event, description, expected):
    new_event = make_event(description=description, website="https://a.example/?a=1&b=2")
    event = only()
    assert event["DESCRIPTION"] == expected
    assert event["URL"] == new_event["url"]


@pytest.mark.parametrize(
    ("description", "is_named"),
    [
        ('Our <a href="https://a.example/">website</a>, <b>always</b> open', True),
        ("Have you seen &lt;https://a.example/&gt;?", True),
        ('<a href="https://a.example/tickets">Tickets</a>', False),
        ("https://a.example/?a=1", False),
        ("https://b.example/?to=https://a.example/", False),
    ],
)
def test_a_website_is_named_by_no_longer_address(only, make_event, description, is_named):
    make_event(description=description, website="https://a.example/")
    assert only()["DESCRIPTION"].endswith("\n\nhttps://a.example/") is not is_named


def test_absent_fields_have_no_property(only, make_event):
    make_event()
    absent = {"DESCRIPTION", "X-ALT-DESC", "LOCATION", "GEO", "CATEGORIES", "ORGANIZER", "CONTACT"}
    assert not absent & only().keys()


def test_the_place_is_a_line_and_a_point(only, make_event):
    venue = {"venue": "Town Hall", "address": "Main Street 1", "zip": "7000", "city": "Chur"}
    make_event(venue=venue | {"country": "Switzerland", "geo_lat": 46.85, "geo_lng": -9.5})
    event = only()
    assert event["LOCATION"] == "Town Hall, Main Street 1, 7000 Chur, Switzerland"
    assert event["GEO"].to_ical() == "46.85;-9.5"


def test_a_point_has_no_exponent(anyone, make_event):
    make_event(venue={"venue": "Null Island", "geo_lat": 0.00001, "geo_lng": -0.00000001})
    assert "GEO:0.000010;0.000000\r\n" in anyone.get("/events.ics").text


def test_categories_keep_their_commas(only, make_event):
    make_event(categories=["Music", "Theatre, dance"], tags=["new"])
    assert only()["CATEGORIES"].cats == ["Music", "Theatre, dance"]


@pytest.mark.parametrize(
    ("status", "expected"),
    [("scheduled", "CONFIRMED"), ("postponed", "TENTATIVE"), ("canceled", "CANCELLED")],
)
def test_the_status_says_whether_it_takes_place(only, make_event, status, expected):
    make_event(event_status=status)
    assert only()["STATUS"] == expected


def test_first_organizer_with_an_email_is_the_organizer(only, make_event):
    make_event(
        organizer=[
            {"organizer": "Choir", "phone": "081 1"},
            {"organizer": 'The "Band"; & co', "email": "band@a.example"},
            {"organizer": "Club", "email": "club@a.example"},
        ]
    )
    event = only()
    assert event["ORGANIZER"] == "mailto:band@a.example"
    assert event["ORGANIZER"].params["CN"] == 'The "Band"; & co'
    assert event["CONTACT"] == ["Choir, 081 1", "Club, club@a.example"]


@pytest.mark.parametrize("spelling", ["nix", "a b@c.ch", "\xfc@b.ch", "a@b.ch, c@d.ch", "a@-b.ch"])
def test_invalid_email_address_is_a_contact_only(
    only, make_event, make_organizer, database, spelling
):
    choir = make_organizer(organizer="Choir")["id"]
    # Imports store such addresses as they are.
    database["organizers"].update_one({"_id": choir}, {"$set": {"email": spelling}})
    make_event(organizer=[choir, {"organizer": "Band", "email": "band@a.example"}])
    event = only()
    assert event["ORGANIZER"] == "mailto:band@a.example"
    assert event["CONTACT"] == f"Choir, {spelling}"


def test_an_address_of_mail_is_encoded_where_it_would_mean_something_else(only, make_event):
    make_event(organizer={"organizer": "Band", "email": "a?cc=b&c%20+d@a.example"})
    assert only()["ORGANIZER"] == "mailto:a%3Fcc%3Db%26c%2520+d@a.example"


def test_hidden_organizers_are_left_out(only, make_event, make_organizer):
    hidden = make_organizer(organizer="Secret", email="secret@a.example", status="private")
    make_event(organizer=[hidden["id"]])
    assert not {"ORGANIZER", "CONTACT"} & only().keys()


def test_addresses_lead_to_the_page_the_picture_and_the_stream(only, make_event):
    online = {"online_url": "https://meet.example/1", "attendance_mode": "online"}
    new_event = make_event(image=PICTURE, **online)
    event = only()
    assert event["URL"] == new_event["url"]
    assert (event["IMAGE"], event["IMAGE"].params["FMTTYPE"]) == (PICTURE, "image/png")
    assert event["CONFERENCE"] == "https://meet.example/1"


def test_texts_say_their_language(only, make_event, as_admin):
    number = make_event(title="Konzert", description="Mit Chor", categories=["Musik"])["id"]
    as_admin.patch(f"/events/{number}?translation_language=rm", title="Concert")
    event = only(translation_language="rm")
    languages = {name: event[name].params["LANGUAGE"] for name in ("SUMMARY", "DESCRIPTION")}
    assert languages == {"SUMMARY": "rm", "DESCRIPTION": "de"}
    assert event["CATEGORIES"].params["LANGUAGE"] == "de"


def test_a_language_without_fallback_shows_its_own_texts_alone(read, make_event, as_admin):
    number = make_event(title="Konzert", description="Mit Chor")["id"]
    make_event(title="Nur deutsch")
    as_admin.patch(f"/events/{number}?translation_language=rm", title="Concert")
    (event,) = read(translation_language="rm", fallback="none").events
    assert event["SUMMARY"] == "Concert"
    assert "DESCRIPTION" not in event


def test_dates_of_changes_are_those_of_the_record(only, make_event, as_admin, clock):
    number, first = make_event()["id"], only()
    clock.advance(hours=2)
    as_admin.patch(f"/events/{number}", title="Another")
    event = only()
    assert f"{event['CREATED'].dt:%F %T}" == "2030-01-15 12:00:00"
    assert f"{event['LAST-MODIFIED'].dt:%F %T}" == "2030-01-15 14:00:00"
    assert event["DTSTAMP"].dt == event["LAST-MODIFIED"].dt
    assert event["SEQUENCE"] > first["SEQUENCE"]


class TestFile:
    @pytest.fixture
    def settings(self, settings):
        return replace(settings, site_name="Agenda, Chur", feed_color="seagreen")

    def test_file_has_name_language_source_color_and_refresh_interval(self, read, make_event):
        make_event()
        calendar = read(translation_language="rm")
        for name in ("NAME", "X-WR-CALNAME"):
            assert unescaped(calendar[name]) == "Agenda, Chur"
        assert calendar["NAME"].params["LANGUAGE"] == "rm"
        address = "https://calendar.example/calendar/events/v1/events.ics?translation_language=rm"
        assert calendar["SOURCE"] == address
        assert calendar["COLOR"] == "seagreen"
        for name in ("REFRESH-INTERVAL", "X-PUBLISHED-TTL"):
            assert calendar[name].to_ical() == b"PT1H"

    def test_the_file_is_called_after_the_site(self, anyone):
        disposition = anyone.get("/events.ics").headers["Content-Disposition"]
        assert disposition == 'inline; filename="agenda-chur.ics"'


def test_a_password_hides_all_but_the_title_and_the_dates(anyone, only, make_event, as_admin):
    new_event = make_event(title="Party", description="Bring cake", venue={"venue": "Home"})
    as_admin.patch(f"/events/{new_event['id']}", password="sesame")
    event = only()
    assert (event["SUMMARY"], event["UID"]) == ("Party", only(as_admin)["UID"])
    assert "Bring cake" not in anyone.get("/events.ics").text
    assert "LOCATION" not in event
    assert only(password="sesame")["DESCRIPTION"] == "Bring cake"


def test_one_event_is_refused_where_its_json_is(anyone, as_admin, make_event):
    locked, draft = make_event()["id"], make_event(status="draft")["id"]
    as_admin.patch(f"/events/{locked}", password="sesame")
    for number in (locked, draft, 999):
        json, feed = anyone.get(f"/events/{number}"), anyone.get(f"/events/{number}.ics")
        assert (feed.status_code, feed.json) == (json.status_code, json.json)
    assert anyone.get(f"/events/{locked}.ics", password="sesame").status_code == 200
    assert as_admin.get(f"/events/{draft}.ics").status_code == 200


def test_former_slug_redirects_to_the_feed_of_the_current_slug(anyone, make_event, as_admin):
    number = make_event(slug="before")["id"]
    as_admin.patch(f"/events/{number}", slug="after")
    moved = anyone.get("/events/by-slug/before.ics")
    assert moved.status_code == 301
    assert moved.headers["Location"].endswith("/events/by-slug/after.ics")
    assert anyone.get("/events/by-slug/after.ics").mimetype == "text/calendar"
