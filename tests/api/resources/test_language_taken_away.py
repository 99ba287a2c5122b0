"""A text or a language can be taken away, but never the last one."""

import pytest
from api.resources.five_collections import PLURALS


def test_a_text_that_is_taken_away_lets_the_fallback_show(as_admin, make_event, stored_texts):
    event = make_event(title="Konzert", description="Musik")
    path = f"/events/{event['id']}"
    as_admin.post(path, translation_language="rm", title="Concert", description="Musica")
    answer = as_admin.post(path, translation_language="rm", description="")
    assert answer.json["description"] == "<p>Musik</p>"
    assert "description" in answer.json["fallback_fields"]
    assert "description" not in stored_texts(path)["rm"]


def test_language_without_texts_is_missing(as_admin, make_event):
    event = make_event(title="Konzert")
    path = f"/events/{event['id']}"
    as_admin.post(path, translation_language="rm", description="Musica", slug="musica")
    answer = as_admin.post(path, translation_language="rm", description="")
    assert answer.json["translations"]["rm"]["status"] == "missing"


@pytest.mark.parametrize("kind", PLURALS)
def test_one_language_can_be_taken_away(anyone, as_admin, make_kind, stored_texts, kind):
    plural, label = PLURALS[kind]
    record = make_kind(kind, **{label: "Konzert"})
    path = f"/{plural}/{record['id']}"
    as_admin.post(path, translation_language="rm", **{label: "Concert"})
    answer = as_admin.delete(path, translation_language="rm", translation_only=True)
    assert answer.status_code == 200
    assert answer.json["translations"]["rm"]["status"] == "missing"
    assert stored_texts(path).keys() == {"de"}
    assert anyone.get(path, translation_language="rm").json[label] == "Konzert"


@pytest.mark.parametrize("kind", PLURALS)
def test_the_last_language_cannot_be_taken_away(as_admin, make_kind, stored_texts, kind):
    plural, label = PLURALS[kind]
    record = make_kind(kind, **{label: "Konzert"})
    path = f"/{plural}/{record['id']}"
    answer = as_admin.delete(path, translation_language="de", translation_only=True)
    assert (answer.status_code, answer.code) == (409, "last_translation")
    assert stored_texts(path).keys() == {"de"}


def test_the_last_language_that_has_a_title_cannot_be_taken_away(
    as_admin, make_event, stored_texts
):
    event = make_event(title="Konzert")
    path = f"/events/{event['id']}"
    as_admin.post(path, translation_language="rm", description="Musica")
    answer = as_admin.delete(path, translation_language="de", translation_only=True)
    assert (answer.status_code, answer.code) == (409, "last_translation")
    assert stored_texts(path).keys() == {"de", "rm"}


def test_language_removal_with_a_stale_etag_is_refused(as_admin, make_event):
    event = make_event(title="Konzert")
    path = f"/events/{event['id']}"
    as_admin.post(path, translation_language="rm", title="Concert")
    tag = as_admin.get(path, translation_language="rm").headers["ETag"]
    as_admin.post(path, translation_language="rm", title="Concert 2")
    query = {"translation_language": "rm", "translation_only": "true"}
    answer = as_admin.send("DELETE", path, query_string=query, headers={"If-Match": tag})
    assert (answer.status_code, answer.code) == (412, "precondition_failed")
    tag = as_admin.get(path, translation_language="rm").headers["ETag"]
    answer = as_admin.send("DELETE", path, query_string=query, headers={"If-Match": tag})
    assert answer.status_code == 200


def test_who_may_not_edit_a_record_takes_no_language_away(as_author, as_admin, make_event):
    event = make_event(title="Konzert")
    path = f"/events/{event['id']}"
    as_admin.post(path, translation_language="rm", title="Concert")
    answer = as_author.delete(path, translation_language="rm", translation_only=True)
    assert answer.status_code == 403
