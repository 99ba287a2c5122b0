"""Errors for common mistakes name the correct parameter."""

import pytest

pytestmark = pytest.mark.without_mongodb


@pytest.mark.parametrize(
    ("name", "value", "help_"),
    [
        ("start_date", 1799600000000, "Sekunden, nicht Millisekunden"),
        ("start_date", "1799600000000", "Sekunden, nicht Millisekunden"),
        ("start_date", "22/11/2030", "steht der Monat zuerst"),
        ("timezone", "W. Europe Standard Time", "Europe/Zurich oder UTC+1"),
        ("start_date", "31.02.203", "wie 2030-01-31 19:30"),
        ("end_date", "bald", "wie 2030-01-31 19:30"),
        ("start_date", "2030", "wie 2030-01-31 19:30"),
        ("start_date", "2030-02-30", "Diesen Tag gibt es nicht"),
        ("date", "2030-02-30", "Diesen Tag gibt es nicht"),
        ("recurrence", "every week", "FREQ=WEEKLY;BYDAY=WE"),
        ("recurrence", {"rrule": "every week"}, "FREQ=WEEKLY;BYDAY=WE"),
        ("recurrence", {"rrule": "INTERVAL=2"}, "FREQ=WEEKLY;BYDAY=WE"),
    ],
)
def test_refused_event_field_gets_a_hint(as_admin, name, value, help_):
    sent = {"title": "Concert", "start_date": "2030-11-22", "end_date": "2030-11-22", name: value}
    answer = as_admin.post("/events", **sent)
    assert (answer.status_code, answer.invalid_params) == (400, [name])
    assert help_ in answer.json["data"]["params"][name]


@pytest.mark.parametrize(
    ("name", "value", "help_"),
    [
        ("starts_after", "1799600000000", "Sekunden, nicht Millisekunden"),
        ("starts_after", "22/11/2030", "steht der Monat zuerst"),
        ("status", "all", "any"),
    ],
)
def test_refused_list_parameter_gets_a_hint(as_admin, name, value, help_):
    answer = as_admin.get("/events", **{name: value})
    assert (answer.status_code, answer.invalid_params) == (400, [name])
    assert help_ in answer.json["data"]["params"][name]


@pytest.mark.parametrize("name", ["starts_after", "modified_after"])
def test_list_rolls_a_day_that_no_month_has_over(as_admin, name):
    assert as_admin.get("/events", **{name: "2030-02-30"}).status_code == 200


@pytest.mark.parametrize("name", ["geo_lat", "geo_lng"])
def test_coordinate_with_a_comma_is_no_number(as_admin, name):
    place = {"geo_lat": 46.8, "geo_lng": 9.5, name: "46,6"}
    answer = as_admin.post("/venues", venue="Saal", **place)
    assert (answer.status_code, answer.invalid_params) == (400, [name])
    assert "46.85" in answer.json["data"]["params"][name]
    answer = as_admin.get("/events", geoloc_lat="46,6", geoloc_lng=9.5)
    assert "46.85" in answer.json["data"]["params"]["geoloc_lat"]


@pytest.mark.parametrize("address", ["anna", "anna@", "anna@gmail", "a b@example.org", "a@@b.org"])
def test_email_of_an_organizer_is_checked(as_admin, make_organizer, address):
    organizer = make_organizer(email="anna@example.org")
    for path in ("/organizers", f"/organizers/{organizer['id']}"):
        answer = as_admin.post(path, organizer="Verein", email=address)
        assert (answer.status_code, answer.invalid_params) == (400, ["email"])
        assert "name@example.org" in answer.json["data"]["params"]["email"]
    for accepted in ("", "Anna+Musik@Müller.example.org"):
        answer = as_admin.patch(f"/organizers/{organizer['id']}", email=accepted)
        assert (answer.status_code, answer.json.get("email", "")) == (200, accepted)


def test_stored_email_of_another_form_can_be_sent_back(
    as_admin, make_organizer, make_event, database
):
    organizer = make_organizer(email="anna@example.org")
    event = make_event(organizer=organizer["id"])
    old = {"email": "anna (at) example"}
    database["organizers"].update_one({"_id": organizer["id"]}, {"$set": old})
    for path in (f"/organizers/{organizer['id']}", f"/events/{event['id']}"):
        read = as_admin.get(path).json
        assert as_admin.send("PATCH", path, json=read).status_code == 200
    assert as_admin.get(f"/organizers/{organizer['id']}").json["email"] == old["email"]


def test_stranger_is_told_to_log_in(anyone, as_subscriber):
    assert "Melden Sie sich zuerst an" in anyone.post("/events").json["message"]
    assert as_subscriber.post("/events").json["message"] == "Das dürfen Sie leider nicht."


def test_wrong_method_is_told_the_right_ones(as_admin):
    answer = as_admin.delete("/events")
    assert (answer.status_code, answer.code) == (405, "rest_no_route")
    methods = answer.headers["Allow"]
    assert answer.json["message"] == f"Diese Adresse nimmt nur {methods} an."


@pytest.mark.parametrize("path", ["/events", "/media"])
def test_body_that_is_too_large_is_told_the_limit(worker, path):
    client = worker(max_body=1000, max_upload=2000)
    answer = client.send("POST", path, data=b"x" * 3000, content_type="image/png")
    assert (answer.status_code, answer.code) == (413, "request_too_large")
    assert f"mehr als {1000 if path == '/events' else 2000} Bytes" in answer.json["message"]


@pytest.mark.parametrize("method", ["GET", "PATCH", "DELETE"])
@pytest.mark.parametrize(
    "tag", ["33a64df5", "W/33a64df5", '"33a64df5', "'33a64df5'", '* , "a"', '"a" "b"']
)
def test_if_match_without_quotes_is_refused(as_admin, make_tag, method, tag):
    path = f"/tags/{make_tag()['id']}"
    answer = as_admin.send(method, path, json={"name": "Neu"}, headers={"If-Match": tag})
    assert (answer.status_code, answer.invalid_params) == (400, ["If-Match"])
    assert as_admin.get(path).json["name"] != "Neu"


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("en", "en"),
        ("en-US,en;q=0.9,de;q=0.8", "en"),
        ("de-CH,en;q=0.8", "de"),
        ("fr", "de"),
        ("*", "de"),
    ],
)
def test_messages_are_to_be_had_in_english_on_every_site(anyone, accepted, language):
    headers = {"Accept-Language": accepted}
    answer = anyone.send("GET", "/events?page=x", headers=headers)
    assert answer.headers["Content-Language"] == language
    assert "Accept-Language" in answer.headers["Vary"]
    assert ("Invalid" in answer.json["message"]) == (language == "en")
    named = anyone.send("GET", "/events?page=x&translation_language=rm", headers=headers)
    assert named.headers["Content-Language"] == "rm"
    read = anyone.send("GET", "/events", headers=headers)
    assert read.headers["Content-Language"] == "de"
    assert "Accept-Language" not in read.headers["Vary"]
