"""Names that begin with a text are found by the index of names, among however many."""

from datetime import timedelta

import pytest
from desking import Desk

from calendar_app.api.http.request.state import get_services
from calendar_app.site.desk.sessions import COOKIE

HALLS = 2000
# Of 2,000 names of venues, a hundred begin so; nothing else is looked at.
_FEW_KEYS = 120


@pytest.fixture
def editor(app, database):
    """Return an editor at the desk of a calendar with 2,000 halls."""
    browser = Desk(app)
    user = database["users"].find_one({"name": "editor"})
    token = get_services(app).accounts.sessions.begin(user["_id"], timedelta(hours=1))
    browser.client.set_cookie(COOKIE, token, path="/desk")
    return browser


@pytest.fixture
def halls(make_venue, as_editor, database):
    """Make halls called ``Saal 0000`` to ``Saal 1999``, and return the queries for venues."""
    first = make_venue(by=as_editor, venue="Saal 0000", city="Chur")["id"]
    stored = database["venues"].find_one({"_id": first})
    stored.pop("slugs")
    database["venues"].insert_many(
        stored
        | {"_id": first + number, "names": [f"de:saal {number:04}"]}
        | {"variants": {"de": {**stored["variants"]["de"], "venue": f"Saal {number:04}"}}}
        for number in range(1, HALLS)
    )
    database.command("planCacheClear", "venues")
    database.command("profile", 2)
    yield lambda: list(database["system.profile"].find({"ns": f"{database.name}.venues"}))
    database.command("profile", 0)
    database["system.profile"].drop()


def test_names_that_begin_so_are_read_by_their_index_alone(editor, halls):
    page = editor.get("/events/suggestions", query_string={"kind": "venue", "text": "Saal 01"})
    labels = [each["label"] for each in page.answer.json]
    assert labels == [f"Saal {number:04}, Chur" for number in range(100, 120)]
    [query] = halls()
    assert "names" in query["planSummary"]
    assert query["keysExamined"] <= _FEW_KEYS
    assert query["docsExamined"] <= _FEW_KEYS


def test_text_that_no_name_begins_with_takes_one_command_too(editor, halls):
    page = editor.get("/events/suggestions", query_string={"kind": "venue", "text": "199"})
    labels = [each["label"] for each in page.answer.json]
    in_middles = [number for number in range(HALLS) if "199" in f"{number:04}"]
    ordered = sorted(in_middles, key=lambda number: (not f"{number:04}".startswith("199"), number))
    assert labels == [f"Saal {number:04}, Chur" for number in ordered]
    assert len(halls()) == 1
