"""Readers see who publishes an event, as far as its source shows that."""

import pytest

TOWN = {"name": "Gemeinde Samedan", "url": "https://samedan.example.org/"}
OPEN = {"publisher": TOWN, "license": "CC BY 4.0", "attribution": "Gemeinde Samedan 2030"}
SHOWN = {**TOWN, "license": "CC BY 4.0", "attribution": "Gemeinde Samedan 2030"}
LICENSE = "https://creativecommons.org/licenses/by/4.0/"
CONCERT = {
    "title": "Concert",
    "start_date": "2030-03-01 19:00:00",
    "end_date": "2030-03-01 21:00:00",
    "website": "https://samedan.example.org/concert",
}
WEEKLY = CONCERT | {"title": "Choir", "recurrence": {"rrule": "FREQ=WEEKLY;COUNT=3"}}
WINDOW = {"start_date": "2030-01-01", "end_date": "2031-01-01"}


@pytest.fixture
def add(as_editor):
    """Return a function that adds a source of published events to which programs send."""

    def adding(**settings):
        usual = {"name": "Town hall", "kind": "push", "status": "publish"}
        return as_editor.post("/sources", **usual | settings).json["id"]

    return adding


@pytest.fixture
def send(as_editor):
    """Return a function that sends an event to a source."""

    def sending(source, uid="1", **changes):
        answer = as_editor.put(f"/events/by-source/{source}/{uid}", **CONCERT | changes)
        assert answer.status_code in (200, 201), answer.json
        return answer.json

    return sending


def titles(answer):
    assert answer.status_code == 200, answer.json
    return [each["title"] for each in answer.json["events"]]


def test_everybody_reads_who_publishes_an_event(anyone, add, send):
    event = send(add(**OPEN))
    assert anyone.get(f"/events/{event['id']}").json["provenance"] == SHOWN
    (listed,) = anyone.get("/events", **WINDOW).json["events"]
    assert listed["provenance"] == SHOWN


def test_dates_of_a_series_have_its_publisher(anyone, add, send):
    send(add(**OPEN), **WEEKLY)
    events = anyone.get("/events", **WINDOW).json["events"]
    assert [each["provenance"] for each in events] == [SHOWN] * 3
    assert anyone.get(f"/events/{events[1]['id']}").json["provenance"] == SHOWN
    assert anyone.get("/series").json["series"][0]["provenance"] == SHOWN


def test_events_without_a_publisher_say_nothing(anyone, add, send, make_event):
    make_event()
    send(add())
    for event in anyone.get("/events").json["events"]:
        assert "provenance" not in event


def test_event_of_several_publishers_names_each_once(anyone, add, send, database):
    first, second, third = add(**OPEN), add(publisher={"name": "Club"}), add(**OPEN)
    event = send(first)
    notes = [{"source": number, "uid": "1", "recurrence_id": ""} for number in (second, third)]
    database["events"].update_one(
        {"_id": event["id"]}, {"$push": {"from_sources": {"$each": notes}}}
    )
    club = {"name": "Club", "url": "", "license": "", "attribution": ""}
    assert anyone.get(f"/events/{event['id']}").json["provenance"] == [SHOWN, club]


def test_what_a_source_does_not_show_stays_for_editors(anyone, as_author, as_editor, add, send):
    event = send(add(**OPEN, show_provenance=False))
    for reader in (anyone, as_author):
        assert "provenance" not in reader.get(f"/events/{event['id']}").json
        assert "Samedan" not in reader.get("/events", **WINDOW).text.replace("samedan", "")
        assert reader.get("/events", publisher="gemeinde-samedan", **WINDOW).status_code == 400
    assert as_editor.get(f"/events/{event['id']}").json["provenance"] == SHOWN
    assert titles(as_editor.get("/events", publisher="gemeinde-samedan", **WINDOW)) == ["Concert"]


def test_locked_event_hides_its_publisher(anyone, as_editor, add, send):
    event = send(add(**OPEN))
    as_editor.put(f"/events/{event['id']}", password="secret")
    (listed,) = anyone.get("/events", **WINDOW).json["events"]
    assert "provenance" not in listed
    opened = anyone.get(f"/events/{event['id']}", password="secret")
    assert opened.json["provenance"] == SHOWN
    assert titles(anyone.get("/events", publisher="gemeinde-samedan", **WINDOW)) == []


@pytest.mark.parametrize(
    "name", ["Gemeinde Samedan", "gemeinde samedan", "gemeinde-samedan", "club,gemeinde-samedan"]
)
def test_events_are_found_by_their_publisher(anyone, add, send, make_event, name):
    make_event(**CONCERT | {"title": "Ours"})
    add(publisher={"name": "Club"})
    town = add(**OPEN)
    send(town)
    send(town, "2", **WEEKLY)
    listed = titles(anyone.get("/events", publisher=name, **WINDOW))
    assert sorted(listed) == ["Choir", "Choir", "Choir", "Concert"]


