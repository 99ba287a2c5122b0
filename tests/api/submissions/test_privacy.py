"""``calendar-app privacy`` exports and erases the personal data of an e-mail address."""

import json
import re
from datetime import UTC, datetime

import pytest
from calling import Client
from click.testing import CliRunner

from calendar_app.cli.main import main

SENDER = "ursina@example.org"
WRITER = "writer@example.org"
HOURS = {"start_date": "2030-05-01 10:00", "end_date": "2030-05-01 12:00"}


@pytest.fixture
def run(database, mongod_uri):
    """Return a function that runs ``calendar-app privacy …`` on the database of the tests."""
    del database

    def running(command, *arguments):
        environment = {"CALENDAR_MONGODB_URI": mongod_uri}
        return CliRunner().invoke(main, ["privacy", command, *arguments], env=environment)

    return running


@pytest.fixture
def stored(run):
    """Return a function that exports the data of an address."""

    def export(email):
        exported = run("export", email)
        assert exported.exit_code == 0, exported.output
        return {name: found for name, found in json.loads(exported.output).items() if found}

    return export


@pytest.fixture
def writer(as_admin, as_author):
    """A user with an address of e-mail."""
    assert as_admin.patch(f"/users/{as_author.id}", email=WRITER).status_code == 200
    return as_author


def test_export_has_the_sender_of_a_contribution_in_any_letter_case(send, stored):
    number = send()["id"]
    (contribution,) = stored("Ursina@Example.org")["contributions"]
    assert contribution["_id"] == number
    assert (contribution["name"], contribution["email"]) == ("Ursina Caflisch", SENDER)
    assert "token" not in contribution


def test_nothing_is_erased_without_a_confirmation(send, run, stored):
    number = send()["id"]
    shown = run("erase", SENDER)
    assert f"1 x contribution ({number}): name and address erased" in shown.output
    assert shown.output.endswith("Nothing was erased. Add --yes to erase it.\n")
    assert stored(SENDER)["contributions"]


def test_erased_sender_is_forgotten_with_their_messages_and_the_event_stays(
    send, run, as_editor, anyone, database
):
    sent = send()
    as_editor.post(f"/submissions/{sent['id']}/ask", question="Wann, Ursina?")
    anyone.post("/submissions/sent/answer", token=sent["token"], answer="Um acht, Ursina")
    as_editor.post(f"/submissions/{sent['id']}/ask", question="Und wo, Ursina?")
    shown = run("erase", SENDER, "--yes").output
    assert "1 x message to the editors: erased with their conversation" in shown
    assert "ursina" not in str(list(database["submissions"].find())).lower()
    assert list(database["conversations"].find()) == []
    assert as_editor.get(f"/events/{sent['id']}").status_code == 200


def test_reader_who_reported_a_mistake_is_exported_and_forgotten_with_the_letter(
    run, stored, database
):
    report = {"event": 1, "text": "It begins at eight.", "email": SENDER, "language": "de"}
    letter = {"to": SENDER, "subject": "Thank you", "text": "Corrected.", "language": "de"}
    answered = {"state": "corrected", "letter": letter, "told_at": datetime.now(UTC)}
    database["mistake_reports"].insert_one({"_id": 1, "token": "x", **report, **answered})
    exported = stored("Ursina@Example.org")
    assert exported["reports"] == [{"_id": 1, "state": "corrected", **report}]
    assert exported["letters"] == [letter]
    assert "1 x reported mistake (1): address erased" in run("erase", SENDER, "--yes").output
    (kept,) = database["mistake_reports"].find()
    assert kept == {"_id": 1, "token": "x", "state": "corrected", **report, "email": ""}
    assert stored(SENDER) == {}


def test_erased_user_is_gone_and_their_events_and_number_stay(
    writer, run, stored, as_editor, database
):
    event = writer.post("/events", title="Markt", **HOURS).json["id"]
    before = stored(WRITER)
    assert [user["name"] for user in before["users"]] == ["author"]
    assert "secrets" not in before["users"][0]
    assert [entry["record"] for entry in before["history"]] == [event]
    assert run("erase", WRITER, "--yes").exit_code == 0
    assert stored(WRITER) == {}
    (entry,) = as_editor.get(f"/events/{event}/history").json["history"]
    assert entry["user"] == {"id": writer.id, "name": ""}
    assert [entry["name"] for entry in database["history"].find()] == [""]


def test_messages_of_an_erased_user_are_exported_and_stay_under_their_number(
    writer, run, stored, send, database
):
    sent = send()
    database["users"].update_one({"_id": writer.id}, {"$set": {"role": "editor"}})
    writer.post(f"/submissions/{sent['id']}/ask", question="Wann?")
    (message,) = stored(WRITER)["user_messages"]
    about = {"kind": "events", "record": sent["id"], "user": writer.id, "text": "Wann?"}
    assert message == {**about, "date": message["date"]}
    assert "1 x message as a user: stays under the user's number" in run("erase", WRITER).output
    run("erase", WRITER, "--yes")
    assert stored(WRITER) == {}
    (conversation,) = database["conversations"].find()
    assert [each["text"] for each in conversation["remarks"]] == ["Wann?"]


def test_nothing_of_an_erased_person_is_in_any_collection(app, writer, send, run, database):
    names = {"name": "ursina", "key": "ursina", "display_name": "Ursina Caflisch"}
    database["users"].update_one({"_id": writer.id}, {"$set": names})
    user = Client(app, "ursina", writer.id)
    assert user.post("/events", title="Markt", **HOURS).status_code == 201
    send()

    def leftovers():
        return {
            name
            for name in database.list_collection_names()
            for document in database[name].find()
            if re.search(f"ursina|caflisch|{WRITER}", repr(document), re.IGNORECASE)
        }

    assert leftovers() == {"users", "history", "submissions"}
    for address in (SENDER, WRITER):
        assert run("erase", address, "--yes").exit_code == 0
    assert leftovers() == set()


@pytest.mark.parametrize("name", ["author", "Ursina Caflisch"])
def test_name_of_an_erased_user_is_on_no_user_whom_they_changed(writer, run, database, name):
    users = database["users"]
    users.update_one({"_id": writer.id}, {"$set": {"display_name": "Ursina Caflisch"}})
    users.update_one({"name": "editor"}, {"$set": {"saved_by": name}})
    assert run("erase", WRITER, "--yes").exit_code == 0
    assert users.find_one({"name": "editor"})["saved_by"] == ""


def test_last_administrator_is_not_erased(as_admin, run, stored):
    assert as_admin.patch(f"/users/{as_admin.id}", email=WRITER).status_code == 200
    refused = run("erase", WRITER, "--yes")
    assert refused.exit_code == 1
    assert "No other administrator can log in." in refused.output
    assert stored(WRITER)["users"]


def test_address_of_an_organizer_is_named_and_stays_until_somebody_changes_it(
    as_admin, run, stored, database
):
    number = as_admin.post("/organizers", organizer="Chor", email=SENDER).json["id"]
    shown = run("erase", SENDER, "--yes").output
    assert f"1 x organizer ({number}): public, so it stays: change it at the desk" in shown
    as_admin.patch(f"/organizers/{number}", email="chor@example.org")
    assert stored(SENDER)["earlier_addresses"]
    run("erase", SENDER, "--yes")
    assert SENDER not in str(list(database["history"].find()))


def test_address_that_is_none_is_refused(run):
    refused = run("export", "ursina")
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert refused.stderr == "Error: email: An e-mail address looks like name@example.org.\n"


def test_address_of_nobody_has_nothing(run):
    assert run("erase", "nobody@example.org").output.startswith("Nothing is stored")
