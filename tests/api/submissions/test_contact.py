"""Who sent a contribution is forgotten, and shown nowhere."""

from datetime import timedelta

import pytest
from prometheus_client import generate_latest

from calendar_app.assembly.indexes import INDEXES

SECRETS = ("Ursina", "Caflisch", "ursina@example.org")


def test_contact_expires_after_the_days_of_the_setting(send, database, settings):
    send()
    (stored,) = database["submissions"].find()
    assert stored["expires"] - stored["submitted"] == timedelta(days=settings.submission_days)
    (expiring,) = [index for index in INDEXES["submissions"] if index.expire_after is not None]
    assert (expiring.fields, expiring.expire_after) == ((("expires", 1),), 0)


@pytest.mark.parametrize(
    ("decision", "words"), [("publish", {}), ("refuse", {"reason": "Zu weit weg"})]
)
def test_contact_is_forgotten_with_the_decision(send, database, as_editor, decision, words):
    as_editor.post(f"/submissions/{send()['id']}/{decision}", **words)
    assert not any(secret in repr(list(database["submissions"].find())) for secret in SECRETS)


def test_contact_is_in_no_other_collection(send, database, as_editor):
    as_editor.post(f"/submissions/{send()['id']}/ask", question="Wann?")
    for name in set(database.list_collection_names()) - {"submissions"}:
        assert not any(secret in repr(list(database[name].find())) for secret in SECRETS)


def test_contact_and_secret_are_in_no_answer_log_or_metric(send, anyone, as_editor, capsys):
    sent = send()
    number, token = sent["id"], sent["token"]
    answers = [
        anyone.get("/submissions/sent", token=token),
        as_editor.get("/submissions"),
        as_editor.get(f"/submissions/{number}"),
        as_editor.get("/events", status="pending"),
        as_editor.get(f"/events/{number}"),
        as_editor.get("/venues", status="pending"),
        as_editor.get("/organizers", status="pending"),
        as_editor.post(f"/submissions/{number}/ask", question="Wann?"),
        as_editor.post(f"/submissions/{number}/publish"),
        *(anyone.get(f"/events.{suffix}") for suffix in ("ics", "atom", "csv", "geojson")),
        anyone.get(f"/events/{number}.ics"),
    ]
    assert all(answer.status_code == 200 for answer in answers)
    places = [answer.get_data(as_text=True) for answer in answers]
    log = capsys.readouterr().out
    for secret in SECRETS:
        assert not any(secret in place for place in (*places, log, generate_latest().decode()))
    assert token not in log


def test_contribution_whose_sender_is_forgotten_is_still_decided(send, database, as_editor):
    number = send()["id"]
    database["submissions"].delete_many({})
    (entry,) = as_editor.get("/submissions").json["submissions"]
    assert (entry["id"], entry["submitted"]) == (number, None)
    assert as_editor.post(f"/submissions/{number}/publish").json["state"] == "published"
