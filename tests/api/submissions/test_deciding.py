"""Publishers see the waiting contributions, and publish, ask back or refuse them."""

import pytest

DECISIONS = {"publish": {}, "ask": {"question": "Wann?"}, "refuse": {"reason": "Zu weit"}}


@pytest.mark.parametrize("role", ["anyone", "as_subscriber", "as_contributor", "as_author"])
def test_queue_is_for_those_who_may_publish(send, request, role):
    number, caller = send()["id"], request.getfixturevalue(role)
    status = 401 if role == "anyone" else 403
    assert caller.get("/submissions").status_code == status
    assert caller.get(f"/submissions/{number}").status_code == status
    for decision, words in DECISIONS.items():
        assert caller.post(f"/submissions/{number}/{decision}", **words).status_code == status


def test_queue_lists_the_longest_waiting_first_page_by_page(send, as_editor):
    numbers = [send(title=f"Fest {number}")["id"] for number in range(3)]
    first = as_editor.get("/submissions", per_page=2).json
    assert [each["id"] for each in first["submissions"]] == numbers[:2]
    assert (first["total"], first["total_pages"]) == (3, 2)
    assert first["next_rest_url"].endswith("/submissions/?per_page=2&page=2")
    second = as_editor.follow(first["next_rest_url"]).json
    assert [each["id"] for each in second["submissions"]] == numbers[2:]


def test_drafts_of_users_are_not_in_the_queue(make_event, as_editor):
    make_event(title="Draft", status="pending")
    assert as_editor.get("/submissions").json["submissions"] == []


def test_published_contribution_is_public_with_its_venue(send, anyone, as_editor):
    number = send()["id"]
    answer = as_editor.post(f"/submissions/{number}/publish")
    assert answer.json["state"] == "published"
    event = anyone.get(f"/events/{number}").json
    assert event["status"] == "publish"
    assert event["venue"]["venue"] == "Alte Mühle"
    assert event["organizer"][0]["organizer"] == "Musikfreunde"
    assert event["slug"] == "hausmusik"
    assert as_editor.get("/submissions").json["total"] == 0


def test_refused_contribution_is_in_the_trash_with_its_venue(send, as_editor, follow):
    sent = send()
    as_editor.post(f"/submissions/{sent['id']}/refuse", reason="Zu weit weg")
    assert follow(sent["token"])["state"] == "refused"
    assert follow(sent["token"])["reason"] == "Zu weit weg"
    for kind in ("events", "venues", "organizers"):
        assert as_editor.get(f"/{kind}", status="pending").json[kind] == []
    assert as_editor.get("/venues", status="trash").json["venues"][0]["venue"] == "Alte Mühle"


def test_venue_that_another_contribution_has_stays(send, as_editor):
    refused, pending = send(), send(title="Anderes")
    as_editor.post(f"/submissions/{refused['id']}/refuse", reason="Doppelt")
    event = as_editor.get(f"/events/{pending['id']}").json
    assert event["venue"]["venue"] == "Alte Mühle"


def test_only_what_was_read_is_published(send, anyone, as_editor):
    sent = send()
    event = as_editor.get(f"/events/{sent['id']}")
    anyone.post("/submissions/sent", token=sent["token"], title="Inzwischen anders")
    answer = as_editor.send(
        "POST",
        f"/submissions/{sent['id']}/publish",
        headers={"If-Match": event.headers["ETag"]},
    )
    assert answer.status_code == 412
    assert as_editor.get(f"/events/{sent['id']}").json["status"] == "pending"


def test_a_refusal_needs_a_reason(send, as_editor):
    number = send()["id"]
    answer = as_editor.post(f"/submissions/{number}/refuse", reason=" ")
    assert (answer.status_code, answer.invalid_params) == (400, ["reason"])


def test_events_of_users_are_no_contributions(make_event, as_editor):
    number = make_event(title="Own", status="pending")["id"]
    answer = as_editor.post(f"/submissions/{number}/publish")
    assert (answer.status_code, answer.code) == (404, "rest-submission-not-found")


def test_similar_events_stand_beside_it(send, make_event, make_venue, as_editor):
    mill = make_venue(venue="Alte Mühle")["id"]
    day = {"start_date": "2030-03-10 10:00", "end_date": "2030-03-10 11:00"}
    titled = make_event(title="Hausmusik im Tal", **day)["id"]
    there = make_event(title="Etwas anderes", venue=mill, **day)["id"]
    make_event(title="Weit weg", **day)
    late = {"start_date": "2030-04-10 10:00", "end_date": "2030-04-10 11:00"}
    make_event(title="Hausmusik", venue=mill, **late)
    trashed = make_event(title="Hausmusik", **day)["id"]
    as_editor.delete(f"/events/{trashed}")
    number = send()["id"]
    (entry,) = as_editor.get("/submissions").json["submissions"]
    assert [(each["id"], each["same_place"]) for each in entry["similar"]] == [
        (titled, False),
        (there, True),
    ]
    assert as_editor.get(f"/submissions/{number}").json["similar"] == entry["similar"]


def test_two_contributions_of_one_event_are_similar(send, as_editor):
    first, second = send()["id"], send()["id"]
    queue = as_editor.get("/submissions").json["submissions"]
    assert [[similar["id"] for similar in each["similar"]] for each in queue] == [[second], [first]]
