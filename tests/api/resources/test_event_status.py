"""Events that are canceled or postponed, and events that people follow online."""

import pytest
from keeping import kept

USUAL = {
    "event_status": "scheduled",
    "status_reason": "",
    "attendance_mode": "offline",
    "online_url": "",
}
STREAM = "https://stream.example/live?room=1&lang=de"
SELECTIONS = [
    ({}, ["Konzert", "Lesung", "Markt", "Kurs"]),
    ({"event_status": "canceled"}, ["Lesung"]),
    ({"event_status": "postponed"}, ["Markt"]),
    ({"event_status": "scheduled"}, ["Konzert", "Kurs"]),
    ({"event_status": "canceled, postponed"}, ["Lesung", "Markt"]),
    ({"event_status": "scheduled,canceled"}, ["Konzert", "Lesung", "Kurs"]),
    ({"event_status[]": ["postponed", "scheduled"]}, ["Konzert", "Markt", "Kurs"]),
    (
        {"event_status": "postponed,canceled,scheduled"},
        ["Konzert", "Lesung", "Markt", "Kurs"],
    ),
    ({"attendance_mode": "offline"}, ["Konzert", "Lesung"]),
    ({"attendance_mode": "online"}, ["Kurs"]),
    ({"attendance_mode": "online,mixed"}, ["Markt", "Kurs"]),
    ({"attendance_mode[]": ["mixed", "offline"]}, ["Konzert", "Lesung", "Markt"]),
    ({"event_status": "scheduled", "attendance_mode": "online,mixed"}, ["Kurs"]),
    ({"event_status": "postponed", "attendance_mode": "online"}, []),
]
CANCELED = {"event_status": "canceled", "status_reason": "Sturm"}


@pytest.fixture
def status_fields(anyone):
    """Return a function that reads an event's status fields."""

    def read(event, **query):
        current_event = anyone.get(f"/events/{event['id']}", **query).json
        return {name: current_event[name] for name in USUAL}

    return read


@pytest.fixture
def listed(anyone):
    """Return a function that lists the titles of events for given parameters."""

    def titles(**query):
        answer = anyone.get("/events", **query)
        assert answer.status_code == 200, answer.json
        assert answer.json["total"] == len(answer.json["events"])
        return [event["title"] for event in answer.json["events"]]

    return titles


# What is stored and shown


def test_event_is_scheduled_by_default(make_event, status_fields):
    assert status_fields(make_event()) == USUAL


def test_documents_written_before_are_read_as_planned(make_event, database, status_fields, listed):
    event = make_event(title="Konzert")
    document = database["events"].find_one({"_id": event["id"]})

    assert not set(USUAL) & document.keys()
    assert status_fields(event) == USUAL
    assert listed(event_status="scheduled", attendance_mode="offline") == ["Konzert"]


@pytest.mark.parametrize(
    ("mode", "is_virtual"), [("offline", False), ("online", True), ("mixed", True)]
)
def test_event_that_people_follow_online_is_virtual(make_event, anyone, mode, is_virtual):
    event = make_event(attendance_mode=mode, online_url=STREAM)
    for shown in (
        anyone.get(f"/events/{event['id']}").json,
        anyone.get("/events").json["events"][0],
    ):
        assert (shown["is_virtual"], shown["virtual_url"]) == (is_virtual, STREAM)


def test_event_is_not_made_virtual_by_the_names_of_the_add_on(make_event):
    event = make_event(is_virtual=True, virtual_url=STREAM)
    assert {name: event[name] for name in USUAL} == USUAL
    assert (event["is_virtual"], event["virtual_url"]) == (False, "")


def test_status_and_attendance_are_shown_in_records_and_lists(make_event, anyone, status_fields):
    sent = CANCELED | {"attendance_mode": "mixed", "online_url": STREAM}
    event = make_event(**sent)
    in_list = anyone.get("/events").json["events"][0]

    assert {name: event[name] for name in USUAL} == sent
    assert status_fields(event) == sent
    assert {name: in_list[name] for name in USUAL} == sent


@pytest.mark.parametrize("status", ["scheduled", "canceled", "postponed"])
def test_every_status_can_be_written_and_taken_back(as_admin, make_event, status_fields, status):
    event = make_event(event_status=status)
    assert status_fields(event)["event_status"] == status

    as_admin.patch(f"/events/{event['id']}", event_status="scheduled")
    assert status_fields(event)["event_status"] == "scheduled"


