"""A draft shows the publication date that was sent for it, in both notations."""

import pytest

EVENT = {"title": "Concert", "start_date": "2030-03-10 19:00", "end_date": "2030-03-10 21:00"}
SHOWN = ("2027-01-01 11:00:00", "2027-01-01 10:00:00")


@pytest.mark.parametrize("status", ["draft", "pending"])
@pytest.mark.parametrize("sent", [{"date_utc": SHOWN[1]}, {"date": SHOWN[0], "date_utc": SHOWN[1]}])
@pytest.mark.parametrize(
    ("kind", "body"),
    [("events", EVENT), ("venues", {"venue": "Aula"}), ("organizers", {"organizer": "Choir"})],
)
def test_draft_shows_the_date_that_was_sent(as_admin, status, sent, kind, body):
    answer = as_admin.post(f"/{kind}", **body, **sent, status=status)
    assert answer.status_code == 201, answer.json
    assert (answer.json["date"], answer.json["date_utc"]) == SHOWN
    read = as_admin.get(f"/{kind}/{answer.json['id']}").json
    assert (read["date"], read["date_utc"]) == SHOWN


def test_draft_shows_a_date_that_is_sent_later(as_admin):
    draft = as_admin.post("/events", **EVENT, status="draft").json
    changed = as_admin.post(f"/events/{draft['id']}", date_utc=SHOWN[1]).json
    assert (changed["date"], changed["date_utc"], changed["status"]) == (*SHOWN, "draft")
