"""A record exists in a language once it has a name in it."""

import pytest
from api.resources.five_collections import PLURALS

RM = {"translation_language": "rm"}


def listed(client, plural, **query):
    return [
        record["id"]
        for record in client.get(f"/{plural}", hide_empty="false", **query).json[plural]
    ]


@pytest.mark.parametrize("kind", PLURALS)
def test_a_language_without_a_name_is_missing_and_left_out(anyone, as_admin, make_kind, kind):
    plural, label = PLURALS[kind]
    path = f"/{plural}/{make_kind(kind, **{label: 'Fest'})['id']}"
    as_admin.patch(path, description="Descripziun", **RM)
    assert anyone.get(path).json["translations"]["rm"]["status"] == "missing"
    assert listed(anyone, plural, fallback="none", **RM) == []

    as_admin.patch(path, **{label: "Festa"}, **RM)
    assert anyone.get(path).json["translations"]["rm"]["status"] == "current"
    assert len(listed(anyone, plural, fallback="none", **RM)) == 1


@pytest.mark.parametrize("kind", PLURALS)
@pytest.mark.parametrize("status", ["publish", "draft"])
def test_url_of_a_translation_equals_the_read_url(as_admin, make_kind, kind, status):
    plural, label = PLURALS[kind]
    state = {} if plural in ("categories", "tags") else {"status": status}
    path = f"/{plural}/{make_kind(kind, **{label: 'Fest'}, **state)['id']}"
    for name in ({}, {label: "Festa"}):
        as_admin.patch(path, description="Descripziun", **name, **RM)
        translations = as_admin.get(path).json["translations"]
        for language, translation in translations.items():
            record = as_admin.get(path, translation_language=language).json
            assert translation["url"] == record["url"]
            assert record["translations"][language]["url"] == record["url"]


@pytest.mark.parametrize("status", ["current", {"rm": "current"}])
def test_fallback_text_marked_current_is_stored(anyone, as_admin, make_event, status):
    path = f"/events/{make_event(title='Open Air')['id']}"
    as_admin.patch(path, title="Open Air", **RM)
    assert anyone.get(path).json["translations"]["rm"]["status"] == "missing"

    answer = as_admin.patch(path, title="Open Air", translation_status=status, **RM)
    assert answer.json["translations"]["rm"]["status"] == "current"
    assert answer.json["fallback_fields"] == []


def test_record_sent_back_as_current_stores_its_fallback_texts(as_admin, make_event):
    event = make_event(title="Open Air", description="Musik")
    read = as_admin.get(f"/events/{event['id']}", **RM).json
    answer = as_admin.send(
        "PUT",
        f"/events/{event['id']}",
        json=read | {"translation_status": "current"},
        query_string=RM,
    )
    assert not {"title", "description"} & set(answer.json["fallback_fields"])


@pytest.mark.parametrize("status", ["right", {"rm": "outdated"}, {"xx": "current"}, ["current"]])
def test_other_states_are_refused(as_admin, make_event, status):
    answer = as_admin.patch(f"/events/{make_event()['id']}", translation_status=status)
    assert answer.status_code == 400
    assert "translation_status" in answer.json["data"]["params"]


@pytest.mark.parametrize("method", ["POST", "PATCH"])
def test_a_text_that_differs_from_its_variant_is_refused(as_admin, make_event, method):
    path = "/events" if method == "POST" else f"/events/{make_event()['id']}"
    dates = {"start_date": "2030-05-01", "end_date": "2030-05-01"}
    body = {"title": "A & B", "variants": {"de": {"title": "C"}, "rm": {"title": "D"}}, **dates}
    answer = as_admin.send(method, path, json=body)
    assert answer.status_code == 400
    assert "title" in answer.json["data"]["params"]

    body["variants"]["de"]["title"] = "A &amp; B"
    assert as_admin.send(method, path, json=body).status_code < 300


def test_translation_only_needs_a_language(as_admin, make_event):
    path = f"/events/{make_event()['id']}"
    as_admin.patch(path, title="Concert", **RM)
    answer = as_admin.delete(path, translation_only="true")
    assert answer.status_code == 400
    assert "translation_language" in answer.json["data"]["params"]
    assert as_admin.get(path, **RM).json["title"] == "Concert"
    assert as_admin.delete(path, translation_only="true", **RM).status_code == 200


def test_the_website_of_a_draft_is_its_url_letter_for_letter(as_admin, make_event):
    event = make_event(status="draft")
    assert "&" in event["url"]
    assert event["website"] == event["url"]
    back = as_admin.patch(f"/events/{event['id']}", website=event["website"], status="publish").json
    assert back["website"] == back["url"]


@pytest.mark.parametrize("collection", ["categories", "tags"])
def test_descriptions_of_terms_get_no_paragraphs(as_admin, collection):
    body = {"name": "<b>Konzert</b>", "description": "Live <b>music</b><script>x</script>\n\nA"}
    term = as_admin.post(f"/{collection}", **body).json
    assert term["description"] == "Live <b>music</b>\n\nA"
    assert term["name"] == "Konzert"


@pytest.mark.parametrize("kind", PLURALS)
def test_html_tags_are_removed_from_names_for_every_role(make_kind, as_admin, as_author, kind):
    plural, label = PLURALS[kind]
    for caller, name in ((as_admin, "Eins"), (as_author, "Zwei")):
        if plural == "tags" and caller is as_author:
            continue
        record = make_kind(kind, by=caller, **{label: f"<b>{name}</b>"})
        assert record[label] == name