@pytest.mark.parametrize("mode", ["offline", "online", "mixed"])
def test_every_mode_can_be_written_and_taken_back(as_admin, make_event, status_fields, mode):
    event = make_event(attendance_mode=mode)
    assert status_fields(event)["attendance_mode"] == mode

    as_admin.patch(f"/events/{event['id']}", attendance_mode="offline")
    assert status_fields(event)["attendance_mode"] == "offline"


def test_an_event_that_is_as_planned_again_stores_nothing_of_it(as_admin, make_event, database):
    event = make_event(event_status="postponed", attendance_mode="online", online_url=STREAM)
    as_admin.patch(
        f"/events/{event['id']}", event_status="scheduled", attendance_mode="offline", online_url=""
    )

    document = database["events"].find_one({"_id": event["id"]})
    assert not set(USUAL) & document.keys()


def test_omitted_status_fields_are_kept(as_admin, make_event, status_fields):
    sent = CANCELED | {"attendance_mode": "online", "online_url": STREAM}
    event = make_event(**sent)
    as_admin.patch(f"/events/{event['id']}", title="Another")

    assert status_fields(event) == sent


def test_each_of_the_four_stands_for_itself(as_admin, make_event, status_fields):
    event = make_event(**CANCELED)
    as_admin.patch(f"/events/{event['id']}", event_status="scheduled", online_url=STREAM)

    assert status_fields(event) == USUAL | {"status_reason": "Sturm", "online_url": STREAM}


@pytest.mark.parametrize("empty", [None, ""])
@pytest.mark.parametrize("field", ["status_reason", "online_url"])
def test_a_reason_and_an_address_can_be_emptied(as_admin, make_event, status_fields, field, empty):
    event = make_event(status_reason="Sturm", online_url=STREAM)
    answer = as_admin.patch(f"/events/{event['id']}", **{field: empty})

    assert answer.status_code == 200
    assert status_fields(event)[field] == ""


@pytest.mark.parametrize("field", ["event_status", "attendance_mode"])
def test_null_status_or_mode_is_refused(as_admin, make_event, field):
    event = make_event()
    answer = as_admin.patch(f"/events/{event['id']}", **{field: None})

    assert answer.status_code == 400
    assert answer.invalid_params == [field]


@pytest.mark.parametrize(
    "address",
    [
        "ftp://files.example/",
        "mailto:host@stream.example",
        "stream.example",
        "//stream.example/",
        "javascript:alert(1)",
        "https://",
    ],
)
def test_online_is_an_address_that_browsers_open(as_admin, make_event, address):
    answer = as_admin.patch(f"/events/{make_event()['id']}", online_url=address)

    assert answer.status_code == 400
    assert answer.invalid_params == ["online_url"]


# The reason, in every language


def test_status_reason_is_translatable(as_admin, make_event, status_fields):
    event = make_event(**CANCELED)
    assert status_fields(event, translation_language="rm")["status_reason"] == "Sturm"

    as_admin.patch(f"/events/{event['id']}", translation_language="rm", status_reason="Stemprada")

    assert status_fields(event, translation_language="rm")["status_reason"] == "Stemprada"
    assert status_fields(event, translation_language="de")["status_reason"] == "Sturm"
    assert status_fields(event, translation_language="rm")["event_status"] == "canceled"


def test_fallback_status_reason_is_named(make_event, anyone):
    event = make_event(**CANCELED)
    current_event = anyone.get(f"/events/{event['id']}", translation_language="rm").json
    alone = anyone.get(f"/events/{event['id']}", translation_language="rm", fallback="none").json

    assert "status_reason" in current_event["fallback_fields"]
    assert alone["status_reason"] == ""


def test_reasons_of_all_languages_are_read_and_written_together(as_admin, make_event, anyone):
    event = make_event(title="Konzert")
    texts = {"de": {"status_reason": "Sturm"}, "rm": {"status_reason": "Stemprada"}}
    as_admin.patch(f"/events/{event['id']}", variants=texts)

    variants = anyone.get(f"/events/{event['id']}", translation_language="all").json["variants"]
    assert {tag: each["status_reason"] for tag, each in variants.items()} == {
        "de": "Sturm",
        "rm": "Stemprada",
    }


