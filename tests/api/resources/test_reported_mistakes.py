"""Programs report mistakes in public events; those who decide about the events answer them."""

from dataclasses import replace

import pytest
from calling import Client
from keeping import kept
from openapi_spec_validator import validate
from sites import swiss_site

from calendar_app.app import create_app, openapi_document

CONTRIBUTOR = 4
CONCERT = {
    "title": "Hausmusik",
    "start_date": "2030-03-10 19:00:00",
    "end_date": "2030-03-10 21:00:00",
}
REPORT = {"text": "It begins at eight."}
ROUTES = {
    "/events/{id}/mistakes": {"post"},
    "/mistakes": {"get"},
    "/mistakes/{id}": {"get"},
    "/mistakes/{id}/answer": {"post"},
    "/mistakes/{id}/reopen": {"post"},
}


@pytest.fixture(scope="session")
def settings(settings):
    return swiss_site(settings, mistake_reports=True)


@kept
def concert(make_event):
    """Return the id of a public event."""
    return make_event(**CONCERT)["id"]


@pytest.fixture
def reported(anyone, concert, as_editor):
    """Report a mistake; return it as editors see it."""
    assert anyone.post(f"/events/{concert}/mistakes", **REPORT).status_code == 201
    (mistake,) = as_editor.get("/mistakes").json["mistakes"]
    return mistake


def test_anybody_reports_a_mistake_and_editors_list_it(anyone, concert, as_editor):
    answer = anyone.post(f"/events/{concert}/mistakes", **REPORT)
    assert (answer.status_code, answer.json) == (201, {"event": concert, "state": "open"})
    listed = as_editor.get("/mistakes").json
    assert (listed["total"], listed["total_pages"]) == (1, 1)
    (mistake,) = listed["mistakes"]
    assert mistake["text"] == REPORT["text"]
    assert mistake["event"]["title"] == "Hausmusik"
    assert mistake["awaits_letter"] is False
    assert as_editor.get(f"/mistakes/{mistake['id']}").json == mistake


def test_reports_come_page_by_page_the_earliest_first(anyone, concert, as_editor):
    for number in range(3):
        anyone.post(f"/events/{concert}/mistakes", text=f"Mistake {number}")
    pages = [as_editor.get("/mistakes", page=page, per_page=2).json for page in (1, 2)]
    assert [[each["text"] for each in page["mistakes"]] for page in pages] == [
        ["Mistake 0", "Mistake 1"],
        ["Mistake 2"],
    ]
    assert pages[0]["total"] == 3


@pytest.mark.parametrize(
    "changes",
    [{"status": "draft"}, {"status": "private"}, {"password": "geheim"}],
    ids=["draft", "private", "password"],
)
def test_event_that_not_everybody_reads_takes_no_report(concert, as_editor, database, changes):
    as_editor.put(f"/events/{concert}", **changes)
    refused = as_editor.post(f"/events/{concert}/mistakes", **REPORT)
    missing = as_editor.post("/events/99/mistakes", **REPORT)
    assert refused.status_code == missing.status_code == 404
    assert refused.code == missing.code == "rest-event-not-found"
    assert database["mistake_reports"].count_documents({}) == 0


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ({}, "text"),
        ({"text": " "}, "text"),
        ({"text": 7}, "text"),
        ({"text": "x" * 2001}, "text"),
        ({**REPORT, "email": "ursina"}, "email"),
        ({**REPORT, "email": f"{'u' * 250}@example.org"}, "email"),
    ],
)
def test_bad_report_is_refused_by_its_field(anyone, concert, body, name):
    answer = anyone.post(f"/events/{concert}/mistakes", **body)
    assert answer.status_code == 400
    assert list(answer.json["data"]["params"]) == [name]


