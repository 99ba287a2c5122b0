"""A record that a client reads and sends back stays unchanged."""

import pytest
from keeping import kept

EVENING = {"start_date": "2030-03-10 19:00:00", "end_date": "2030-03-10 22:00:00"}
TRICKY = 'Tom & Jerry\'s "night" <3 &amp; C:\\x'
HTML = (
    '<p>An <em>evening</em> &amp; a <a href="https://a.example/?a=1&amp;b=2">link</a></p>\n<p>2</p>'
)


def unchanged(client, path, method="PUT", **query):
    """Send a record back as read; return the fields that differ afterwards."""
    record = client.get(path, **query).json
    answer = client.send(method, path, json=record, query_string=query)
    assert answer.status_code == 200, answer.json
    again = client.get(path, **query).json
    return {name for name in record | again if record.get(name) != again.get(name)}


@kept
def full(make_event, make_venue, make_organizer, make_category, make_tag):
    """Return the path of an event in which everything is tricky."""
    parent = make_category(name="Music & more")
    event = make_event(
        title=TRICKY,
        description=HTML,
        excerpt="Plain\ntext",
        cost=["0", "CHF 20.50", "1'000"],
        website="https://a.example/?a=1&b=2",
        image="https://pictures.example/a.png",
        timezone="America/New_York",
        venue=[
            make_venue(venue=TRICKY, address="Street <1> & 2", geo_lat=46.5, geo_lng=9.25)["id"],
            make_venue()["id"],
        ],
        organizer=[make_organizer(organizer=TRICKY, email="a@b.example")["id"]],
        categories=[make_category(name="Jazz & Blues", parent=parent["id"])["id"]],
        tags=[make_tag(name=TRICKY)["id"]],
        featured=True,
        date="2029-11-11 11:11:11",
        variants={"rm": {"title": "Concert & dapli", "description": HTML}},
    )
    return f"/events/{event['id']}"


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH"])
@pytest.mark.parametrize("language", ["de", "rm"])
def test_an_event_can_be_sent_back(full, as_editor, clock, method, language):
    clock.advance(hours=1)

    assert unchanged(as_editor, full, method, translation_language=language) == set()


def test_an_event_with_all_variants_can_be_sent_back(full, as_admin, clock):
    clock.advance(hours=1)
    record = as_admin.get(full, translation_language="all").json

    assert as_admin.put(full, **record).status_code == 200
    assert as_admin.get(full, translation_language="all").json == record


@pytest.mark.parametrize("caller", ["author", "contributor"])
def test_an_own_draft_can_be_sent_back(calling_as, make_event, clock, caller):
    client = calling_as(caller)
    event = make_event(by=client, status="draft", title=TRICKY, description=HTML, cost="0")
    clock.advance(hours=1)

    assert unchanged(client, f"/events/{event['id']}") == set()


def test_an_own_event_can_be_sent_back_by_its_author(as_author, make_event, clock):
    event = make_event(by=as_author, title=TRICKY, description=HTML, tags=[])
    clock.advance(hours=1)

    assert unchanged(as_author, f"/events/{event['id']}") == set()


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"cost": "Free"},
        {"cost": 0},
        {"cost": "10-20"},
        {"cost": "20 EUR"},
        {"cost": "1'250.50"},
        {"cost": "Donation"},
        {"cost": ["$10", "20€"]},
        {"all_day": True},
        {"all_day": True, "timezone": "Asia/Tokyo"},
        {"timezone": "UTC+5:30"},
        {"timezone": "+05:30"},
        {"start_date": "2030-10-27 02:30:00", "end_date": "2030-10-27T02:30:00+01:00"},
        {"start_date": "2030-03-31 02:30:00", "end_date": "2030-03-31 03:30:00"},
        {"status": "draft"},
        {"status": "pending"},
        {"status": "private"},
        {"status": "future", "date": "2031-01-01"},
        {"status": "draft", "date": "2029-01-01"},
        {"date_utc": "2029-10-28 00:30:00"},
        {"hide_from_listings": True, "show_map": True, "ticketed": True},
        {"event_status": "canceled", "status_reason": "Wind & <Regen>"},
        {"attendance_mode": "mixed", "online_url": "https://a.example/?a=1&b=2"},
        {
            "timezone": "Asia/Tokyo",
            "accessibility": ["quiet", "wheelchair"],
            "in_language": ["rm", "de-CH"],
            "audience": {"max_age": 12, "groups": ["children"]},
            "registration": {"url": "https://a.example/?a=1&b=2", "closes": "2030-02-01T12:00Z"},
        },
        {"title": "<3", "excerpt": "a < b"},
        {"title": "&amp;lt;"},
        {"description": "one\n\ntwo\nthree"},
        {"description": "<pre>\n\n  kept  \n</pre>"},
        {"description": "<p>&nbsp;&eacute; &#8217;</p>"},
        {"description": "<ul><li>a</li><li>b</li></ul>tail"},
        {"website": "https://a.example/%C3%BC?x='&y=<>"},
        {"slug": "日本"},
    ],
)
def test_an_event_of_any_sort_can_be_sent_back(as_admin, make_event, clock, changes):
    event = make_event(**changes)
    clock.advance(hours=1)

    assert unchanged(as_admin, f"/events/{event['id']}") == set()


