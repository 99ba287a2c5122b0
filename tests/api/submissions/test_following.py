"""The sender follows and mends a contribution by a secret link, until it is decided."""

import pytest


def test_sender_reads_by_the_secret_and_nobody_without(send, anyone):
    sent = send()
    assert anyone.get("/submissions/sent", token=sent["token"]).json["id"] == sent["id"]
    answer = anyone.get("/submissions/sent", token="x" * 32)
    assert (answer.status_code, answer.code) == (404, "rest-submission-not-found")
    assert anyone.get("/submissions/sent").json["data"]["params"] == ["token"]


def test_secret_is_stored_hashed(send, database):
    token = send()["token"]
    assert token not in repr(list(database["submissions"].find()))


def test_answer_to_the_sender_is_kept_by_nobody(send, anyone):
    answer = anyone.get("/submissions/sent", token=send()["token"])
    assert answer.headers["Cache-Control"] == "private, no-store"


def test_sender_mends_and_what_is_omitted_stays(send, anyone, as_editor):
    sent = send()
    answer = anyone.post("/submissions/sent", token=sent["token"], title="Tafelmusik", website="")
    assert answer.status_code == 200, answer.json
    event = as_editor.get(f"/events/{sent['id']}").json
    assert (event["title"], event["start_date"]) == ("Tafelmusik", "2030-03-10 19:00:00")
    assert event["venue"]["venue"] == "Alte Mühle"
    assert answer.json["mended"]


def test_mending_answers_the_question(send, anyone, as_editor, follow):
    sent = send()
    as_editor.post(f"/submissions/{sent['id']}/ask", question="Wann endet es?")
    assert follow(sent["token"])["state"] == "asked"
    assert follow(sent["token"])["question"] == "Wann endet es?"
    anyone.post("/submissions/sent", token=sent["token"], end_date="2030-03-10 23:00")
    assert follow(sent["token"])["state"] == "waiting"
    assert follow(sent["token"])["question"] == ""


@pytest.mark.parametrize(
    ("decision", "words"), [("publish", {}), ("refuse", {"reason": "Zu weit weg"})]
)
def test_what_is_decided_is_mended_no_more(send, anyone, as_editor, decision, words):
    sent = send()
    assert as_editor.post(f"/submissions/{sent['id']}/{decision}", **words).status_code == 200
    answer = anyone.post("/submissions/sent", token=sent["token"], title="Anders")
    assert (answer.status_code, answer.code) == (409, "submission_decided")
    for later_decision in ("publish", "refuse", "ask"):
        again = as_editor.post(
            f"/submissions/{sent['id']}/{later_decision}", reason="x", question="x"
        )
        assert (again.status_code, again.code) == (409, "submission_decided")


def test_sender_learns_of_an_event_published_elsewhere(send, as_editor, follow):
    sent = send()
    as_editor.post(f"/events/{sent['id']}", status="publish")
    assert follow(sent["token"])["state"] == "published"


def test_sender_learns_of_an_event_that_is_deleted(send, as_editor, follow):
    sent = send()
    as_editor.delete(f"/events/{sent['id']}", force=True)
    assert (follow(sent["token"])["state"], follow(sent["token"])["event"]) == ("refused", None)


def test_one_secret_opens_nothing_else(send, anyone):
    first, second = send(), send(title="Anderes")
    anyone.post("/submissions/sent", token=first["token"], id=second["id"], title="Entführt")
    event = anyone.get("/submissions/sent", token=second["token"]).json["event"]
    assert event["title"] == "Anderes"