def test_a_publisher_that_nobody_knows_is_refused(anyone, add):
    add(**OPEN)
    answer = anyone.get("/events", publisher="Gemeinde Celerina")
    assert list(answer.json["data"]["params"]) == ["publisher"]
    assert anyone.get("/events", publisher="").status_code == 400


def test_tags_of_answers_follow_the_publisher(anyone, as_editor, add, send):
    source = add(**OPEN)
    event = send(source)
    send(source, "2", **WEEKLY)
    paths = [
        *("/events", f"/events/{event['id']}", f"/events/{event['id']}.ics"),
        *("/events.ics", "/events.atom", "/events.jsonld"),
    ]
    dates = {"start_date": "2030-01-01"}
    former = {path: anyone.get(path, **dates).headers["ETag"] for path in paths}
    as_editor.put(f"/sources/{source}", attribution="Samedan")
    for path in paths:
        assert anyone.get(path, **dates).headers["ETag"] != former[path], path


def test_settings_of_another_kind_leave_feeds_as_they_are(anyone, as_editor, add, send):
    source = add(**OPEN)
    send(source)
    dates = {"start_date": "2030-01-01"}
    tag = anyone.get("/events.ics", **dates).headers["ETag"]
    as_editor.put(f"/sources/{source}", vanished="cancel")
    assert anyone.get("/events.ics", **dates).headers["ETag"] == tag


def test_linked_data_tells_who_publishes_the_page(anyone, add, send):
    event = send(add(**OPEN))
    page = anyone.get(f"/events/{event['id']}").json["json_ld"]["subjectOf"]
    assert page["@type"] == "WebPage"
    assert page["sdPublisher"] == {"@type": "Organization", **TOWN}
    assert (page["isBasedOn"], page["license"]) == (CONCERT["website"], LICENSE)
    assert page["creditText"] == "Gemeinde Samedan 2030"


def test_feeds_tell_who_publishes_an_event(anyone, add, send):
    source = add(**OPEN)
    send(source)
    send(source, "2", **WEEKLY)
    dates = {"start_date": "2030-01-01"}
    text = anyone.get("/events.ics", **dates).text.replace("\r\n ", "")
    link = "LINK;LABEL=Gemeinde Samedan"
    source_link = f'{link};LINKREL="SOURCE";VALUE=URI:{CONCERT["website"]}'
    assert text.count(source_link) == 2
    assert text.count(f'{link};LINKREL="license";VALUE=URI:{LICENSE}') == 2
    credit = "Von: Gemeinde Samedan · Gemeinde Samedan 2030 · CC BY 4.0"
    assert text.count(f"COMMENT;LANGUAGE=de;X-CREDIT=TRUE:{credit}") == 2
    atom = anyone.get("/events.atom", **dates).text
    assert atom.count(f"<rights>{credit}</rights>") == 4
    assert f'<link rel="license" href="{LICENSE}" />' in atom
    assert f'<link rel="via" href="{CONCERT["website"]}" />' in atom


def test_catalog_names_the_publishers_that_are_shown(anyone, add):
    add(**OPEN)
    add(publisher={"name": "Club"}, show_provenance=False)
    (attribution,) = anyone.get("/dcat.jsonld").json["dcat:dataset"]["prov:qualifiedAttribution"]
    assert attribution["prov:agent"]["foaf:name"] == TOWN["name"]


def test_removed_source_tells_nothing_more(anyone, as_editor, add, send):
    source = add(**OPEN)
    event = send(source)
    as_editor.delete(f"/sources/{source}")
    assert "provenance" not in anyone.get(f"/events/{event['id']}").json


def test_followers_get_events_again_whose_publisher_changed(anyone, as_editor, add, send):
    source, other = add(**OPEN), add(publisher={"name": "Club"}, show_provenance=False)
    send(source)
    send(source, "2", **WEEKLY)
    send(other, "3")

    def follow(since):
        answer = anyone.get("/changes", since=since).json
        return answer["next"], [each["record"]["provenance"]["name"] for each in answer["changes"]]

    token = anyone.get("/changes", since="start").json["next"]
    as_editor.put(f"/sources/{source}", publisher={"name": "Samedan"})
    token, names = follow(token)
    assert names == ["Samedan"] * 4
    # What readers are not shown is no change for them.
    as_editor.put(f"/sources/{source}", vanished="cancel")
    as_editor.put(f"/sources/{other}", publisher={"name": "Choir"})
    token, names = follow(token)
    assert names == []
    as_editor.put(f"/sources/{source}", show_provenance=False)
    changes = anyone.get("/changes", since=token).json["changes"]
    assert ["provenance" in each["record"] for each in changes] == [False] * 4


def test_followers_of_a_publisher_hear_of_events_that_go(anyone, as_editor, add, send):
    source = add(**OPEN)
    send(source)
    query = {"publisher": "gemeinde-samedan"}
    token = anyone.get("/changes", since="start", **query).json["next"]
    as_editor.delete(f"/events/by-source/{source}/1")
    (change,) = anyone.get("/changes", since=token, **query).json["changes"]
    assert change["change"] == "delete"
