"""Senders withdraw contributions that are not decided yet."""

import pytest
from browsing import Browser


def test_withdrawn_contribution_is_in_the_trash_with_its_venue(send, anyone, as_editor, follow):
    sent = send()
    answer = anyone.delete("/submissions/sent", token=sent["token"])
    assert (answer.status_code, answer.json["state"]) == (200, "withdrawn")
    assert follow(sent["token"])["state"] == "withdrawn"
    assert as_editor.get("/submissions").json["total"] == 0
    assert as_editor.get("/events", status="trash").json["events"][0]["id"] == sent["id"]
    assert as_editor.get("/venues", status="trash").json["total"] == 1


def test_sender_is_forgotten_who_withdraws(send, anyone, database):
    anyone.delete("/submissions/sent", token=send()["token"])
    (stored,) = database["submissions"].find()
    assert (stored["name"], stored["email"]) == ("", "")


@pytest.mark.parametrize("decision", ["publish", "refuse", "withdraw"])
def test_what_is_decided_is_withdrawn_no_more(send, anyone, as_editor, decision):
    sent = send()
    if decision == "withdraw":
        anyone.delete("/submissions/sent", token=sent["token"])
    else:
        as_editor.post(f"/submissions/{sent['id']}/{decision}", reason="Zu weit weg")
    answer = anyone.delete("/submissions/sent", token=sent["token"])
    assert (answer.status_code, answer.code) == (409, "submission_decided")


def test_withdrawn_event_that_an_editor_brings_back_waits_again(send, anyone, as_editor, follow):
    sent = send()
    anyone.delete("/submissions/sent", token=sent["token"])
    as_editor.post(f"/events/{sent['id']}", status="pending")
    assert follow(sent["token"])["state"] == "waiting"
    as_editor.post(f"/submissions/{sent['id']}/refuse", reason="Zu weit weg")
    assert follow(sent["token"])["state"] == "refused"


def test_nothing_is_withdrawn_without_the_secret(send, anyone):
    send()
    assert anyone.delete("/submissions/sent", token="guess").status_code == 404
    assert anyone.delete("/submissions/sent").status_code == 400


def test_page_asks_before_it_withdraws(send, app, follow):
    sent, browse = send(), Browser(app)
    page = browse(sent["url"])
    button = page.tree.xpath("//details//button[@name='withdraw']")
    assert len(button) == 1
    assert "Sind Sie sicher?" in page.text
    assert follow(sent["token"])["state"] == "waiting"
    assert browse(sent["url"], method="POST", data={"withdraw": "true"}).status == 303
    page = browse(sent["url"])
    assert "Ihre Veranstaltung ist zurückgezogen" in page.text
    assert not page.tree.xpath("//form[@method='post']")
