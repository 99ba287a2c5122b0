"""Anybody may send an event, which nobody sees until it is published."""

from dataclasses import replace

import pytest
from calling import Client

from calendar_app.app import create_app


def test_contribution_waits_unseen(send, anyone, as_editor):
    sent = send()
    assert sent["state"] == "waiting"
    assert sent["event"]["status"] == "pending"
    assert anyone.get("/events").json["events"] == []
    assert anyone.get(f"/events/{sent['id']}").status_code == 403
    event = as_editor.get(f"/events/{sent['id']}").json
    assert event["title"] == "Hausmusik"
    assert event["venue"]["venue"] == "Alte Mühle"
    assert event["organizer"][0]["organizer"] == "Musikfreunde"
    assert event["description"] == "<p>Mit Flöte</p>\n<p>und Laute</p>"


def test_new_venue_waits_too(send, anyone, as_editor):
    assert send()["event"]["venue"]["venue"] == "Alte Mühle"
    assert anyone.get("/venues").json["venues"] == []
    (waiting,) = as_editor.get("/venues", status="pending").json["venues"]
    assert waiting["venue"] == "Alte Mühle"


def test_public_venue_of_that_name_is_used_again(send, make_venue, as_editor):
    existing = make_venue(venue="Alte Mühle")
    event = as_editor.get(f"/events/{send()['id']}").json
    assert event["venue"]["id"] == existing["id"]


def test_answer_tells_nothing_of_hidden_namesakes(send, make_venue, make_organizer):
    make_venue(venue="Alte Mühle", status="private")
    make_organizer(organizer="Musikfreunde", status="draft")
    event = send()["event"]
    assert [event["venue"]["slug"], event["organizer"][0]["slug"]] == ["", ""]


def test_public_venue_is_named_by_id_and_a_draft_is_not(send, make_venue):
    public, draft = make_venue(venue="Saal"), make_venue(venue="Keller", status="draft")
    assert send(venue=public["id"])["event"]["venue"]["venue"] == "Saal"
    assert "venue" in send(400, venue=draft["id"])["data"]["params"]


def test_event_without_an_end_ends_as_it_starts(send):
    event = send(end_date=None)["event"]
    assert event["end_date"] == event["start_date"] == "2030-03-10 19:00:00"


def test_text_is_cleaned(send, as_editor):
    payload = "<script>ran()</script><p onclick='ran()'>Guten Abend</p>"
    sent = send(title="Fest <img src=x onerror=ran()>", description=payload)
    event = as_editor.get(f"/events/{sent['id']}").json
    assert event["description"] == "<p>Guten Abend</p>"
    assert "<img" not in event["title"]


@pytest.mark.parametrize(
    "field", ["status", "author", "featured", "password", "slug", "date", "tags"]
)
def test_nothing_but_the_short_form_is_taken(send, as_editor, field):
    values = {"status": "publish", "author": 1, "featured": True, "password": "x"}
    values |= {"slug": "x", "date": "2000-01-01"}
    values |= {"tags": ["x"]}
    event = as_editor.get(f"/events/{send(**{field: values[field]})['id']}").json
    assert (event["status"], event["author"], event["featured"]) == ("pending", "0", False)
    assert event["slug"] != "x"
    assert event["tags"] == []


def test_category_is_chosen_and_not_made(send, as_admin):
    category = as_admin.post("/categories", name="Musik").json
    assert send(categories=[category["id"]])["event"]["categories"][0]["name"] == "Musik"
    assert list(send(400, categories=["Neues"])["data"]["params"]) == ["categories"]


def test_text_is_in_the_language_of_the_request(send, as_editor):
    sent = send(translation_language="rm", title="Musica da chasa")
    event = as_editor.get(f"/events/{sent['id']}", translation_language="all").json
    assert event["variants"].keys() == {"rm"}
    assert sent["language"] == "rm"