def test_a_changed_reason_outdates_its_translation_alone(as_admin, make_event, anyone):
    path = f"/events/{make_event(title='Konzert', **CANCELED)['id']}"
    as_admin.patch(path, translation_language="rm", title="Concert", status_reason="Stemprada")
    assert anyone.get(path).json["translations"]["rm"]["status"] == "current"

    as_admin.patch(path, status_reason="Hochwasser")
    assert anyone.get(path).json["translations"]["rm"]["status"] == "outdated"

    as_admin.patch(path, translation_language="rm", status_reason="Auas grondas")
    assert anyone.get(path).json["translations"]["rm"]["status"] == "current"


def test_a_reason_added_later_outdates_no_translation_that_lacks_it(as_admin, make_event, anyone):
    path = f"/events/{make_event(title='Konzert')['id']}"
    as_admin.patch(path, translation_language="rm", title="Concert")
    as_admin.patch(path, **CANCELED)

    assert anyone.get(path).json["translations"]["rm"]["status"] == "current"


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        ("<b>Sturm</b><script>alert(1)</script>", "Sturm"),
        ("Wind &amp; Regen", "Wind &amp; Regen"),
        ("Pegel > 3 m & < 4 m", "Pegel &gt; 3 m &amp; &lt; 4 m"),
        (" Sturm\nund\tRegen ", "Sturm und Regen"),
        ("<img src=x onerror=alert(1) ", "&lt;img src=x onerror=alert(1)"),
    ],
)
@pytest.mark.parametrize("caller", ["admin", "author"])
def test_a_reason_is_plain_text(calling_as, make_event, sent, expected, caller):
    assert make_event(by=calling_as(caller), status_reason=sent)["status_reason"] == expected


# Lists


@kept
def calendar(make_event):
    """Store an event of each status and mode, on one day after the other."""
    kinds = [
        ("Konzert", {}),
        ("Lesung", {"event_status": "canceled"}),
        ("Markt", {"event_status": "postponed", "attendance_mode": "mixed"}),
        ("Kurs", {"attendance_mode": "online", "online_url": STREAM}),
    ]
    for day, (title, fields) in enumerate(kinds, start=1):
        date = f"2030-03-0{day}"
        make_event(title=title, start_date=f"{date} 10:00", end_date=f"{date} 12:00", **fields)


@pytest.mark.usefixtures("calendar")
def test_lists_select_by_status_and_mode(listed):
    for query, titles in SELECTIONS:
        assert listed(**query) == titles, query


@pytest.mark.usefixtures("calendar")
def test_page_links_keep_status_and_mode(anyone):
    answer = anyone.get("/events", event_status="scheduled", attendance_mode="offline,online")
    first = anyone.get("/events", event_status="scheduled", per_page=1)
    second = anyone.follow(first.json["next_rest_url"])

    assert "event_status=scheduled&attendance_mode=offline%2Conline" in answer.json["rest_url"]
    assert [event["title"] for event in second.json["events"]] == ["Kurs"]
    assert second.json["total"] == 2


@pytest.mark.parametrize("parameter", ["event_status", "attendance_mode"])
def test_list_refuses_an_invalid_status_or_mode(anyone, parameter):
    for value in ("", "on", "canceled,x", "EventCancelled", "$ne", ",", "Online"):
        answer = anyone.get("/events", **{parameter: value})

        assert answer.status_code == 400, value
        assert answer.invalid_params == [parameter]


# What a password protects


def test_a_password_hides_how_to_follow_but_not_that_it_is_canceled(as_admin, make_event, anyone):
    event = make_event(attendance_mode="online", online_url=STREAM, **CANCELED)
    as_admin.patch(f"/events/{event['id']}", password="Open sesame")
    stranger = anyone.get("/events", translation_language="all").json["events"][0]
    guest = anyone.get("/events", password="Open sesame").json["events"][0]

    assert {name: stranger[name] for name in USUAL} == {
        "event_status": "canceled",
        "status_reason": "",
        "attendance_mode": None,
        "online_url": "",
    }
    assert "status_reason" not in stranger["variants"]["de"]
    assert guest["online_url"] == STREAM
