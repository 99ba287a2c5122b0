"""Writes say where a text comes from, and who has checked it."""

import pytest
from keeping import kept


@pytest.mark.parametrize(
    ("parameter", "value"),
    [
        ("translation_origin", "robot"),
        ("translation_origin", 7),
        ("translation_origin", {"xx": "machine"}),
        ("translation_origin", {"rm": 7}),
        ("translation_origin", {"rm": {"website": "machine"}}),
        ("translation_origin", {"rm": {"title": 7}}),
        ("translation_origin", {"rm": {"title": {"origin": "machine", "by": 7}}}),
        ("translation_origin", {"rm": {"title": {"origin": "machine", "proposal": 7}}}),
        ("translation_origin", {"rm": {"title": {"origin": "machine", "reviewed": "so"}}}),
        ("translation_reviewed", "so"),
        ("translation_reviewed", {"xx": True}),
        ("translation_reviewed", {"rm": {"slug": True}}),
        ("translation_reviewed", {"rm": {"title": "so"}}),
        ("translation_reviewed", {"fr": True}),
    ],
)
def test_what_says_nothing_of_a_text_is_refused(as_admin, make_event, parameter, value):
    event = make_event(title="Konzert", variants={"rm": {"title": "Concert"}})
    refused = as_admin.post(f"/events/{event['id']}", **{parameter: value})
    assert refused.status_code == 400
    assert parameter in refused.json["data"]["params"]


@kept
def event(as_admin, make_event):
    """Return the path of an event with unreviewed machine texts in Romansh."""
    made = make_event(title="Konzert im Park", description="Musik")
    path = f"/events/{made['id']}"
    as_admin.post(
        path,
        translation_language="rm",
        title="Concert en il parc",
        description="Musica",
        translation_origin={"rm": {"origin": "machine", "by": "deepl"}},
    )
    return path


def romansh(answer):
    return {name: answer.json["translations"]["rm"][name] for name in ("origin", "reviewed")}


def test_readers_learn_who_wrote_the_texts_of_a_language(anyone, as_admin, event):
    assert romansh(anyone.get(event)) == {"origin": "machine", "reviewed": False}
    as_admin.post(event, translation_language="rm", translation_reviewed={"rm": {"title": True}})
    assert romansh(anyone.get(event)) == {"origin": "machine", "reviewed": False}
    as_admin.post(event, translation_language="rm", translation_reviewed=True)
    assert romansh(anyone.get(event)) == {"origin": "machine", "reviewed": True}
    as_admin.post(event, translation_language="rm", title="Tut in auter titel")
    assert romansh(anyone.get(event)) == {"origin": "mixed", "reviewed": True}


def test_nobody_wrote_or_checked_a_text_that_is_not_there(anyone, make_event):
    path = f"/events/{make_event(title='Konzert')['id']}"
    german, romansh_state = (anyone.get(path).json["translations"][tag] for tag in ("de", "rm"))
    assert (german["origin"], german["reviewed"]) == ("human", True)
    assert romansh_state.keys() == {"status", "url", "rest_url"}


def test_text_behind_a_password_does_not_show_that_somebody_wrote_it(anyone, as_admin, make_event):
    path = f"/events/{make_event(title='Konzert', password='open sesame')['id']}"
    as_admin.patch(path, variants={"rm": {"description": "Ina sera"}})
    for client, is_shown in ((anyone, False), (as_admin, True)):
        (event,) = client.get("/events", start_date="2000-01-01").json["events"]
        assert ("origin" in event["translations"]["rm"]) is is_shown


def test_editors_see_who_wrote_and_checked_each_text(anyone, as_admin, event):
    as_admin.post(event, translation_reviewed={"rm": {"title": True}})
    origins = as_admin.get(event, context="edit").json["text_origins"]["rm"]
    assert origins["title"]["origin"] == "machine"
    assert origins["title"]["by"] == "deepl"
    assert origins["title"]["reviewed_by"] == as_admin.id
    assert origins["description"]["reviewed"] is False
    assert "text_origins" not in anyone.get(event, context="edit").json
    public = anyone.get(event, translation_language="all").json["text_origins"]
    assert public["rm"]["title"] == {"origin": "machine", "reviewed": True}
    listed = anyone.get("/events", translation_language="all").json["events"][0]
    assert listed["text_origins"] == public


def test_lists_know_what_waits_and_what_people_wrote(anyone, as_admin, event, make_event):
    by_hand = make_event(title="Markt", variants={"rm": {"title": "Martgà"}})

    def ids(client, **filters):
        events = client.get("/events", translation_language="rm", **filters).json["events"]
        return {each["id"] for each in events}

    waiting = int(event.rpartition("/")[2])
    assert ids(as_admin, translation_state="unreviewed") == {waiting}
    assert ids(anyone, translation_origin="human") == {by_hand["id"]}
    as_admin.post(event, translation_reviewed={"rm": True})
    assert ids(as_admin, translation_state="unreviewed") == set()
    assert ids(anyone, translation_origin="human") == {by_hand["id"], waiting}
    assert anyone.get("/events", translation_state="unreviewed").status_code == 400


def test_what_is_not_shown_is_no_text_of_a_machine(anyone, as_admin, event):
    as_admin.post(event, translation_language="rm", title="Mes concert")
    as_admin.post(event, translation_language="rm", description=None)
    assert anyone.get("/events", translation_origin="human", translation_language="rm").json[
        "events"
    ]


def test_what_was_read_to_be_edited_can_be_sent_back(as_admin, event):
    read = as_admin.get(event, context="edit", translation_language="rm")
    tag = {"If-Match": read.headers["ETag"]}
    again = as_admin.send("POST", f"{event}?translation_language=rm", headers=tag, json=read.json)
    assert again.status_code == 200
    assert as_admin.get(event, context="edit", translation_language="rm").json == read.json


def test_history_restores_who_wrote_a_text(anyone, as_admin, event):
    as_admin.post(event, translation_language="rm", title="Tut auter", description="Tut auter")
    assert romansh(anyone.get(event)) == {"origin": "human", "reviewed": True}
    as_admin.post(f"{event}/history/2/restore")
    assert romansh(anyone.get(event)) == {"origin": "machine", "reviewed": False}


def test_a_check_alone_is_in_the_history(as_admin, event):
    as_admin.post(event, translation_reviewed={"rm": True})
    save = as_admin.get(f"{event}/history").json["history"][0]
    assert (save["fields"], save["languages"]) == (["translation_reviewed"], ["rm"])


def test_a_removed_language_has_no_ledger(as_admin, event):
    as_admin.delete(event, translation_language="rm", translation_only="true")
    origins = as_admin.get(event, context="edit").json["text_origins"]
    assert set(origins) == {"de"}
    as_admin.post(event, translation_language="rm", title="Concert en il parc")
    assert romansh(as_admin.get(event)) == {"origin": "human", "reviewed": True}


def test_a_proposal_that_was_taken_over_is_checked(anyone, as_admin, event):
    said = {"origin": "machine", "by": "deepl", "proposal": "<p>Musica per tuts</p>"}
    for text, origin in (
        ("<p>Musica per tuts</p>", "machine"),
        ("<p>Musica per tut</p>", "machine"),
        ("<p>Musica da chombra</p>", "human"),
    ):
        as_admin.post(
            event,
            variants={"rm": {"description": text}},
            translation_origin={"rm": {"description": said}},
        )
        origins = anyone.get(event, translation_language="all").json["text_origins"]["rm"]
        assert origins["description"] == {"origin": origin, "reviewed": True}