def test_texts_of_several_languages_are_sent_at_once(send, as_editor):
    variants = {"de": {"title": "Hausmusik"}, "rm": {"title": "Musica", "description": "Flauta"}}
    number = send(title="Hausmusik", description="Flöte", variants=variants)["id"]
    stored = as_editor.get(f"/events/{number}", translation_language="all").json["variants"]
    assert {tag: texts["description"] for tag, texts in stored.items()} == {
        "de": "<p>Flöte</p>",
        "rm": "<p>Flauta</p>",
    }
    send(400, variants={"rm": {"title": "Musica", "description": "x" * 20_001}})


def test_every_wrong_field_is_named_at_once(send):
    refused = send(
        400,
        title=" ",
        start_date="someday",
        website="nowhere",
        venue=99999,
        categories=["Neues"],
        contact_email="ursina",
        consent=False,
    )
    assert refused["code"] == "rest_invalid_param"
    assert refused["data"]["params"].keys() == {
        *("title", "start_date", "website", "venue", "categories", "contact_email", "consent")
    }


def test_consent_is_needed(send):
    assert send(400, consent=None)["data"]["params"] == ["consent"]


@pytest.mark.parametrize(
    ("field", "length"), [("title", 201), ("description", 20_001), ("venue", 201)]
)
def test_long_texts_are_refused(send, field, length):
    assert list(send(400, **{field: "a" * length})["data"]["params"]) == [field]


@pytest.mark.without_mongodb
def test_without_the_setting_there_is_no_such_route(settings, database, clock):
    closed = Client(create_app(replace(settings, submissions=False), database, clock))
    assert closed.get("/submissions").status_code == 404
    assert closed.post("/submissions").status_code == 404


SECRETS = {"address": "Geheimweg 1", "phone": "+41 81 555 00 00", "city": "Verborgen"}


@pytest.mark.parametrize("status", ["pending", "private", "draft", "trash"])
def test_visitor_sees_nothing_of_the_places_that_another_visitor_named(send, as_editor, status):
    """Where one of that name is hidden, another one is made; an id names nothing."""
    first = send()["event"]
    venue, organizer = first["venue"]["id"], first["organizer"][0]["id"]
    as_editor.post(f"/venues/{venue}", **SECRETS, status=status)
    as_editor.post(f"/organizers/{organizer}", email="secret@example.org", status=status)
    answer = send()
    assert not any(text in str(answer) for text in (*SECRETS.values(), "secret@example.org"))
    assert answer["event"]["venue"]["id"] != venue
    assert answer["event"]["organizer"][0]["id"] != organizer
    assert "venue" in send(400, venue=venue)["data"]["params"]


@pytest.mark.parametrize("status", ["private", "draft"])
def test_place_of_another_visitor_is_shown_as_to_everybody(send, follow, as_editor, status):
    first = send()["event"]
    as_editor.post(f"/submissions/{first['id']}/publish")
    second = send(title="Tafelmusik")
    venue, organizer = second["event"]["venue"]["id"], second["event"]["organizer"][0]["id"]
    assert (venue, organizer) == (first["venue"]["id"], first["organizer"][0]["id"])
    as_editor.post(f"/venues/{venue}", **SECRETS, status=status)
    as_editor.post(f"/organizers/{organizer}", email="secret@example.org", status=status)
    event = follow(second["token"])["event"]
    assert (event["title"], event["venue"], event["organizer"]) == ("Tafelmusik", [], [])


def test_sender_keeps_the_own_new_place_when_the_event_changes(send, anyone):
    sent = send()
    changes = {"title": "Hausmusik am Abend", "venue": "Alte Mühle"}
    answer = anyone.post(f"/submissions/sent?token={sent['token']}", **changes)
    assert answer.status_code == 200, answer.json
    event = answer.json["event"]
    assert (event["title"], event["venue"]["id"]) == (
        changes["title"],
        sent["event"]["venue"]["id"],
    )


def test_cost_of_a_contribution_is_bounded(send):
    assert "cost" in send(400, cost="1 " * 101)["data"]["params"]
    assert "cost" in send(400, cost=["1"] * 201)["data"]["params"]
    assert send(cost="20 Franken")["event"]["cost"] == "20 Franken"
