"""The setting ``machine_text``: whether readers are shown what a machine wrote."""

from dataclasses import replace

import pytest


@pytest.fixture(params=["label", "reviewed", "never"])
def machine_text(request):
    return request.param


@pytest.fixture
def settings(settings, machine_text):
    return replace(settings, machine_text=machine_text)


@pytest.fixture
def event(as_admin, make_event):
    """Return the path of an event that a machine has translated."""
    made = make_event(title="Konzert im Park", description="Musik")
    path = f"/events/{made['id']}"
    texts = {"title": "Concert en il parc", "description": "Musica"}
    as_admin.post(path, translation_language="rm", translation_origin="machine", **texts)
    return path


def seen(client, path):
    """Return the texts of the event in Romansh, from every place that shows it."""
    read = client.get(path, translation_language="rm").json
    listed = client.get("/events", translation_language="rm").json["events"][0]
    assert listed["title"] == read["title"]
    alone = client.get("/events", translation_language="rm", fallback="none").json["events"]
    matching = client.get("/events", translation_language="rm", search="concert").json["events"]
    is_shown = read["title"] == "Concert en il parc"
    assert bool(alone) is bool(matching) is is_shown
    assert ("title" in read["fallback_fields"]) is not is_shown
    every = client.get(path, translation_language="all").json
    assert ("title" in every["variants"].get("rm", {})) is is_shown
    translation = read["translations"]["rm"]
    assert (translation["status"] == "current") is ("origin" in translation) is is_shown
    return is_shown


def test_readers_see_what_the_setting_lets_them(anyone, as_admin, event, machine_text):
    assert seen(anyone, event) is (machine_text == "label")
    as_admin.post(event, translation_reviewed={"rm": True})
    assert seen(anyone, event) is (machine_text != "never")
    as_admin.post(event, translation_language="rm", title="Il concert da stad")
    assert anyone.get(event, translation_language="rm").json["title"] == "Il concert da stad"


def test_editors_see_all_texts(as_admin, event):
    texts = as_admin.get(event, translation_language="all").json["variants"]["rm"]
    assert texts["title"] == "Concert en il parc"


def test_what_was_read_is_sent_back_without_a_change(as_admin, event):
    for query in ({"translation_language": "rm"}, {"translation_language": "all"}):
        read = as_admin.get(event, **query).json
        as_admin.send("POST", f"{event}?translation_language=rm", json=read)
        assert as_admin.get(event, **query).json == read