@pytest.mark.parametrize("state", ["corrected", "no_mistake"])
def test_answer_ends_the_report_and_is_taken_back(as_editor, reported, state):
    path = f"/mistakes/{reported['id']}"
    assert as_editor.post(f"{path}/answer", answer=state).json["state"] == state
    assert as_editor.get("/mistakes").json["total"] == 0
    again = as_editor.post(f"{path}/answer", answer="corrected")
    assert (again.status_code, again.code) == (409, "mistake_answered")
    assert as_editor.post(f"{path}/reopen").json["state"] == "open"
    assert as_editor.get("/mistakes").json["total"] == 1


@pytest.mark.parametrize("body", [{}, {"answer": "perhaps"}, {"answer": "open"}])
def test_unknown_answer_is_refused(as_editor, reported, body):
    answer = as_editor.post(f"/mistakes/{reported['id']}/answer", **body)
    assert answer.status_code == 400
    assert "answer" in str(answer.json["data"]["params"])


def test_keepers_answer_those_of_their_sources_alone(anyone, as_admin, as_contributor, reported):
    source = {"name": "Club", "kind": "push", "status": "publish", "keepers": [CONTRIBUTOR]}
    number = as_admin.post("/sources", **source).json["id"]
    own = as_admin.put(f"/events/by-source/{number}/1", **CONCERT | {"title": "Chor"}).json["id"]
    anyone.post(f"/events/{own}/mistakes", text="Another hall")
    (mistake,) = as_contributor.get("/mistakes").json["mistakes"]
    assert mistake["event"]["id"] == own
    for path in ("", "/answer", "/reopen"):
        method = "POST" if path else "GET"
        other = f"/mistakes/{reported['id']}{path}"
        body = {"answer": "corrected"} if path == "/answer" else {}
        assert as_contributor.send(method, other, json=body).status_code == 403
    path = f"/mistakes/{mistake['id']}/answer"
    assert as_contributor.post(path, answer="corrected").status_code == 200


def test_others_read_and_answer_nothing(anyone, as_author, as_editor, reported):
    paths = [("GET", "/mistakes"), ("GET", f"/mistakes/{reported['id']}")]
    paths += [("POST", f"/mistakes/{reported['id']}/reopen")]
    for method, path in paths:
        assert anyone.send(method, path).status_code == 401
        assert as_author.send(method, path).status_code == 403
    missing = as_editor.get("/mistakes/999")
    assert (missing.status_code, missing.code) == (404, "rest-mistake-not-found")


def test_address_is_in_no_answer(settings, database, clock, concert):
    app = create_app(replace(settings, smtp_url="smtp://localhost"), database, clock)
    Client(app).post(f"/events/{concert}/mistakes", **REPORT, email="ursina@example.org")
    answer = Client(app, "editor", 2).get("/mistakes")
    assert answer.json["mistakes"][0]["awaits_letter"] is True
    assert "ursina" not in answer.text
    assert database["mistake_reports"].find_one()["email"] == "ursina@example.org"


def test_programs_share_the_limit_of_the_form(settings, database, clock, concert):
    client = Client(create_app(replace(settings, submission_rate="1/hour"), database, clock))
    first, second = (client.post(f"/events/{concert}/mistakes", **REPORT) for _ in "ab")
    assert (first.status_code, second.status_code) == (201, 429)
    assert second.json["message"].startswith("Zu viele Fehlermeldungen.")


def test_routes_are_there_with_the_setting_alone(settings, database, clock, concert):
    document = openapi_document(settings)
    validate(document)
    methods = {path: document["paths"][path].keys() - {"parameters"} for path in ROUTES}
    assert methods == ROUTES
    client = Client(create_app(replace(settings, mistake_reports=False), database, clock))
    assert client.post(f"/events/{concert}/mistakes", **REPORT).code == "rest_no_route"


def test_document_says_that_readers_need_no_account(settings):
    paths = openapi_document(settings)["paths"]
    assert {} in paths["/events/{id}/mistakes"]["post"]["security"]
    assert {} not in paths["/mistakes/{id}/answer"]["post"]["security"]