@pytest.mark.parametrize("language", ["de", "rm"])
@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH"])
def test_a_venue_can_be_sent_back(as_editor, make_venue, clock, language, method):
    venue = make_venue(
        venue=TRICKY,
        description=HTML,
        address='1 < 2 & "3"',
        city="Zürich",
        country="Switzerland",
        province="ZH",
        zip=8001,
        phone="+41 44",
        website="https://a.example/?a=1&b=2",
        image="https://pictures.example/a.png",
        show_map="false",
        geo_lat=47.123456789,
        geo_lng=-8.5,
    )
    clock.advance(hours=1)
    path = f"/venues/{venue['id']}"

    assert unchanged(as_editor, path, method, translation_language=language) == set()


@pytest.mark.parametrize("language", ["de", "rm"])
def test_an_organizer_can_be_sent_back(as_editor, make_organizer, clock, language):
    organizer = make_organizer(
        organizer=TRICKY, description=HTML, email="a+b@b.example", phone="1 & 2", website="ftp://x"
    )
    clock.advance(hours=1)
    path = f"/organizers/{organizer['id']}"

    assert unchanged(as_editor, path, translation_language=language) == set()


@pytest.mark.parametrize("language", ["de", "rm"])
@pytest.mark.parametrize("caller", ["admin", "editor", "author"])
def test_a_category_can_be_sent_back(calling_as, make_category, clock, caller, language):
    above = make_category(name="Above")
    term = make_category(name=TRICKY, description="a & b <b>c</b>", parent=above["id"])
    clock.advance(hours=1)
    client = calling_as(caller)

    for number in (above["id"], term["id"]):
        assert unchanged(client, f"/categories/{number}", translation_language=language) == set()


@pytest.mark.parametrize("language", ["de", "rm"])
def test_a_tag_can_be_sent_back(as_editor, make_tag, language):
    term = make_tag(name=TRICKY, description="a & b <b>c</b>")

    assert unchanged(as_editor, f"/tags/{term['id']}", translation_language=language) == set()


def test_sending_back_in_another_language_writes_no_translation(as_admin, make_event):
    event = make_event(title="Konzert", description="Text")
    path = f"/events/{event['id']}"
    record = as_admin.get(path, translation_language="rm").json

    answer = as_admin.send("PUT", f"{path}?translation_language=rm", json=record)

    assert answer.json["translations"]["rm"]["status"] == "missing"
    assert answer.json["fallback_fields"] == record["fallback_fields"]


@pytest.mark.parametrize("language", ["de", "rm"])
def test_record_read_in_all_languages_can_be_sent_back_in_any(as_admin, full, clock, language):
    clock.advance(hours=1)
    record = as_admin.get(full, translation_language="all").json

    answer = as_admin.send("PUT", f"{full}?translation_language={language}", json=record)

    assert answer.status_code == 200
    assert as_admin.get(full, translation_language="all").json == record


def test_text_and_variant_of_a_language_can_both_be_changed(as_admin, make_event):
    event = make_event(title="Konzert", variants={"rm": {"title": "Concert"}})
    path = f"/events/{event['id']}"
    record = as_admin.get(path, translation_language="all").json
    changes = (
        {"title": "Concert nov"},
        {"variants": {"de": {"title": "Abend"}, "rm": {"title": "Concert nov"}}},
    )
    for change in changes:
        as_admin.send("PUT", f"{path}?translation_language=rm", json=record | change)
        assert as_admin.get(path, translation_language="rm").json["title"] == "Concert nov"
        as_admin.put(path, **record)

    as_admin.put(path, **record | {"title": "Abend"})
    assert as_admin.get(path).json["title"] == "Abend"


def test_linked_objects_are_accepted_as_ids(as_admin, full, make_event):
    record = as_admin.get(full).json
    names = ("categories", "tags", "venue", "organizer", "image")
    copied_event = make_event(**{name: record[name] for name in names})

    for name in ("categories", "tags", "venue", "organizer"):
        assert [linked_record["id"] for linked_record in copied_event[name]] == [
            linked_record["id"] for linked_record in record[name]
        ]
    assert copied_event["image"]["url"] == record["image"]["url"]


def test_a_trashed_venue_can_be_sent_back_by_an_editor(as_editor, make_venue):
    path = f"/venues/{make_venue()['id']}"
    as_editor.delete(path)

    assert unchanged(as_editor, path) == set()


def test_external_picture_can_be_sent_back_as_a_form(as_author, make_event):
    event = make_event(by=as_author, image="https://pictures.example/a.png")
    image = {name: "" if value is None else value for name, value in event["image"].items()}
    form = {f"image[{name}]": value for name, value in image.items() if name != "sizes"}

    answer = as_author.send("POST", f"/events/{event['id']}", data=form)

    assert (answer.status_code, answer.json["image"]) == (200, event["image"])
