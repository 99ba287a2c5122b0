"""The choices of an event's form: read when a term is written, and not before."""

import pytest
from calling import Client
from command_recording import CommandRecorder, recorded_database

EVENT = {"title": "Bazar", "start_date": "2030-03-10 19:00", "end_date": "2030-03-10 21:00"}
# So many tags stand in a form at most.
LISTED = 200


@pytest.fixture
def recorder():
    return CommandRecorder("find", "aggregate")


@pytest.fixture
def database(mongod_uri, recorder):
    with recorded_database(mongod_uri, "forms", recorder) as recorded:
        yield recorded


@pytest.fixture
def editor(desk_app):
    return Client(desk_app, "editor", 1)


def _created(editor, path, **fields):
    answer = editor.post(path, **fields)
    assert answer.status_code == 201, answer.json
    return answer.json["id"]


def _offered(browser, event):
    """Return the categories and the tags that the form of an event offers."""
    page = browser.get(f"/events/{event}")
    assert page.status == 200, page.text
    boxes = page.tree.xpath('//input[@name="categories"]/following-sibling::span')
    options = page.tree.xpath('//datalist[@id="known-tags"]/option/@value')
    return [box.text for box in boxes], options


def test_form_reads_terms_once_however_many_events_are_written(editor, browser, recorder):
    _created(editor, "/categories", name="Konzert")
    _created(editor, "/tags", name="Abend")
    event, other = (_created(editor, "/events", **EVENT) for _ in range(2))
    assert _offered(browser, event) == (["Konzert"], ["Abend"])
    assert editor.patch(f"/events/{other}", title="Flohmarkt").status_code == 200
    recorder.commands.clear()
    assert _offered(browser, event) == (["Konzert"], ["Abend"])
    read = [sent.get("find", sent.get("aggregate")) for sent in recorder.commands]
    assert "events" in read
    assert not {"categories", "tags"} & set(read)


def test_written_term_stands_in_the_next_form(editor, browser):
    event = _created(editor, "/events", **EVENT)
    first = _created(editor, "/tags", name="Abend")
    assert _offered(browser, event)[1] == ["Abend"]
    second = _created(editor, "/tags", name="Zirkus")
    assert _offered(browser, event)[1] == ["Abend", "Zirkus"]
    assert editor.patch(f"/tags/{first}", name="Morgen").status_code == 200
    assert _offered(browser, event)[1] == ["Morgen", "Zirkus"]
    assert editor.delete(f"/tags/{second}").status_code == 200
    assert _offered(browser, event)[1] == ["Morgen"]


def test_tag_behind_the_listed_ones_comes_among_them(editor, browser, database):
    event = _created(editor, "/events", **EVENT)
    last = _created(editor, "/tags", name="Zirkus")
    model = database["tags"].find_one()
    database["tags"].insert_many(
        {
            **model,
            "_id": 1000 + number,
            "slugs": [f"de:tag-{number}"],
            "variants": {"de": {"name": f"Tag {number:03}", "slug": f"tag-{number}"}},
        }
        for number in range(LISTED)
    )
    assert "Zirkus" not in _offered(browser, event)[1]
    assert editor.patch(f"/tags/{last}", name="Abend").status_code == 200
    offered = _offered(browser, event)[1]
    assert offered[0] == "Abend"
    assert len(offered) == LISTED
